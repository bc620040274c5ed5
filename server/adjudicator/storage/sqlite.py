"""The embedded engine: one SQLite database, one sidecar, every commit synced to disk."""

import contextlib
import functools
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.storage.engine import Connection, Insert, Values, marks
from adjudicator.storage.file_lock import HeldError, hold
from adjudicator.storage.schema import Guard

_BUSY_SECONDS = 5.0
_SIZES = (64, 16, 4, 1)
"""Rows of one statement: few sizes, so that SQLite finds each statement prepared."""


class SqliteEngine:
    """Implements `storage.engine.Engine`. Holds the database for this process from its making on.

    Raises STORE_UNAVAILABLE, naming the file, when another sidecar holds it or its folder cannot be made.
    """

    kind = "sqlite"
    shared = False
    snapshot = "BEGIN"
    lock = ""  # whoever writes is alone
    refusals: tuple[type[Exception], ...] = (sqlite3.IntegrityError,)
    failures: tuple[type[Exception], ...] = (sqlite3.Error, OSError)

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._files: _Files | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._path = path.resolve()  # one database has one lock, by whatever link it is reached
            self._lock = _hold(self._path)
        except OSError as error:
            raise _unusable(path, str(error)) from error

    def connect(self) -> Connection:
        """See the protocol; also raises STORE_UNAVAILABLE when write-ahead mode is not to be had."""
        self.check()  # or a database that was removed would be made anew, and empty
        connection = _connect(self._path)
        if self._files is None:
            self._files = _Files(self._path)
        return connection

    def begin(self, db: Connection) -> None:
        """See the protocol."""
        db.execute("BEGIN IMMEDIATE")

    begin_steady = begin
    begin_alone = begin

    def create(self, db: Connection, tables: str) -> None:
        """See the protocol."""
        for statement in tables.split(";\n"):
            if statement.strip():
                strict = " STRICT" if statement.lstrip().startswith("CREATE TABLE") else ""
                db.execute(statement + strict)

    def guard(self, db: Connection, guards: Iterable[Guard]) -> None:
        """See the protocol."""
        for each in guards:
            db.execute(
                f"CREATE TRIGGER {each.name} BEFORE {each.event} ON {each.table} WHEN {each.condition}"
                f" BEGIN SELECT RAISE(ABORT, '{each.message}'); END"
            )

    def version(self, db: Connection) -> int:
        """See the protocol."""
        return int(db.execute("PRAGMA user_version").fetchone()[0])

    def set_version(self, db: Connection, version: int) -> None:
        """See the protocol."""
        db.execute(f"PRAGMA user_version = {version}")

    def insert(self, db: Connection, what: Insert, rows: Sequence[Values]) -> int:
        """See the protocol.

        Many rows a statement: the interpreter is let go and taken back for each statement, and while
        others want it as well, taking it back is what a commit waits for.
        """
        inserted, place = 0, 0
        for size in _SIZES:
            while len(rows) - place >= size:
                values = [value for row in rows[place : place + size] for value in row]
                inserted += db.execute(_insert(what, size), values).rowcount
                place += size
        return inserted

    def reserve(self, db: Connection, count: int) -> Sequence[int]:
        """See the protocol. Nobody else writes, so they are simply the next ones."""
        last: int = db.execute(
            "SELECT max(coalesce((SELECT max(number) FROM traces), 0), value) FROM counters"
            " WHERE name = 'archived_trace'"
        ).fetchone()[0]
        return range(last + 1, last + count + 1)

    def announce(self, db: Connection, approval_ids: Iterable[str]) -> None:
        """See the protocol. There is nobody else."""

    def listen(self, heard: Callable[[frozenset[str] | None], None]) -> None:
        """See the protocol. There is nobody else."""

    def check(self) -> None:
        """See the protocol: the files have to be in their places."""
        if self._files is not None and not self._files.intact():
            raise sqlite3.OperationalError("the database was removed or replaced while it was open")

    def close(self) -> None:
        """See the protocol: let another sidecar have it."""
        os.close(self._lock)


class _Files:
    """The database's files as they were opened: a database that is unlinked goes on working, for nobody."""

    def __init__(self, path: Path) -> None:
        self._paths = (path, Path(f"{path}-wal"), Path(f"{path}.lock"))
        self._opened = self._identities()

    def intact(self) -> bool:
        """Whether the same files are still in their places."""
        try:
            return self._identities() == self._opened
        except OSError:
            return False

    def _identities(self) -> list[tuple[int, int, bool]]:
        stats = [path.stat() for path in self._paths]
        return [(each.st_dev, each.st_ino, each.st_nlink == 1) for each in stats]


@functools.cache
def _insert(what: Insert, rows: int) -> str:
    row = f"({marks(what.columns)})"
    return f"INSERT INTO {what.table} ({what.names}) VALUES {', '.join([row] * rows)}{what.ending}"


def _hold(path: Path) -> int:
    """Hold the database for this process until the descriptor is closed."""
    try:
        return hold(Path(f"{path}.lock"))
    except HeldError as error:
        raise _unusable(
            path, f"another sidecar ({error}) holds it; stop that one or choose another --data"
        ) from error


def _connect(path: Path) -> sqlite3.Connection:
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # nobody else reads what was decided
    if path.stat().st_nlink > 1:
        raise _unusable(path, "it has another name (a hard link), by which another sidecar could come")
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    with contextlib.ExitStack() as undo:
        undo.callback(connection.close)
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            raise _unusable(path, f"its file system does not support write-ahead mode (got {mode})")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # now the log is there too
        undo.pop_all()
    return connection


def _unusable(path: Path, why: str) -> AdjudicatorError:
    return AdjudicatorError(ErrorReason.STORE_UNAVAILABLE, f"the database {path} cannot be used: {why}")
