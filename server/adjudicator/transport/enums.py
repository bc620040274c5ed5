"""Between domain enums and wire enums, by name: one table to a pair, complete by construction."""

from collections.abc import Callable
from enum import Enum
from typing import Any, Generic, TypeVar

from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

from adjudicator.api.v1 import (
    adjudication_service_pb2,
    approval_service_pb2,
    question_service_pb2,
    trace_service_pb2,
    types_pb2,
)
from adjudicator.domain.approval import ApprovalState, Decision, ReceiptCode
from adjudicator.domain.call import Mode
from adjudicator.domain.errors import ErrorReason
from adjudicator.domain.flow import FlowStatus
from adjudicator.domain.grant import GrantScope, GrantState
from adjudicator.domain.question import AnswerCode, QuestionState
from adjudicator.domain.request import Priority, RequestType, Trigger
from adjudicator.domain.trace import ElementKind, TraceKind
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode, Step, ToolStatus
from adjudicator.tracing.elements import ExecutionStatus

E = TypeVar("E", bound=Enum)


class EnumPair(Generic[E]):
    """One domain enum and its wire enum. The wire's zero value has no domain value."""

    def __init__(self, domain: type[E], wire: "EnumTypeWrapper", prefix: str) -> None:
        self.domain = domain
        to_wire: dict[E | None, int] = {each: wire.Value(f"{prefix}_{each.name}") for each in domain}
        from_wire = {number: each for each, number in to_wire.items()}
        unknown = set(wire.values()) - set(from_wire) - {0}
        if unknown:
            raise TypeError(f"{prefix} has values on the wire that the domain lacks: {unknown}")
        self.to_wire: Callable[[E | None], Any] = {None: 0, **to_wire}.__getitem__
        """The wire's number, zero for None; Any, since every wire enum is a type of its own."""
        self.from_wire: Callable[[int], E | None] = from_wire.get
        """The domain's value; None for zero and for a number that this version does not know."""


OUTCOME = EnumPair(Outcome, types_pb2.Outcome, "OUTCOME")
STEP = EnumPair(Step, types_pb2.Step, "STEP")
REASON_CODE = EnumPair(ReasonCode, types_pb2.ReasonCode, "REASON_CODE")
CAUSE = EnumPair(Cause, types_pb2.Cause, "CAUSE")
MODE = EnumPair(Mode, types_pb2.Mode, "MODE")
TOOL_STATUS = EnumPair(ToolStatus, types_pb2.ToolStatus, "TOOL_STATUS")
ERROR_REASON = EnumPair(ErrorReason, types_pb2.ErrorReason, "ERROR_REASON")
EXECUTION_STATUS = EnumPair(ExecutionStatus, adjudication_service_pb2.ExecutionStatus, "EXECUTION_STATUS")
FLOW_STATUS = EnumPair(FlowStatus, adjudication_service_pb2.FlowStatus, "FLOW_STATUS")
APPROVAL_STATE = EnumPair(ApprovalState, approval_service_pb2.ApprovalState, "APPROVAL_STATE")
DECISION = EnumPair(Decision, approval_service_pb2.Decision, "DECISION")
RECEIPT_CODE = EnumPair(ReceiptCode, approval_service_pb2.ReceiptCode, "RECEIPT_CODE")
TRACE_KIND = EnumPair(TraceKind, trace_service_pb2.TraceKind, "TRACE_KIND")
ELEMENT_KIND = EnumPair(ElementKind, trace_service_pb2.ElementKind, "ELEMENT_KIND")
PRIORITY = EnumPair(Priority, types_pb2.Priority, "PRIORITY")
TRIGGER = EnumPair(Trigger, types_pb2.Trigger, "TRIGGER")
REQUEST_TYPE = EnumPair(RequestType, approval_service_pb2.RequestType, "REQUEST_TYPE")
GRANT_SCOPE = EnumPair(GrantScope, approval_service_pb2.GrantScope, "GRANT_SCOPE")
GRANT_STATE = EnumPair(GrantState, approval_service_pb2.GrantState, "GRANT_STATE")
QUESTION_STATE = EnumPair(QuestionState, types_pb2.QuestionState, "QUESTION_STATE")
ANSWER_CODE = EnumPair(AnswerCode, question_service_pb2.AnswerCode, "ANSWER_CODE")
