import datetime

from adjudicator.api.v1 import types_pb2 as _types_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExecutionStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EXECUTION_STATUS_UNSPECIFIED: _ClassVar[ExecutionStatus]
    EXECUTION_STATUS_SUCCEEDED: _ClassVar[ExecutionStatus]
    EXECUTION_STATUS_FAILED: _ClassVar[ExecutionStatus]
    EXECUTION_STATUS_NOT_EXECUTED: _ClassVar[ExecutionStatus]

class FlowStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FLOW_STATUS_UNSPECIFIED: _ClassVar[FlowStatus]
    FLOW_STATUS_SUCCEEDED: _ClassVar[FlowStatus]
    FLOW_STATUS_FAILED: _ClassVar[FlowStatus]
    FLOW_STATUS_CANCELLED: _ClassVar[FlowStatus]
EXECUTION_STATUS_UNSPECIFIED: ExecutionStatus
EXECUTION_STATUS_SUCCEEDED: ExecutionStatus
EXECUTION_STATUS_FAILED: ExecutionStatus
EXECUTION_STATUS_NOT_EXECUTED: ExecutionStatus
FLOW_STATUS_UNSPECIFIED: FlowStatus
FLOW_STATUS_SUCCEEDED: FlowStatus
FLOW_STATUS_FAILED: FlowStatus
FLOW_STATUS_CANCELLED: FlowStatus

class AdjudicateRequest(_message.Message):
    __slots__ = ("call", "wait", "dry_run", "approval_limit")
    CALL_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_LIMIT_FIELD_NUMBER: _ClassVar[int]
    call: _types_pb2.ToolCall
    wait: _duration_pb2.Duration
    dry_run: bool
    approval_limit: _duration_pb2.Duration
    def __init__(self, call: _Optional[_Union[_types_pb2.ToolCall, _Mapping]] = ..., wait: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., dry_run: _Optional[bool] = ..., approval_limit: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class AdjudicateResponse(_message.Message):
    __slots__ = ("verdict",)
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    verdict: _types_pb2.Verdict
    def __init__(self, verdict: _Optional[_Union[_types_pb2.Verdict, _Mapping]] = ...) -> None: ...

class ExplainChainRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ExplainChainResponse(_message.Message):
    __slots__ = ("steps",)
    STEPS_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedCompositeFieldContainer[ChainStep]
    def __init__(self, steps: _Optional[_Iterable[_Union[ChainStep, _Mapping]]] = ...) -> None: ...

class ChainStep(_message.Message):
    __slots__ = ("step", "checks")
    STEP_FIELD_NUMBER: _ClassVar[int]
    CHECKS_FIELD_NUMBER: _ClassVar[int]
    step: _types_pb2.Step
    checks: _containers.RepeatedCompositeFieldContainer[ChainCheck]
    def __init__(self, step: _Optional[_Union[_types_pb2.Step, str]] = ..., checks: _Optional[_Iterable[_Union[ChainCheck, _Mapping]]] = ...) -> None: ...

class ChainCheck(_message.Message):
    __slots__ = ("name", "description", "denies_with")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    DENIES_WITH_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    denies_with: _containers.RepeatedScalarFieldContainer[_types_pb2.ReasonCode]
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., denies_with: _Optional[_Iterable[_Union[_types_pb2.ReasonCode, str]]] = ...) -> None: ...

class ReportOutcomeRequest(_message.Message):
    __slots__ = ("trace_number", "tenant", "agent", "call_id", "status", "output_json", "error_class", "duration", "final_output")
    TRACE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_JSON_FIELD_NUMBER: _ClassVar[int]
    ERROR_CLASS_FIELD_NUMBER: _ClassVar[int]
    DURATION_FIELD_NUMBER: _ClassVar[int]
    FINAL_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    trace_number: int
    tenant: str
    agent: str
    call_id: str
    status: ExecutionStatus
    output_json: str
    error_class: str
    duration: _duration_pb2.Duration
    final_output: str
    def __init__(self, trace_number: _Optional[int] = ..., tenant: _Optional[str] = ..., agent: _Optional[str] = ..., call_id: _Optional[str] = ..., status: _Optional[_Union[ExecutionStatus, str]] = ..., output_json: _Optional[str] = ..., error_class: _Optional[str] = ..., duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., final_output: _Optional[str] = ...) -> None: ...

class ReportOutcomeResponse(_message.Message):
    __slots__ = ("trace_number", "output_valid", "violations")
    TRACE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_VALID_FIELD_NUMBER: _ClassVar[int]
    VIOLATIONS_FIELD_NUMBER: _ClassVar[int]
    trace_number: int
    output_valid: bool
    violations: _containers.RepeatedCompositeFieldContainer[_types_pb2.Violation]
    def __init__(self, trace_number: _Optional[int] = ..., output_valid: _Optional[bool] = ..., violations: _Optional[_Iterable[_Union[_types_pb2.Violation, _Mapping]]] = ...) -> None: ...

