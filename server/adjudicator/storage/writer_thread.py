"""One thread that writes, and commits what waits together.

A lone job commits at once. While a commit runs, the next jobs gather, and the next commit takes them all:
the window follows the load, and a result leaves only after its commit.
"""

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.record import Tail
from adjudicator.storage.batch import Batch
from adjudicator.storage.engine import Connection, Engine
from adjudicator.storage.jobs import ChangeCall, Failed, OpenTrace
from adjudicator.storage.writers import OwnWriter, contains, select_tail

_MOST_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Unit:
    """Any other work within a transaction, given the connection and the end of the chain."""

    work: Callable[[Connection, Tail], Any]


Job = OpenTrace | ChangeCall | Unit


@dataclass(frozen=True, slots=True)
class _Asked:
    job: Job
    loop: asyncio.AbstractEventLoop
    done: "asyncio.Future[Any]"


class LostRecordsError(OSError):
    """The database is not the one that answered before: going on would give two records one number."""


class WriterThread:
    """Writes jobs on one connection, in the order of asking, many to a commit.

    `committed` is called on the writer's thread after each commit, before any result leaves, with the ids
    of the approvals that changed.
    """

    def __init__(self, engine: Engine, own: OwnWriter, committed: Callable[[frozenset[str]], None]) -> None:
        self._engine = engine
        self._own = own
        self._committed = committed
        self.failing = False  # whether the latest commit failed
        self._queue: queue.SimpleQueue[_Asked | None] = queue.SimpleQueue()
        self._lock = threading.Lock()  # nothing is queued behind the end
        self._closed = False
        self._connection: Connection | None = None
        self._tail = Tail(0, b"")
        self._connect()
        self._thread = threading.Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    async def run(self, job: Job) -> Any:
        """Do the job and return its result once it is on disk.

        What the job raises is raised here, and nothing of it was written. Raises STORE_UNAVAILABLE when the
        database failed; then nothing of the job was kept, as far as anybody can know.
        """
        loop = asyncio.get_running_loop()
        asked = _Asked(job, loop, loop.create_future())
        with self._lock:
            if self._closed:
                raise _unwritten()
            self._queue.put(asked)
        return await asked.done

    def close(self) -> None:
        """Finish what was asked, then close the connection. What is asked later is refused."""
        with self._lock:
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        last = False
        while not last:
            asked, last = self._next()
            if asked:
                self._answer(asked)
        if self._connection is not None:
            self._connection.close()

    def _next(self) -> tuple[list[_Asked], bool]:
        """All that waits, up to a bound, and whether nothing comes after it."""
        asked: list[_Asked] = []
        while not asked or (len(asked) < _MOST_AT_ONCE and not self._queue.empty()):
            one = self._queue.get()
            if one is None:
                return asked, True
            asked.append(one)
        return asked, False

    def _answer(self, asked: list[_Asked]) -> None:
        """Write the jobs and deliver their results. Whatever goes wrong, the thread goes on."""
        try:
            results = self._write([one.job for one in asked])
        except Exception as error:  # noqa: BLE001 - whatever failed, everyone who waits is told
            self.failing = True
            results = [Failed(_unwritten(error)) for _ in asked]
        else:
            self.failing = False
        # Without its loop nobody waits any more; what was committed stays committed.
        with contextlib.suppress(RuntimeError):
            _deliver(asked, results)

    def _write(self, jobs: list[Job]) -> list[Any]:
        try:
            return self._commit(jobs)
        except Exception as error:
            if self._has_failed(error):
                raise
        # One of them cannot be written, or somebody else wrote to this chain; the others are not to pay.
        return [self._write_one(job) for job in jobs]

    def _write_one(self, job: Job) -> Any:
        try:
            return self._commit([job])[0]
        except Exception as error:
            if self._has_failed(error):
                raise
            return Failed(_refused(error))

    def _has_failed(self, error: Exception) -> bool:
        """Whether the database failed, and did not only refuse one statement."""
        return isinstance(error, self._engine.failures) and not isinstance(error, self._engine.refusals)

    def _commit(self, jobs: list[Job]) -> list[Any]:
        """Write the jobs in one transaction. Raises one of the engine's failures; then nothing is kept."""
        try:
            self._engine.check()
            db = self._connection or self._connect()
            self._engine.begin(db)
            batch = Batch(db, self._engine, self._own, self._tail)
            results = _run(batch, db, jobs)
            db.execute("COMMIT")
        except Exception:
            self._abandon()
            raise
        self._tail = batch.tail
        with contextlib.suppress(RuntimeError):
            self._committed(frozenset(batch.changed))
        return results

    def _connect(self) -> Connection:
        connection = self._engine.connect()
        try:
            # What the last commit came to is known for certain only from the database.
            self._tail = _tail_behind(connection, self._own, self._tail)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def _abandon(self) -> None:
        # A connection that failed once may be in any state: the next commit starts with a new one.
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(*self._engine.failures):
                connection.close()  # rolls back


def _tail_behind(db: Connection, own: OwnWriter, known: Tail) -> Tail:
    """Where the chain ends; raises LostRecordsError when it lacks what it ended with before."""
    if not contains(db, own, known):
        raise LostRecordsError(
            "the database has lost what was committed: it was restored, or is a copy that lags; "
            "start the sidecar again to go on with a new chain"
        )
    return select_tail(db, own)


def _run(batch: Batch, db: Connection, jobs: list[Job]) -> list[Any]:
    """The results of all jobs in their order. Units come first: they see what was committed before."""
    tail = batch.tail
    results: dict[int, Any] = {
        place: job.work(db, tail) for place, job in enumerate(jobs) if isinstance(job, Unit)
    }
    calls = {place: job for place, job in enumerate(jobs) if not isinstance(job, Unit)}
    results |= zip(calls, batch.run(list(calls.values())), strict=True)
    return [results[place] for place in range(len(jobs))]


def _deliver(asked: list[_Asked], results: list[Any]) -> None:
    def all_of_them() -> None:
        for one, result in zip(asked, results, strict=True):
            if one.done.cancelled():
                continue  # a caller that went away is not told
            if isinstance(result, Failed):
                one.done.set_exception(result.error)
            else:
                one.done.set_result(result)

    asked[0].loop.call_soon_threadsafe(all_of_them)


def _unwritten(cause: Exception | None = None) -> AdjudicatorError:
    error = AdjudicatorError(
        ErrorReason.STORE_UNAVAILABLE, "the record could not be written, so nothing was decided"
    )
    error.__cause__ = cause
    return error


def _refused(cause: Exception) -> AdjudicatorError:
    error = AdjudicatorError(ErrorReason.INTERNAL, f"the change could not be written: {cause}")
    error.__cause__ = cause
    return error
