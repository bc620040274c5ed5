"""Questions of agents as the editor is told of them. An answer is information and decides on no call."""

from collections.abc import Callable

from adjudicator.api.v1.question_service_pb2 import (
    AnswerQuestionResponse,
    Question,
    WatchQuestionsResponse,
)
from adjudicator.api.v1.types_pb2 import QuestionState
from adjudicator.cli.bridge import messages
from adjudicator.cli.bridge.messages import Message
from adjudicator.cli.bridge.outbox import Outbox
from adjudicator.cli.bridge.shown import Shown
from adjudicator.cli.bridge.streams import Link
from adjudicator.cli.message_json import enum_name, message_json
from adjudicator.domain.clock import Clock

_OF_REQUEST = (
    *("tenant", "session", "agent", "principal", "question_id", "text", "options", "recommended_option"),
    *("free_text", "priority", "trigger", "trace_number", "asked_at", "expires_at"),
)
_OF_UPDATE = ("selected_option", "answer_text", "answered_by", "changed_at")


def question_request(question: Question) -> Message:
    """The question, but for the time left."""
    data = message_json(question)
    fields = {name: data[name] for name in _OF_REQUEST if name in data}
    return {"type": "question_request", "id": question.id, **fields}


def question_update(question: Question) -> Message:
    """That it is open no more."""
    data = message_json(question)
    fields = {name: data[name] for name in _OF_UPDATE if name in data}
    return {
        "type": "question_update",
        "id": question.id,
        "state": enum_name(question, "state"),
        **fields,
    }


def question_receipt(question_id: str, receipt: AnswerQuestionResponse) -> Message:
    """What the sidecar said to an answer."""
    return {
        "type": "question_receipt",
        "id": question_id,
        "accepted": receipt.accepted,
        "code": enum_name(receipt, "code"),
        "message": receipt.message,
    }


class QuestionScreen:
    """Tells the editor of each question, once for each time that something about it changed."""

    def __init__(self, link: Link, outbox: Outbox, clock: Clock) -> None:
        self.shown = Shown()
        self._link = link
        self._outbox = outbox
        self._clock = clock
        self._listed: set[str] = set()

    def event(self, response: WatchQuestionsResponse) -> None:
        """Tell of one event."""
        self._link.up()
        match response.WhichOneof("event"):
            case "snapshot":
                for question in response.snapshot.questions:
                    self._listed.add(question.id)
                    self._tell(question)
                if response.snapshot.complete:
                    self._end_unlisted()
            case "change":
                self._tell(response.change)
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
        self._listed.clear()

    def _tell(self, question: Question) -> None:
        if question.state != QuestionState.QUESTION_STATE_OPEN:
            if self.shown.end(question.id):
                self._outbox.tell(question_update(question))
            return
        message = question_request(question)
        if self.shown.is_news(question.id, message):
            left = messages.seconds_left(question.expires_at, self._clock.now())
            self._outbox.tell({**message, "seconds_left": left}, self._sender(question.id))

    def _sender(self, question_id: str) -> Callable[[], None]:
        return lambda: self.shown.sent(question_id, "")

    def _end_unlisted(self) -> None:
        """What was open and is not in the snapshot ended unseen, or is no more for this person to see."""
        for question_id in self.shown.open_ids() - self._listed:
            self._tell(Question(id=question_id))
        self._listed.clear()
