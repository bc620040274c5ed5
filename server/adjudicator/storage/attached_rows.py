"""Between grants and questions and the rows that hang on their traces. The only place that knows both."""

import json
from typing import Any, NamedTuple

from adjudicator.domain.grant import Grant, GrantScope, GrantState
from adjudicator.domain.micros import from_micros, to_micros
from adjudicator.domain.question import Answer, Question, QuestionState
from adjudicator.domain.request import Priority, Trigger
from adjudicator.storage.approval_rows import APPROVAL_COLUMNS
from adjudicator.storage.rows import to_json


class GrantRow(NamedTuple):
    """A row of `grants`, its columns in order. `terms` is JSON text."""

    id: str
    trace: int
    tenant: str
    session: str
    agent: str
    tool: str
    terms: str
    granted_at: int
    expires_at: int
    state: str
    used: int
    changed_at: int


class QuestionRow(NamedTuple):
    """A row of `questions`, its columns in order. `terms` and `answer` are JSON text."""

    id: str
    trace: int
    tenant: str
    session: str
    agent: str
    terms: str
    asked_at: int
    expires_at: int
    state: str
    answer: str
    changed_at: int


GRANT_COLUMNS = ", ".join(GrantRow._fields)
QUESTION_COLUMNS = ", ".join(QuestionRow._fields)
ATTACHED = (
    ("approvals", APPROVAL_COLUMNS),
    ("grants", GRANT_COLUMNS),
    ("questions", QUESTION_COLUMNS),
)
"""The tables whose rows hang on traces, with the columns that are recorded; the second is the trace."""


def grant_to_row(grant: Grant, trace: int) -> GrantRow:
    """The row of a grant with that trace."""
    terms = {
        "on_behalf_of": list(grant.on_behalf_of),
        "principal": grant.principal,
        "scope": grant.scope.value,
        "schema": grant.schema_json,
        "likeness": grant.likeness,
        "highest_priority": grant.highest_priority.value,
        "uses": grant.uses,
        "granted_by": grant.granted_by,
        "approval_id": grant.approval_id,
        "reason": grant.reason,
    }
    return GrantRow(
        id=grant.id,
        trace=trace,
        tenant=grant.tenant,
        session=grant.session,
        agent=grant.agent,
        tool=grant.tool,
        terms=to_json(terms),
        granted_at=to_micros(grant.granted_at),
        expires_at=to_micros(grant.expires_at),
        state=grant.state.value,
        used=grant.used,
        changed_at=to_micros(grant.changed_at),
    )


def grant_from_row(row: GrantRow) -> Grant:
    """The grant of a row."""
    terms = json.loads(row.terms)
    return Grant(
        id=row.id,
        state=GrantState(row.state),
        tenant=row.tenant,
        session=row.session,
        agent=row.agent,
        on_behalf_of=tuple(terms["on_behalf_of"]),
        principal=terms["principal"],
        tool=row.tool,
        scope=GrantScope(terms["scope"]),
        schema_json=terms["schema"],
        likeness=terms["likeness"],
        highest_priority=Priority(terms["highest_priority"]),
        uses=terms["uses"],
        used=row.used,
        granted_by=terms["granted_by"],
        approval_id=terms["approval_id"],
        reason=terms["reason"],
        granted_at=from_micros(row.granted_at),
        expires_at=from_micros(row.expires_at),
        changed_at=from_micros(row.changed_at),
        trace_number=row.trace,
    )


def question_to_row(question: Question, trace: int) -> QuestionRow:
    """The row of a question with that trace."""
    terms = {
        "principal": question.principal,
        "question_id": question.question_id,
        "text": question.text,
        "options": list(question.options),
        "recommended_option": question.recommended_option,
        "free_text": question.free_text,
        "priority": question.priority.value,
        "trigger": question.trigger.value if question.trigger else None,
    }
    return QuestionRow(
        id=question.id,
        trace=trace,
        tenant=question.tenant,
        session=question.session,
        agent=question.agent,
        terms=to_json(terms),
        asked_at=to_micros(question.asked_at),
        expires_at=to_micros(question.expires_at),
        state=question.state.value,
        answer=answer_to_json(question.answer),
        changed_at=to_micros(question.changed_at),
    )


def answer_to_json(answer: Answer | None) -> str:
    """An answer as JSON text; None is `null`."""
    if answer is None:
        return "null"
    body: list[Any] = [answer.actor, answer.selected_option, answer.text, to_micros(answer.answered_at)]
    return to_json(body)


def question_from_row(row: QuestionRow) -> Question:
    """The question of a row."""
    terms = json.loads(row.terms)
    return Question(
        id=row.id,
        state=QuestionState(row.state),
        tenant=row.tenant,
        session=row.session,
        agent=row.agent,
        principal=terms["principal"],
        question_id=terms["question_id"],
        text=terms["text"],
        options=tuple(terms["options"]),
        recommended_option=terms["recommended_option"],
        free_text=terms["free_text"],
        priority=Priority(terms["priority"]),
        trigger=Trigger(terms["trigger"]) if terms["trigger"] else None,
        asked_at=from_micros(row.asked_at),
        expires_at=from_micros(row.expires_at),
        changed_at=from_micros(row.changed_at),
        answer=_answer_from_json(row.answer),
        trace_number=row.trace,
    )


def _answer_from_json(text: str) -> Answer | None:
    body = json.loads(text)
    if body is None:
        return None
    actor, selected_option, words, answered_at = body
    return Answer(actor, selected_option, words, from_micros(answered_at))
