"""The record of one call: seven kinds of element, appended and never changed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from adjudicator.domain.symbol import Symbol
from adjudicator.domain.verdict import Verdict


class TraceKind(Symbol):
    """What a trace is of."""

    CALL = "call"
    FLOW = "flow"
    GRANT = "grant"
    QUESTION = "question"
    SESSION = "session"


class ElementKind(Symbol):
    """The seven elements of a trace, in the order in which a person reads them."""

    INPUT_CONTEXT = "input_context"
    PROPOSED_ACTION = "proposed_action"
    VERDICT = "verdict"
    TOOL_CALL = "tool_call"
    APPROVAL = "approval"
    RESULT = "result"
    FINAL_OUTPUT = "final_output"


class Recorded(Symbol):
    """How much of a call's arguments, or of its output, a trace keeps."""

    FULL = "full"
    """All of it as it came, secrets too."""
    REDACTED = "redacted"
    """All but what the schema marks as secret, or does not describe."""
    DIGEST = "digest"
    """No value: a keyed digest, and the size."""


@dataclass(frozen=True, slots=True)
class Element:
    """One appended element. `body` is JSON data; the storage numbers elements from 1 in each trace."""

    kind: ElementKind
    body: dict[str, Any]
    recorded_at: datetime
    sequence: int = 0


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything about one call, or about something else that calls belong to; no elements in listings.

    Only a call has a verdict. `own_id` is the id of what else it is of, and empty for a call. `flow` is the
    number of the flow that a call belongs to.
    """

    number: int
    opened_at: datetime
    finished_at: datetime | None
    tenant: str
    session: str
    agent: str
    tool: str
    verdict: Verdict | None
    flow: int | None = None
    kind: TraceKind = TraceKind.CALL
    own_id: str = ""
    elements: tuple[Element, ...] = ()

    @property
    def flow_id(self) -> str:
        """The id of the flow that it is of; empty for anything else."""
        return self.own_id if self.kind is TraceKind.FLOW else ""
