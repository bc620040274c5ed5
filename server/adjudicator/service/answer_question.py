"""AnswerQuestion: one person's answer to one question, and its receipt. It decides on no call."""

from dataclasses import dataclass, replace
from datetime import datetime

from adjudicator.config.limits import Limits
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason, malformed
from adjudicator.domain.question import Answer, AnswerCode, AnswerReceipt, Question, QuestionState
from adjudicator.service.question_access import QuestionAccess
from adjudicator.service.question_end import as_of, question_end
from adjudicator.service.question_fields import is_blank
from adjudicator.service.question_view import option_meant, shown
from adjudicator.storage.contract import CallRecord, Change, Store
from adjudicator.tracing import questions

_MESSAGES: dict[AnswerCode, str] = {
    AnswerCode.ACCEPTED: "the answer counts",
    AnswerCode.UNKNOWN: "there is no such question",
    AnswerCode.ALREADY_ANSWERED: "it was already answered or cancelled; this answer does not count",
    AnswerCode.EXPIRED: "its time limit ran out; this answer does not count",
    AnswerCode.NOT_ENTITLED: "the policy does not entitle you to answer it",
    AnswerCode.NOT_A_PERSON: "the credential is named like an agent, and agents never answer",
    AnswerCode.OPTION_UNKNOWN: "the option is not one of the question's; choose one as it is shown",
    AnswerCode.NO_ANSWER: "there is no answer in it; choose an option, or write text where text is taken",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """What a person answers. `selected_option` is as it was shown; either part may be empty."""

    actor: str
    selected_option: str
    text: str


class AnswerQuestion:
    """The use case behind `AnswerQuestion`."""

    def __init__(self, access: QuestionAccess, store: Store, clock: Clock, limits: Limits) -> None:
        self._access = access
        self._store = store
        self._clock = clock
        self._limits = limits

    async def __call__(self, question_id: str, reply: Reply) -> AnswerReceipt:
        """Count the answer. Of several that race one counts. Raises MALFORMED_REQUEST and POLICY_INVALID.

        Who may answer nothing in the question's tenant is not told whether it exists.
        """
        if len(reply.text.encode()) > self._limits.answer_bytes:
            raise malformed("text", f"is longer than {self._limits.answer_bytes:,} bytes")
        if self._access.is_agent(reply.actor):
            return _receipt(AnswerCode.NOT_A_PERSON)
        if not self._access.tenants(reply.actor):
            return _receipt(AnswerCode.NOT_ENTITLED)
        question = await self._store.question(question_id)
        if question is None:
            return _receipt(AnswerCode.UNKNOWN)
        try:
            return await self._store.change_call(
                question.trace_number, lambda record: self._decide(record, question_id, reply)
            )
        except AdjudicatorError as error:
            if error.reason is ErrorReason.NOT_FOUND:
                return _receipt(AnswerCode.UNKNOWN)  # archived since it was read
            raise

    def _decide(
        self, record: CallRecord, question_id: str, reply: Reply
    ) -> tuple[Change | None, AnswerReceipt]:
        question, now = record.question, self._clock.now()
        if question is None or question.id != question_id:
            return None, _receipt(AnswerCode.UNKNOWN)
        if question.tenant not in self._access.tenants(reply.actor):
            return None, _receipt(AnswerCode.UNKNOWN)
        if not self._access.may_answer(reply.actor, question):
            return None, _receipt(AnswerCode.NOT_ENTITLED)
        current = as_of(question, now)
        if current.state is QuestionState.EXPIRED:
            return question_end(question, now), _receipt(AnswerCode.EXPIRED, current)
        if current.state is not QuestionState.OPEN:
            return None, _receipt(AnswerCode.ALREADY_ANSWERED, current)
        answer = _answer(question, reply, now)
        if isinstance(answer, AnswerCode):
            return None, _receipt(answer, question)
        state = QuestionState.ANSWERED
        elements = questions.answered(answer)
        change = Change(now, elements=elements, question_state=state, answer=answer, finish=True)
        answered = replace(question, state=state, answer=answer, changed_at=now)
        return change, _receipt(AnswerCode.ACCEPTED, answered)


def _answer(question: Question, reply: Reply, now: datetime) -> Answer | AnswerCode:
    """The answer as it is recorded, or why there is none."""
    option = option_meant(question, reply.selected_option) if reply.selected_option else ""
    if option is None:
        return AnswerCode.OPTION_UNKNOWN
    text = "" if is_blank(reply.text) else reply.text
    if (text and not question.free_text) or not (option or text):
        return AnswerCode.NO_ANSWER
    return Answer(reply.actor, option, text, now)


def _receipt(code: AnswerCode, question: Question | None = None) -> AnswerReceipt:
    return AnswerReceipt(code, _MESSAGES[code], shown(question) if question else None)
