"""Between traces and what the tables hold of them. The only place that knows both."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple, get_args, get_type_hints

from adjudicator.domain.micros import from_micros
from adjudicator.domain.trace import Element, Trace, TraceKind
from adjudicator.domain.verdict import Verdict

to_json = json.JSONEncoder(separators=(",", ":")).encode
"""Compact JSON text in ASCII, which no encoding on the way can change."""


class TraceRow(NamedTuple):
    """A row of `traces`, its columns in order.

    `keyed` is 0 for a trace that owns no key; else `KEYED` says what it is of. `verdict_place` is the place
    of the record with the latest verdict, 0 where there is none; `length` is the number of records.
    """

    number: int
    keyed: int
    tenant: str
    session: str
    call_id: str
    agent: str
    tool: str
    flow: int | None
    digest: bytes
    opened_at: int
    outcome: str = ""
    step: int = 0
    reason_code: str = ""
    cause: str = ""
    allowed: int = 0
    verdict_place: int = 0
    length: int = 0
    finished_at: int | None = None


class RecordRow(NamedTuple):
    """A row of `records`, its columns in order. `writer` is the number of the writer's row."""

    writer: int
    sequence: int
    trace: int
    place: int
    recorded_at: int
    body: str
    state: bytes
    hash: bytes


def columns_of(row: type[NamedTuple]) -> tuple[tuple[str, type], ...]:
    """The columns of a row, each with the type of its values when they are not NULL."""
    hints = get_type_hints(row)
    return tuple(
        (name, get_args(hints[name])[0] if get_args(hints[name]) else hints[name]) for name in row._fields
    )


KEYED = {
    TraceKind.CALL: 1,
    TraceKind.FLOW: 2,
    TraceKind.GRANT: 3,
    TraceKind.QUESTION: 4,
    TraceKind.SESSION: 5,
}
"""`keyed` of a trace of each kind that owns its key; only a call's need not."""
FLOW, SESSION = KEYED[TraceKind.FLOW], KEYED[TraceKind.SESSION]
_KINDS = {number: kind for kind, number in KEYED.items()} | {0: TraceKind.CALL}
_DIGEST = TraceRow._fields.index("digest")
TRACE_COLUMNS = ", ".join(TraceRow._fields)


def kind_of(row: TraceRow) -> TraceKind:
    """What the trace is of."""
    return _KINDS[row.keyed]


def state_values(trace: Sequence[Any], attached: Sequence[Any] | None) -> list[Any]:
    """What the tables say of a trace, as JSON data: its row, the digest hexadecimal, and what hangs on it.

    On a call hangs its approval if it has one, on a grant's or a question's trace the grant or question.
    """
    values = list(trace)
    values[_DIGEST] = values[_DIGEST].hex()
    return [values, attached]


def state_of(trace: Sequence[Any], attached: Sequence[Any] | None) -> bytes:
    """The SHA-256 of `state_values` as JSON text."""
    return hashlib.sha256(to_json(state_values(trace, attached)).encode("ascii")).digest()


def with_verdict(row: TraceRow, verdict: Verdict, place: int) -> TraceRow:
    """The row after a verdict that is recorded at the place."""
    return row._replace(
        outcome=verdict.outcome.value,
        step=verdict.step.value,
        reason_code=verdict.reason_code.value,
        cause=verdict.cause.value,
        allowed=row.allowed or int(verdict.allowed),
        verdict_place=place,
    )


def trace_from_row(row: TraceRow, verdict: Verdict | None, elements: tuple[Element, ...] = ()) -> Trace:
    """The trace of a row."""
    return Trace(
        number=row.number,
        opened_at=from_micros(row.opened_at),
        finished_at=from_micros(row.finished_at) if row.finished_at is not None else None,
        tenant=row.tenant,
        session=row.session,
        agent=row.agent,
        tool=row.tool,
        verdict=verdict,
        flow=row.flow,
        kind=kind_of(row),
        own_id="" if row.keyed in (0, KEYED[TraceKind.CALL]) else row.call_id,
        elements=elements,
    )
