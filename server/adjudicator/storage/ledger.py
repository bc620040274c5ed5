"""The SQL by which chains are verified, exported and archived, the same for both engines.

Everything is read in pages, so that memory does not grow with the number of records.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator.domain.record import ArchiveEnd, Head, Record, Tail, Writer, start_of
from adjudicator.storage.attached_rows import ATTACHED
from adjudicator.storage.engine import Connection, marks
from adjudicator.storage.rows import TRACE_COLUMNS

PAGE = 500
COUNTERS = frozenset({"approval_position", "archived_position", "archived_trace"})
LARGEST = 2**63 - 1
"""No sequence and no number is larger."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A writer as the database has it; `started_at` is in microseconds since 1970."""

    number: int
    writer: Writer
    started_at: int
    end: ArchiveEnd | None

    @property
    def start(self) -> Tail:
        """What its first record is linked to: its beginning, or the end of its archive."""
        return start_of(self.writer, self.end)


def select_identity(db: Connection) -> str:
    """The random id of the database, or "" when it has none."""
    row = db.execute("SELECT value FROM meta WHERE key = 'identity'").fetchone()
    return str(row[0]) if row else ""


def select_chains(db: Connection) -> list[Chain]:
    """All writers, each with the latest end of its archives."""
    rows = db.execute("SELECT number, name, public_key, started_at FROM writers ORDER BY number").fetchall()
    chains = []
    for number, name, key, started_at in rows:
        ends = select_ends(db, number, name)
        chains.append(Chain(number, Writer(name, key), started_at, ends[-1] if ends else None))
    return chains


def select_ends(db: Connection, number: int, name: str) -> list[ArchiveEnd]:
    """The ends of a writer's archives, in order."""
    sql = (
        "SELECT sequence, hash, kept, signed_at, signature FROM archives WHERE writer = ? ORDER BY sequence"
    )
    return [ArchiveEnd(name, *row) for row in db.execute(sql, (number,)).fetchall()]


def select_strangers(db: Connection) -> list[int]:
    """Numbers of writers that records, heads or archives name and that are not there."""
    found: set[int] = set()
    for table in ("records", "heads", "archives"):
        last = -LARGEST
        while True:  # from one number to the next: looking at every row would take long
            sql = f"SELECT min(writer) FROM {table} WHERE writer > ?"
            writer = db.execute(sql, (last,)).fetchone()[0]
            if writer is None:
                break
            found.add(writer)
            last = writer
    known = {row[0] for row in db.execute("SELECT number FROM writers").fetchall()}
    return sorted(found - known)


_NUMBERS = (
    ("writers", "number"),
    ("records", "writer"),
    ("records", "trace"),
    ("heads", "writer"),
    ("archives", "writer"),
    ("traces", "number"),
    *((table, "trace") for table, _ in ATTACHED),
)
_SEQUENCES = ("records", "heads", "archives")


def select_below_one(db: Connection) -> list[tuple[str, str, int]]:
    """Table, column and smallest number wherever one is below 1, where no chain and no page begins."""
    numbers = [
        (table, column, db.execute(f"SELECT min({column}) FROM {table}").fetchone()[0])
        for table, column in _NUMBERS
    ]
    for (writer,) in db.execute("SELECT number FROM writers").fetchall():
        for table in _SEQUENCES:
            sql = f"SELECT min(sequence) FROM {table} WHERE writer = ?"
            numbers.append((table, "sequence", db.execute(sql, (writer,)).fetchone()[0]))
    return [each for each in numbers if each[2] is not None and each[2] < 1]


def select_bounds(db: Connection, number: int) -> tuple[int, int]:
    """The first and the last sequence of a writer's records; 0 and 0 when it has none."""
    row = db.execute(
        "SELECT min(sequence), max(sequence) FROM records WHERE writer = ?", (number,)
    ).fetchone()
    return row[0] or 0, row[1] or 0


def chain_pages(db: Connection, number: int, after: int, until: int = LARGEST) -> Iterator[Sequence[Any]]:
    """A writer's records behind one sequence and up to another, in pages of plain rows.

    Of a row: sequence, trace, place, moment, body, state, hash.
    """
    sql = (
        "SELECT sequence, trace, place, recorded_at, body, state, hash FROM records"
        f" WHERE writer = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT {PAGE}"
    )
    while page := db.execute(sql, (number, after, until)).fetchall():
        yield page
        after = page[-1][0]


