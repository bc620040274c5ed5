"""Lines on their way to the editor, which may not be reading."""

import json
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class _Waiting:
    """One line. `sent` is called when it begins to be written; a reply is never dropped."""

    data: bytes
    sent: Callable[[], None]
    is_reply: bool


def line_of(message: dict[str, Any]) -> bytes:
    """The message as one line of ASCII."""
    text = json.dumps(message, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.encode("ascii") + b"\n"


class Outbox:
    """At most `most_bytes` of lines that wait to be written by the one thread that is in `run`.

    What the editor is told of by itself is dropped once it has read nothing for `patience_seconds`; that
    is counted in `losses`, and whoever told it begins anew when everything else is read. Replies are not
    dropped: whoever replies waits, and reads no further line of the editor's meanwhile.
    """

    def __init__(self, write: Callable[[bytes], None], most_bytes: int, patience_seconds: float) -> None:
        self._write = write
        self._most_bytes = most_bytes
        self._patience = patience_seconds
        self._changed = threading.Condition()
        self._lines: deque[_Waiting] = deque()
        self._bytes = 0
        self._writing = False
        self._closed = False
        self.losses = 0

    def tell(self, message: dict[str, Any], sent: Callable[[], None] = lambda: None) -> bool:
        """Tell of something. False when the editor does not read, and will not be told this time."""
        line = _Waiting(line_of(message), sent, is_reply=False)
        with self._changed:
            if self._changed.wait_for(lambda: self._takes(line), self._patience):
                self._add(line)
                return not self._closed
            self._drop()
            return False

    def reply(self, message: dict[str, Any]) -> None:
        """Answer a line of the editor's; waits for as long as there is no room."""
        line = _Waiting(line_of(message), lambda: None, is_reply=True)
        with self._changed:
            self._changed.wait_for(lambda: self._takes(line))
            self._add(line)

    def wait_until_read(self) -> None:
        """Wait until every line is written, or the outbox is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._idle())

    def run(self) -> None:
        """Write lines until the outbox is closed. Raises OSError when the editor is gone."""
        while (line := self._next()) is not None:
            line.sent()
            self._write(line.data)
            with self._changed:
                self._writing = False
                self._changed.notify_all()

    def close(self, seconds: float) -> None:
        """Give the editor so long to read what is waiting, and take nothing more."""
        deadline = time.monotonic() + seconds
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._idle(), deadline - time.monotonic())
            self._closed = True
            self._changed.notify_all()

    def _next(self) -> _Waiting | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._lines)
            if not self._lines or self._closed:
                return None
            line = self._lines.popleft()
            self._bytes -= len(line.data)
            self._writing = True
            self._changed.notify_all()
            return line

    def _takes(self, line: _Waiting) -> bool:
        return self._closed or not self._lines or self._bytes + len(line.data) <= self._most_bytes

    def _idle(self) -> bool:
        return not self._lines and not self._writing

    def _add(self, line: _Waiting) -> None:
        if not self._closed:
            self._lines.append(line)
            self._bytes += len(line.data)
            self._changed.notify_all()

    def _drop(self) -> None:
        self._lines = deque(line for line in self._lines if line.is_reply)
        self._bytes = sum(len(line.data) for line in self._lines)
        self.losses += 1
        self._changed.notify_all()
