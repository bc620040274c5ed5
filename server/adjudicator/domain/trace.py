"""The record of one call: seven kinds of element, appended and never changed."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from adjudicator.domain.verdict import Verdict


class TraceKind(Enum):
    """What a trace is of."""

    CALL = "call"
    FLOW = "flow"


class ElementKind(Enum):
    """The seven elements of a trace, in the order in which a person reads them."""

    INPUT_CONTEXT = "input_context"
    PROPOSED_ACTION = "proposed_action"
    VERDICT = "verdict"
    TOOL_CALL = "tool_call"
    APPROVAL = "approval"
    RESULT = "result"
    FINAL_OUTPUT = "final_output"


@dataclass(frozen=True, slots=True)
class Element:
    """One appended element. `body` is JSON data; the storage numbers elements from 1 in each trace."""

    kind: ElementKind
    body: dict[str, Any]
    recorded_at: datetime
    sequence: int = 0


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything about one call or one flow; `elements` is empty in listings.

    A flow has an id of its own, no tool and no verdict. `flow` is the number of the flow that a call
    belongs to.
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
    flow_id: str = ""
    elements: tuple[Element, ...] = ()

    @property
    def kind(self) -> TraceKind:
        """Whether it is of a call or of a flow."""
        return TraceKind.FLOW if self.flow_id else TraceKind.CALL
