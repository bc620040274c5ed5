"""One thread that writes, and commits what waits together.

A lone unit of work commits at once. While a commit runs, the next units gather, and the next commit
takes them all: the window follows the load, and a unit's result leaves only after its commit.
"""

import asyncio
import contextlib
import queue
import sqlite3
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from adjudicator.domain.errors import AdjudicatorError, ErrorReason

T = TypeVar("T")
Unit = Callable[[sqlite3.Connection], T]
_MOST_AT_ONCE = 256


class Writer:
    """Runs units of work on one connection, in the order of asking, many to a commit.

    `check` raises when nothing may be written now. `on_commit` is called on the writer's thread after
    each commit, before any result leaves.
    """

    def __init__(
        self,
        connect: Callable[[], sqlite3.Connection],
        check: Callable[[], None],
        on_commit: Callable[[], None],
    ) -> None:
        self._connect = connect
        self._check = check
        self._on_commit = on_commit
        self.failing = False  # whether the latest commit failed
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()  # nothing is queued behind the end
        self._closed = False
        self._connection: sqlite3.Connection | None = connect()
        self._thread = threading.Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    async def run(self, unit: Unit[T]) -> T:
        """Run the unit and return its result once it is on disk.

        What the unit raises is raised here and only its own writes are undone. Raises
        STORE_UNAVAILABLE when the database failed; then nothing of the unit was kept.
        """
        loop = asyncio.get_running_loop()
        job = _Job(unit, loop, loop.create_future())
        with self._lock:
            if self._closed:
                raise _unwritten()
            self._queue.put(job)
        result: T = await job.done
        return result

    def close(self) -> None:
        """Finish what was asked, then close the connection. What is asked later is refused."""
        with self._lock:
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        last = False
        while not last:
            jobs, last = self._next()
            if jobs:
                self._commit(jobs)
        if self._connection is not None:
            self._connection.close()

    def _next(self) -> tuple[list["_Job"], bool]:
        """All that waits, up to a bound, and whether nothing comes after it."""
        jobs: list[_Job] = []
        while not jobs or (len(jobs) < _MOST_AT_ONCE and not self._queue.empty()):
            job = self._queue.get()
            if job is None:
                return jobs, True
            jobs.append(job)
        return jobs, False

    def _commit(self, jobs: list["_Job"]) -> None:
        """Run and commit the jobs and deliver their results. Whatever goes wrong, the thread goes on."""
        try:
            self._check()
            connection = self._connection or self._connect()
            self._connection = connection
            connection.execute("BEGIN IMMEDIATE")
            for job in jobs:
                job.execute(connection)
            connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - whatever failed, everyone who waits is told
            self.failing = True
            self._abandon()
            for job in jobs:
                job.fail(error)
        else:
            self.failing = False
        # Without its loop nobody waits any more; what was committed stays committed.
        with contextlib.suppress(RuntimeError):
            if not self.failing:
                self._on_commit()
        with contextlib.suppress(RuntimeError):
            _deliver(jobs)

    def _abandon(self) -> None:
        # A connection that failed once may be in any state: the next commit starts with a new one.
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()  # rolls back


class _Job:
    """One unit of work and the future that waits for it."""

    def __init__(
        self, unit: Unit[Any], loop: asyncio.AbstractEventLoop, done: "asyncio.Future[Any]"
    ) -> None:
        self._unit = unit
        self.loop = loop
        self.done = done
        self._result: Any = None
        self._error: BaseException | None = None

    def execute(self, connection: sqlite3.Connection) -> None:
        """Run the unit in a savepoint of its own. A failure of the database fails the whole commit."""
        connection.execute("SAVEPOINT unit")
        try:
            self._result = self._unit(connection)
        except sqlite3.IntegrityError as error:
            # The database refused this one unit, and is itself well.
            self._error = AdjudicatorError(ErrorReason.INTERNAL, f"the database refused a change: {error}")
            connection.execute("ROLLBACK TO unit")
        except sqlite3.Error:
            raise
        except Exception as error:  # noqa: BLE001 - it belongs to whoever asked, and is raised there
            self._error = error
            connection.execute("ROLLBACK TO unit")
        connection.execute("RELEASE unit")

    def fail(self, cause: BaseException) -> None:
        """Answer with STORE_UNAVAILABLE, whatever the unit itself came to."""
        self._result = None
        self._error = _unwritten()
        self._error.__cause__ = cause

    def deliver(self) -> None:
        """Hand over the result, on the event loop. A caller that went away is not told."""
        if self.done.cancelled():
            return
        if self._error is not None:
            self.done.set_exception(self._error)
        else:
            self.done.set_result(self._result)


def _deliver(jobs: list[_Job]) -> None:
    def all_of_them() -> None:
        for job in jobs:
            job.deliver()

    jobs[0].loop.call_soon_threadsafe(all_of_them)


def _unwritten() -> AdjudicatorError:
    return AdjudicatorError(
        ErrorReason.STORE_UNAVAILABLE, "the record could not be written, so nothing was decided"
    )
