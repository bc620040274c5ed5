"""The SQL: what each operation of the contract does within one transaction."""

import sqlite3
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from adjudicator.domain.approval import Approval
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.trace import Element, ElementKind, Trace
from adjudicator.domain.verdict import Verdict
from adjudicator.storage.contract import (
    ApprovalEvent,
    ApprovalFilter,
    CallKey,
    CallRecord,
    Change,
    NewTrace,
    TraceFilter,
)
from adjudicator.storage.rows import (
    approval_from_row,
    terms_of,
    to_json,
    to_micros,
    trace_from_row,
    verdict_to_body,
    with_elements,
)

_TRACE = """
SELECT t.*, (SELECT e.body FROM elements e WHERE e.trace = t.number AND e.kind = 'verdict'
             ORDER BY e.sequence DESC LIMIT 1) AS verdict
FROM traces t
"""

_ALLOWED = """
SELECT 1 FROM elements WHERE trace = ? AND kind = 'verdict' AND json_extract(body, '$.outcome') = 'ALLOW'
"""


def insert_trace(db: sqlite3.Connection, new: NewTrace) -> int | None:
    """Open the trace and its approval; the new number, or None when the call key is taken.

    A trigger passes over an insert under a taken key; then there is no row to return.
    """
    row = db.execute(
        "INSERT INTO traces (tenant, session, agent, tool, call_id, keyed, digest, outcome, opened_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number",
        (
            new.key.tenant,
            new.key.session,
            new.agent,
            new.tool,
            new.key.call_id,
            int(new.keyed),
            new.digest,
            new.verdict.outcome.value,
            to_micros(new.opened_at),
        ),
    ).fetchone()
    if row is None:
        return None
    number: int = row["number"]
    append_elements(db, number, 1, _in_order(new.elements, new.verdict, new.closing, new.opened_at))
    if new.approval is not None:
        insert_approval(db, number, new.approval)
    if new.finish:
        finish_trace(db, number, to_micros(new.opened_at))
    return number


def append_elements(
    db: sqlite3.Connection, number: int, sequence: int, elements: Iterable[Element]
) -> None:
    """Append elements from the given sequence on."""
    db.executemany(
        "INSERT INTO elements (trace, sequence, kind, recorded_at, body) VALUES (?, ?, ?, ?, ?)",
        [
            (number, sequence + place, each.kind.value, to_micros(each.recorded_at), to_json(each.body))
            for place, each in enumerate(elements)
        ],
    )


def finish_trace(db: sqlite3.Connection, number: int, at: int) -> None:
    """Freeze the trace."""
    db.execute("UPDATE traces SET finished_at = ? WHERE number = ?", (at, number))


def next_position(db: sqlite3.Connection) -> int:
    """The position of a new change of an approval."""
    row = db.execute(
        "UPDATE counters SET value = value + 1 WHERE name = 'approval_position' RETURNING value"
    ).fetchone()
    return int(row["value"])


def insert_approval(db: sqlite3.Connection, number: int, approval: Approval) -> None:
    """Open the approval of a trace."""
    position = next_position(db)
    db.execute(
        "INSERT INTO approvals (id, trace, tenant, tool, state, terms, view, opened_position, position,"
        " created_at, expires_at, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            approval.id,
            number,
            approval.tenant,
            approval.tool,
            approval.state.value,
            terms_of(approval),
            approval.view_json,
            position,
            position,
            to_micros(approval.created_at),
            to_micros(approval.expires_at),
            to_micros(approval.changed_at),
        ),
    )


def apply(db: sqlite3.Connection, record: CallRecord, change: Change) -> None:
    """Apply one change to one call's record. Raises TRACE_FROZEN for a finished trace."""
    number = record.trace.number
    if record.trace.finished_at is not None:
        raise AdjudicatorError(ErrorReason.TRACE_FROZEN, f"trace {number} is finished and takes no more")
    if record.approval is not None and (change.state is not None or change.vote is not None):
        update_approval(db, record.approval, change)
    row = db.execute("SELECT max(sequence) AS last FROM elements WHERE trace = ?", (number,)).fetchone()
    elements = _in_order(change.elements, change.verdict, change.closing, change.at)
    append_elements(db, number, row["last"] + 1, elements)
    if change.verdict is not None:
        db.execute("UPDATE traces SET outcome = ? WHERE number = ?", (change.verdict.outcome.value, number))
    if change.finish:
        finish_trace(db, number, to_micros(change.at))


