"""The second form of a request that changes files: JSON-RPC 2.0, for editors that know file changes only.

Such a request is for this editor and for a while. Its end here is not the approval's, which goes on for
everybody else by the sidecar's own time limit.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from google.protobuf.timestamp_pb2 import Timestamp

from adjudicator.api.v1.approval_service_pb2 import Approval, Decision
from adjudicator.cli.bridge.messages import Message
from adjudicator.cli.moments import moment

METHOD = "item/fileChange/requestApproval"
RESOLVED = "serverRequest/resolved"
DECISIONS = {
    "accept": Decision.DECISION_APPROVE,
    "acceptForSession": Decision.DECISION_APPROVE_SESSION,
    "decline": Decision.DECISION_DENY,
    "cancel": Decision.DECISION_CANCEL,
}


def changes_files(message: Message) -> bool:
    """Whether what is asked for, as an `approval_request`, writes a file."""
    return bool(message["request"]["context"]["writes"])


def file_change_request(approval: Approval, message: Message, until: datetime) -> Message:
    """The request, with the whole `approval_request` in it: a person sees no less here."""
    deadline = Timestamp()
    deadline.FromDatetime(min(until, moment(approval.expires_at)).replace(tzinfo=None))
    params = {
        "threadId": approval.session,
        "turnId": "",
        "itemId": approval.call_id,
        "reason": approval.ask_reason,
        "changes": [{"path": path, "kind": "write"} for path in message["request"]["context"]["writes"]],
        "deadline": deadline.ToJsonString(),
        "approval": message,
    }
    return {"jsonrpc": "2.0", "id": approval.id, "method": METHOD, "params": params}


def resolved(approval_id: str, session: str, state: str, reason: str) -> Message:
    """That the request of this id waits for no answer any more."""
    params = {"threadId": session, "requestId": approval_id, "state": state, "reason": reason}
    return {"jsonrpc": "2.0", "method": RESOLVED, "params": params}


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """One request that waits for this editor, until then by the clock that never goes back."""

    approval_id: str
    session: str
    until: float


class FileChanges:
    """Which of these requests wait for an answer. Each is sent for one span of time and no second one."""

    def __init__(self, limit: timedelta, monotonic: Callable[[], float]) -> None:
        self._limit = limit.total_seconds()
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._open: dict[str, OpenRequest] = {}
        self._told: set[str] = set()
        self._withdrawn: set[str] = set()

    def open(self, approval_id: str, session: str) -> float | None:
        """For how many seconds it is to be answered; None when it was sent, or withdrawn, before."""
        now = self._monotonic()
        with self._lock:
            if approval_id in self._withdrawn or approval_id in self._told:
                return None
            self._told.add(approval_id)
            fresh = OpenRequest(approval_id, session, now + self._limit)
            return self._open.setdefault(approval_id, fresh).until - now

    def forget(self) -> None:
        """Nothing was sent. What is sent again has the time that is left of its span."""
        with self._lock:
            self._told.clear()

    def withdraw_late(self) -> list[OpenRequest]:
        """Those whose time is over as of now; no answer to them counts."""
        now = self._monotonic()
        with self._lock:
            late = [each for each in self._open.values() if each.until <= now]
            for each in late:
                del self._open[each.approval_id]
                self._withdrawn.add(each.approval_id)
            return late

    def end(self, approval_id: str) -> OpenRequest | None:
        """Its approval is over: the request that waited, if one did."""
        with self._lock:
            self._withdrawn.discard(approval_id)
            self._told.discard(approval_id)
            return self._open.pop(approval_id, None)

    def waits(self, approval_id: str) -> bool:
        """Whether an answer counts now, to the moment and not to the last look."""
        now = self._monotonic()
        with self._lock:
            request = self._open.get(approval_id)
            return request is not None and request.until > now
