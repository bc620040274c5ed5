"""How a question ends without an answer. The time limit counts at its moment, whoever writes it down."""

from dataclasses import replace
from datetime import datetime

from adjudicator.domain.question import Question, QuestionState
from adjudicator.storage.contract import Change
from adjudicator.tracing import questions


def as_of(question: Question, now: datetime) -> Question:
    """The question as it is at `now`: a time limit that has run out counts before anyone has written it."""
    if question.state is QuestionState.OPEN and now >= question.expires_at:
        return replace(question, state=QuestionState.EXPIRED)
    return question


def question_end(question: Question, now: datetime, reason: str = "") -> Change | None:
    """What to record if its time has run out, or in any case for a reason; None for one that is over."""
    if question.state is not QuestionState.OPEN:
        return None
    state = as_of(question, now).state
    if state is QuestionState.OPEN:
        if not reason:
            return None
        state = QuestionState.CANCELLED
    ended = questions.ended(state, reason if state is QuestionState.CANCELLED else "", now)
    return Change(now, elements=(ended,), question_state=state, finish=True)
