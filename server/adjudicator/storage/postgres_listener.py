"""The thread that hears what other sidecars announce, and knows whether the server answers."""

import contextlib
import os
import socket
import threading
from collections.abc import Callable

import psycopg

from adjudicator.storage.postgres_connection import BoundedConnection

CHANNEL = "adjudicator"
_LOOK_SECONDS = 0.5
_AGAIN_SECONDS = 0.3
_ANSWER_SECONDS = 3.0


class Listener:
    """Calls `heard` with the approvals that others announce; with None after a time of deafness."""

    def __init__(
        self,
        connect: Callable[[], BoundedConnection],
        own_token: str,
        heard: Callable[[frozenset[str] | None], None],
    ) -> None:
        self._connect = connect
        self._own_token = own_token
        self._heard = heard
        self._connection: BoundedConnection | None = None
        self._stopped = threading.Event()
        self.in_touch = True  # until the first sign of the contrary
        self._thread = threading.Thread(target=self._run, name="store-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening, at once."""
        self._stopped.set()
        connection = self._connection
        if connection is not None:
            # By another descriptor: closing that which the thread waits on would be a race for its number.
            with (
                contextlib.suppress(OSError, psycopg.Error),
                socket.socket(fileno=os.dup(connection.fileno())) as other,
            ):
                other.shutdown(socket.SHUT_RDWR)
        self._thread.join(_ANSWER_SECONDS + _LOOK_SECONDS)

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                with contextlib.closing(self._connect()) as self._connection:
                    self._listen(self._connection)
            except (psycopg.Error, OSError):
                self.in_touch = False
                self._stopped.wait(_AGAIN_SECONDS)

    def _listen(self, connection: BoundedConnection) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        self.in_touch = True
        self._heard(None)  # whatever was announced until now was not heard
        while not self._stopped.is_set():
            for note in connection.notifies(timeout=_LOOK_SECONDS, stop_after=1):
                token, _, ids = note.payload.partition(" ")
                if token != self._own_token:
                    self._heard(frozenset(ids.split(",")) if ids else None)
            connection.patience = _ANSWER_SECONDS
            connection.execute("SELECT 1")
