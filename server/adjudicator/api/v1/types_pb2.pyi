import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Outcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_UNSPECIFIED: _ClassVar[Outcome]
    OUTCOME_ALLOW: _ClassVar[Outcome]
    OUTCOME_DENY: _ClassVar[Outcome]
    OUTCOME_ASK: _ClassVar[Outcome]

class Step(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STEP_UNSPECIFIED: _ClassVar[Step]
    STEP_TENANT: _ClassVar[Step]
    STEP_AGENT: _ClassVar[Step]
    STEP_TOOL: _ClassVar[Step]
    STEP_ENABLED: _ClassVar[Step]
    STEP_PERMISSION: _ClassVar[Step]
    STEP_SCOPE: _ClassVar[Step]
    STEP_GATE: _ClassVar[Step]
    STEP_CONTRACT: _ClassVar[Step]

class ReasonCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REASON_CODE_UNSPECIFIED: _ClassVar[ReasonCode]
    REASON_CODE_ALLOWED: _ClassVar[ReasonCode]
    REASON_CODE_APPROVAL_REQUIRED: _ClassVar[ReasonCode]
    REASON_CODE_TENANT_MISSING: _ClassVar[ReasonCode]
    REASON_CODE_FORBIDDEN: _ClassVar[ReasonCode]
    REASON_CODE_STATE_ILLEGAL: _ClassVar[ReasonCode]
    REASON_CODE_VALIDATION: _ClassVar[ReasonCode]
    REASON_CODE_EVALUATION_ERROR: _ClassVar[ReasonCode]

class Cause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAUSE_UNSPECIFIED: _ClassVar[Cause]
    CAUSE_TENANT_BLANK: _ClassVar[Cause]
    CAUSE_TENANT_UNKNOWN: _ClassVar[Cause]
    CAUSE_TENANT_DISABLED: _ClassVar[Cause]
    CAUSE_AGENT_BLANK: _ClassVar[Cause]
    CAUSE_AGENT_UNKNOWN: _ClassVar[Cause]
    CAUSE_AGENT_DISABLED: _ClassVar[Cause]
    CAUSE_TOOL_BLANK: _ClassVar[Cause]
    CAUSE_TOOL_UNKNOWN: _ClassVar[Cause]
    CAUSE_TOOL_NOT_LISTED: _ClassVar[Cause]
    CAUSE_TOOL_DISABLED: _ClassVar[Cause]
    CAUSE_PERMISSION_MISSING: _ClassVar[Cause]
    CAUSE_TOOL_DENIED_TO_AGENT: _ClassVar[Cause]
    CAUSE_AGENT_NOT_ALLOWED: _ClassVar[Cause]
    CAUSE_AGENT_READ_ONLY: _ClassVar[Cause]
    CAUSE_OUT_OF_SCOPE: _ClassVar[Cause]
    CAUSE_RULE_DENY: _ClassVar[Cause]
    CAUSE_RULE_ALLOW: _ClassVar[Cause]
    CAUSE_RULE_ASK: _ClassVar[Cause]
    CAUSE_DEFAULT: _ClassVar[Cause]
    CAUSE_MODE_READ_ONLY: _ClassVar[Cause]
    CAUSE_MODE_ASK_ALWAYS: _ClassVar[Cause]
    CAUSE_TOOL_REQUIRES_APPROVAL: _ClassVar[Cause]
    CAUSE_APPROVED: _ClassVar[Cause]
    CAUSE_APPROVAL_DENIED: _ClassVar[Cause]
    CAUSE_APPROVAL_EXPIRED: _ClassVar[Cause]
    CAUSE_APPROVAL_CANCELLED: _ClassVar[Cause]
    CAUSE_APPROVAL_CONSUMED: _ClassVar[Cause]
    CAUSE_CALL_ID_REUSED: _ClassVar[Cause]
    CAUSE_CALL_FINISHED: _ClassVar[Cause]
    CAUSE_POLICY_CHANGED: _ClassVar[Cause]
    CAUSE_ARGUMENTS_MALFORMED: _ClassVar[Cause]
    CAUSE_ARGUMENTS_TOO_LARGE: _ClassVar[Cause]
    CAUSE_CONTRACT_VIOLATION: _ClassVar[Cause]
    CAUSE_EVALUATION_FAILED: _ClassVar[Cause]
    CAUSE_PRINCIPAL_MISSING: _ClassVar[Cause]
    CAUSE_TOO_COMPLEX: _ClassVar[Cause]
    CAUSE_ARGUMENT_INVALID: _ClassVar[Cause]
    CAUSE_OPAQUE_FORM: _ClassVar[Cause]
    CAUSE_OPAQUE_PATH: _ClassVar[Cause]
    CAUSE_OPAQUE_CHARACTER: _ClassVar[Cause]
    CAUSE_OPAQUE_SYNTAX: _ClassVar[Cause]
    CAUSE_OPAQUE_PROGRAM_NAME: _ClassVar[Cause]
    CAUSE_OPAQUE_EXPANSION: _ClassVar[Cause]
    CAUSE_OPAQUE_SUBSTITUTION: _ClassVar[Cause]
    CAUSE_OPAQUE_ENVIRONMENT: _ClassVar[Cause]
    CAUSE_OPAQUE_PROGRAM_RUN: _ClassVar[Cause]
    CAUSE_OPAQUE_OPERANDS: _ClassVar[Cause]
    CAUSE_GRANTED: _ClassVar[Cause]
    CAUSE_APPROVAL_SKIPPED: _ClassVar[Cause]
    CAUSE_CALL_WITHDRAWN: _ClassVar[Cause]
    CAUSE_SESSION_CLOSED: _ClassVar[Cause]
    CAUSE_TOO_MANY_PENDING: _ClassVar[Cause]
    CAUSE_ASKED_TOO_OFTEN: _ClassVar[Cause]
    CAUSE_NO_ELIGIBLE_APPROVER: _ClassVar[Cause]

class Mode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MODE_UNSPECIFIED: _ClassVar[Mode]
    MODE_AUTO: _ClassVar[Mode]
    MODE_ASK_ALWAYS: _ClassVar[Mode]
    MODE_READ_ONLY: _ClassVar[Mode]

class ToolStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOOL_STATUS_UNSPECIFIED: _ClassVar[ToolStatus]
    TOOL_STATUS_ENABLED: _ClassVar[ToolStatus]
    TOOL_STATUS_DISABLED: _ClassVar[ToolStatus]

class ErrorReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ERROR_REASON_UNSPECIFIED: _ClassVar[ErrorReason]
    ERROR_REASON_MALFORMED_REQUEST: _ClassVar[ErrorReason]
    ERROR_REASON_UNAUTHENTICATED: _ClassVar[ErrorReason]
    ERROR_REASON_STORE_UNAVAILABLE: _ClassVar[ErrorReason]
    ERROR_REASON_POLICY_INVALID: _ClassVar[ErrorReason]
    ERROR_REASON_DRAINING: _ClassVar[ErrorReason]
    ERROR_REASON_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_TRACE_FROZEN: _ClassVar[ErrorReason]
    ERROR_REASON_NOT_ALLOWED: _ClassVar[ErrorReason]
    ERROR_REASON_LIMIT_EXCEEDED: _ClassVar[ErrorReason]
    ERROR_REASON_INTERNAL: _ClassVar[ErrorReason]
    ERROR_REASON_RECORD_ALTERED: _ClassVar[ErrorReason]
    ERROR_REASON_FLOW_ID_REUSED: _ClassVar[ErrorReason]
    ERROR_REASON_QUESTION_ID_REUSED: _ClassVar[ErrorReason]
    ERROR_REASON_SESSION_CLOSED: _ClassVar[ErrorReason]

class Priority(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PRIORITY_UNSPECIFIED: _ClassVar[Priority]
    PRIORITY_LOW: _ClassVar[Priority]
    PRIORITY_MEDIUM: _ClassVar[Priority]
    PRIORITY_HIGH: _ClassVar[Priority]
    PRIORITY_CRITICAL: _ClassVar[Priority]

class Trigger(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRIGGER_UNSPECIFIED: _ClassVar[Trigger]
    TRIGGER_SECURITY_VIOLATION: _ClassVar[Trigger]
    TRIGGER_PERMISSION_DENIED: _ClassVar[Trigger]
    TRIGGER_SUSPICIOUS_COMMAND: _ClassVar[Trigger]
    TRIGGER_DESTRUCTIVE_ACTION: _ClassVar[Trigger]
    TRIGGER_AMBIGUOUS_TASK: _ClassVar[Trigger]
    TRIGGER_SEVERAL_OPTIONS: _ClassVar[Trigger]
    TRIGGER_BLOCKED_TASK: _ClassVar[Trigger]
    TRIGGER_EXTERNAL_NETWORK_CALL: _ClassVar[Trigger]
    TRIGGER_SIGNIFICANT_CHANGE: _ClassVar[Trigger]

class QuestionState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    QUESTION_STATE_UNSPECIFIED: _ClassVar[QuestionState]
    QUESTION_STATE_OPEN: _ClassVar[QuestionState]
    QUESTION_STATE_ANSWERED: _ClassVar[QuestionState]
    QUESTION_STATE_EXPIRED: _ClassVar[QuestionState]
    QUESTION_STATE_CANCELLED: _ClassVar[QuestionState]
OUTCOME_UNSPECIFIED: Outcome
OUTCOME_ALLOW: Outcome
OUTCOME_DENY: Outcome
OUTCOME_ASK: Outcome
STEP_UNSPECIFIED: Step
STEP_TENANT: Step
STEP_AGENT: Step
STEP_TOOL: Step
STEP_ENABLED: Step
STEP_PERMISSION: Step
STEP_SCOPE: Step
STEP_GATE: Step
STEP_CONTRACT: Step
REASON_CODE_UNSPECIFIED: ReasonCode
REASON_CODE_ALLOWED: ReasonCode
REASON_CODE_APPROVAL_REQUIRED: ReasonCode
REASON_CODE_TENANT_MISSING: ReasonCode
REASON_CODE_FORBIDDEN: ReasonCode
REASON_CODE_STATE_ILLEGAL: ReasonCode
REASON_CODE_VALIDATION: ReasonCode
REASON_CODE_EVALUATION_ERROR: ReasonCode
CAUSE_UNSPECIFIED: Cause
CAUSE_TENANT_BLANK: Cause
CAUSE_TENANT_UNKNOWN: Cause
CAUSE_TENANT_DISABLED: Cause
CAUSE_AGENT_BLANK: Cause
CAUSE_AGENT_UNKNOWN: Cause
CAUSE_AGENT_DISABLED: Cause
CAUSE_TOOL_BLANK: Cause
CAUSE_TOOL_UNKNOWN: Cause
CAUSE_TOOL_NOT_LISTED: Cause
CAUSE_TOOL_DISABLED: Cause
CAUSE_PERMISSION_MISSING: Cause
CAUSE_TOOL_DENIED_TO_AGENT: Cause
CAUSE_AGENT_NOT_ALLOWED: Cause
CAUSE_AGENT_READ_ONLY: Cause
CAUSE_OUT_OF_SCOPE: Cause
CAUSE_RULE_DENY: Cause
CAUSE_RULE_ALLOW: Cause
CAUSE_RULE_ASK: Cause
CAUSE_DEFAULT: Cause
CAUSE_MODE_READ_ONLY: Cause
CAUSE_MODE_ASK_ALWAYS: Cause
CAUSE_TOOL_REQUIRES_APPROVAL: Cause
CAUSE_APPROVED: Cause
CAUSE_APPROVAL_DENIED: Cause
CAUSE_APPROVAL_EXPIRED: Cause
CAUSE_APPROVAL_CANCELLED: Cause
CAUSE_APPROVAL_CONSUMED: Cause
CAUSE_CALL_ID_REUSED: Cause
CAUSE_CALL_FINISHED: Cause
CAUSE_POLICY_CHANGED: Cause
CAUSE_ARGUMENTS_MALFORMED: Cause
CAUSE_ARGUMENTS_TOO_LARGE: Cause
CAUSE_CONTRACT_VIOLATION: Cause
CAUSE_EVALUATION_FAILED: Cause
CAUSE_PRINCIPAL_MISSING: Cause
CAUSE_TOO_COMPLEX: Cause
CAUSE_ARGUMENT_INVALID: Cause
CAUSE_OPAQUE_FORM: Cause
CAUSE_OPAQUE_PATH: Cause
CAUSE_OPAQUE_CHARACTER: Cause
CAUSE_OPAQUE_SYNTAX: Cause
CAUSE_OPAQUE_PROGRAM_NAME: Cause
CAUSE_OPAQUE_EXPANSION: Cause
CAUSE_OPAQUE_SUBSTITUTION: Cause
CAUSE_OPAQUE_ENVIRONMENT: Cause
CAUSE_OPAQUE_PROGRAM_RUN: Cause
CAUSE_OPAQUE_OPERANDS: Cause
CAUSE_GRANTED: Cause
CAUSE_APPROVAL_SKIPPED: Cause
CAUSE_CALL_WITHDRAWN: Cause
CAUSE_SESSION_CLOSED: Cause
CAUSE_TOO_MANY_PENDING: Cause
CAUSE_ASKED_TOO_OFTEN: Cause
CAUSE_NO_ELIGIBLE_APPROVER: Cause
MODE_UNSPECIFIED: Mode
MODE_AUTO: Mode
MODE_ASK_ALWAYS: Mode
MODE_READ_ONLY: Mode
TOOL_STATUS_UNSPECIFIED: ToolStatus
TOOL_STATUS_ENABLED: ToolStatus
TOOL_STATUS_DISABLED: ToolStatus
ERROR_REASON_UNSPECIFIED: ErrorReason
ERROR_REASON_MALFORMED_REQUEST: ErrorReason
ERROR_REASON_UNAUTHENTICATED: ErrorReason
ERROR_REASON_STORE_UNAVAILABLE: ErrorReason
ERROR_REASON_POLICY_INVALID: ErrorReason
ERROR_REASON_DRAINING: ErrorReason
ERROR_REASON_NOT_FOUND: ErrorReason
ERROR_REASON_TRACE_FROZEN: ErrorReason
ERROR_REASON_NOT_ALLOWED: ErrorReason
ERROR_REASON_LIMIT_EXCEEDED: ErrorReason
ERROR_REASON_INTERNAL: ErrorReason
ERROR_REASON_RECORD_ALTERED: ErrorReason
ERROR_REASON_FLOW_ID_REUSED: ErrorReason
ERROR_REASON_QUESTION_ID_REUSED: ErrorReason
ERROR_REASON_SESSION_CLOSED: ErrorReason
PRIORITY_UNSPECIFIED: Priority
PRIORITY_LOW: Priority
PRIORITY_MEDIUM: Priority
PRIORITY_HIGH: Priority
PRIORITY_CRITICAL: Priority
TRIGGER_UNSPECIFIED: Trigger
TRIGGER_SECURITY_VIOLATION: Trigger
TRIGGER_PERMISSION_DENIED: Trigger
TRIGGER_SUSPICIOUS_COMMAND: Trigger
TRIGGER_DESTRUCTIVE_ACTION: Trigger
TRIGGER_AMBIGUOUS_TASK: Trigger
TRIGGER_SEVERAL_OPTIONS: Trigger
TRIGGER_BLOCKED_TASK: Trigger
TRIGGER_EXTERNAL_NETWORK_CALL: Trigger
TRIGGER_SIGNIFICANT_CHANGE: Trigger
QUESTION_STATE_UNSPECIFIED: QuestionState
QUESTION_STATE_OPEN: QuestionState
QUESTION_STATE_ANSWERED: QuestionState
QUESTION_STATE_EXPIRED: QuestionState
QUESTION_STATE_CANCELLED: QuestionState

class ToolCall(_message.Message):
    __slots__ = ("tenant", "agent", "on_behalf_of", "principal", "session", "call_id", "tool", "arguments_json", "working_directory", "resolved_paths", "mode", "flow_trace")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    ON_BEHALF_OF_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    WORKING_DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    RESOLVED_PATHS_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    FLOW_TRACE_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    agent: str
    on_behalf_of: _containers.RepeatedScalarFieldContainer[str]
    principal: str
    session: str
    call_id: str
    tool: str
    arguments_json: str
    working_directory: str
    resolved_paths: _containers.RepeatedCompositeFieldContainer[ResolvedPath]
    mode: Mode
    flow_trace: int
    def __init__(self, tenant: _Optional[str] = ..., agent: _Optional[str] = ..., on_behalf_of: _Optional[_Iterable[str]] = ..., principal: _Optional[str] = ..., session: _Optional[str] = ..., call_id: _Optional[str] = ..., tool: _Optional[str] = ..., arguments_json: _Optional[str] = ..., working_directory: _Optional[str] = ..., resolved_paths: _Optional[_Iterable[_Union[ResolvedPath, _Mapping]]] = ..., mode: _Optional[_Union[Mode, str]] = ..., flow_trace: _Optional[int] = ...) -> None: ...

class ResolvedPath(_message.Message):
    __slots__ = ("argument", "path")
    ARGUMENT_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    argument: str
    path: str
    def __init__(self, argument: _Optional[str] = ..., path: _Optional[str] = ...) -> None: ...

class RuleRef(_message.Message):
    __slots__ = ("file", "line", "text", "reason")
    FILE_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    file: str
    line: int
    text: str
    reason: str
    def __init__(self, file: _Optional[str] = ..., line: _Optional[int] = ..., text: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class Violation(_message.Message):
    __slots__ = ("path", "keyword", "message")
    PATH_FIELD_NUMBER: _ClassVar[int]
    KEYWORD_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    path: str
    keyword: str
    message: str
    def __init__(self, path: _Optional[str] = ..., keyword: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class Verdict(_message.Message):
    __slots__ = ("outcome", "allowed", "step", "check", "reason_code", "cause", "reason", "tool", "tool_status", "disable_reason", "agent", "approval_id", "approval_expires_at", "rule", "violations", "policy_version", "trace_number", "call_id", "replayed", "dry_run", "step_reached", "selected_option", "grant_id", "unattended")
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    CHECK_FIELD_NUMBER: _ClassVar[int]
    REASON_CODE_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    TOOL_STATUS_FIELD_NUMBER: _ClassVar[int]
    DISABLE_REASON_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    VIOLATIONS_FIELD_NUMBER: _ClassVar[int]
    POLICY_VERSION_FIELD_NUMBER: _ClassVar[int]
    TRACE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    STEP_REACHED_FIELD_NUMBER: _ClassVar[int]
    SELECTED_OPTION_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    UNATTENDED_FIELD_NUMBER: _ClassVar[int]
    outcome: Outcome
    allowed: bool
    step: Step
    check: str
    reason_code: ReasonCode
    cause: Cause
    reason: str
    tool: str
    tool_status: ToolStatus
    disable_reason: str
    agent: str
    approval_id: str
    approval_expires_at: _timestamp_pb2.Timestamp
    rule: RuleRef
    violations: _containers.RepeatedCompositeFieldContainer[Violation]
    policy_version: str
    trace_number: int
    call_id: str
    replayed: bool
    dry_run: bool
    step_reached: Step
    selected_option: str
    grant_id: str
    unattended: bool
    def __init__(self, outcome: _Optional[_Union[Outcome, str]] = ..., allowed: _Optional[bool] = ..., step: _Optional[_Union[Step, str]] = ..., check: _Optional[str] = ..., reason_code: _Optional[_Union[ReasonCode, str]] = ..., cause: _Optional[_Union[Cause, str]] = ..., reason: _Optional[str] = ..., tool: _Optional[str] = ..., tool_status: _Optional[_Union[ToolStatus, str]] = ..., disable_reason: _Optional[str] = ..., agent: _Optional[str] = ..., approval_id: _Optional[str] = ..., approval_expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., rule: _Optional[_Union[RuleRef, _Mapping]] = ..., violations: _Optional[_Iterable[_Union[Violation, _Mapping]]] = ..., policy_version: _Optional[str] = ..., trace_number: _Optional[int] = ..., call_id: _Optional[str] = ..., replayed: _Optional[bool] = ..., dry_run: _Optional[bool] = ..., step_reached: _Optional[_Union[Step, str]] = ..., selected_option: _Optional[str] = ..., grant_id: _Optional[str] = ..., unattended: _Optional[bool] = ...) -> None: ...
