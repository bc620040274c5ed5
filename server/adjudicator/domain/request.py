"""What a person is asked: how urgent it is, what it is about, and what may be answered."""

from dataclasses import dataclass

from adjudicator.domain.symbol import Symbol

QUESTION = "question"
"""What stands in place of a tool where an agent asks people a question; no tool has this code."""


class Priority(Symbol):
    """How urgent a request is, the least first."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """Its place in that order, from 0."""
        return _RANKS[self]


_RANKS = {priority: rank for rank, priority in enumerate(Priority)}


class RequestType(Symbol):
    """What kind of answer is asked for."""

    SECURITY = "security"
    """Whether something suspicious may happen."""
    DESTRUCTIVE = "destructive"
    """Whether something that cannot be undone may happen."""
    DECISION = "decision"
    """Which of several options to take."""
    APPROVAL = "approval"
    """Whether a call may run."""


class Trigger(Symbol):
    """What brings a person in."""

    SECURITY_VIOLATION = "security_violation"
    PERMISSION_DENIED = "permission_denied"
    SUSPICIOUS_COMMAND = "suspicious_command"
    DESTRUCTIVE_ACTION = "destructive_action"
    AMBIGUOUS_TASK = "ambiguous_task"
    SEVERAL_OPTIONS = "several_options"
    BLOCKED_TASK = "blocked_task"
    EXTERNAL_NETWORK_CALL = "external_network_call"
    SIGNIFICANT_CHANGE = "significant_change"


@dataclass(frozen=True, slots=True)
class Risk:
    """One thing that a person should know before they approve: a sentence, and the trigger it is of."""

    trigger: Trigger
    note: str


@dataclass(frozen=True, slots=True)
class Context:
    """What the call would touch, as far as that may be shown; each in the order of the arguments."""

    commands: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()


_NO_CONTEXT = Context()


@dataclass(frozen=True, slots=True)
class Request:
    """What stands over an approval. All of it is part of the view.

    `options` are the answers that the tool offers to whoever approves, and `recommended` is one of them;
    both may be empty.
    """

    type: RequestType = RequestType.APPROVAL
    priority: Priority = Priority.MEDIUM
    title: str = ""
    description: str = ""
    options: tuple[str, ...] = ()
    recommended: str = ""
    risks: tuple[Risk, ...] = ()
    context: Context = _NO_CONTEXT
