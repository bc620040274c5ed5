"""The bodies of a trace's elements. Arguments come redacted; what a runtime reports is kept as it came."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Any

from adjudicator.domain.approval import Approval, ApprovalState, Vote
from adjudicator.domain.arguments import Fault
from adjudicator.domain.call import ToolCall, printable
from adjudicator.domain.trace import Element, ElementKind
from adjudicator.domain.verdict import Verdict


class ExecutionStatus(Enum):
    """What became of an allowed call's execution."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    NOT_EXECUTED = "not_executed"


@dataclass(frozen=True, slots=True)
class Execution:
    """What a runtime reports of one allowed call. `output` is JSON data; None when there is none."""

    status: ExecutionStatus
    output: Any
    error_class: str
    duration: timedelta
    final_output: str


def input_context(call: ToolCall, at: datetime) -> Element:
    """Who asked, in which tenant, session and place."""
    body = {
        "tenant": printable(call.tenant),
        "agent": printable(call.agent),
        "on_behalf_of": [printable(agent) for agent in call.on_behalf_of],
        "principal": call.principal,
        "session": call.session,
        "call_id": call.call_id,
        "working_directory": call.working_directory,
        "mode": call.mode.value if call.mode else "",
        "flow": call.flow,
    }
    return Element(ElementKind.INPUT_CONTEXT, _present(body), at)


def proposed_action(call: ToolCall, redacted: dict[str, Any] | Fault | None, at: datetime) -> Element:
    """The tool and its arguments, redacted; None for a tool that has no contract to redact by."""
    body: dict[str, Any] = {"tool": printable(call.tool)}
    if isinstance(redacted, Fault):
        body["unreadable"] = redacted.message
    elif redacted is not None:
        body["arguments"] = redacted
    else:
        body["withheld"] = "no contract says which of the arguments are secret"
    if call.resolved_paths:
        body["resolved_paths"] = dict(call.resolved_paths)
    body["arguments_bytes"] = len(call.arguments_json.encode("utf-8", "surrogatepass"))
    return Element(ElementKind.PROPOSED_ACTION, body, at)


def approval_opened(approval: Approval, at: datetime) -> Element:
    """An approval was opened."""
    body = {
        "event": "opened",
        "approval_id": approval.id,
        "view_digest": approval.view_digest,
        "quorum": approval.quorum,
        "expires_at": approval.expires_at.isoformat(),
    }
    return Element(ElementKind.APPROVAL, body, at)


def approval_voted(approval: Approval, vote: Vote, at: datetime) -> Element:
    """A person voted on it."""
    body = {
        "event": "voted",
        "approval_id": approval.id,
        "actor": vote.actor,
        "decision": vote.decision.value,
        "reason": vote.reason,
    }
    return Element(ElementKind.APPROVAL, _present(body), at)


def approval_changed(approval: Approval, state: ApprovalState, at: datetime) -> Element:
    """Its state changed."""
    body = {"event": state.value, "approval_id": approval.id}
    return Element(ElementKind.APPROVAL, body, at)


def not_executed(verdict: Verdict, at: datetime) -> Element:
    """How a denied call ends."""
    body = {"executed": False, "text": f"denied at S{verdict.step.value} {verdict.check}: {verdict.reason}"}
    return Element(ElementKind.FINAL_OUTPUT, body, at)


def executed(tool: str, execution: Execution, at: datetime) -> tuple[Element, ...]:
    """How an allowed call went: that it ran, what came of it, and how it ended."""
    status = execution.status.value
    call = {"tool": tool, "status": status, "duration_ms": execution.duration / timedelta(milliseconds=1)}
    result: dict[str, Any] = {"status": status}
    if execution.output is not None:
        result["output"] = execution.output
    if execution.error_class:
        result["error_class"] = execution.error_class
    ran = execution.status is not ExecutionStatus.NOT_EXECUTED
    final = {"executed": ran, "text": execution.final_output or f"execution {status}"}
    return (
        Element(ElementKind.TOOL_CALL, call, at),
        Element(ElementKind.RESULT, result, at),
        Element(ElementKind.FINAL_OUTPUT, final, at),
    )


def _present(body: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if value not in ("", [], None)}
