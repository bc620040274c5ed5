"""The models of a bundle: ordinary Casbin, with the product's columns, roles and tenant join."""

from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.policy.casbin.expression import Comparison, PolicyColumn, RequestColumn, conjuncts
from adjudicator.policy.casbin.functions import MatchingFunction
from adjudicator.policy.casbin.model import Entry, Model, policy_columns, read_model
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source

WHEN = "when"
_TENANT = (RequestColumn("tenant"), PolicyColumn("tenant"))
_ROLES = "_, _, _"


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns that a model must have; `unread` are those of a row that its matcher need not look at."""

    name: str
    request: tuple[str, ...]
    policy: tuple[str, ...]
    unread: frozenset[str] = frozenset({"eft", "reason"})

    @property
    def file(self) -> str:
        """The model's file."""
        return f"models/{self.name}.conf"


PERMISSION = Shape("permission", ("sub", "tenant", "obj"), ("sub", "tenant", "obj", "eft"))
SCOPE = Shape("scope", ("sub", "tenant", "obj"), ("sub", "tenant", "obj", "eft"))
RULES = Shape(
    "rules",
    ("sub", "tenant", "tool", "facet"),
    ("sub", "tenant", "tool", "argument", "unless", "eft", "reason"),
)
RULES_WHEN = Shape(
    "rules",
    RULES.request,
    ("sub", "tenant", "tool", "argument", "unless", WHEN, "eft", "reason"),
)
"""The rule chain with a condition in each row, which the matcher evaluates with `eval(p.when)`."""


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
        for column in sorted(
            set(self.shape.policy) - self.shape.unread - policy_columns(self.model.matcher)
        ):
            self._refuse(
                self.model.at["m"],
                f"the matcher never looks at `p.{column}`, so that column would be ignored",
            )
        if not any(_joins_tenant(part) for part in conjuncts(self.model.matcher)):
            self._refuse(
                self.model.at["m"],
                "every row belongs to one tenant; join `r.tenant == p.tenant` with `&&`",
            )

    def _check_columns(self, key: str, have: tuple[str, ...], want: tuple[str, ...]) -> None:
        if have != want:
            message = f"the columns are not the product's; write `{key} = {', '.join(want)}`"
            self._refuse(self.model.at[key], message)

    def _refuse(self, entry: Entry, message: str) -> None:
        self.problems.add(self.file, message, entry.line, entry.column)


def _joins_tenant(part: object) -> bool:
    if not isinstance(part, Comparison) or part.sign != "==":
        return False
    return (part.left, part.right) in (_TENANT, _TENANT[::-1])
