"""The elements of a flow's trace: what it is for, what its calls came to, how it ended.

Of its calls it names the traces, and never arguments or outputs: those are in the calls' own traces.
"""

from datetime import datetime
from typing import Any

from adjudicator.domain.call import printable
from adjudicator.domain.flow import Flow, FlowStatus
from adjudicator.domain.trace import Element, ElementKind
from adjudicator.domain.verdict import Verdict
from adjudicator.tracing.elements import Execution


def opened(flow: Flow, at: datetime) -> Element:
    """Who opened it, and what for."""
    body: dict[str, Any] = {
        "tenant": flow.tenant,
        "agent": flow.agent,
        "principal": flow.principal,
        "session": flow.session,
        "flow_id": flow.flow_id,
        "description": flow.description,
    }
    body = {name: value for name, value in body.items() if value}
    if flow.input is not None:
        body["input"] = flow.input.value
    return Element(ElementKind.INPUT_CONTEXT, body, at)


def call_judged(verdict: Verdict, at: datetime) -> Element:
    """One of its calls got a verdict. The store adds the number of the call's trace."""
    body = {
        "call_id": verdict.call_id,
        "agent": printable(verdict.agent),
        "tool": printable(verdict.tool),
        "outcome": verdict.outcome.value,
        "cause": verdict.cause.value,
    }
    if verdict.approval_id:
        body["approval_id"] = verdict.approval_id
    return Element(ElementKind.TOOL_CALL, body, at)


def call_executed(call_id: str, tool: str, execution: Execution, at: datetime) -> Element:
    """The outcome of one of its calls was reported. The store adds the number of the call's trace."""
    body = {"call_id": call_id, "tool": tool, "status": execution.status.value}
    return Element(ElementKind.RESULT, body, at)


def closed(status: FlowStatus, final_output: str, at: datetime) -> Element:
    """How it ended."""
    body = {"status": status.value, "text": final_output or f"flow {status.value}"}
    return Element(ElementKind.FINAL_OUTPUT, body, at)
