"""How the answer of one bundle to a call differs from that of another, and which way."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator.authoring.comparison.answers import (
    Terms,
    same_reason,
    terms_of_both,
    verdict_of,
)
from adjudicator.authoring.comparison.deciders import Deciders
from adjudicator.chain.case import Case
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.verdict import Outcome, RuleRef, Verdict
from adjudicator.policy.casbin.rows import row_values

_MILDEST_FIRST = (Outcome.ALLOW, Outcome.ASK, Outcome.DENY)
_PAIRS = (
    (Outcome.DENY, Outcome.ALLOW),
    (Outcome.ASK, Outcome.ALLOW),
    (Outcome.DENY, Outcome.ASK),
    (Outcome.ASK, Outcome.ASK),
    (Outcome.ALLOW, Outcome.ASK),
    (Outcome.ASK, Outcome.DENY),
    (Outcome.ALLOW, Outcome.DENY),
    (Outcome.ALLOW, Outcome.ALLOW),
    (Outcome.DENY, Outcome.DENY),
)


_SOME = 3


class Kind(Symbol):
    """What a change means to whoever reviews it."""

    LOOSENED = "loosened"
    """More may run, or fewer people stand in the way of it."""
    STRICTER = "stricter"
    OTHER_REASON = "other reason"
    """The same may run, by another step, cause, rule, violation or term."""


_KINDS = {kind: place for place, kind in enumerate(Kind)}


@dataclass(frozen=True, slots=True)
class Change:
    """A call whose verdict differs. `terms` has what each term that differs was, and is."""

    was: Verdict
    now: Verdict
    kind: Kind
    terms: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def decided_by(self) -> RuleRef | None:
        """The rule that decides now; where none does the one that decided before."""
        return self.now.rule or self.was.rule

    @property
    def rank(self) -> tuple[int, int]:
        """Its place among changes: what is loosened first, of that what was denied and is allowed."""
        return _KINDS[self.kind], _PAIRS.index((self.was.outcome, self.now.outcome))

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for changes that one edit explains. Another reason is told by both sides."""
        terms = tuple(self.terms.items())
        if self.kind is Kind.OTHER_REASON:
            return *self.rank, _who(self.was), _who(self.now), terms
        side = "B" if self.now.rule else "A" if self.was.rule else ""
        rule = tuple(row_values(self.decided_by.text)) if self.decided_by else ()
        return *self.rank, side, rule, self.now.cause, terms


def change_of(was: Case, now: Case, deciders: Deciders) -> Change | None:
    """How the answers to one call differ; None when they do not."""
    before, after = verdict_of(was), verdict_of(now)
    if before.outcome is not after.outcome:
        milder = _MILDEST_FIRST.index(after.outcome) < _MILDEST_FIRST.index(before.outcome)
        return Change(before, after, Kind.LOOSENED if milder else Kind.STRICTER)
    change = None
    if not same_reason(before, after):
        change = Change(before, after, Kind.OTHER_REASON, _other_details(before, after))
    if after.outcome is not Outcome.ASK:
        return change
    terms = terms_of_both(was, now, (before.cause, after.cause), deciders)
    if terms is None or terms[0] == terms[1]:
        return change
    return Change(before, after, _kind_of(*terms), terms[0].unlike(terms[1]))


def _other_details(was: Verdict, now: Verdict) -> dict[str, tuple[str, str]]:
    before, after = _details(was), _details(now)
    return {name: (text, after[name]) for name, text in before.items() if text != after[name]}


def _details(verdict: Verdict) -> dict[str, str]:
    """What step, cause and rule do not say: what of a contract is violated, why a tool is disabled."""
    violations = [f"{each.path or '/'} {each.keyword}" for each in verdict.violations]
    more = [f"{len(violations) - _SOME:,} more"] if len(violations) > _SOME else []
    return {
        "violations": ", ".join([*violations[:_SOME], *more]) or "none",
        "disable_reason": verdict.disable_reason or "none",
    }


def _kind_of(was: Terms, now: Terms) -> Kind:
    """One term that is milder makes an ask looser, however strict the others have become."""
    if now.milder_than(was):
        return Kind.LOOSENED
    return Kind.STRICTER if was.milder_than(now) else Kind.OTHER_REASON


def _who(verdict: Verdict) -> tuple[object, ...]:
    """What decided, without where its row stands."""
    rule = tuple(row_values(verdict.rule.text)) if verdict.rule else ()
    return verdict.step, verdict.check, verdict.cause, rule


def decided(verdict: Verdict) -> str:
    """What decided, in words without the verdict's sentence, which may repeat a part of the arguments."""
    by = f" by {verdict.rule}" if verdict.rule else ""
    return f"{verdict.outcome.value} at S{verdict.step.value} {verdict.cause.value}{by}"
