"""A business question of an agent and the answer of a person. It is no approval and authorises nothing."""

from dataclasses import dataclass
from datetime import datetime

from adjudicator.domain.request import Priority, Trigger
from adjudicator.domain.symbol import Symbol


class QuestionState(Symbol):
    """OPEN can change; every other state is final."""

    OPEN = "open"
    ANSWERED = "answered"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


class AnswerCode(Symbol):
    """Whether an answer counts, and if not, why."""

    ACCEPTED = "ACCEPTED"
    UNKNOWN = "UNKNOWN"
    ALREADY_ANSWERED = "ALREADY_ANSWERED"
    EXPIRED = "EXPIRED"
    NOT_ENTITLED = "NOT_ENTITLED"
    NOT_A_PERSON = "NOT_A_PERSON"
    OPTION_UNKNOWN = "OPTION_UNKNOWN"
    NO_ANSWER = "NO_ANSWER"

    @property
    def accepted(self) -> bool:
        """True when the answer counts."""
        return self is AnswerCode.ACCEPTED


@dataclass(frozen=True, slots=True)
class Asking:
    """A question as the runtime states it. `question_id` is its own id of it, within tenant and session.

    Without options, text is taken whatever `free_text` says.
    """

    tenant: str
    agent: str
    session: str
    question_id: str
    text: str
    options: tuple[str, ...] = ()
    recommended_option: str = ""
    free_text: bool = False
    principal: str = ""
    trigger: Trigger | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person answered: one of the options, text of their own, or both."""

    actor: str
    selected_option: str
    text: str
    answered_at: datetime


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `question_id` is the agent's own id of it, within tenant and session."""

    id: str
    state: QuestionState
    tenant: str
    session: str
    agent: str
    principal: str
    question_id: str
    text: str
    options: tuple[str, ...]
    recommended_option: str
    free_text: bool
    priority: Priority
    trigger: Trigger | None
    asked_at: datetime
    expires_at: datetime
    changed_at: datetime
    answer: Answer | None = None
    trace_number: int = 0


@dataclass(frozen=True, slots=True)
class AnswerReceipt:
    """What became of an answer. `question` is as it is afterwards, None when it is unknown."""

    code: AnswerCode
    message: str
    question: Question | None
