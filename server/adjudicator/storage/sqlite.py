"""The embedded engine: one SQLite database, one sidecar, every commit synced to disk."""

import asyncio
import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from adjudicator.domain.approval import Approval
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.trace import Trace
from adjudicator.storage import schema, statements
from adjudicator.storage.contract import (
    ApprovalEvent,
    ApprovalFilter,
    CallKey,
    CallRecord,
    Decide,
    NewTrace,
    TraceFilter,
)
from adjudicator.storage.rows import from_micros, to_micros
from adjudicator.storage.writer import Unit, Writer

T = TypeVar("T")
_BUSY_SECONDS = 5.0
# By the indexes, not by a scan: the opening of the last trace, and the latest change of an approval.
_LATEST = """
SELECT max(at) AS latest FROM (
  SELECT opened_at AS at FROM traces WHERE number = (SELECT max(number) FROM traces)
  UNION ALL
  SELECT changed_at FROM approvals WHERE position = (SELECT max(position) FROM approvals)
)
"""


class SqliteStore:
    """Implements `storage.contract.Store`. Make it with `open_sqlite`."""

    def __init__(self, path: Path, lock: int, identity: str) -> None:
        self.identity = identity
        self._lock = lock
        self._listeners: list[Callable[[frozenset[str]], None]] = []
        self._changed: set[str] = set()  # touched by the writer's thread only
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reads = ThreadPoolExecutor(1, "store-reader")
        self._reader = self._reads.submit(_connect, path).result()
        self._files = _Files(path)
        self._writer = Writer(lambda: _connect(path), self._files.check, self._committed)

    async def open_trace(self, new: NewTrace) -> CallRecord | int:
        """See the contract."""

        def unit(db: sqlite3.Connection) -> CallRecord | int:
            number = statements.insert_trace(db, new)
            if number is None:
                return _found(statements.select_call_by_key(db, new.key), "call", new.key.call_id)
            if new.approval is not None:
                self._changed.add(new.approval.id)
            return number

        return await self._write(unit)

    async def change_call(self, number: int, decide: Decide[T]) -> T:
        """See the contract."""
        return await self._change("t.number = ?", number, "trace", decide)

    async def change_approval(self, approval_id: str, decide: Decide[T]) -> T:
        """See the contract."""
        where = "t.number = (SELECT trace FROM approvals WHERE id = ?)"
        return await self._change(where, approval_id, "approval", decide)

    async def trace(self, number: int) -> Trace | None:
        """See the contract."""
        return await self._read(lambda db: statements.select_trace(db, number))

    async def traces(self, wanted: TraceFilter, before: int | None, count: int) -> Sequence[Trace]:
        """See the contract."""
        return await self._read(lambda db: statements.select_traces(db, wanted, before, count))

    async def approval(self, approval_id: str) -> Approval | None:
        """See the contract."""
        return await self._read(lambda db: statements.select_approval(db, "id = ?", (approval_id,)))

    async def approval_of_trace(self, number: int) -> Approval | None:
        """See the contract."""
        return await self._read(lambda db: statements.select_approval(db, "trace = ?", (number,)))

    async def call(self, key: CallKey) -> CallRecord | None:
        """See the contract."""
        return await self._read(lambda db: statements.select_call_by_key(db, key))

    async def pending(
        self, wanted: ApprovalFilter, after: int, until: int | None, count: int
    ) -> Sequence[Approval]:
        """See the contract."""
        return await self._read(lambda db: statements.select_pending(db, wanted, after, until, count))

    async def due(self, now: datetime, count: int) -> Sequence[str]:
        """See the contract."""
        sql = (
            "SELECT id FROM approvals WHERE state IN ('pending', 'approved') AND expires_at <= ?"
            " ORDER BY expires_at LIMIT ?"
        )
        rows = await self._read(lambda db: db.execute(sql, (to_micros(now), count)).fetchall())
        return [row["id"] for row in rows]

    async def next_deadline(self) -> datetime | None:
        """See the contract."""
        sql = "SELECT min(expires_at) AS first FROM approvals WHERE state IN ('pending', 'approved')"
        row = await self._read(lambda db: db.execute(sql).fetchone())
        return from_micros(row["first"]) if row["first"] is not None else None

    async def events(self, after: int, count: int) -> Sequence[ApprovalEvent]:
        """See the contract."""
        return await self._read(lambda db: statements.select_events(db, after, count))

    async def last_position(self) -> int:
        """See the contract."""
        sql = "SELECT value FROM counters WHERE name = 'approval_position'"
        row = await self._read(lambda db: db.execute(sql).fetchone())
        return int(row["value"])

    def subscribe(self, listener: Callable[[frozenset[str]], None]) -> None:
        """See the contract."""
        self._loop = asyncio.get_running_loop()
        self._listeners.append(listener)

    async def probe(self) -> None:
        """See the contract."""
        sql = (
            "INSERT INTO meta (key, value) VALUES ('probe', '0')"
            " ON CONFLICT (key) DO UPDATE SET value = (value + 1) % 1000"
        )
        await self._write(lambda db: db.execute(sql).rowcount)

    async def close(self) -> None:
        """See the contract."""
        await asyncio.to_thread(self.abandon)

    def abandon(self) -> None:
        """What `close` does, for a store that nobody has used yet."""
        self._writer.close()
        self._reads.submit(self._reader.close).result()
        self._reads.shutdown()
        os.close(self._lock)

    @property
    def failing(self) -> bool:
        """Whether the latest commit failed, or the next one would for want of its files."""
        return self._writer.failing or not self._files.intact()

    async def _change(self, where: str, value: int | str, noun: str, decide: Decide[T]) -> T:
        def unit(db: sqlite3.Connection) -> T:
            record = _found(statements.select_call(db, where, (value,)), noun, value)
            change, answer = decide(record)
            if change is not None:
                statements.apply(db, record, change)
                if record.approval is not None:
                    self._changed.add(record.approval.id)
            return answer

        return await self._write(unit)

    async def _write(self, unit: Unit[T]) -> T:
        return await self._writer.run(unit)

    async def _read(self, query: Unit[T]) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._reads, query, self._reader)
        except sqlite3.Error as error:
            raise AdjudicatorError(
                ErrorReason.STORE_UNAVAILABLE, "the record could not be read, so nothing was decided"
            ) from error

    def _committed(self) -> None:
        changed, self._changed = frozenset(self._changed), set()
        if changed and self._loop is not None:
            for listener in self._listeners:
                self._loop.call_soon_threadsafe(listener, changed)


