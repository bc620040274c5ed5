"""A connection whose statements end in time, whatever the server does.

A server that is stopped, or behind a network that swallows, keeps its socket open and says nothing; no
time-out of the server's and no keep-alive ends that. So the wait itself is bounded here.
"""

import time
from collections.abc import Generator
from typing import Any

import psycopg

PATIENCE_SECONDS = 5.0


class SilentError(psycopg.OperationalError):
    """The server did not answer in time. What was being committed may have been kept, or not."""


class BoundedConnection(psycopg.Connection[Any]):
    """`patience` is how long, in seconds, the next statement may take; then it is the usual again."""

    patience = PATIENCE_SECONDS

    def wait(
        self, gen: Generator[Any, Any, Any], interval: float = 0.1, timeout: float | None = None
    ) -> Any:
        """What psycopg waits with for every answer of the server."""
        until = time.monotonic() + self.patience
        self.patience = PATIENCE_SECONDS
        try:
            return super().wait(_bounded(gen, until), interval, timeout)
        except SilentError:
            self.close()
            raise


def _bounded(gen: Generator[Any, Any, Any], until: float) -> Generator[Any, Any, Any]:
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if time.monotonic() > until:
                raise SilentError("the database server did not answer in time")
            wanted = gen.send(ready)
    except StopIteration as done:
        return done.value
