import datetime

from adjudicator.api.v1 import types_pb2 as _types_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ApprovalState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    APPROVAL_STATE_UNSPECIFIED: _ClassVar[ApprovalState]
    APPROVAL_STATE_PENDING: _ClassVar[ApprovalState]
    APPROVAL_STATE_APPROVED: _ClassVar[ApprovalState]
    APPROVAL_STATE_DENIED: _ClassVar[ApprovalState]
    APPROVAL_STATE_EXPIRED: _ClassVar[ApprovalState]
    APPROVAL_STATE_CANCELLED: _ClassVar[ApprovalState]
    APPROVAL_STATE_CONSUMED: _ClassVar[ApprovalState]

class Decision(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_UNSPECIFIED: _ClassVar[Decision]
    DECISION_APPROVE: _ClassVar[Decision]
    DECISION_DENY: _ClassVar[Decision]

class ReceiptCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RECEIPT_CODE_UNSPECIFIED: _ClassVar[ReceiptCode]
    RECEIPT_CODE_ACCEPTED: _ClassVar[ReceiptCode]
    RECEIPT_CODE_MORE_VOTES_NEEDED: _ClassVar[ReceiptCode]
    RECEIPT_CODE_UNKNOWN: _ClassVar[ReceiptCode]
    RECEIPT_CODE_ALREADY_RESOLVED: _ClassVar[ReceiptCode]
    RECEIPT_CODE_EXPIRED: _ClassVar[ReceiptCode]
    RECEIPT_CODE_ALREADY_VOTED: _ClassVar[ReceiptCode]
    RECEIPT_CODE_OWN_CALL: _ClassVar[ReceiptCode]
    RECEIPT_CODE_VIEW_MISMATCH: _ClassVar[ReceiptCode]
    RECEIPT_CODE_VIEW_TOO_LARGE: _ClassVar[ReceiptCode]
APPROVAL_STATE_UNSPECIFIED: ApprovalState
APPROVAL_STATE_PENDING: ApprovalState
APPROVAL_STATE_APPROVED: ApprovalState
APPROVAL_STATE_DENIED: ApprovalState
APPROVAL_STATE_EXPIRED: ApprovalState
APPROVAL_STATE_CANCELLED: ApprovalState
APPROVAL_STATE_CONSUMED: ApprovalState
DECISION_UNSPECIFIED: Decision
DECISION_APPROVE: Decision
DECISION_DENY: Decision
RECEIPT_CODE_UNSPECIFIED: ReceiptCode
RECEIPT_CODE_ACCEPTED: ReceiptCode
RECEIPT_CODE_MORE_VOTES_NEEDED: ReceiptCode
RECEIPT_CODE_UNKNOWN: ReceiptCode
RECEIPT_CODE_ALREADY_RESOLVED: ReceiptCode
RECEIPT_CODE_EXPIRED: ReceiptCode
RECEIPT_CODE_ALREADY_VOTED: ReceiptCode
RECEIPT_CODE_OWN_CALL: ReceiptCode
RECEIPT_CODE_VIEW_MISMATCH: ReceiptCode
RECEIPT_CODE_VIEW_TOO_LARGE: ReceiptCode

class Vote(_message.Message):
    __slots__ = ("actor", "decision", "reason", "voted_at")
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    VOTED_AT_FIELD_NUMBER: _ClassVar[int]
    actor: str
    decision: Decision
    reason: str
    voted_at: _timestamp_pb2.Timestamp
    def __init__(self, actor: _Optional[str] = ..., decision: _Optional[_Union[Decision, str]] = ..., reason: _Optional[str] = ..., voted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Approval(_message.Message):
    __slots__ = ("id", "state", "tenant", "session", "agent", "tool", "call_id", "trace_number", "view_json", "view_digest", "approvable", "ask_reason", "rule", "quorum", "votes", "created_at", "expires_at", "changed_at", "four_eyes")
    ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    TRACE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    VIEW_JSON_FIELD_NUMBER: _ClassVar[int]
    VIEW_DIGEST_FIELD_NUMBER: _ClassVar[int]
    APPROVABLE_FIELD_NUMBER: _ClassVar[int]
    ASK_REASON_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    QUORUM_FIELD_NUMBER: _ClassVar[int]
    VOTES_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    CHANGED_AT_FIELD_NUMBER: _ClassVar[int]
    FOUR_EYES_FIELD_NUMBER: _ClassVar[int]
    id: str
    state: ApprovalState
    tenant: str
    session: str
    agent: str
    tool: str
    call_id: str
    trace_number: int
    view_json: str
    view_digest: str
    approvable: bool
    ask_reason: str
    rule: _types_pb2.RuleRef
    quorum: int
    votes: _containers.RepeatedCompositeFieldContainer[Vote]
    created_at: _timestamp_pb2.Timestamp
    expires_at: _timestamp_pb2.Timestamp
    changed_at: _timestamp_pb2.Timestamp
    four_eyes: bool
    def __init__(self, id: _Optional[str] = ..., state: _Optional[_Union[ApprovalState, str]] = ..., tenant: _Optional[str] = ..., session: _Optional[str] = ..., agent: _Optional[str] = ..., tool: _Optional[str] = ..., call_id: _Optional[str] = ..., trace_number: _Optional[int] = ..., view_json: _Optional[str] = ..., view_digest: _Optional[str] = ..., approvable: _Optional[bool] = ..., ask_reason: _Optional[str] = ..., rule: _Optional[_Union[_types_pb2.RuleRef, _Mapping]] = ..., quorum: _Optional[int] = ..., votes: _Optional[_Iterable[_Union[Vote, _Mapping]]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., changed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., four_eyes: _Optional[bool] = ...) -> None: ...

class WatchPendingRequest(_message.Message):
    __slots__ = ("tenant", "tool", "cursor")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    tool: str
    cursor: str
    def __init__(self, tenant: _Optional[str] = ..., tool: _Optional[str] = ..., cursor: _Optional[str] = ...) -> None: ...

class WatchPendingResponse(_message.Message):
    __slots__ = ("cursor", "snapshot", "change", "heartbeat", "resync")
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    RESYNC_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    snapshot: PendingSnapshot
    change: ApprovalChange
    heartbeat: Heartbeat
    resync: Resync
    def __init__(self, cursor: _Optional[str] = ..., snapshot: _Optional[_Union[PendingSnapshot, _Mapping]] = ..., change: _Optional[_Union[ApprovalChange, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ..., resync: _Optional[_Union[Resync, _Mapping]] = ...) -> None: ...

class PendingSnapshot(_message.Message):
    __slots__ = ("approvals", "complete")
    APPROVALS_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    approvals: _containers.RepeatedCompositeFieldContainer[Approval]
    complete: bool
    def __init__(self, approvals: _Optional[_Iterable[_Union[Approval, _Mapping]]] = ..., complete: _Optional[bool] = ...) -> None: ...

class ApprovalChange(_message.Message):
    __slots__ = ("approval",)
    APPROVAL_FIELD_NUMBER: _ClassVar[int]
    approval: Approval
    def __init__(self, approval: _Optional[_Union[Approval, _Mapping]] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ("now",)
    NOW_FIELD_NUMBER: _ClassVar[int]
    now: _timestamp_pb2.Timestamp
    def __init__(self, now: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Resync(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class ListPendingRequest(_message.Message):
    __slots__ = ("tenant", "tool", "page_size", "page_token")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    tool: str
    page_size: int
    page_token: str
    def __init__(self, tenant: _Optional[str] = ..., tool: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListPendingResponse(_message.Message):
    __slots__ = ("approvals", "next_page_token")
    APPROVALS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    approvals: _containers.RepeatedCompositeFieldContainer[Approval]
    next_page_token: str
    def __init__(self, approvals: _Optional[_Iterable[_Union[Approval, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetApprovalRequest(_message.Message):
    __slots__ = ("approval_id", "trace_number", "action")
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    TRACE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    approval_id: str
    trace_number: int
    action: ActionRef
    def __init__(self, approval_id: _Optional[str] = ..., trace_number: _Optional[int] = ..., action: _Optional[_Union[ActionRef, _Mapping]] = ...) -> None: ...

class ActionRef(_message.Message):
    __slots__ = ("tenant", "session", "tool", "call_id")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    session: str
    tool: str
    call_id: str
    def __init__(self, tenant: _Optional[str] = ..., session: _Optional[str] = ..., tool: _Optional[str] = ..., call_id: _Optional[str] = ...) -> None: ...

class GetApprovalResponse(_message.Message):
    __slots__ = ("approval",)
    APPROVAL_FIELD_NUMBER: _ClassVar[int]
    approval: Approval
    def __init__(self, approval: _Optional[_Union[Approval, _Mapping]] = ...) -> None: ...

class ResolveRequest(_message.Message):
    __slots__ = ("approval_id", "decision", "view_digest", "reason")
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    VIEW_DIGEST_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    approval_id: str
    decision: Decision
    view_digest: str
    reason: str
    def __init__(self, approval_id: _Optional[str] = ..., decision: _Optional[_Union[Decision, str]] = ..., view_digest: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class ResolveResponse(_message.Message):
    __slots__ = ("accepted", "code", "message", "approval")
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_FIELD_NUMBER: _ClassVar[int]
    accepted: bool
    code: ReceiptCode
    message: str
    approval: Approval
    def __init__(self, accepted: _Optional[bool] = ..., code: _Optional[_Union[ReceiptCode, str]] = ..., message: _Optional[str] = ..., approval: _Optional[_Union[Approval, _Mapping]] = ...) -> None: ...
