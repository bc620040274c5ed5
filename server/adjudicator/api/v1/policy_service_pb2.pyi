import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Problem(_message.Message):
    __slots__ = ("file", "line", "column", "message")
    FILE_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    file: str
    line: int
    column: int
    message: str
    def __init__(self, file: _Optional[str] = ..., line: _Optional[int] = ..., column: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...

class PolicyStatus(_message.Message):
    __slots__ = ("version", "activated_at", "directory", "problems", "tenants", "agents", "tools", "rules", "tests")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    ACTIVATED_AT_FIELD_NUMBER: _ClassVar[int]
    DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    TENANTS_FIELD_NUMBER: _ClassVar[int]
    AGENTS_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    TESTS_FIELD_NUMBER: _ClassVar[int]
    version: str
    activated_at: _timestamp_pb2.Timestamp
    directory: str
    problems: _containers.RepeatedCompositeFieldContainer[Problem]
    tenants: int
    agents: int
    tools: int
    rules: int
    tests: int
    def __init__(self, version: _Optional[str] = ..., activated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., directory: _Optional[str] = ..., problems: _Optional[_Iterable[_Union[Problem, _Mapping]]] = ..., tenants: _Optional[int] = ..., agents: _Optional[int] = ..., tools: _Optional[int] = ..., rules: _Optional[int] = ..., tests: _Optional[int] = ...) -> None: ...

class GetPolicyStatusRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetPolicyStatusResponse(_message.Message):
    __slots__ = ("status",)
    STATUS_FIELD_NUMBER: _ClassVar[int]
    status: PolicyStatus
    def __init__(self, status: _Optional[_Union[PolicyStatus, _Mapping]] = ...) -> None: ...

class ReloadPolicyRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ReloadPolicyResponse(_message.Message):
    __slots__ = ("activated", "status")
    ACTIVATED_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    activated: bool
    status: PolicyStatus
    def __init__(self, activated: _Optional[bool] = ..., status: _Optional[_Union[PolicyStatus, _Mapping]] = ...) -> None: ...

class PreviewPolicyRequest(_message.Message):
    __slots__ = ("recent_calls",)
    RECENT_CALLS_FIELD_NUMBER: _ClassVar[int]
    recent_calls: int
    def __init__(self, recent_calls: _Optional[int] = ...) -> None: ...

class PreviewPolicyResponse(_message.Message):
    __slots__ = ("valid", "problems", "version", "denied_approvals", "revoked_grants", "flipped_calls", "judged_calls", "unknown_calls", "judged_approvals", "denied_approvals_total", "judged_grants", "revoked_grants_total", "flipped_calls_total", "complete")
    VALID_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    DENIED_APPROVALS_FIELD_NUMBER: _ClassVar[int]
    REVOKED_GRANTS_FIELD_NUMBER: _ClassVar[int]
    FLIPPED_CALLS_FIELD_NUMBER: _ClassVar[int]
    JUDGED_CALLS_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_CALLS_FIELD_NUMBER: _ClassVar[int]
    JUDGED_APPROVALS_FIELD_NUMBER: _ClassVar[int]
    DENIED_APPROVALS_TOTAL_FIELD_NUMBER: _ClassVar[int]
    JUDGED_GRANTS_FIELD_NUMBER: _ClassVar[int]
    REVOKED_GRANTS_TOTAL_FIELD_NUMBER: _ClassVar[int]
    FLIPPED_CALLS_TOTAL_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    valid: bool
    problems: _containers.RepeatedCompositeFieldContainer[Problem]
    version: str
    denied_approvals: _containers.RepeatedCompositeFieldContainer[DeniedApproval]
    revoked_grants: _containers.RepeatedCompositeFieldContainer[EndedGrant]
    flipped_calls: _containers.RepeatedCompositeFieldContainer[FlippedCall]
    judged_calls: int
    unknown_calls: int
    judged_approvals: int
    denied_approvals_total: int
    judged_grants: int
    revoked_grants_total: int
    flipped_calls_total: int
    complete: bool
    def __init__(self, valid: _Optional[bool] = ..., problems: _Optional[_Iterable[_Union[Problem, _Mapping]]] = ..., version: _Optional[str] = ..., denied_approvals: _Optional[_Iterable[_Union[DeniedApproval, _Mapping]]] = ..., revoked_grants: _Optional[_Iterable[_Union[EndedGrant, _Mapping]]] = ..., flipped_calls: _Optional[_Iterable[_Union[FlippedCall, _Mapping]]] = ..., judged_calls: _Optional[int] = ..., unknown_calls: _Optional[int] = ..., judged_approvals: _Optional[int] = ..., denied_approvals_total: _Optional[int] = ..., judged_grants: _Optional[int] = ..., revoked_grants_total: _Optional[int] = ..., flipped_calls_total: _Optional[int] = ..., complete: _Optional[bool] = ...) -> None: ...

class DeniedApproval(_message.Message):
    __slots__ = ("approval_id", "tool", "reason")
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    approval_id: str
    tool: str
    reason: str
    def __init__(self, approval_id: _Optional[str] = ..., tool: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class EndedGrant(_message.Message):
    __slots__ = ("grant_id", "tool", "reason")
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    grant_id: str
    tool: str
    reason: str
    def __init__(self, grant_id: _Optional[str] = ..., tool: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class FlippedCall(_message.Message):
    __slots__ = ("trace_number", "tool", "outcome", "new_outcome", "reason")
    TRACE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    NEW_OUTCOME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    trace_number: int
    tool: str
    outcome: str
    new_outcome: str
    reason: str
    def __init__(self, trace_number: _Optional[int] = ..., tool: _Optional[str] = ..., outcome: _Optional[str] = ..., new_outcome: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...
