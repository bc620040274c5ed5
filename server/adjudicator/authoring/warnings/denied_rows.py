"""Rows that allow or ask what a Deny row denies in any case."""

from collections.abc import Iterator

from adjudicator.authoring.warnings.covers import Covers, meanings
from adjudicator.authoring.warnings.places import at_row
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.snapshot import Effect


def denied_rows(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """Allow and Ask rows of any policy all of which one Deny row without an exception has."""
    for policy in bundle.policies.values():
        covers = Covers(policy)
        for number, row in enumerate(meanings(policy)):
            if row.effect == Effect.DENY.value:
                continue
            denying = next(covers.above(row, Effect.DENY), None)
            if denying is not None:
                place = policy.rows.ref(denying)
                message = f"{place} denies all that this row is about; take one of them away"
                yield at_row(policy, number, "eft", Code.DENIED_WHOLE, message)
