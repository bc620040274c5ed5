"""The models of a bundle: ordinary Casbin, with the product's columns, roles and matcher."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from adjudicator.policy.casbin.expression import (
    AnyOf,
    Call,
    Comparison,
    PolicyColumn,
    RequestColumn,
    Truth,
    conjuncts,
)
from adjudicator.policy.casbin.functions import MatchingFunction
from adjudicator.policy.casbin.model import Entry, Model, read_model
from adjudicator.policy.casbin.parser import parse_expression
from adjudicator.policy.problem import Problems
from adjudicator.policy.snapshot import AGENT, USER
from adjudicator.policy.source import Source

WHEN = "when"
_TENANT = "r.tenant == p.tenant"
_SUBJECT = "g(r.sub, p.sub, r.tenant)"
_TOOL = '(p.tool == "*" || r.tool == p.tool)'
_FACET = "facet_match(r.facet, p.argument, p.unless, p.eft)"
_ROLES = "_, _, _"


@dataclass(frozen=True, slots=True)
class Shape:
    """What a model must have: its columns, and the parts that `&&` joins to its matcher, in any order.

    The rows are checked for what these parts make of them. With another matcher a Deny row could load
    that nothing can match, or an Allow row that matches more than it says. `who` is what the subjects
    begin with that are no roles.
    """

    name: str
    request: tuple[str, ...]
    policy: tuple[str, ...]
    matcher: tuple[str, ...]
    who: str = AGENT

    @property
    def file(self) -> str:
        """The model's file."""
        return f"models/{self.name}.conf"


PERMISSION = Shape(
    "permission",
    ("sub", "tenant", "obj"),
    ("sub", "tenant", "obj", "eft"),
    (_TENANT, "r.obj == p.obj", _SUBJECT),
)
SCOPE = Shape(
    "scope",
    ("sub", "tenant", "obj"),
    ("sub", "tenant", "obj", "eft"),
    (_TENANT, '(p.obj == "*" || r.obj == p.obj)', _SUBJECT),
)
RULES = Shape(
    "rules",
    ("sub", "tenant", "tool", "facet"),
    ("sub", "tenant", "tool", "argument", "unless", "eft", "reason"),
    (_TENANT, _TOOL, _SUBJECT, _FACET),
)
RULES_WHEN = Shape(
    "rules",
    RULES.request,
    ("sub", "tenant", "tool", "argument", "unless", WHEN, "eft", "reason"),
    (*RULES.matcher, f"eval(p.{WHEN})"),
)
"""The rule chain with a condition in each row."""
APPROVERS = Shape(
    "approvers",
    ("sub", "tenant", "tool", "priority"),
    ("sub", "tenant", "tool", "priority", "eft"),
    (_TENANT, _TOOL, '(p.priority == "*" || r.priority == p.priority)', _SUBJECT),
    who=USER,
)
"""Who may decide: the subjects are people and their roles, which no agent has a part in."""


def read_shaped_model(
    source: Source, shapes: tuple[Shape, ...], functions: Mapping[str, MatchingFunction], problems: Problems
) -> tuple[Shape, Model | None]:
    """The model and which of the shapes it has; no model, and the first shape, when there is a problem."""
    before = len(problems)
    model = read_model(source, functions, problems)
    if model is None:
        return shapes[0], None
    shape = next((each for each in shapes if each.policy == model.policy), shapes[0])
    _Checks(source.name, shape, model, problems).check()
    return shape, model if len(problems) == before else None


@dataclass(frozen=True, slots=True)
class _Checks:
    file: str
    shape: Shape
    model: Model
    problems: Problems

    def check(self) -> None:
        self._check_columns("r", self.model.request, self.shape.request)
        self._check_columns("p", self.model.policy, self.shape.policy)
        if dict(self.model.roles) != {"g": True}:
            at = self.model.at.get("g", self.model.at["p"])
            self._refuse(at, f"write `g = {_ROLES}` alone: a subject, its role, and the tenant")
        self._check_matcher()

    def _check_matcher(self) -> None:
        have = {_meaning(part) for part in conjuncts(self.model.matcher)}
        want = {_meaning(parse_expression(part)): part for part in self.shape.matcher}
        for meaning, part in want.items():
            if meaning not in have:
                self._refuse(self.model.at["m"], f"the matcher has no part `{part}`; join it with `&&`")
        if have - want.keys():
            self._refuse(
                self.model.at["m"],
                "the matcher has a part that is none of the product's, so that a row could match more, or "
                f"less, than it says; write `m = {' && '.join(self.shape.matcher)}`",
            )

    def _check_columns(self, key: str, have: tuple[str, ...], want: tuple[str, ...]) -> None:
        if have != want:
            message = f"the columns are not the product's; write `{key} = {', '.join(want)}`"
            self._refuse(self.model.at[key], message)

    def _refuse(self, entry: Entry, message: str) -> None:
        self.problems.add(self.file, message, entry.line, entry.column)


def _meaning(part: Truth) -> Hashable:
    """What is equal for two spellings of the same: the sides of `==` and the parts of `||` change places.

    In a call the row's tenant is the request's, for the two are one.
    """
    match part:
        case Comparison("==", left, right):
            return frozenset((left, right))
        case AnyOf(parts):
            return frozenset(map(_meaning, parts))
        case Call(name, arguments):
            row, request = PolicyColumn("tenant"), RequestColumn("tenant")
            return name, tuple(request if each == row else each for each in arguments)
    return part
