"""What the two engines do differently, and nothing else: everything above is the same for both."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from adjudicator.storage.schema import Guard

Values = Sequence[Any]


def marks(values: Sequence[Any]) -> str:
    """What stands for each of the values where a statement lists them."""
    return ", ".join("?" * len(values))


@dataclass(frozen=True, slots=True)
class Insert:
    """What to insert many rows with: the columns in their order, each with the type of its values.

    `passing_over` is for rows that meet a unique key: they are left out, and the others inserted.
    """

    table: str
    columns: tuple[tuple[str, type], ...]
    passing_over: bool = False

    @property
    def names(self) -> str:
        """The names of the columns, for a statement."""
        return ", ".join(name for name, _ in self.columns)

    @property
    def ending(self) -> str:
        """How the statement ends."""
        return " ON CONFLICT DO NOTHING" if self.passing_over else ""


class Cursor(Protocol):
    """The rows of one statement, as tuples."""

    @property
    def rowcount(self) -> int:
        """How many rows the statement changed."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """The rows that are left; SQLite reads each only when it is asked for."""
        ...

    def fetchone(self) -> Any:
        """The next row or None."""
        ...

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        ...


class Connection(Protocol):
    """One connection, used by one thread at a time. A `?` in a statement stands for a value."""

    def execute(self, sql: str, values: Values = (), /) -> Cursor:
        """Run one statement."""
        ...

    def executemany(self, sql: str, rows: Iterable[Values], /) -> Cursor:
        """Run one statement for many rows; `rowcount` is that of all of them together."""
        ...

    def close(self) -> None:
        """Let go of it, and undo what was not committed."""
        ...


class Engine(Protocol):
    """One kind of database.

    `refusals` are the errors of a statement that the database refuses while it is itself well, and
    `failures` all errors of the database, those included.
    """

    name: str
    """Which database it is, without a password."""
    kind: str
    """Which engine it is."""
    shared: bool
    """Whether several sidecars may use one database at a time."""
    snapshot: str
    """The statement that begins a transaction which reads everything as of one moment."""
    lock: str
    """What a SELECT ends with that keeps others from the rows it found until the end of the transaction."""
    refusals: tuple[type[Exception], ...]
    failures: tuple[type[Exception], ...]

    def connect(self) -> Connection:
        """A new connection, which commits each statement by itself outside of a transaction."""
        ...

    def begin(self, db: Connection) -> None:
        """Begin a transaction that will write."""
        ...

    def begin_steady(self, db: Connection) -> None:
        """Begin a transaction that writes by what it saw: it fails when somebody else changed that."""
        ...

    def begin_alone(self, db: Connection) -> None:
        """Begin a transaction of which there is one at a time, for all: migrations, new writers."""
        ...

    def create(self, db: Connection, tables: str) -> None:
        """Within a transaction: run statements that make tables and indexes."""
        ...

    def guard(self, db: Connection, guards: Iterable[Guard]) -> None:
        """Within a transaction: make the database refuse what these say."""
        ...

    def version(self, db: Connection) -> int:
        """The version of the schema; 0 for an empty database."""
        ...

    def set_version(self, db: Connection, version: int) -> None:
        """Within a transaction: what `version` says from then on."""
        ...

    def insert(self, db: Connection, what: Insert, rows: Sequence[Values]) -> int:
        """Insert the rows; how many of them were inserted."""
        ...

    def reserve(self, db: Connection, count: int) -> Sequence[int]:
        """Numbers for so many new traces, rising, which nobody else gets."""
        ...

    def announce(self, db: Connection, approval_ids: Iterable[str]) -> None:
        """Within a transaction: tell other sidecars, once it is committed, which approvals changed."""
        ...

    def listen(self, heard: Callable[[frozenset[str] | None], None]) -> None:
        """From now on call `heard`, on any thread, with what others announce; None: some was lost."""
        ...

    def check(self) -> None:
        """Raise one of `failures` when the database is known not to be in its place, or not to answer."""
        ...

    def close(self) -> None:
        """Let go of what the engine holds besides connections."""
        ...
