"""The stream of approvals as the editor is told of it, in the forms that it wants."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from adjudicator.api.v1.approval_service_pb2 import Approval, ApprovalState, WatchPendingResponse
from adjudicator.cli.approval_notes import is_pending
from adjudicator.cli.bridge import messages
from adjudicator.cli.bridge.file_changes import FileChanges, changes_files, file_change_request, resolved
from adjudicator.cli.bridge.outbox import Outbox
from adjudicator.cli.bridge.shown import Shown
from adjudicator.cli.bridge.streams import Link, SidecarTime
from adjudicator.cli.message_json import enum_name
from adjudicator.cli.moments import moment


@dataclass(frozen=True, slots=True)
class ApprovalForms:
    """Which forms an editor gets."""

    requests: bool
    file_changes: bool


class ApprovalScreen:
    """Tells the editor of each approval, once for each time that something about it changed."""

    def __init__(
        self,
        link: Link,
        outbox: Outbox,
        forms: ApprovalForms,
        file_changes: FileChanges,
        time: SidecarTime,
        look_up: Callable[[str], Approval],
    ) -> None:
        self.shown = Shown()
        self._link = link
        self._outbox = outbox
        self._forms = forms
        self._file_changes = file_changes
        self._time = time
        self._look_up = look_up
        self._listed: set[str] = set()

    def event(self, response: WatchPendingResponse) -> None:
        """Tell of one event."""
        self._link.up()
        match response.WhichOneof("event"):
            case "snapshot":
                for approval in response.snapshot.approvals:
                    self._listed.add(approval.id)
                    self._tell(approval)
                if response.snapshot.complete:
                    self._end_unlisted()
            case "change":
                self._tell(response.change.approval)
            case "heartbeat":
                self._time.set(moment(response.heartbeat.now))
            case "resync":
                self._listed.clear()

    def closed(self, reason: str) -> None:
        """Tell that nothing is current."""
        self._listed.clear()
        self._link.down(reason)

    def back(self) -> None:
        """The event that comes next tells of it."""

    def forget(self) -> None:
        """The editor was told nothing, as far as this goes on."""
        self.shown.forget()
        self._file_changes.forget()
        self._listed.clear()

    def _tell(self, approval: Approval) -> None:
        if is_pending(approval):
            self._ask(approval)
        else:
            self._end(approval)

    def _ask(self, approval: Approval) -> None:
        message = messages.approval_request(approval)
        file_change = self._forms.file_changes and changes_files(message)
        if not (self._forms.requests or file_change) or not self.shown.is_news(approval.id, message):
            return
        left = messages.seconds_left(approval.expires_at, self._time.now())
        message = {**message, "seconds_left": left}

        def sent() -> None:
            self.shown.sent(approval.id, message["view_digest"])

        if self._forms.requests:
            self._outbox.tell(message, sent)
        if file_change:
            seconds = self._file_changes.open(approval.id, approval.session)
            if seconds is not None:
                until = self._time.now() + timedelta(seconds=seconds)
                self._outbox.tell(file_change_request(approval, message, until), sent)

    def _end(self, approval: Approval) -> None:
        request = self._file_changes.end(approval.id)
        if not self.shown.end(approval.id):
            return
        if self._forms.requests:
            self._outbox.tell(messages.approval_update(approval))
        if request is not None:
            state = enum_name(approval, "state")
            reason = f"the approval is {state}"
            self._outbox.tell(resolved(approval.id, request.session, state, reason))

    def _end_unlisted(self) -> None:
        """What was open and is not in the snapshot ended unseen, or is no more for this person to see."""
        for approval_id in self.shown.open_ids() - self._listed:
            approval = self._look_up(approval_id)
            self._tell(approval)
        self._listed.clear()


def unknown(approval_id: str) -> Approval:
    """Stands for an approval that the sidecar does not show to this person."""
    return Approval(id=approval_id, state=ApprovalState.APPROVAL_STATE_UNSPECIFIED)
