"""The elements of a question's trace: what was asked, what was answered, how it ended.

A question is recorded as it comes: nothing says what in it is secret.
"""

from datetime import datetime
from typing import Any

from adjudicator.domain.question import Answer, Question, QuestionState
from adjudicator.domain.trace import Element, ElementKind
from adjudicator.tracing.elements import present

_ENDS = {
    QuestionState.ANSWERED: "answered; an answer authorises nothing",
    QuestionState.EXPIRED: "nobody answered in time",
    QuestionState.CANCELLED: "cancelled",
}


def asked(question: Question, at: datetime) -> tuple[Element, ...]:
    """Who asks, and what."""
    who = {
        "tenant": question.tenant,
        "agent": question.agent,
        "principal": question.principal,
        "session": question.session,
        "question_id": question.question_id,
    }
    what: dict[str, Any] = {
        "id": question.id,
        "text": question.text,
        "options": list(question.options),
        "recommended_option": question.recommended_option,
        "priority": question.priority.value,
        "trigger": question.trigger.value if question.trigger else "",
    }
    terms = {"free_text": question.free_text, "expires_at": question.expires_at.isoformat()}
    return (
        Element(ElementKind.INPUT_CONTEXT, present(who), at),
        Element(ElementKind.PROPOSED_ACTION, present(what) | terms, at),
    )


def answered(answer: Answer) -> tuple[Element, ...]:
    """What a person answered, and that it is over."""
    body = {"answered_by": answer.actor, "selected_option": answer.selected_option, "text": answer.text}
    return (
        Element(ElementKind.RESULT, present(body), answer.answered_at),
        ended(QuestionState.ANSWERED, "", answer.answered_at),
    )


def ended(state: QuestionState, reason: str, at: datetime) -> Element:
    """How it ended, and why when that is said."""
    text = _ENDS[state] + (f": {reason}" if reason else "")
    return Element(ElementKind.FINAL_OUTPUT, {"state": state.value, "text": text}, at)