class OpenFlowRequest(_message.Message):
    __slots__ = ("tenant", "agent", "session", "flow_id", "principal", "description", "input_json")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    INPUT_JSON_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    agent: str
    session: str
    flow_id: str
    principal: str
    description: str
    input_json: str
    def __init__(self, tenant: _Optional[str] = ..., agent: _Optional[str] = ..., session: _Optional[str] = ..., flow_id: _Optional[str] = ..., principal: _Optional[str] = ..., description: _Optional[str] = ..., input_json: _Optional[str] = ...) -> None: ...

class OpenFlowResponse(_message.Message):
    __slots__ = ("trace_number",)
    TRACE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    trace_number: int
    def __init__(self, trace_number: _Optional[int] = ...) -> None: ...

class CloseFlowRequest(_message.Message):
    __slots__ = ("trace_number", "tenant", "agent", "flow_id", "status", "final_output")
    TRACE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    FINAL_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    trace_number: int
    tenant: str
    agent: str
    flow_id: str
    status: FlowStatus
    final_output: str
    def __init__(self, trace_number: _Optional[int] = ..., tenant: _Optional[str] = ..., agent: _Optional[str] = ..., flow_id: _Optional[str] = ..., status: _Optional[_Union[FlowStatus, str]] = ..., final_output: _Optional[str] = ...) -> None: ...

class CloseFlowResponse(_message.Message):
    __slots__ = ("trace_number",)
    TRACE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    trace_number: int
    def __init__(self, trace_number: _Optional[int] = ...) -> None: ...

class WithdrawCallRequest(_message.Message):
    __slots__ = ("tenant", "agent", "session", "call_id", "reason")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    agent: str
    session: str
    call_id: str
    reason: str
    def __init__(self, tenant: _Optional[str] = ..., agent: _Optional[str] = ..., session: _Optional[str] = ..., call_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class WithdrawCallResponse(_message.Message):
    __slots__ = ("verdict", "withdrawn")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_FIELD_NUMBER: _ClassVar[int]
    verdict: _types_pb2.Verdict
    withdrawn: bool
    def __init__(self, verdict: _Optional[_Union[_types_pb2.Verdict, _Mapping]] = ..., withdrawn: _Optional[bool] = ...) -> None: ...

class CloseSessionRequest(_message.Message):
    __slots__ = ("tenant", "agent", "session", "reason")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    agent: str
    session: str
    reason: str
    def __init__(self, tenant: _Optional[str] = ..., agent: _Optional[str] = ..., session: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class CloseSessionResponse(_message.Message):
    __slots__ = ("approvals_cancelled", "grants_cleared", "questions_cancelled", "trace_number")
    APPROVALS_CANCELLED_FIELD_NUMBER: _ClassVar[int]
    GRANTS_CLEARED_FIELD_NUMBER: _ClassVar[int]
    QUESTIONS_CANCELLED_FIELD_NUMBER: _ClassVar[int]
    TRACE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    approvals_cancelled: int
    grants_cleared: int
    questions_cancelled: int
    trace_number: int
    def __init__(self, approvals_cancelled: _Optional[int] = ..., grants_cleared: _Optional[int] = ..., questions_cancelled: _Optional[int] = ..., trace_number: _Optional[int] = ...) -> None: ...

class AskQuestionRequest(_message.Message):
    __slots__ = ("tenant", "agent", "session", "question_id", "text", "options", "recommended_option", "free_text", "principal", "trigger", "wait", "limit")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    QUESTION_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RECOMMENDED_OPTION_FIELD_NUMBER: _ClassVar[int]
    FREE_TEXT_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    agent: str
    session: str
    question_id: str
    text: str
    options: _containers.RepeatedScalarFieldContainer[str]
    recommended_option: str
    free_text: bool
    principal: str
    trigger: _types_pb2.Trigger
    wait: _duration_pb2.Duration
    limit: _duration_pb2.Duration
    def __init__(self, tenant: _Optional[str] = ..., agent: _Optional[str] = ..., session: _Optional[str] = ..., question_id: _Optional[str] = ..., text: _Optional[str] = ..., options: _Optional[_Iterable[str]] = ..., recommended_option: _Optional[str] = ..., free_text: _Optional[bool] = ..., principal: _Optional[str] = ..., trigger: _Optional[_Union[_types_pb2.Trigger, str]] = ..., wait: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., limit: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class AskQuestionResponse(_message.Message):
    __slots__ = ("question_id", "state", "selected_option", "text", "answered_by", "trace_number", "expires_at")
    QUESTION_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    SELECTED_OPTION_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_BY_FIELD_NUMBER: _ClassVar[int]
    TRACE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    question_id: str
    state: _types_pb2.QuestionState
    selected_option: str
    text: str
    answered_by: str
    trace_number: int
    expires_at: _timestamp_pb2.Timestamp
    def __init__(self, question_id: _Optional[str] = ..., state: _Optional[_Union[_types_pb2.QuestionState, str]] = ..., selected_option: _Optional[str] = ..., text: _Optional[str] = ..., answered_by: _Optional[str] = ..., trace_number: _Optional[int] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
