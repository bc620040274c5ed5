"""What becomes of the editor's answers: at once an error, or the sidecar's receipt, one after the other.

An answer is never kept for later. What cannot be decided now is refused now, and the editor is told.
"""

import contextlib
import queue
from collections.abc import Mapping

from adjudicator.api.v1.approval_service_pb2 import ResolveRequest
from adjudicator.cli.bridge.answers import (
    Answer,
    ApprovalAnswer,
    FileChangeFailed,
    LineError,
    QuestionAnswer,
    answer_in,
)
from adjudicator.cli.bridge.file_changes import FileChanges
from adjudicator.cli.bridge.lines import TooLong
from adjudicator.cli.bridge.messages import Message, approval_receipt
from adjudicator.cli.bridge.outbox import Outbox
from adjudicator.cli.bridge.questions import question_receipt
from adjudicator.cli.bridge.streams import Desk
from adjudicator.client.approver import ApproverClient
from adjudicator.client.errors import ClientError
from adjudicator.config.limits import BRIDGE_LINE_BYTES, BRIDGE_RESPONSES


class Deciding:
    """Takes lines in one thread and asks the sidecar in another, in the order of the lines."""

    def __init__(
        self,
        client: ApproverClient,
        outbox: Outbox,
        approvals: Desk | None,
        questions: Desk | None,
        file_changes: FileChanges,
    ) -> None:
        self._client = client
        self._outbox = outbox
        self._approvals = approvals
        self._questions = questions
        self._file_changes = file_changes
        self._answers: queue.Queue[ApprovalAnswer | QuestionAnswer | None] = queue.Queue(BRIDGE_RESPONSES)

    def take(self, line: bytes | TooLong) -> None:
        """Take one line; waits while too many are under way."""
        if isinstance(line, TooLong):
            limit = f"a line has more than {BRIDGE_LINE_BYTES:,} bytes; nothing of it was read"
            self._outbox.reply(_error("LINE_TOO_LONG", limit))
        elif line.strip():
            try:
                answer = answer_in(line)
            except LineError as error:
                self._outbox.reply(_error("MALFORMED", str(error), error.about))
            else:
                self._accept(answer)

    def end(self) -> None:
        """No more lines come: `run` ends after the answers that were taken, unless it is stuck."""
        with contextlib.suppress(queue.Full):
            self._answers.put_nowait(None)

    def run(self) -> None:
        """Decide what was taken."""
        while (answer := self._answers.get()) is not None:
            # What was true when the line came may not be any more.
            self._outbox.reply(self._refusal(answer) or self._decided(answer))

    def _accept(self, answer: Answer) -> None:
        if isinstance(answer, FileChangeFailed):
            message = f"the editor did not ask ({answer.message}); nothing was decided"
            self._outbox.reply(_error("NOT_ASKED", message, {"approval_id": answer.approval_id}))
        elif refusal := self._refusal(answer):
            self._outbox.reply(refusal)
        else:
            self._answers.put(answer)

    def _refusal(self, answer: ApprovalAnswer | QuestionAnswer) -> Message | None:
        """Why this answer cannot be decided now, or None."""
        if isinstance(answer, QuestionAnswer):
            problem = self._not_shown(self._questions, answer.id)
        else:
            problem = self._not_shown(self._approvals, answer.approval_id) or self._not_decidable(answer)
        return _error(*problem, _about(answer)) if problem else None

    def _not_shown(self, desk: Desk | None, item_id: str) -> tuple[str, str] | None:
        if desk is None:
            return "NOT_SENT", "this bridge was started with --forms that leave these out"
        if not desk.link.is_up:
            return "SUSPENDED", "the stream is lost, so nothing is decided; answer again when it is back"
        if desk.shown.digest_of(item_id) is None:
            return "NOT_SENT", "this bridge has sent nothing of this id to this editor; nothing was decided"
        return None

    def _not_decidable(self, answer: ApprovalAnswer) -> tuple[str, str] | None:
        if answer.to_file_change and not self._file_changes.waits(answer.approval_id):
            return "WITHDRAWN", "no file-change request of this id waits for an answer; nothing was decided"
        if answer.view_digest is not None and answer.view_digest != self._digest_sent(answer):
            return "VIEW_MISMATCH", "view_digest is not that of the view that was sent last"
        return None

    def _decided(self, answer: ApprovalAnswer | QuestionAnswer) -> Message:
        try:
            if isinstance(answer, QuestionAnswer):
                replied = self._client.answer_question(
                    answer.id, option=answer.selected_option, text=answer.text
                )
                return question_receipt(answer.id, replied)
            receipt = self._client.decide(self._resolve_request(answer))
            return approval_receipt(answer.approval_id, answer.request_id, receipt)
        except ClientError as error:
            return _failed(error, _about(answer))

    def _resolve_request(self, answer: ApprovalAnswer) -> ResolveRequest:
        return ResolveRequest(
            approval_id=answer.approval_id,
            decision=answer.decision,
            view_digest=self._digest_sent(answer),
            reason=answer.reason,
            request_id=answer.request_id,
            selected_option=answer.selected_option,
            delegate_to=answer.delegate_to,
            grant=answer.grant,
        )

    def _digest_sent(self, answer: ApprovalAnswer) -> str:
        """That of the view that was sent last; empty, which approves nothing, where none was sent whole."""
        digest = self._approvals.shown.digest_of(answer.approval_id) if self._approvals else None
        return digest or ""


def _about(answer: ApprovalAnswer | QuestionAnswer) -> dict[str, str]:
    if isinstance(answer, QuestionAnswer):
        return {"id": answer.id}
    return {"approval_id": answer.approval_id, "request_id": answer.request_id}


def _error(code: str, message: str, about: Mapping[str, str] | None = None) -> Message:
    return {"type": "error", "code": code, "message": message, **(about or {})}


def _failed(error: ClientError, about: dict[str, str]) -> Message:
    """A request that got no answer means no; whether it was counted is not known."""
    if error.reason:
        fields = "".join(f"; {name}: {problem}" for name, problem in error.fields.items())
        return _error(error.reason, f"{error.message}{fields}", about)
    message = f"the sidecar gave no answer ({error.code.name}), so it is not known whether this counts"
    return _error("NO_ANSWER", f"{message}; send it again with the same request_id", about)
