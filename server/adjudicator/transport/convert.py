"""Between messages and domain values. Protobuf stops here."""

import json
from datetime import UTC, datetime, timedelta

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from adjudicator.api.v1 import policy_service_pb2 as policy_pb
from adjudicator.api.v1 import trace_service_pb2 as trace_pb
from adjudicator.api.v1 import types_pb2 as types_pb
from adjudicator.config.limits import Limits
from adjudicator.domain.call import ToolCall, is_identifier
from adjudicator.domain.errors import AdjudicatorError, ErrorReason, malformed
from adjudicator.domain.request import Priority
from adjudicator.domain.strict_json import Fault, Json, read_json
from adjudicator.domain.trace import Element, Trace
from adjudicator.domain.trace_context import TraceContext
from adjudicator.domain.verdict import RuleRef, Verdict, Violation
from adjudicator.policy.problem import Problem
from adjudicator.service.active_policy import PolicyStatus
from adjudicator.transport import enums

_LARGEST_NUMBER = 2**63 - 1
_MOST_NANOS = 999_999_999
_NO_TIME = timedelta(0)
_to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def tool_call(message: types_pb.ToolCall, trace_context: TraceContext | None) -> ToolCall:
    """The call. Raises MALFORMED_REQUEST for a mode that this version does not know."""
    mode = enums.MODE.from_wire(message.mode)
    if mode is None and message.mode:
        raise malformed("call.mode", f"is {message.mode}, which this version does not know")
    return ToolCall(
        tenant=message.tenant,
        agent=message.agent,
        tool=message.tool,
        arguments_json=message.arguments_json,
        on_behalf_of=tuple(message.on_behalf_of),
        principal=message.principal,
        session=message.session,
        call_id=message.call_id,
        working_directory=message.working_directory,
        resolved_paths=tuple((each.argument, each.path) for each in message.resolved_paths),
        mode=mode,
        trace_context=trace_context,
        flow=trace_number(message.flow_trace, "flow") or None,
    )


