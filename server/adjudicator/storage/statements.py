"""The SQL of reading, the same for both engines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.micros import to_micros
from adjudicator.domain.record import Record
from adjudicator.domain.trace import Element, Trace, TraceKind
from adjudicator.domain.verdict import Verdict
from adjudicator.storage.approval_rows import APPROVAL_COLUMNS, ApprovalRow, approval_from_row
from adjudicator.storage.attached_rows import (
    GRANT_COLUMNS,
    QUESTION_COLUMNS,
    GrantRow,
    QuestionRow,
    grant_from_row,
    question_from_row,
)
from adjudicator.storage.bodies import elements_from_body, latest_verdict
from adjudicator.storage.contract import (
    CallKey,
    CallRecord,
    TraceFilter,
)
from adjudicator.storage.engine import Connection, marks
from adjudicator.storage.rows import KEYED, TRACE_COLUMNS, TraceRow, kind_of, state_of, trace_from_row

_APPROVALS = f"SELECT {APPROVAL_COLUMNS} FROM approvals"
_TRACES = f"SELECT {TRACE_COLUMNS} FROM traces"
_RECORDS = """
SELECT w.name, r.sequence, r.trace, r.place, r.recorded_at, r.body, r.state, r.hash
FROM records r JOIN writers w ON w.number = r.writer
"""
_LAST_STATES = """
SELECT r.trace, r.state FROM records r
WHERE r.trace IN ({}) AND r.place = (SELECT max(place) FROM records WHERE trace = r.trace)
"""
_VERDICTS = """
SELECT r.trace, r.body FROM records r JOIN traces t ON t.number = r.trace AND t.verdict_place = r.place
WHERE r.trace IN ({})
"""
BODIES = 32
"""Bodies of records that are asked for at once. One may have megabytes."""
_PART_CHARS = 1024 * 1024


@dataclass(slots=True)
class StoredCall:
    """One call as the tables have it. `intact` is whether they say what was recorded last."""

    row: TraceRow
    approval: ApprovalRow | None
    verdict: Verdict | None
    intact: bool
    grant: GrantRow | None = None
    question: QuestionRow | None = None

    @property
    def attached(self) -> ApprovalRow | GrantRow | QuestionRow | None:
        """What hangs on the trace."""
        return self.approval or self.grant or self.question

    def check(self) -> None:
        """Raise RECORD_ALTERED when the tables do not say what was recorded."""
        if not self.intact:
            raise AdjudicatorError(
                ErrorReason.RECORD_ALTERED,
                f"the tables do not say of trace {self.row.number} what was recorded: somebody changed "
                "them, so nothing is decided on it; see adjudicator trace verify",
            )

    def record(self) -> CallRecord:
        """It as a value; raises RECORD_ALTERED when the tables do not say what was recorded."""
        self.check()
        row = self.row
        return CallRecord(
            trace=trace_from_row(row, self.verdict),
            key=CallKey(row.tenant, row.session, row.call_id, kind_of(row)),
            digest=row.digest,
            approval=approval_from_row(self.approval) if self.approval else None,
            was_allowed=bool(row.allowed),
            grant=grant_from_row(self.grant) if self.grant else None,
            question=question_from_row(self.question) if self.question else None,
        )


def select_calls(db: Connection, numbers: Sequence[int], lock: str = "") -> dict[int, StoredCall]:
    """The calls of these traces by number, locked in the order of their numbers."""
    if not numbers:
        return {}
    among = f"IN ({marks(numbers)})"
    rows = [
        TraceRow(*row)
        for row in db.execute(f"{_TRACES} WHERE number {among} ORDER BY number{lock}", numbers).fetchall()
    ]
    found = db.execute(f"{_APPROVALS} WHERE trace {among}", numbers).fetchall()
    approvals = {row.trace: row for row in (ApprovalRow(*each) for each in found)}
    grants = _select_grants(db, [row.number for row in rows if row.keyed == KEYED[TraceKind.GRANT]])
    asked = [row.number for row in rows if row.keyed == KEYED[TraceKind.QUESTION]]
    questions = _select_questions(db, asked)
    verdicts = _select_verdicts(db, {row.number: row for row in rows})
    states = dict(db.execute(_LAST_STATES.format(marks(numbers)), numbers).fetchall())
    calls = {}
    for row in rows:
        call = StoredCall(
            row,
            approvals.get(row.number),
            verdicts.get(row.number),
            intact=False,
            grant=grants.get(row.number),
            question=questions.get(row.number),
        )
        call.intact = states.get(row.number) == state_of(row, call.attached)
        calls[row.number] = call
    return calls


def _select_grants(db: Connection, numbers: Sequence[int]) -> dict[int, GrantRow]:
    if not numbers:
        return {}
    sql = f"SELECT {GRANT_COLUMNS} FROM grants WHERE trace IN ({marks(numbers)})"
    return {row.trace: row for row in (GrantRow(*each) for each in db.execute(sql, numbers).fetchall())}


def _select_questions(db: Connection, numbers: Sequence[int]) -> dict[int, QuestionRow]:
    if not numbers:
        return {}
    sql = f"SELECT {QUESTION_COLUMNS} FROM questions WHERE trace IN ({marks(numbers)})"
    return {row.trace: row for row in (QuestionRow(*each) for each in db.execute(sql, numbers).fetchall())}


def _select_verdicts(db: Connection, rows: Mapping[int, TraceRow]) -> dict[int, Verdict]:
    """The latest verdicts of these traces."""
    numbers = list(rows)
    return {
        number: latest_verdict(body, rows[number])
        for start in range(0, len(numbers), BODIES)
        for number, body in select_verdict_bodies(db, numbers[start : start + BODIES])
    }


def select_verdict_bodies(db: Connection, numbers: Sequence[int]) -> Iterator[tuple[int, str]]:
    """These traces, each with the record of its latest verdict. Let go of one before you take the next."""
    yield from db.execute(_VERDICTS.format(marks(numbers)), numbers)


def select_call(db: Connection, number: int | None) -> CallRecord | None:
    """The record of one trace."""
    found = select_calls(db, [number]) if number is not None else {}
    return found[number].record() if number in found else None


def select_number(db: Connection, key: CallKey) -> int | None:
    """The number of the trace that owns the key."""
    row = db.execute(
        "SELECT number FROM traces"
        " WHERE session = ? AND call_id = ? AND tenant = ? AND keyed = ? AND keyed > 0",
        (key.session, key.call_id, key.tenant, KEYED[key.kind]),
    ).fetchone()
    return row[0] if row else None


def select_flows(db: Connection, numbers: Sequence[int]) -> set[int]:
    """The flows that these calls belong to."""
    if not numbers:
        return set()
    sql = f"SELECT DISTINCT flow FROM traces WHERE number IN ({marks(numbers)}) AND flow IS NOT NULL"
    return {row[0] for row in db.execute(sql, numbers).fetchall()}


def select_trace_of_approval(db: Connection, approval_ids: Sequence[str]) -> dict[str, int]:
    """The traces of these approvals."""
    if not approval_ids:
        return {}
    sql = f"SELECT id, trace FROM approvals WHERE id IN ({marks(approval_ids)})"
    return dict(db.execute(sql, approval_ids).fetchall())


def select_trace(db: Connection, number: int) -> Trace | None:
    """One trace with its elements."""
    found = db.execute(f"{_TRACES} WHERE number = ?", (number,)).fetchone()
    if found is None:
        return None
    row = TraceRow(*found)
    elements: list[Element] = []
    verdict = None
    sql = "SELECT place, recorded_at, body FROM records WHERE trace = ? ORDER BY place"
    for place, recorded_at, body in db.execute(sql, (number,)).fetchall():
        elements += elements_from_body(body, len(elements) + 1, recorded_at, row)
        verdict = latest_verdict(body, row) if place == row.verdict_place else verdict
    return trace_from_row(row, verdict, tuple(elements))


def select_traces(db: Connection, wanted: TraceFilter, before: int | None, count: int) -> list[Trace]:
    """Traces, newest first."""
    clauses, values = trace_clauses(wanted)
    if before is not None:
        clauses.append("number < ?")
        values.append(before)
    where = f"WHERE {' AND '.join(clauses)}" if clauses else ""
    found = db.execute(f"{_TRACES} {where} ORDER BY number DESC LIMIT ?", (*values, count)).fetchall()
    rows = [TraceRow(*each) for each in found]
    verdicts = _select_verdicts(db, {row.number: row for row in rows})
    return [trace_from_row(row, verdicts.get(row.number)) for row in rows]


def select_records(db: Connection, after: Mapping[str, int], count: int) -> list[Record]:
    """Up to `count` records of each writer, in order, behind the sequences given.

    Fewer where they are large, since a reader may hold what it was given for long; at least one.
    """
    found = []
    for number, name in db.execute("SELECT number, name FROM writers ORDER BY number").fetchall():
        sql = f"{_RECORDS} WHERE r.writer = ? AND r.sequence > ? ORDER BY r.sequence LIMIT ?"
        chars = 0
        for row in db.execute(sql, (number, after.get(name, 0), count)):
            found.append(Record(*row))
            chars += len(found[-1].body)
            if chars > _PART_CHARS:
                break
    return found


def select_reaches(db: Connection) -> dict[str, tuple[int, int]]:
    """Of every writer: up to which sequence its chain is archived, and up to which there are records."""
    sql = """
    SELECT name, (SELECT max(sequence) FROM archives WHERE writer = number),
           (SELECT max(sequence) FROM records WHERE writer = number) FROM writers
    """
    return {name: (archived or 0, last or 0) for name, archived, last in db.execute(sql).fetchall()}


def select_tails(db: Connection) -> dict[str, int]:
    """The last sequence of every writer."""
    return {name: max(reach) for name, reach in select_reaches(db).items()}


def trace_clauses(wanted: TraceFilter) -> tuple[list[str], list[Any]]:
    """Clauses on the columns of `traces`, and their values."""
    clauses, values = equal(
        {
            "tenant": wanted.tenant,
            "agent": wanted.agent,
            "tool": wanted.tool,
            "outcome": wanted.outcome.value if wanted.outcome else "",
            "step": wanted.step.value if wanted.step else "",
            "reason_code": wanted.reason_code.value if wanted.reason_code else "",
            "cause": wanted.cause.value if wanted.cause else "",
            "flow": wanted.flow or "",
        }
    )
    if wanted.session:
        # In two halves, each of which an index has that no ordinary call pays for.
        clauses.append("((session = ? AND keyed > 0) OR (session = ? AND keyed = 0))")
        values += [wanted.session, wanted.session]
    if wanted.approval_id:
        clauses.append("number = (SELECT trace FROM approvals WHERE id = ?)")
        values.append(wanted.approval_id)
    if wanted.since is not None:
        clauses.append("opened_at >= ?")
        values.append(to_micros(wanted.since))
    if wanted.until is not None:
        clauses.append("opened_at < ?")
        values.append(to_micros(wanted.until))
    return clauses, values


def equal(filters: Mapping[str, str | int]) -> tuple[list[str], list[Any]]:
    """Clauses and values for the filters that are set; the names are ours, never a caller's."""
    chosen = {name: value for name, value in filters.items() if value}
    return [f"{name} = ?" for name in chosen], list(chosen.values())
