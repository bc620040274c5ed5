"""Rows that say nothing that another row, or a list of `bundle.yaml`, does not say already."""

from collections.abc import Iterator

from adjudicator.authoring.warnings.covers import Covers, Meaning, meaning_of, meanings
from adjudicator.authoring.warnings.places import at_row
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.domain.facet import Access, ArgumentKind
from adjudicator.policy.coverage import arguments_above
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import RULES
from adjudicator.policy.patterns import ANY
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.snapshot import Effect

# What such patterns match may be a mere mention, such as a file among a command's words, or the wrapper of
# a command. A row for the tool alone does not speak of those.
_MENTIONED = frozenset(
    {ArgumentKind.PATH.value, ArgumentKind.SHELL.value, *(access.value for access in Access)}
)


def duplicate_rows(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """Rows that could be taken away without changing a verdict; of two alike the later one."""
    for policy in bundle.policies.values():
        covers = Covers(policy)
        for number, row in enumerate(meanings(policy)):
            place = _said_by(covers, policy, number, row)
            if place is None and policy.shape.name == RULES.name:
                place = _listed_at(bundle, row)
            if place is not None:
                message = f"{place} says all of this already; take this row away"
                yield at_row(policy, number, "eft", Code.DUPLICATE, message)


def _said_by(covers: Covers, policy: Policy, number: int, row: Meaning) -> str | None:
    for other in covers.above(row, Effect(row.effect)):
        if other == number:
            continue
        wider = meaning_of(policy, other)
        if not (other > number and _has_all(row, wider)) and not _is_mention(row, wider.argument):
            return str(policy.rows.ref(other))
    return None


def _has_all(row: Meaning, other: Meaning) -> bool:
    """Whether a row that the other one has all of also has all of the other one."""
    same = (row.subject, row.thing, row.unless, row.when, row.priority) == (
        other.subject,
        other.thing,
        other.unless,
        other.when,
        other.priority,
    )
    return same and row.argument in arguments_above(other.argument)


def _is_mention(row: Meaning, wider: str) -> bool:
    """Whether an Ask has calls in which the wider row speaks of another facet than it does.

    That facet may be allowed, and then the Ask for the mention is what asks.
    """
    return row.effect == Effect.ASK.value and wider == ANY and row.kind in _MENTIONED


def _listed_at(bundle: OpenBundle, row: Meaning) -> str | None:
    effect, place = bundle.settings.listed.get(row.thing, (None, None))
    if effect is None or effect.value != row.effect or _is_mention(row, ANY):
        return None
    return str(place)