def open_sqlite(path: Path) -> tuple[SqliteStore, datetime | None]:
    """Open or create the database, and say which moment is the latest that it has recorded.

    Raises STORE_UNAVAILABLE, naming the file, when another sidecar holds it, when it cannot be
    written, when it is not a database, or when it cannot run in write-ahead mode; then nothing is held.
    """
    named = path
    with contextlib.ExitStack() as undo:
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path = path.resolve()  # one database has one lock, by whatever link it is reached
            lock = _lock(path)
            undo.callback(os.close, lock)
            with contextlib.closing(_connect(path)) as connection:
                schema.migrate(connection)
                identity = connection.execute("SELECT value FROM meta WHERE key = 'identity'").fetchone()
                latest = connection.execute(_LATEST).fetchone()["latest"]
            store = SqliteStore(path, lock, identity["value"])
        except (sqlite3.Error, OSError) as error:
            raise _unusable(named, str(error)) from error
        undo.pop_all()
    return store, from_micros(latest) if latest is not None else None


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

    def check(self) -> None:
        """Raise unless they are."""
        if not self.intact():
            raise sqlite3.OperationalError("the database was removed or replaced while it was open")

    def _identities(self) -> list[tuple[int, int, bool]]:
        stats = [path.stat() for path in self._paths]
        return [(each.st_dev, each.st_ino, each.st_nlink == 1) for each in stats]


def _lock(path: Path) -> int:
    """Hold the database for this process until the descriptor is closed."""
    descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with contextlib.ExitStack() as undo:
        undo.callback(os.close, descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.read(descriptor, 32).decode("ascii", "replace").strip()
            raise _unusable(
                path, f"another sidecar (process {holder}) holds it; stop that one or choose another --data"
            ) from error
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        undo.pop_all()
    return descriptor


def _connect(path: Path) -> sqlite3.Connection:
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # nobody else reads what was decided
    if path.stat().st_nlink > 1:
        raise _unusable(path, "it has another name (a hard link), by which another sidecar could come")
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        connection.close()
        raise _unusable(path, f"its file system does not support write-ahead mode (got {mode})")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # now the log is there too
    return connection


def _unusable(path: Path, why: str) -> AdjudicatorError:
    return AdjudicatorError(ErrorReason.STORE_UNAVAILABLE, f"the database {path} cannot be used: {why}")


def _found(record: CallRecord | None, noun: str, name: int | str) -> CallRecord:
    if record is None:
        raise AdjudicatorError(ErrorReason.NOT_FOUND, f"there is no {noun} {name}")
    return record
