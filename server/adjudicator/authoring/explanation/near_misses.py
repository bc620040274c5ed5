"""Rows that nearly match: all their parts but one do. One pass over the rows of a policy finds them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from adjudicator.authoring.explanation.differences import difference, kind_of, nearness
from adjudicator.domain.facet import Facet
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.casbin.functions import NOTHING, Matching
from adjudicator.policy.functions import FacetMatch
from adjudicator.policy.model import WHEN
from adjudicator.policy.patterns import ANY, parse_pattern
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.snapshot import Effect


class Part(Symbol):
    """The part of a row that keeps it from matching."""

    SUBJECT = "subject"
    TENANT = "tenant"
    OBJECT = "object"
    ARGUMENT = "argument"
    EXCEPTION = "exception"
    CONDITION = "condition"


_CLOSENESS = {
    Part.EXCEPTION: 1.0,
    Part.CONDITION: 1.0,
    Part.SUBJECT: 0.8,
    Part.OBJECT: 0.5,
    Part.TENANT: 0.7,
}
_LEAST, _SPAN = 0.3, 0.6
_OF_ANOTHER_TOOL = 0.1
"""A row for all calls of another tool says little about this one."""
_SLACK = 8


@dataclass(frozen=True, slots=True)
class NearMiss:
    """One row, by its number and place, and the one part of it that does not match."""

    number: int
    rule: RuleRef
    effect: Effect
    part: Part
    why: str
    closeness: float


@dataclass(frozen=True, slots=True)
class Misses:
    """The nearest first, and how many more there are."""

    nearest: tuple[NearMiss, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """What the rows are asked: who calls, with all that they are, where, and what it is about."""

    subject: str
    held: frozenset[str]
    tenant: str
    object: str


Condition = Callable[[Sequence[str], Facet], bool]
"""Whether the condition in a row holds for a facet; for a row without one it does."""


@dataclass(slots=True)
class _Nearest:
    """The nearest of many, without keeping all of them; None keeps them."""

    most: int | None
    wanted: frozenset[Effect]
    found: list[tuple[bool, float, int, Part, Effect]] = field(default_factory=list)
    count: int = 0

    def add(self, number: int, effect: Effect, part: Part, closeness: float) -> None:
        self.count += 1
        self.found.append((effect not in self.wanted, -closeness, number, part, effect))
        if self.most is not None and len(self.found) > _SLACK * (self.most + 1):
            self.cut()

    def cut(self) -> None:
        self.found.sort(key=lambda each: each[:3])
        del self.found[self.most :]


def object_misses(policy: Policy, asked: Asked, wanted: frozenset[Effect], most: int | None) -> Misses:
    """The rows of a policy without facets that nearly match: of permissions, and of scope."""
    nearest = _Nearest(most, wanted)
    for number, fields in enumerate(policy.rows.all_fields()):
        off = _off(fields, asked)
        if len(off) == 1:
            nearest.add(number, Effect(fields[3]), off[0], _CLOSENESS[off[0]])
    return _told(nearest, policy, partial(_head_why, asked))


def rule_misses(
    policy: Policy,
    asked: Asked,
    facets: Sequence[Facet],
    matched: Sequence[frozenset[int]],
    wanted: Sequence[frozenset[Effect]],
    holds: Condition,
    most: int | None,
) -> list[Misses]:
    """For each facet the rows of the rule chain that nearly match it. `matched` has those that do."""
    nearest = [_Nearest(most, each) for each in wanted]
    effect_at = policy.shape.policy.index("eft")
    views: dict[tuple[int, int], frozenset[str] | None] = {}
    for number, fields in enumerate(policy.rows.all_fields()):
        off = _off(fields, asked)
        if len(off) > 1:
            continue
        effect = Effect(fields[effect_at])
        for at, facet in enumerate(facets):
            if off:
                if _is_about(fields, facet, effect, views, at) and _holds(holds, fields, facet):
                    nearest[at].add(number, effect, off[0], _of_head(off[0], fields))
            elif number not in matched[at]:
                found = _argument_part(fields, facet, effect, has_condition=WHEN in policy.shape.policy)
                if found is not None and (found[0] is Part.CONDITION or _holds(holds, fields, facet)):
                    nearest[at].add(number, effect, *found)
    return [
        _told(each, policy, partial(_why, asked, facet, effect_at))
        for each, facet in zip(nearest, facets, strict=True)
    ]


def _off(fields: Sequence[str], asked: Asked) -> list[Part]:
    """Which of subject, tenant and object do not match; cheaper than any look at the argument."""
    off = []
    if fields[1] != asked.tenant:
        off.append(Part.TENANT)
    if fields[0] not in asked.held:
        off.append(Part.SUBJECT)
    if fields[2] != asked.object and fields[2] != ANY:
        off.append(Part.OBJECT)
    return off


def _of_head(part: Part, fields: Sequence[str]) -> float:
    return _OF_ANOTHER_TOOL if part is Part.OBJECT and fields[3] == ANY else _CLOSENESS[part]


def _is_about(
    fields: Sequence[str],
    facet: Facet,
    effect: Effect,
    views: dict[tuple[int, int], frozenset[str] | None],
    at: int,
) -> bool:
    """Whether argument and exception match; a pattern that the facet shows no word of is not compiled."""
    if fields[3] == ANY:
        return not facet.mention
    matching = FacetMatch().compile(fields[3], fields[4], effect.value)
    return _shows(matching, facet, views, at) and bool(matching.matches(facet))


def _shows(
    matching: Matching, facet: Facet, views: dict[tuple[int, int], frozenset[str] | None], at: int
) -> bool:
    key = (id(matching.view), at)
    if key not in views:
        views[key] = matching.view(facet)
    words = views[key]
    if words is NOTHING:
        return False
    return words is None or all(anchor.text in words for anchor in matching.anchors if anchor.place == "is")


def _holds(holds: Condition, fields: Sequence[str], facet: Facet) -> bool:
    try:
        return holds(fields, facet)
    except Exception:  # noqa: BLE001 - such a row denies every call that it could match, and is no near miss
        return False


def _argument_part(
    fields: Sequence[str], facet: Facet, effect: Effect, *, has_condition: bool
) -> tuple[Part, float] | None:
    """What keeps a row for this agent, tenant and tool from matching, and how near it is."""
    argument, unless = fields[3], fields[4]
    if argument == ANY:
        if facet.mention:
            return None
        return (Part.CONDITION, _CLOSENESS[Part.CONDITION]) if has_condition else None
    if facet.kind is None or kind_of(argument) != facet.kind.value:
        return None
    if (unless or has_condition) and parse_pattern(argument, loose=effect is not Effect.ALLOW).matches(
        facet
    ):
        excepted = unless and parse_pattern(unless, loose=effect is Effect.ALLOW).matches(facet)
        part = Part.EXCEPTION if excepted else Part.CONDITION
        return part, _CLOSENESS[part]
    near = nearness(facet, argument)
    return (Part.ARGUMENT, _LEAST + _SPAN * near / (near + len(argument))) if near else None


def _told(nearest: _Nearest, policy: Policy, why: Callable[[list[str], Part], str]) -> Misses:
    nearest.cut()
    misses = tuple(
        NearMiss(
            number,
            policy.rows.ref(number),
            effect,
            part,
            why(policy.rows.fields(number), part),
            -closeness,
        )
        for _, closeness, number, part, effect in nearest.found
    )
    return Misses(misses, nearest.count - len(misses))


def _head_why(asked: Asked, fields: Sequence[str], part: Part) -> str:
    if part is Part.SUBJECT:
        return f"it is for `{fields[0]}`, which `{asked.subject}` {_lacks(fields[0])} in `{asked.tenant}`"
    if part is Part.TENANT:
        return f"it is for tenant `{fields[1]}`"
    return f"it is for `{fields[2]}`"


def _lacks(subject: str) -> str:
    return "has not" if subject.startswith("role:") else "is not"


def _why(asked: Asked, facet: Facet, effect_at: int, fields: Sequence[str], part: Part) -> str:
    if part is Part.EXCEPTION:
        return f"its exception `{fields[4]}` takes this value out"
    if part is Part.CONDITION:
        return f"its condition `{fields[effect_at - 1]}` does not hold"
    if part is Part.ARGUMENT:
        return difference(facet, fields[3], loose=fields[effect_at] != Effect.ALLOW.value)
    return _head_why(asked, fields, part)
