"""Records that are to be appended, made of openings and changes. Nothing here asks the database."""

from dataclasses import dataclass
from typing import Any

from adjudicator.domain.micros import to_micros
from adjudicator.domain.trace import Element, ElementKind
from adjudicator.domain.verdict import Verdict
from adjudicator.storage.approval_rows import ApprovalRow, with_vote
from adjudicator.storage.attached import Attached, attached_row
from adjudicator.storage.bodies import elements_to_body, verdict_to_body
from adjudicator.storage.contract import Change, NewTrace
from adjudicator.storage.rows import KEYED, TraceRow, with_verdict


@dataclass(slots=True)
class NewRecord:
    """One record to be written: what a trace's rows are after it, and what it adds to the trace."""

    call: TraceRow
    attached: Attached | None
    place: int
    at: int
    body: str


def first_record(new: NewTrace, number: int) -> NewRecord:
    """The record that opens a trace of that number."""
    at = to_micros(new.opened_at)
    elements = in_order(new.elements, new.verdict, new.closing, new)
    keyed = KEYED[new.key.kind] if new.keyed else 0
    row = TraceRow(
        number,
        keyed,
        new.key.tenant,
        new.key.session,
        new.key.call_id,
        new.agent,
        new.tool,
        new.flow.number if new.flow else None,
        new.digest,
        at,
        length=1,
        finished_at=at if new.finish else None,
    )
    if new.verdict is not None:
        row = with_verdict(row, new.verdict, 1)
    return NewRecord(row, attached_row(new, number), 1, at, elements_to_body(elements, at))


def changed_approval(row: ApprovalRow, change: Change) -> ApprovalRow:
    """The row after the change."""
    if change.vote is not None:
        row = with_vote(row, change.vote)
    state = change.state.value if change.state else row.state
    return row._replace(state=state, changed_at=to_micros(change.at))


def in_order(
    first: tuple[Element, ...], verdict: Verdict | None, last: tuple[Element, ...], of: NewTrace | Change
) -> list[Element]:
    """The elements in the order in which they are recorded: the verdict follows those that led to it."""
    if verdict is None:
        return [*first, *last]
    at = of.opened_at if isinstance(of, NewTrace) else of.at
    return [*first, Element(ElementKind.VERDICT, verdict_to_body(verdict), at), *last]


def update_values(row: TraceRow) -> tuple[Any, ...]:
    """The values of an UPDATE of the row, its number last."""
    return (
        row.outcome,
        row.step,
        row.reason_code,
        row.cause,
        row.allowed,
        row.verdict_place,
        row.length,
        row.finished_at,
        row.number,
    )