def head_pages(db: Connection, chain: Chain, after: int, until: int = LARGEST) -> Iterator[list[Head]]:
    """A writer's heads behind one sequence and up to another, in pages."""
    sql = (
        "SELECT sequence, hash, signed_at, signature FROM heads"
        f" WHERE writer = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT {PAGE}"
    )
    while page := db.execute(sql, (chain.number, after, until)).fetchall():
        yield [Head(chain.writer.name, *row) for row in page]
        after = page[-1][0]


def kept_records(db: Connection, chain: Chain, until: int) -> Iterator[Record]:
    """The records up to that sequence that are still there, in order."""
    for page in chain_pages(db, chain.number, 0, until):
        for row in page:
            yield Record(chain.writer.name, *row)


@dataclass(frozen=True, slots=True)
class TracePage:
    """Traces with numbers over `after` and up to `until`, and everything there is of those numbers.

    Of `traces`: the row with the state of its last record. Of `places`: trace, how many records, the first
    and the last place. Of `attached`: the table, and the row.
    """

    until: int
    traces: Sequence[Any]
    places: Sequence[Any]
    attached: Sequence[tuple[str, Any]]


def trace_pages(db: Connection) -> Iterator[TracePage]:
    """All traces in the order of their numbers, in pages."""
    traces = (
        f"SELECT {TRACE_COLUMNS}, (SELECT state FROM records WHERE trace = number AND place = length)"
        f" FROM traces WHERE number > ? ORDER BY number LIMIT {PAGE}"
    )
    places = (
        "SELECT trace, count(*), min(place), max(place) FROM records"
        f" WHERE trace > ? AND trace <= ? GROUP BY trace ORDER BY trace LIMIT {PAGE * 2}"
    )
    attached = [
        (
            table,
            f"SELECT {columns} FROM {table} WHERE trace > ? AND trace <= ? ORDER BY trace LIMIT {PAGE * 2}",
        )
        for table, columns in ATTACHED
    ]
    after = -LARGEST
    while after < LARGEST:
        rows = db.execute(traces, (after,)).fetchall()
        until = rows[-1][0] if len(rows) == PAGE else LARGEST
        limits = (after, until)
        hanging = [(table, row) for table, sql in attached for row in db.execute(sql, limits).fetchall()]
        yield TracePage(until, rows, db.execute(places, limits).fetchall(), hanging)
        after = until


def select_largest_position(db: Connection) -> tuple[int, int]:
    """What the counter of positions says, and the largest position of an approval or a question."""
    counter = db.execute("SELECT value FROM counters WHERE name = 'approval_position'").fetchone()
    largest = [
        db.execute(f"SELECT max(position) FROM {table}").fetchone()[0] or 0
        for table in ("approvals", "questions")
    ]
    return (counter[0] if counter else -1), max(largest)


def select_counters(db: Connection) -> set[str]:
    """The names of the counters that are there."""
    return {row[0] for row in db.execute("SELECT name FROM counters").fetchall()}


def select_trace_bounds(db: Connection) -> tuple[int, int]:
    """The smallest and the largest number of a trace; 0 and 0 when there is none."""
    row = db.execute("SELECT min(number), max(number) FROM traces").fetchone()
    return row[0] or 0, row[1] or 0


def select_traces_of(db: Connection, tenant: str, numbers: Iterable[int]) -> set[int]:
    """Those of the traces that belong to the tenant."""
    wanted = sorted(numbers)
    if not wanted:
        return set()
    sql = f"SELECT number FROM traces WHERE tenant = ? AND number IN ({marks(wanted)})"
    return {row[0] for row in db.execute(sql, (tenant, *wanted)).fetchall()}


def select_head_count(db: Connection, number: int) -> int:
    """How many heads of the writer there are."""
    return int(db.execute("SELECT count(*) FROM heads WHERE writer = ?", (number,)).fetchone()[0])


def select_trace_count(db: Connection) -> int:
    """How many traces there are."""
    return int(db.execute("SELECT count(*) FROM traces").fetchone()[0])


def select_approval_counts(db: Connection) -> dict[str, int]:
    """How many approvals there are of each state."""
    return dict(
        db.execute("SELECT state, count(*) FROM approvals GROUP BY state ORDER BY state").fetchall()
    )


def select_moments(db: Connection) -> tuple[int | None, int | None]:
    """The moments of the first and of the last record of all chains; None when there is none."""
    moments = []
    for (number,) in db.execute("SELECT number FROM writers").fetchall():
        for order in ("ASC", "DESC"):
            sql = f"SELECT recorded_at FROM records WHERE writer = ? ORDER BY sequence {order} LIMIT 1"
            moments += [row[0] for row in db.execute(sql, (number,)).fetchall()]
    return (min(moments), max(moments)) if moments else (None, None)
