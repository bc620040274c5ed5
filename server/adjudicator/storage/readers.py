"""Threads that read, each on a connection of its own, which sees one moment at a time."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.storage.engine import Connection, Engine

T = TypeVar("T")


class Readers:
    """Runs questions. One that the database fails is asked again once, on a new connection."""

    def __init__(self, engine: Engine, threads: int = 1) -> None:
        self._engine = engine
        self._threads = ThreadPoolExecutor(threads, "store-reader")
        self._own = threading.local()
        self._lock = threading.Lock()
        self._open: list[Connection] = []
        self._threads.submit(self._connection).result()  # what cannot be read is no store

    async def run(self, question: Callable[[Connection], T]) -> T:
        """The answer as of one moment. Raises STORE_UNAVAILABLE when the database fails."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, self._answer, question)
        except self._engine.failures as error:
            raise AdjudicatorError(
                ErrorReason.STORE_UNAVAILABLE, "the record could not be read, so nothing was decided"
            ) from error

    def close(self) -> None:
        """Answer what was asked, then close the connections."""
        self._threads.shutdown()
        for connection in self._open:
            connection.close()

    def _answer(self, question: Callable[[Connection], T]) -> T:
        try:
            return self._ask(question)
        except self._engine.failures:
            self._forget()
            return self._ask(question)

    def _ask(self, question: Callable[[Connection], T]) -> T:
        self._engine.check()
        db = self._connection()
        db.execute(self._engine.snapshot)
        try:
            return question(db)
        finally:
            db.execute("COMMIT")

    def _connection(self) -> Connection:
        connection: Connection | None = getattr(self._own, "connection", None)
        if connection is None:
            connection = self._own.connection = self._engine.connect()
            with self._lock:
                self._open.append(connection)
        return connection

    def _forget(self) -> None:
        connection: Connection | None = getattr(self._own, "connection", None)
        self._own.connection = None
        if connection is not None:
            with self._lock:
                self._open.remove(connection)
            with contextlib.suppress(*self._engine.failures):
                connection.close()
