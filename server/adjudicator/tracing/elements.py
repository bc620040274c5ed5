"""The bodies of a trace's elements. What is kept of arguments and outputs is decided before."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from adjudicator.domain.approval import Approval, ApprovalState, Vote
from adjudicator.domain.arguments import Fault
from adjudicator.domain.call import ToolCall, printable
from adjudicator.domain.strict_json import Json
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.trace import Element, ElementKind
from adjudicator.domain.verdict import Verdict, Violation
from adjudicator.tracing.kept import Kept


class ExecutionStatus(Symbol):
    """What became of an allowed call's execution."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    NOT_EXECUTED = "not_executed"


@dataclass(frozen=True, slots=True)
class Execution:
    """What a runtime reports of one allowed call. `output` is None when there is none, not even `null`."""

    status: ExecutionStatus
    output: Json | None
    error_class: str
    duration: timedelta
    final_output: str


@dataclass(frozen=True, slots=True)
class KeptExecution:
    """What is kept of an execution. None: nothing was reported.

    `contract` says what became of the check of the output, if it did not satisfy the tool's contract.
    """

    output: Kept | None = None
    final_output: Kept | None = None
    contract: str = ""
    violations: tuple[Violation, ...] = ()
    policy_version: str = ""


def input_context(call: ToolCall, at: datetime) -> Element:
    """Who asked, in which tenant, session and place, and where in a trace of the caller's own."""
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
    if call.trace_context is not None:
        body |= call.trace_context.ids()
    return Element(ElementKind.INPUT_CONTEXT, present(body), at)


def proposed_action(
    call: ToolCall, arguments: Kept | Fault | None, paths: dict[str, str], at: datetime
) -> Element:
    """The tool and what is kept of its arguments; None for a tool that has no contract to redact by.

    `paths` are the resolved paths as far as they are kept.
    """
    body: dict[str, Any] = {"tool": printable(call.tool)}
    if isinstance(arguments, Fault):
        body["unreadable"] = arguments.message
    elif arguments is not None:
        body |= arguments.fields("arguments")
    else:
        body["withheld"] = "no contract says which of the arguments are secret"
    if paths:
        body["resolved_paths"] = paths
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
        "selected_option": vote.selected_option,
        "delegate_to": vote.delegate_to,
        "grant_id": vote.grant_id,
        "request_id": vote.request_id,
    }
    return Element(ElementKind.APPROVAL, present(body), at)


def approval_changed(approval: Approval, state: ApprovalState, at: datetime) -> Element:
    """Its state changed."""
    body = {"event": state.value, "approval_id": approval.id}
    return Element(ElementKind.APPROVAL, body, at)


def not_executed(verdict: Verdict, at: datetime) -> Element:
    """How a denied call ends."""
    body = {"executed": False, "text": f"denied at S{verdict.step.value} {verdict.check}: {verdict.reason}"}
    return Element(ElementKind.FINAL_OUTPUT, body, at)


def executed(tool: str, execution: Execution, kept: KeptExecution, at: datetime) -> tuple[Element, ...]:
    """How an allowed call went: that it ran, what came of it, and how it ended."""
    status = execution.status.value
    call = {"tool": tool, "status": status, "duration_ms": execution.duration / timedelta(milliseconds=1)}
    result: dict[str, Any] = {"status": status}
    if kept.output is not None:
        result |= kept.output.fields("output")
    if execution.error_class:
        result["error_class"] = execution.error_class
    if kept.contract:
        result["contract"] = kept.contract
    if kept.violations:
        result["violations"] = [
            {"path": each.path, "keyword": each.keyword, "message": each.message}
            for each in kept.violations
        ]
    if kept.policy_version:
        result["policy_version"] = kept.policy_version
    ran = execution.status is not ExecutionStatus.NOT_EXECUTED
    final: dict[str, Any] = {"executed": ran, "text": f"execution {status}"}
    if kept.final_output is not None:
        final |= kept.final_output.fields("final_output")
    return (
        Element(ElementKind.TOOL_CALL, call, at),
        Element(ElementKind.RESULT, result, at),
        Element(ElementKind.FINAL_OUTPUT, final, at),
    )


def present(body: dict[str, Any]) -> dict[str, Any]:
    """The fields that say something."""
    return {name: value for name, value in body.items() if value}