def span(request: Message, name: str, most_seconds: int) -> timedelta:
    """The duration in a field of the request, zero when it is not set.

    Raises MALFORMED_REQUEST when it is negative or over `most_seconds`.
    """
    if not request.HasField(name):
        return _NO_TIME
    message: Duration = getattr(request, name)
    if not 0 <= message.seconds <= most_seconds or not 0 <= message.nanos <= _MOST_NANOS:
        raise malformed(name, f"has to be between 0 and {most_seconds} seconds")
    # Rounded up: a span that is set, however short, never becomes one that is not set.
    return timedelta(seconds=message.seconds, microseconds=-(-message.nanos // 1000))


def json_or_none(text: str, name: str, limits: Limits) -> Json | None:
    """The JSON of an output; None for an empty text. Raises MALFORMED_REQUEST otherwise."""
    return json_text(text, name, limits.output_bytes, limits)


def json_text(text: str, name: str, most_bytes: int, limits: Limits) -> Json | None:
    """The JSON of a text; None for an empty one. Raises MALFORMED_REQUEST otherwise."""
    if not text:
        return None
    read = read_json(
        text,
        "its contents",
        max_bytes=most_bytes,
        max_depth=limits.arguments_depth,
        max_values=limits.output_values,
    )
    if isinstance(read, Fault):
        raise malformed(name, read.message)
    return read


def text(value: str, name: str, most_bytes: int) -> str:
    """The text; raises MALFORMED_REQUEST when it is longer."""
    if len(value.encode()) > most_bytes:
        raise malformed(name, f"is longer than {most_bytes:,} bytes")
    return value


def identifier_or_empty(value: str, name: str) -> str:
    """The identifier or nothing; raises MALFORMED_REQUEST. A message, which could leak, is none."""
    if value and not is_identifier(value):
        raise malformed(name, "has to be the name of a class, and no message")
    return value


def trace_number(number: int, noun: str = "trace") -> int:
    """A trace number that a store can look up; raises NOT_FOUND for one that no trace can have."""
    if number > _LARGEST_NUMBER:
        raise AdjudicatorError(ErrorReason.NOT_FOUND, f"there is no {noun} {number}")
    return number


def timestamp(moment: datetime | None) -> Timestamp | None:
    """The moment; None stays absent."""
    if moment is None:
        return None
    message = Timestamp()
    message.FromDatetime(moment.astimezone(UTC).replace(tzinfo=None))
    return message


def rule(ref: RuleRef | None) -> types_pb.RuleRef | None:
    """The rule; None stays absent."""
    return (
        None
        if ref is None
        else types_pb.RuleRef(file=ref.file, line=ref.line, text=ref.text, reason=ref.reason)
    )


def violation(each: Violation) -> types_pb.Violation:
    """One violation."""
    return types_pb.Violation(path=each.path, keyword=each.keyword, message=each.message)


def verdict(each: Verdict) -> types_pb.Verdict:
    """The verdict, whole."""
    return types_pb.Verdict(
        outcome=enums.OUTCOME.to_wire(each.outcome),
        allowed=each.allowed,
        step=enums.STEP.to_wire(each.step),
        check=each.check,
        step_reached=enums.STEP.to_wire(each.step_reached),
        reason_code=enums.REASON_CODE.to_wire(each.reason_code),
        cause=enums.CAUSE.to_wire(each.cause),
        reason=each.reason,
        tool=each.tool,
        tool_status=enums.TOOL_STATUS.to_wire(each.tool_status),
        disable_reason=each.disable_reason,
        agent=each.agent,
        approval_id=each.approval_id,
        approval_expires_at=timestamp(each.approval_expires_at),
        rule=rule(each.rule),
        violations=[violation(one) for one in each.violations],
        policy_version=each.policy_version,
        trace_number=each.trace_number,
        call_id=each.call_id,
        replayed=each.replayed,
        dry_run=each.dry_run,
        selected_option=each.selected_option,
        grant_id=each.grant_id,
        unattended=each.unattended,
    )


def priority(number: int) -> Priority:
    """The least priority of a filter, LOW when none is said. Raises MALFORMED_REQUEST."""
    found = enums.PRIORITY.from_wire(number)
    if found is None and number:
        raise malformed("least_priority", f"is {number}, which this version does not know")
    return found or Priority.LOW


def element(each: Element) -> trace_pb.Element:
    """One element."""
    return trace_pb.Element(
        sequence=each.sequence,
        kind=enums.ELEMENT_KIND.to_wire(each.kind),
        recorded_at=timestamp(each.recorded_at),
        body_json=_to_json(each.body),
    )


def trace(each: Trace) -> trace_pb.Trace:
    """The trace, with the elements that it holds."""
    return trace_pb.Trace(
        number=each.number,
        opened_at=timestamp(each.opened_at),
        finished_at=timestamp(each.finished_at),
        tenant=each.tenant,
        session=each.session,
        agent=each.agent,
        tool=each.tool,
        verdict=verdict(each.verdict) if each.verdict else None,
        elements=[element(one) for one in each.elements],
        kind=enums.TRACE_KIND.to_wire(each.kind),
        flow_id=each.flow_id,
        flow_trace=each.flow or 0,
        object_id="" if each.flow_id else each.own_id,
    )


def problem(each: Problem) -> policy_pb.Problem:
    """One thing that is wrong in a bundle."""
    return policy_pb.Problem(file=each.file, line=each.line, column=each.column, message=each.message)


def policy_status(status: PolicyStatus) -> policy_pb.PolicyStatus:
    """The state of the policy."""
    snapshot = status.snapshot
    message = policy_pb.PolicyStatus(
        directory=str(status.directory),
        activated_at=timestamp(status.activated_at),
        problems=[problem(each) for each in status.problems],
    )
    if snapshot is not None:
        message.version = snapshot.version
        message.tenants = len(snapshot.registry.tenants)
        message.agents = len(snapshot.registry.agents)
        message.tools = len(snapshot.registry.tools)
        message.rules = snapshot.rule_count
        message.tests = status.tests
    return message
