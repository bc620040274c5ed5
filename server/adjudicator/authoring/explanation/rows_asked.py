"""Which rows speak about a call: those that match, the one that decides, and those that nearly match."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from adjudicator.authoring.explanation.near_misses import Asked, object_misses, rule_misses
from adjudicator.authoring.explanation.nearest import Misses
from adjudicator.authoring.explanation.role_paths import Link, RolePaths
from adjudicator.chain.case import Case, Finding
from adjudicator.chain.gate import facets_of
from adjudicator.chain.rulings import finding_of
from adjudicator.config.limits import EXPLAINED_FACETS
from adjudicator.domain.arguments import Arguments
from adjudicator.domain.facet import Facet
from adjudicator.domain.verdict import Outcome, RuleRef
from adjudicator.facets.bounds import InvalidArgumentError, TooComplexError
from adjudicator.policy.casbin.expression import Truth
from adjudicator.policy.casbin.parser import parse_expression
from adjudicator.policy.casbin.predicates import Compiler
from adjudicator.policy.functions import condition_functions
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import PERMISSION, RULES, SCOPE, WHEN
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.snapshot import Effect, EvaluationError, subject_of

_ORDER = (Effect.DENY, Effect.ALLOW, Effect.ASK)
_OTHERS: Mapping[Outcome | None, frozenset[Effect]] = {
    Outcome.DENY: frozenset((Effect.ALLOW, Effect.ASK)),
    Outcome.ASK: frozenset((Effect.ALLOW, Effect.DENY)),
    Outcome.ALLOW: frozenset((Effect.DENY, Effect.ASK)),
    None: frozenset((Effect.DENY, Effect.ASK)),
}
"""The effects that would make another outcome of each."""


@dataclass(frozen=True, slots=True)
class RowMatch:
    """A row that matches, or a list of `bundle.yaml` that has the tool, for which there is no number.

    `through` are the roles from the agent to the row's subject. `overruled` is the effect that came first.
    """

    rule: RuleRef
    effect: Effect
    number: int | None = None
    through: tuple[Link, ...] = ()
    decides: bool = False
    overruled: Effect | None = None


@dataclass(frozen=True, slots=True)
class ObjectRows:
    """What the rows of permissions, or of scope, say about an agent. `failure` is in place of an answer."""

    policy: str
    agent: str
    object: str
    matches: tuple[RowMatch, ...]
    misses: Misses
    failure: str = ""


@dataclass(frozen=True, slots=True)
class FacetRows:
    """What the rules say about one facet; no finding where a mention is left to another facet.

    `misses` is None where nobody looked for near misses, since the call touches too many things.
    """

    facet: Facet
    finding: Finding | None
    matches: tuple[RowMatch, ...]
    misses: Misses | None = None
    failure: str = ""


def object_rows(
    bundle: OpenBundle, name: str, agent: str, tenant: str, thing: str, most: int | None
) -> ObjectRows:
    """What the policy of this name, permission or scope, says of the agent and a permission or tool."""
    policy = bundle.policies[name]
    paths = RolePaths(policy.roles, subject_of(agent), tenant)
    asked = Asked(subject_of(agent), frozenset(paths.held), tenant, thing)
    try:
        numbers = {
            effect: bundle.rule_sets[name].every(effect, (asked.subject, tenant, thing))
            for effect in (Effect.DENY, Effect.ALLOW)
        }
    except EvaluationError as error:
        return ObjectRows(name, agent, thing, (), Misses(), error.message)
    matches = tuple(_matches(bundle, name, paths, numbers))
    wanted = frozenset((Effect.DENY,) if matches and matches[0].effect is Effect.ALLOW else (Effect.ALLOW,))
    return ObjectRows(name, agent, thing, matches, object_misses(policy, asked, wanted, most))


def facets_or_none(case: Case) -> tuple[Facet, ...]:
    """What rules see of the call; nothing where rules cannot look at it."""
    if not isinstance(case.arguments, Arguments) or case.call.tool not in case.snapshot.registry.tools:
        return ()
    try:
        return facets_of(case, case.arguments)
    except (TooComplexError, InvalidArgumentError):
        return ()


def matching_rules(bundle: OpenBundle, case: Case, facet: Facet) -> dict[Effect, list[int]]:
    """The numbers of all rows of the rule chain that match the facet. Raises EvaluationError."""
    request = (subject_of(case.call.agent), case.call.tenant, case.call.tool, facet)
    return {effect: bundle.rule_sets[RULES.name].every(effect, request) for effect in _ORDER}


def facet_rows(bundle: OpenBundle, case: Case, most: int | None) -> tuple[FacetRows, ...]:
    """What the rules say about each facet, the strictest first, with near misses of a bounded number."""
    if case.call.tenant not in case.snapshot.registry.tenants:
        return ()
    paths = RolePaths(bundle.policies[RULES.name].roles, subject_of(case.call.agent), case.call.tenant)
    answers = [_facet_answer(bundle, case, facet, paths) for facet in facets_or_none(case)]
    answers.sort(key=lambda each: _weight(each.finding))
    looked_at = answers if most is None else answers[:EXPLAINED_FACETS]
    misses = _misses(bundle, case, paths, looked_at, most)
    told = (replace(each, misses=found) for each, found in zip(looked_at, misses, strict=True))
    return (*told, *answers[len(looked_at) :])


def _weight(finding: Finding | None) -> int:
    outcomes = (Outcome.DENY, Outcome.ASK, Outcome.ALLOW)
    return len(outcomes) if finding is None else outcomes.index(finding.outcome)


def _facet_answer(bundle: OpenBundle, case: Case, facet: Facet, paths: RolePaths) -> FacetRows:
    try:
        finding = finding_of(case, facet)
        numbers = matching_rules(bundle, case, facet)
    except EvaluationError as error:
        where = f"{error.rule}: " if error.rule else ""
        return FacetRows(facet, None, (), failure=f"{where}{error.message}")
    matches = list(_matches(bundle, RULES.name, paths, numbers))
    return FacetRows(facet, finding, tuple(_with_list(bundle, case, facet, matches)))


def _matches(
    bundle: OpenBundle, name: str, paths: RolePaths, numbers: Mapping[Effect, Sequence[int]]
) -> Iterator[RowMatch]:
    """The matching rows in the order in which effects are asked; the first of all decides."""
    rows, rule_set = bundle.policies[name].rows, bundle.rule_sets[name]
    first: Effect | None = None
    for effect in _ORDER:
        for place, number in enumerate(numbers.get(effect, ())):
            through = paths.to(rows.fields(number)[0])
            decides = first is None and place == 0
            yield RowMatch(rule_set.ref(number), effect, number, through, decides, first)
        first = first or (effect if numbers.get(effect) else None)


def _with_list(bundle: OpenBundle, case: Case, facet: Facet, matches: list[RowMatch]) -> Iterator[RowMatch]:
    """The same with the list of `bundle.yaml` that has the tool, below the rows of its effect."""
    effect, place = bundle.settings.listed.get(case.call.tool, (None, None))
    if effect is None or place is None or facet.mention:
        yield from matches
        return
    before = [each for each in matches if _ORDER.index(each.effect) <= _ORDER.index(effect)]
    stricter = next((each.effect for each in before if each.effect is not effect), None)
    yield from before
    yield RowMatch(place, effect, decides=not before, overruled=stricter)
    for each in matches[len(before) :]:
        yield RowMatch(each.rule, each.effect, each.number, each.through, overruled=stricter or effect)


def _misses(
    bundle: OpenBundle, case: Case, paths: RolePaths, answers: Sequence[FacetRows], most: int | None
) -> list[Misses]:
    policy = bundle.policies[RULES.name]
    call = case.call
    asked = Asked(subject_of(call.agent), frozenset(paths.held), call.tenant, call.tool)
    matched = [
        frozenset(match.number for match in each.matches if match.number is not None) for each in answers
    ]
    wanted = [_OTHERS[each.finding.outcome if each.finding else None] for each in answers]
    holds = _Conditions(policy, asked).holds
    return rule_misses(policy, asked, [each.facet for each in answers], matched, wanted, holds, most)


class _Conditions:
    """The conditions of rows, evaluated as the engine does."""

    def __init__(self, policy: Policy, asked: Asked) -> None:
        columns = {name: index for index, name in enumerate(policy.shape.policy)}
        self._at = columns.get(WHEN)
        self._asked = asked
        self._trees: dict[str, Truth] = {}
        self._compiler = Compiler(
            {name: index for index, name in enumerate(policy.shape.request)},
            columns,
            condition_functions(),
            {"g": policy.roles.graph},
            parse_expression,
        )

    def holds(self, fields: Sequence[str], facet: Facet) -> bool:
        """Whether the row's condition holds for the facet. Raises whatever the condition fails with."""
        if self._at is None:
            return True
        text = fields[self._at]
        if text not in self._trees:
            self._trees[text] = parse_expression(text)
        request = (self._asked.subject, self._asked.tenant, self._asked.object, facet)
        return self._compiler.predicate(self._trees[text], fields)(request, fields)


def objects_of(bundle: OpenBundle, case: Case, most: int | None) -> tuple[ObjectRows, ...]:
    """The rows of permission for the agent, and those of scope for every agent in the call."""
    tool = case.snapshot.registry.tools.get(case.call.tool)
    if tool is None:
        return ()
    tenant, call = case.call.tenant, case.call
    return (
        object_rows(bundle, PERMISSION.name, call.agent, tenant, tool.permission, most),
        *(
            object_rows(bundle, SCOPE.name, agent, tenant, tool.code, most)
            for agent in dict.fromkeys(call.agents)
        ),
    )
