"""Rule sets after one change, answered from those before it: nothing is built anew but the changed row."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adjudicator.authoring.asked import Request, request_of
from adjudicator.authoring.mutants.asked_policy import AskedPolicy
from adjudicator.authoring.mutants.mutant import RefusedError
from adjudicator.domain.request import QUESTION, Priority
from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.approver_rules import entitling_row
from adjudicator.policy.casbin.functions import Matching
from adjudicator.policy.casbin.rows import SEPARATOR, Rows
from adjudicator.policy.compiled_rules import CompiledRules
from adjudicator.policy.functions import FACET_MATCH, rule_functions
from adjudicator.policy.model import WHEN, Shape
from adjudicator.policy.pattern_error import PatternError
from adjudicator.policy.snapshot import Effect, EvaluationError, RuleQuestion, Snapshot

Find = Callable[[Effect, Request], RuleRef | None]


@dataclass(frozen=True, slots=True)
class ChangedRules:
    """A rule set for which `find` answers. `unnamed` is whom no row names any more."""

    find: Find
    unnamed: str = ""

    def match(self, effect: Effect, question: RuleQuestion) -> RuleRef | None:
        """The first matching row of that effect, or None. Raises EvaluationError."""
        return self.find(effect, request_of(question))

    def first(self, effect: Effect, request: tuple[Any, ...]) -> RuleRef | None:
        """The same for a request as the model has it."""
        return self.find(effect, request)


class NewRow:
    """One row by itself, in the place of another. Raises RefusedError when it would not load."""

    def __init__(self, asked: AskedPolicy, number: int, text: str, fields: Sequence[str]) -> None:
        self._policy = asked.policy
        self._number = number
        self._text = text
        self._fields = fields
        self._effect = Effect(fields[self._policy.shape.policy.index("eft")])
        self._matching = _matching(self._policy.shape, fields)
        self._rules: CompiledRules | None = None

    @property
    def ref(self) -> RuleRef:
        """Its place, which is that of the other row."""
        return replace(self._ready().ref(0), line=self._policy.rows.ref(self._number).line)

    def matches(self, effect: Effect, request: Request) -> bool:
        """Whether it is of that effect and matches. Raises EvaluationError."""
        if effect is not self._effect:
            return False
        try:
            return bool(self._ready().every(effect, request))
        except EvaluationError as error:
            raise EvaluationError(error.message, self.ref) from error

    def matches_reached(self, request: Request) -> bool:
        """Whether it matches what its subject, tenant and tool reach; one that fails could do anything."""
        if self._matching is not None:
            return self._matching.matches(request[-1])
        try:
            return self.matches(self._effect, request)
        except EvaluationError:
            return True

    def _ready(self) -> CompiledRules:
        """The row as a rule set, made when somebody asks: most are never asked."""
        if self._rules is None:
            rows = Rows("p")
            rows.begin_file(self._policy.rows.ref(self._number).file, [self._text])
            rows.add(1, SEPARATOR.join(self._fields))
            self._rules = self._policy.rules_of(rows)
        return self._rules


def _matching(shape: Shape, fields: Sequence[str]) -> Matching | None:
    """What of a rule is left to match once its keys do; None where that is not its pattern alone."""
    if "facet" not in shape.request:
        return None
    row = dict(zip(shape.policy, fields, strict=True))
    try:
        matching = rule_functions()[FACET_MATCH].compile(row["argument"], row["unless"], row["eft"])
    except PatternError as error:
        raise RefusedError(str(error)) from error
    return None if WHEN in row else matching


def with_row(asked: AskedPolicy, number: int, row: NewRow | None) -> ChangedRules:
    """The rules with another row, or none, in the place of the one of that number."""

    def find(effect: Effect, request: Request) -> RuleRef | None:
        found = next((each for each in asked.every(effect, request) if each != number), None)
        if row is not None and (found is None or number < found) and row.matches(effect, request):
            return row.ref
        return None if found is None else asked.rules.ref(found)

    fields = asked.policy.rows.fields(number)
    return ChangedRules(find, asked.only_named_by(fields) if row is None else "")


def without_link(asked: AskedPolicy, link: tuple[str, str, str]) -> ChangedRules:
    """The rules when a member has lost a role in a tenant."""

    def find(effect: Effect, request: Request) -> RuleRef | None:
        numbers = asked.every(effect, request)
        if numbers and request[1] == link[2]:
            held = asked.held_without(request[0], link)
            numbers = [each for each in numbers if asked.policy.rows.fields(each)[0] in held]
        return asked.rules.ref(numbers[0]) if numbers else None

    return ChangedRules(find, asked.only_named_by(link))


@dataclass(frozen=True, slots=True)
class ChangedEntitlements:
    """What people are entitled to by rules that were changed."""

    rules: ChangedRules
    before: Snapshot

    def may_decide(self, actor: str, tenant: str, tool: str, priority: Priority) -> RuleRef | None:
        """The row that entitles the actor, or None. Raises EvaluationError."""
        return entitling_row(self.rules, actor, tenant, tool, priority)

    def has_role(self, actor: str, role: str, tenant: str) -> bool:
        """Whether the actor had the role."""
        return self.before.approvers.has_role(actor, role, tenant)

    @property
    def version(self) -> str:
        """Another than before."""
        return f"{self.before.approvers.version}*"

    def people(self) -> frozenset[str]:
        """Everybody whom a row names."""
        return self.before.approvers.people() - {self.rules.unnamed}

    def tenants(self, actor: str) -> frozenset[str]:
        """The tenants in which some row entitles the actor to something. Raises EvaluationError."""
        registry = self.before.registry
        return frozenset(
            tenant
            for tenant in registry.tenants
            if any(
                self.may_decide(actor, tenant, tool, priority)
                for tool in (QUESTION, *registry.tools)
                for priority in Priority
            )
        )