def update_approval(db: sqlite3.Connection, approval: Approval, change: Change) -> None:
    """Compare and set: the state that was decided on is still the state."""
    if change.vote is not None:
        db.execute(
            "INSERT INTO votes (approval, actor, decision, reason, voted_at) VALUES (?, ?, ?, ?, ?)",
            (
                approval.id,
                change.vote.actor,
                change.vote.decision.value,
                change.vote.reason,
                to_micros(change.vote.voted_at),
            ),
        )
    changed = db.execute(
        "UPDATE approvals SET state = ?, changed_at = ?, position = ? WHERE id = ? AND state = ?",
        (
            (change.state or approval.state).value,
            to_micros(change.at),
            next_position(db),
            approval.id,
            approval.state.value,
        ),
    )
    if changed.rowcount != 1:
        raise AdjudicatorError(ErrorReason.INTERNAL, f"approval {approval.id} changed under its writer")


def _in_order(
    elements: tuple[Element, ...], verdict: Verdict | None, closing: tuple[Element, ...], at: datetime
) -> list[Element]:
    if verdict is None:
        return [*elements, *closing]
    return [*elements, Element(ElementKind.VERDICT, verdict_to_body(verdict), at), *closing]


def select_call(db: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> CallRecord | None:
    """The record of the one call that `where` selects from `traces t`."""
    row = db.execute(f"{_TRACE} WHERE {where}", values).fetchone()
    if row is None:
        return None
    return CallRecord(
        trace=trace_from_row(row),
        key=CallKey(row["tenant"], row["session"], row["call_id"]),
        digest=row["digest"],
        approval=select_approval(db, "trace = ?", (row["number"],)),
        was_allowed=db.execute(_ALLOWED, (row["number"],)).fetchone() is not None,
    )


def select_call_by_key(db: sqlite3.Connection, key: CallKey) -> CallRecord | None:
    """The record of the trace that owns the call key."""
    return select_call(
        db,
        "t.tenant = ? AND t.session = ? AND t.call_id = ? AND t.keyed = 1",
        (key.tenant, key.session, key.call_id),
    )


def select_approval(db: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> Approval | None:
    """The one approval that `where` selects."""
    row = db.execute(f"SELECT * FROM approvals WHERE {where}", values).fetchone()
    return _with_votes(db, row) if row is not None else None


def select_pending(
    db: sqlite3.Connection, wanted: ApprovalFilter, after: int, until: int | None, count: int
) -> list[Approval]:
    """Pending approvals, oldest first."""
    clauses, values = _equal({"tenant": wanted.tenant, "tool": wanted.tool})
    clauses += ["state = 'pending'", "trace > ?"]  # the literal lets the partial index serve
    values.append(after)
    if until is not None:
        clauses.append("opened_position <= ?")
        values.append(until)
    rows = db.execute(
        f"SELECT * FROM approvals WHERE {' AND '.join(clauses)} ORDER BY trace LIMIT ?",
        (*values, count),
    ).fetchall()
    return [_with_votes(db, row) for row in rows]


def select_events(db: sqlite3.Connection, after: int, count: int) -> list[ApprovalEvent]:
    """Approvals that changed after the position, in the order of their latest change."""
    rows = db.execute(
        "SELECT * FROM approvals WHERE position > ? ORDER BY position LIMIT ?", (after, count)
    ).fetchall()
    return [ApprovalEvent(row["position"], _with_votes(db, row)) for row in rows]


def select_trace(db: sqlite3.Connection, number: int) -> Trace | None:
    """One trace with its elements."""
    row = db.execute(f"{_TRACE} WHERE t.number = ?", (number,)).fetchone()
    if row is None:
        return None
    elements = db.execute("SELECT * FROM elements WHERE trace = ? ORDER BY sequence", (number,)).fetchall()
    return with_elements(trace_from_row(row), elements)


def select_traces(
    db: sqlite3.Connection, wanted: TraceFilter, before: int | None, count: int
) -> list[Trace]:
    """Traces, newest first."""
    clauses, values = _equal(
        {
            "tenant": wanted.tenant,
            "session": wanted.session,
            "agent": wanted.agent,
            "tool": wanted.tool,
            "outcome": wanted.outcome.value if wanted.outcome else "",
        }
    )
    if before is not None:
        clauses.append("number < ?")
        values.append(before)
    where = f"WHERE {' AND '.join(clauses)}" if clauses else ""
    rows = db.execute(f"{_TRACE} {where} ORDER BY t.number DESC LIMIT ?", (*values, count)).fetchall()
    return [trace_from_row(row) for row in rows]


def _with_votes(db: sqlite3.Connection, row: sqlite3.Row) -> Approval:
    votes = db.execute("SELECT * FROM votes WHERE approval = ? ORDER BY voted_at, actor", (row["id"],))
    return approval_from_row(row, votes.fetchall())


def _equal(filters: dict[str, str]) -> tuple[list[str], list[Any]]:
    """Clauses and values for the filters that are set; the names are ours, never a caller's."""
    chosen = {name: value for name, value in filters.items() if value}
    return [f"{name} = ?" for name in chosen], list(chosen.values())
