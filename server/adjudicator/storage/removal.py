"""The SQL of archiving: which traces may go, and how they go. The same for both engines."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from adjudicator.domain.record import ArchiveEnd
from adjudicator.storage.attached_rows import ATTACHED
from adjudicator.storage.engine import Connection, marks
from adjudicator.storage.rows import FLOW, SESSION, TRACE_COLUMNS

Ends = Mapping[int, int]
"""By the number of a writer: up to which of its records they may go."""
_ARCHIVED_POSITION = """
UPDATE counters SET value = (SELECT max(position) FROM {0} WHERE trace {1})
WHERE name = 'archived_position' AND value < (SELECT max(position) FROM {0} WHERE trace {1})
"""
_AT_ONCE = 500  # values of one statement


def select_end(db: Connection, writer: int, after: int, before: int) -> int:
    """The last of a writer's records behind `after` that is older than `before`, as all between them are.

    It is `after` when there is none. The last record of a chain is never among them: the chain goes on
    behind it.
    """
    sql = "SELECT max(sequence) FROM records WHERE writer = ?"
    last = db.execute(sql, (writer,)).fetchone()[0] or 0
    sql = (
        "SELECT sequence FROM records WHERE writer = ? AND sequence > ? AND recorded_at >= ?"
        " ORDER BY sequence LIMIT 1"
    )
    young = db.execute(sql, (writer, after, before)).fetchone()
    return max(after, min(young[0] if young else last, last) - 1)


def select_hash(db: Connection, writer: int, sequence: int) -> bytes:
    """The hash of one record."""
    sql = "SELECT hash FROM records WHERE writer = ? AND sequence = ?"
    return bytes(db.execute(sql, (writer, sequence)).fetchone()[0])


def select_going(db: Connection, numbers: Iterable[int], ends: Ends) -> set[int]:
    """Those of the traces that may go, with all calls of a flow that goes.

    A trace goes whole: each of its records is up to `ends`. None goes while its approval is pending or
    approved, its grant live or its question open; and that a session is closed stays for good. A flow and
    its calls go together.
    """
    rows = _in(db, "SELECT number, keyed, flow FROM traces WHERE number IN ({})", numbers)
    alone = [number for number, keyed, flow in rows if keyed != FLOW and flow is None]
    flows = {number if keyed == FLOW else flow for number, keyed, flow in rows} - {None}
    going = set(alone) - _staying(db, "t.number IN ({})", alone, ends)
    for flow in sorted(flows):
        if not _staying(db, "t.number IN ({})", [flow], ends) and not _staying(
            db, "t.flow IN ({})", [flow], ends
        ):
            calls = db.execute("SELECT number FROM traces WHERE flow = ?", (flow,)).fetchall()
            going |= {flow, *(row[0] for row in calls)}
    return going


def select_rows(db: Connection, numbers: Iterable[int]) -> dict[int, tuple[Any, Any]]:
    """The rows of these traces, each with the one that hangs on it."""
    wanted = sorted(numbers)
    traces = _in(db, f"SELECT {TRACE_COLUMNS} FROM traces WHERE number IN ({{}})", wanted)
    found = [
        row
        for table, columns in ATTACHED
        for row in _in(db, f"SELECT {columns} FROM {table} WHERE trace IN ({{}})", wanted)
    ]
    attached = {row[1]: row for row in found}
    return {row[0]: (row, attached.get(row[0])) for row in traces}


def insert_end(db: Connection, writer: int, end: ArchiveEnd) -> None:
    """Say that a writer's records are archived up to there, without which none of them can go.

    It takes the place of the end of an earlier archive, which only that archive needs.
    """
    db.execute(
        "INSERT INTO archives (writer, sequence, hash, kept, signed_at, signature)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (writer, end.sequence, end.hash, end.kept, end.signed_at, end.signature),
    )
    db.execute("DELETE FROM archives WHERE writer = ? AND sequence < ?", (writer, end.sequence))


def delete_traces(db: Connection, numbers: Iterable[int]) -> int:
    """Remove these traces with everything of them; how many records that were. Their numbers stay taken."""
    going = sorted(numbers)
    if not going:
        return 0
    records = 0
    for place in range(0, len(going), _AT_ONCE):
        some = going[place : place + _AT_ONCE]
        among = f"IN ({marks(some)})"
        records += db.execute(f"DELETE FROM records WHERE trace {among}", some).rowcount
        for table in ("approvals", "questions"):
            db.execute(_ARCHIVED_POSITION.format(table, among), (*some, *some))
        for table in ("asks", *(name for name, _ in ATTACHED)):
            db.execute(f"DELETE FROM {table} WHERE trace {among}", some)
        db.execute(f"DELETE FROM traces WHERE number {among}", some)
    db.execute(
        "UPDATE counters SET value = ? WHERE name = 'archived_trace' AND value < ?", (going[-1], going[-1])
    )
    return records


def _staying(db: Connection, which: str, values: Sequence[int], ends: Ends) -> set[int]:
    """Those of the traces that have to stay on their own account."""
    gone = " OR ".join("(r.writer = ? AND r.sequence <= ?)" for _ in ends) or "1 = 0"
    bound = [value for pair in ends.items() for value in pair]
    sql = (
        f"SELECT t.number FROM traces t WHERE {which} AND (t.keyed = {SESSION}"
        " OR EXISTS (SELECT 1 FROM approvals a"
        " WHERE a.trace = t.number AND a.state IN ('pending', 'approved'))"
        " OR EXISTS (SELECT 1 FROM grants g WHERE g.trace = t.number AND g.state = 'live')"
        " OR EXISTS (SELECT 1 FROM questions q WHERE q.trace = t.number AND q.state = 'open')"
        f" OR EXISTS (SELECT 1 FROM records r WHERE r.trace = t.number AND NOT ({gone})))"
    )
    return {row[0] for row in _in(db, sql, values, bound)}


def _in(db: Connection, sql: str, values: Iterable[int], more: Sequence[int] = ()) -> list[Any]:
    """The rows of a statement that asks for several values at a time."""
    wanted = list(values)
    parts = [wanted[place : place + _AT_ONCE] for place in range(0, len(wanted), _AT_ONCE)]
    return [row for part in parts for row in db.execute(sql.format(marks(part)), (*part, *more)).fetchall()]
