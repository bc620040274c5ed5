"""One editor and one sidecar: the threads of a bridge, and how it ends.

The editor's lines are read in one thread and decided in a second; a stream of the sidecar's has one each;
one thread writes, and one withdraws file-change requests in time. The main thread waits for the end.
"""

import os
import queue
import threading
import time
from collections.abc import Callable

from adjudicator.cli.bridge.deciding import Deciding
from adjudicator.cli.bridge.file_changes import FileChanges, resolved
from adjudicator.cli.bridge.followed import Followed, follow_approvals, follow_questions
from adjudicator.cli.bridge.lines import lines_of, write_all
from adjudicator.cli.bridge.outbox import Outbox
from adjudicator.cli.bridge.streams import Desk
from adjudicator.cli.bridge.wanted import FILE_CHANGES, QUESTIONS, REQUESTS, Wanted, ready
from adjudicator.client.approver import ApproverClient
from adjudicator.config.limits import BRIDGE_BUFFER_BYTES, BRIDGE_LINE_BYTES, BRIDGE_PATIENCE_SECONDS

_LOOK_SECONDS = 0.2
_LAST_ANSWERS_SECONDS = 5.0
_LAST_WORDS_SECONDS = 2.0


class Session:
    """A bridge between two descriptors, from and to the editor, and the approver plane."""

    def __init__(self, client: ApproverClient, wanted: Wanted, source: int, sink: int) -> None:
        self._source, self._sink = source, sink
        self._ends: queue.SimpleQueue[Exception | None] = queue.SimpleQueue()
        self._ending = threading.Event()
        self._outbox = Outbox(self._put, BRIDGE_BUFFER_BYTES, BRIDGE_PATIENCE_SECONDS)
        self._file_changes = FileChanges(wanted.file_change_limit, time.monotonic)
        self._ready = ready(wanted, client.address)
        approvals = questions = None
        if {REQUESTS, FILE_CHANGES} & {*wanted.forms}:
            approvals = follow_approvals(client, wanted, self._outbox, self._file_changes)
        if QUESTIONS in wanted.forms:
            questions = follow_questions(client, wanted, self._outbox)
        self._streams = [each for each in (approvals, questions) if each]
        self._deciding = Deciding(
            client, self._outbox, _desk(approvals), _desk(questions), self._file_changes
        )

    def run(self) -> None:
        """Bridge until the editor closes its end, or `end`. Raises ClientError, and whatever failed."""
        self._outbox.tell(self._ready)
        deciding = self._start(self._deciding.run)
        for target in (self._write, self._withdraw, self._read, *(each.run for each in self._streams)):
            self._start(target)
        error = self._ends.get()
        self._deciding.end()
        deciding.join(_LAST_ANSWERS_SECONDS)
        self._ending.set()
        self._outbox.close(_LAST_WORDS_SECONDS)
        if error is not None:
            raise error

    def end(self) -> None:
        """End it. A signal's handler may do so: this takes no lock that its thread could hold."""
        self._ends.put(None)

    def _start(self, target: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=self._guarded, args=(target,), daemon=True)
        thread.start()
        return thread

    def _guarded(self, target: Callable[[], None]) -> None:
        """Whatever fails in a thread ends the bridge: half of one would look like a quiet one."""
        try:
            target()
        except Exception as error:  # noqa: BLE001 - the main thread raises it
            if not self._ending.is_set():
                self._ends.put(error)

    def _read(self) -> None:
        for line in lines_of(self._source, BRIDGE_LINE_BYTES):
            self._deciding.take(line)
        self._ends.put(None)

    def _write(self) -> None:
        os.set_blocking(self._sink, True)
        try:
            self._outbox.run()
        except OSError:  # nobody is there to be told
            self._outbox.close(0)
            self._ends.put(None)

    def _put(self, data: bytes) -> None:
        write_all(self._sink, data)

    def _withdraw(self) -> None:
        while not self._ending.wait(_LOOK_SECONDS):
            for late in self._file_changes.withdraw_late():
                reason = "nobody answered here in time; the approval may still be decided elsewhere"
                self._outbox.tell(resolved(late.approval_id, late.session, "WITHDRAWN", reason))


def _desk(followed: Followed | None) -> Desk | None:
    return followed.desk if followed else None
