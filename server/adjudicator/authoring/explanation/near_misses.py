"""Rows that nearly match: all their parts but one do. One pass over the rows of a policy finds them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from adjudicator.authoring.explanation.differences import Nearness, difference, kind_of
from adjudicator.authoring.explanation.nearest import CLOSENESS, Misses, Nearest, NearMiss, Part
from adjudicator.domain.facet import Access, ArgumentKind, Facet
from adjudicator.policy.casbin.functions import NOTHING, Matching, View
from adjudicator.policy.functions import FacetMatch
from adjudicator.policy.model import PERMISSION, WHEN
from adjudicator.policy.patterns import ANY, parse_pattern
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.snapshot import Effect

_LEAST, _SPAN = 0.3, 0.6
_EFFECTS = {effect.value: effect for effect in Effect}
_WORDS = (ANY, *(kind.value for kind in ArgumentKind), *(access.value for access in Access))


@dataclass(frozen=True, slots=True)
class Asked:
    """What the rows are asked: who calls, with all that they are, where, and what it is about."""

    subject: str
    held: frozenset[str]
    tenant: str
    object: str


Condition = Callable[[Sequence[str], Facet], bool]
"""Whether the condition in a row holds for a facet; for a row without one it does."""


def object_misses(policy: Policy, asked: Asked, wanted: frozenset[Effect], most: int | None) -> Misses:
    """The rows of a policy without facets that nearly match: of permissions, and of scope.

    A row for another permission is about something else, whoever holds it.
    """
    nearest = Nearest(most, wanted)
    for number, fields in enumerate(policy.rows.all_fields()):
        off = _off(fields, asked)
        if off is Part.OBJECT and policy.shape.name == PERMISSION.name:
            continue
        if off is not None and off is not Part.SEVERAL:
            nearest.add(number, _EFFECTS[fields[3]], off, CLOSENESS[off])
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
    looks = [
        _Look(facet, numbers, Nearest(most, effects), holds, has_condition=WHEN in policy.shape.policy)
        for facet, numbers, effects in zip(facets, matched, wanted, strict=True)
    ]
    by_word = {word: [each for each in looks if each.is_about(word)] for word in _WORDS}
    effect_at = policy.shape.policy.index("eft")
    for number, fields in enumerate(policy.rows.all_fields()):
        off = _off(fields, asked)
        if off is Part.SEVERAL:
            continue
        about = by_word[fields[3].partition(":")[0]]
        if about:
            row = _Row(number, fields, _EFFECTS[fields[effect_at]])
            for look in about:
                look.take(row, off)
    return [_told(each.nearest, policy, partial(_why, asked, each.facet, effect_at)) for each in looks]


@dataclass(slots=True)
class _Row:
    """A row that few parts keep from matching; its pattern is compiled when somebody asks."""

    number: int
    fields: list[str]
    effect: Effect
    _matching: Matching | None = None

    @property
    def matching(self) -> Matching:
        if self._matching is None:
            self._matching = FacetMatch().compile(self.fields[3], self.fields[4], self.effect.value)
        return self._matching


class _Look:
    """One facet, and the rows that nearly match it."""

    def __init__(
        self,
        facet: Facet,
        matched: frozenset[int],
        nearest: Nearest,
        holds: Condition,
        *,
        has_condition: bool,
    ) -> None:
        self.facet = facet
        self.nearest = nearest
        self._matched = matched
        self._holds_for = holds
        self._has_condition = has_condition
        self._nearness = Nearness(facet)
        self._views: dict[View, frozenset[str] | None] = {}

    def is_about(self, word: str) -> bool:
        """Whether patterns that begin with this word can match the facet."""
        if word == ANY:
            return not self.facet.mention
        return self.facet.kind is not None and kind_of(word) == self.facet.kind.value

    def take(self, row: _Row, off: Part | None) -> None:
        """Note the row if that part alone keeps it from matching; without one, if its argument does."""
        if off is None:
            if row.number not in self._matched:
                self._take_argument(row)
        elif not self._says_nothing_new(row, off) and self._matches(row) and self._holds(row):
            self.nearest.add(row.number, row.effect, off, CLOSENESS[off])

    def _says_nothing_new(self, row: _Row, off: Part) -> bool:
        """Whether it is for another tool, whatever its arguments or with an effect that changes nothing."""
        if off is not Part.OBJECT:
            return False
        for_all = row.fields[3] == ANY and self.facet.kind is not None
        return for_all or row.effect not in self.nearest.wanted

    def _take_argument(self, row: _Row) -> None:
        argument, unless = row.fields[3], row.fields[4]
        if not (unless or self._has_condition) or not self._pattern_matches(argument, row.effect):
            near = self._nearness.to(argument) if argument != ANY else 0
            if near and self._holds(row):
                closeness = _LEAST + _SPAN * near / (near + len(argument))
                self.nearest.add(row.number, row.effect, Part.ARGUMENT, closeness)
        elif not self._is_excepted(unless, row.effect):
            self.nearest.add(row.number, row.effect, Part.CONDITION, CLOSENESS[Part.CONDITION])
        elif self._holds(row):
            self.nearest.add(row.number, row.effect, Part.EXCEPTION, CLOSENESS[Part.EXCEPTION])

    def _pattern_matches(self, argument: str, effect: Effect) -> bool:
        return parse_pattern(argument, loose=effect is not Effect.ALLOW).matches(self.facet)

    def _is_excepted(self, unless: str, effect: Effect) -> bool:
        return bool(unless) and parse_pattern(unless, loose=effect is Effect.ALLOW).matches(self.facet)

    def _matches(self, row: _Row) -> bool:
        """Whether argument and exception match; compiled only where the facet shows their words."""
        if row.fields[3] == ANY:
            return True
        matching = row.matching
        view = matching.view
        if view not in self._views:
            self._views[view] = view(self.facet)
        words = self._views[view]
        if words is NOTHING:
            return False
        shown = words is None or all(
            anchor.text in words for anchor in matching.anchors if anchor.place == "is"
        )
        return shown and bool(matching.matches(self.facet))

    def _holds(self, row: _Row) -> bool:
        if not self._has_condition:
            return True
        try:
            return self._holds_for(row.fields, self.facet)
        except Exception:  # noqa: BLE001 - such a row denies every call that it could match, and is no near miss
            return False


def _off(fields: Sequence[str], asked: Asked) -> Part | None:
    """The part of subject, tenant and object that does not match; cheaper than a look at the argument."""
    subject, tenant = fields[0] in asked.held, fields[1] == asked.tenant
    same = fields[2] == asked.object or fields[2] == ANY
    if subject and tenant:
        return None if same else Part.OBJECT
    if not same or not (subject or tenant):
        return Part.SEVERAL
    return Part.SUBJECT if tenant else Part.TENANT


def _told(nearest: Nearest, policy: Policy, why: Callable[[list[str], Part], str]) -> Misses:
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
