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
    DECISION_APPROVE_SESSION: _ClassVar[Decision]
    DECISION_CANCEL: _ClassVar[Decision]
    DECISION_SKIP: _ClassVar[Decision]
    DECISION_DELEGATE: _ClassVar[Decision]

class RequestType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REQUEST_TYPE_UNSPECIFIED: _ClassVar[RequestType]
    REQUEST_TYPE_SECURITY: _ClassVar[RequestType]
    REQUEST_TYPE_DESTRUCTIVE: _ClassVar[RequestType]
    REQUEST_TYPE_DECISION: _ClassVar[RequestType]
    REQUEST_TYPE_APPROVAL: _ClassVar[RequestType]

class GrantScope(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GRANT_SCOPE_UNSPECIFIED: _ClassVar[GrantScope]
    GRANT_SCOPE_TOOL: _ClassVar[GrantScope]
    GRANT_SCOPE_SCHEMA: _ClassVar[GrantScope]
    GRANT_SCOPE_ARGUMENTS: _ClassVar[GrantScope]

class GrantState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GRANT_STATE_UNSPECIFIED: _ClassVar[GrantState]
    GRANT_STATE_LIVE: _ClassVar[GrantState]
    GRANT_STATE_SPENT: _ClassVar[GrantState]
    GRANT_STATE_EXPIRED: _ClassVar[GrantState]
    GRANT_STATE_REVOKED: _ClassVar[GrantState]
    GRANT_STATE_CLEARED: _ClassVar[GrantState]

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
    RECEIPT_CODE_DELEGATED: _ClassVar[ReceiptCode]
    RECEIPT_CODE_NOT_ENTITLED: _ClassVar[ReceiptCode]
    RECEIPT_CODE_NOT_A_PERSON: _ClassVar[ReceiptCode]
    RECEIPT_CODE_NOT_THE_DELEGATE: _ClassVar[ReceiptCode]
    RECEIPT_CODE_DELEGATE_NOT_ENTITLED: _ClassVar[ReceiptCode]
    RECEIPT_CODE_DELEGATE_LOOP: _ClassVar[ReceiptCode]
    RECEIPT_CODE_QUORUM_UNREACHABLE: _ClassVar[ReceiptCode]
    RECEIPT_CODE_OPTION_UNKNOWN: _ClassVar[ReceiptCode]
    RECEIPT_CODE_REQUEST_ID_REUSED: _ClassVar[ReceiptCode]
    RECEIPT_CODE_GRANT_FORBIDDEN: _ClassVar[ReceiptCode]
    RECEIPT_CODE_GRANT_TOO_WIDE: _ClassVar[ReceiptCode]
    RECEIPT_CODE_GRANT_EXCLUDES_CALL: _ClassVar[ReceiptCode]
    RECEIPT_CODE_GRANT_SCHEMA_INVALID: _ClassVar[ReceiptCode]
    RECEIPT_CODE_NOW_DENIED: _ClassVar[ReceiptCode]
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
DECISION_APPROVE_SESSION: Decision
DECISION_CANCEL: Decision
DECISION_SKIP: Decision
DECISION_DELEGATE: Decision
REQUEST_TYPE_UNSPECIFIED: RequestType
REQUEST_TYPE_SECURITY: RequestType
REQUEST_TYPE_DESTRUCTIVE: RequestType
REQUEST_TYPE_DECISION: RequestType
REQUEST_TYPE_APPROVAL: RequestType
GRANT_SCOPE_UNSPECIFIED: GrantScope
GRANT_SCOPE_TOOL: GrantScope
GRANT_SCOPE_SCHEMA: GrantScope
GRANT_SCOPE_ARGUMENTS: GrantScope
GRANT_STATE_UNSPECIFIED: GrantState
GRANT_STATE_LIVE: GrantState
GRANT_STATE_SPENT: GrantState
GRANT_STATE_EXPIRED: GrantState
GRANT_STATE_REVOKED: GrantState
GRANT_STATE_CLEARED: GrantState
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
RECEIPT_CODE_DELEGATED: ReceiptCode
RECEIPT_CODE_NOT_ENTITLED: ReceiptCode
RECEIPT_CODE_NOT_A_PERSON: ReceiptCode
RECEIPT_CODE_NOT_THE_DELEGATE: ReceiptCode
RECEIPT_CODE_DELEGATE_NOT_ENTITLED: ReceiptCode
RECEIPT_CODE_DELEGATE_LOOP: ReceiptCode
RECEIPT_CODE_QUORUM_UNREACHABLE: ReceiptCode
RECEIPT_CODE_OPTION_UNKNOWN: ReceiptCode
RECEIPT_CODE_REQUEST_ID_REUSED: ReceiptCode
RECEIPT_CODE_GRANT_FORBIDDEN: ReceiptCode
RECEIPT_CODE_GRANT_TOO_WIDE: ReceiptCode
RECEIPT_CODE_GRANT_EXCLUDES_CALL: ReceiptCode
RECEIPT_CODE_GRANT_SCHEMA_INVALID: ReceiptCode
RECEIPT_CODE_NOW_DENIED: ReceiptCode

class Risk(_message.Message):
    __slots__ = ("trigger", "note")
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    trigger: _types_pb2.Trigger
    note: str
    def __init__(self, trigger: _Optional[_Union[_types_pb2.Trigger, str]] = ..., note: _Optional[str] = ...) -> None: ...

class Context(_message.Message):
    __slots__ = ("commands", "writes", "reads", "urls")
    COMMANDS_FIELD_NUMBER: _ClassVar[int]
    WRITES_FIELD_NUMBER: _ClassVar[int]
    READS_FIELD_NUMBER: _ClassVar[int]
    URLS_FIELD_NUMBER: _ClassVar[int]
    commands: _containers.RepeatedScalarFieldContainer[str]
    writes: _containers.RepeatedScalarFieldContainer[str]
    reads: _containers.RepeatedScalarFieldContainer[str]
    urls: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, commands: _Optional[_Iterable[str]] = ..., writes: _Optional[_Iterable[str]] = ..., reads: _Optional[_Iterable[str]] = ..., urls: _Optional[_Iterable[str]] = ...) -> None: ...

class ApprovalRequest(_message.Message):
    __slots__ = ("type", "priority", "title", "description", "options", "recommended_option", "risks", "context")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RECOMMENDED_OPTION_FIELD_NUMBER: _ClassVar[int]
    RISKS_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    type: RequestType
    priority: _types_pb2.Priority
    title: str
    description: str
    options: _containers.RepeatedScalarFieldContainer[str]
    recommended_option: str
    risks: _containers.RepeatedCompositeFieldContainer[Risk]
    context: Context
    def __init__(self, type: _Optional[_Union[RequestType, str]] = ..., priority: _Optional[_Union[_types_pb2.Priority, str]] = ..., title: _Optional[str] = ..., description: _Optional[str] = ..., options: _Optional[_Iterable[str]] = ..., recommended_option: _Optional[str] = ..., risks: _Optional[_Iterable[_Union[Risk, _Mapping]]] = ..., context: _Optional[_Union[Context, _Mapping]] = ...) -> None: ...

class Claim(_message.Message):
    __slots__ = ("actor", "until")
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    actor: str
    until: _timestamp_pb2.Timestamp
    def __init__(self, actor: _Optional[str] = ..., until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Vote(_message.Message):
    __slots__ = ("actor", "decision", "reason", "voted_at", "selected_option", "delegate_to", "grant_id")
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    VOTED_AT_FIELD_NUMBER: _ClassVar[int]
    SELECTED_OPTION_FIELD_NUMBER: _ClassVar[int]
    DELEGATE_TO_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    actor: str
    decision: Decision
    reason: str
    voted_at: _timestamp_pb2.Timestamp
    selected_option: str
    delegate_to: str
    grant_id: str
    def __init__(self, actor: _Optional[str] = ..., decision: _Optional[_Union[Decision, str]] = ..., reason: _Optional[str] = ..., voted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., selected_option: _Optional[str] = ..., delegate_to: _Optional[str] = ..., grant_id: _Optional[str] = ...) -> None: ...

class Approval(_message.Message):
    __slots__ = ("id", "state", "tenant", "session", "agent", "tool", "call_id", "trace_number", "view_json", "view_digest", "approvable", "ask_reason", "rule", "quorum", "votes", "created_at", "expires_at", "changed_at", "four_eyes", "request", "delegated_to", "claim", "same_as", "same_as_state", "eligible_approvers")
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
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    DELEGATED_TO_FIELD_NUMBER: _ClassVar[int]
    CLAIM_FIELD_NUMBER: _ClassVar[int]
    SAME_AS_FIELD_NUMBER: _ClassVar[int]
    SAME_AS_STATE_FIELD_NUMBER: _ClassVar[int]
    ELIGIBLE_APPROVERS_FIELD_NUMBER: _ClassVar[int]
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
    request: ApprovalRequest
    delegated_to: str
    claim: Claim
    same_as: str
    same_as_state: ApprovalState
    eligible_approvers: int
    def __init__(self, id: _Optional[str] = ..., state: _Optional[_Union[ApprovalState, str]] = ..., tenant: _Optional[str] = ..., session: _Optional[str] = ..., agent: _Optional[str] = ..., tool: _Optional[str] = ..., call_id: _Optional[str] = ..., trace_number: _Optional[int] = ..., view_json: _Optional[str] = ..., view_digest: _Optional[str] = ..., approvable: _Optional[bool] = ..., ask_reason: _Optional[str] = ..., rule: _Optional[_Union[_types_pb2.RuleRef, _Mapping]] = ..., quorum: _Optional[int] = ..., votes: _Optional[_Iterable[_Union[Vote, _Mapping]]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., changed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., four_eyes: _Optional[bool] = ..., request: _Optional[_Union[ApprovalRequest, _Mapping]] = ..., delegated_to: _Optional[str] = ..., claim: _Optional[_Union[Claim, _Mapping]] = ..., same_as: _Optional[str] = ..., same_as_state: _Optional[_Union[ApprovalState, str]] = ..., eligible_approvers: _Optional[int] = ...) -> None: ...

class WatchPendingRequest(_message.Message):
    __slots__ = ("tenant", "tool", "cursor", "least_priority")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    LEAST_PRIORITY_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    tool: str
    cursor: str
    least_priority: _types_pb2.Priority
    def __init__(self, tenant: _Optional[str] = ..., tool: _Optional[str] = ..., cursor: _Optional[str] = ..., least_priority: _Optional[_Union[_types_pb2.Priority, str]] = ...) -> None: ...

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
    __slots__ = ("tenant", "tool", "page_size", "page_token", "least_priority")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    LEAST_PRIORITY_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    tool: str
    page_size: int
    page_token: str
    least_priority: _types_pb2.Priority
    def __init__(self, tenant: _Optional[str] = ..., tool: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., least_priority: _Optional[_Union[_types_pb2.Priority, str]] = ...) -> None: ...

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
    __slots__ = ("approval_id", "decision", "view_digest", "reason", "request_id", "selected_option", "delegate_to", "grant")
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    VIEW_DIGEST_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SELECTED_OPTION_FIELD_NUMBER: _ClassVar[int]
    DELEGATE_TO_FIELD_NUMBER: _ClassVar[int]
    GRANT_FIELD_NUMBER: _ClassVar[int]
    approval_id: str
    decision: Decision
    view_digest: str
    reason: str
    request_id: str
    selected_option: str
    delegate_to: str
    grant: GrantWish
    def __init__(self, approval_id: _Optional[str] = ..., decision: _Optional[_Union[Decision, str]] = ..., view_digest: _Optional[str] = ..., reason: _Optional[str] = ..., request_id: _Optional[str] = ..., selected_option: _Optional[str] = ..., delegate_to: _Optional[str] = ..., grant: _Optional[_Union[GrantWish, _Mapping]] = ...) -> None: ...

class GrantWish(_message.Message):
    __slots__ = ("arguments_schema_json", "uses", "lifetime")
    ARGUMENTS_SCHEMA_JSON_FIELD_NUMBER: _ClassVar[int]
    USES_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_FIELD_NUMBER: _ClassVar[int]
    arguments_schema_json: str
    uses: int
    lifetime: _duration_pb2.Duration
    def __init__(self, arguments_schema_json: _Optional[str] = ..., uses: _Optional[int] = ..., lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class Grant(_message.Message):
    __slots__ = ("id", "state", "tenant", "session", "agent", "on_behalf_of", "principal", "tool", "scope", "arguments_schema_json", "highest_priority", "uses", "used", "granted_by", "approval_id", "reason", "granted_at", "expires_at", "changed_at", "trace_number")
    ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    ON_BEHALF_OF_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_SCHEMA_JSON_FIELD_NUMBER: _ClassVar[int]
    HIGHEST_PRIORITY_FIELD_NUMBER: _ClassVar[int]
    USES_FIELD_NUMBER: _ClassVar[int]
    USED_FIELD_NUMBER: _ClassVar[int]
    GRANTED_BY_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    GRANTED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    CHANGED_AT_FIELD_NUMBER: _ClassVar[int]
    TRACE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    id: str
    state: GrantState
    tenant: str
    session: str
    agent: str
    on_behalf_of: _containers.RepeatedScalarFieldContainer[str]
    principal: str
    tool: str
    scope: GrantScope
    arguments_schema_json: str
    highest_priority: _types_pb2.Priority
    uses: int
    used: int
    granted_by: str
    approval_id: str
    reason: str
    granted_at: _timestamp_pb2.Timestamp
    expires_at: _timestamp_pb2.Timestamp
    changed_at: _timestamp_pb2.Timestamp
    trace_number: int
    def __init__(self, id: _Optional[str] = ..., state: _Optional[_Union[GrantState, str]] = ..., tenant: _Optional[str] = ..., session: _Optional[str] = ..., agent: _Optional[str] = ..., on_behalf_of: _Optional[_Iterable[str]] = ..., principal: _Optional[str] = ..., tool: _Optional[str] = ..., scope: _Optional[_Union[GrantScope, str]] = ..., arguments_schema_json: _Optional[str] = ..., highest_priority: _Optional[_Union[_types_pb2.Priority, str]] = ..., uses: _Optional[int] = ..., used: _Optional[int] = ..., granted_by: _Optional[str] = ..., approval_id: _Optional[str] = ..., reason: _Optional[str] = ..., granted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., changed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., trace_number: _Optional[int] = ...) -> None: ...

class ClaimApprovalRequest(_message.Message):
    __slots__ = ("approval_id", "lease")
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    approval_id: str
    lease: _duration_pb2.Duration
    def __init__(self, approval_id: _Optional[str] = ..., lease: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class ClaimApprovalResponse(_message.Message):
    __slots__ = ("claimed", "approval")
    CLAIMED_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_FIELD_NUMBER: _ClassVar[int]
    claimed: bool
    approval: Approval
    def __init__(self, claimed: _Optional[bool] = ..., approval: _Optional[_Union[Approval, _Mapping]] = ...) -> None: ...

class ListGrantsRequest(_message.Message):
    __slots__ = ("tenant", "session", "ended", "page_size", "page_token")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    session: str
    ended: bool
    page_size: int
    page_token: str
    def __init__(self, tenant: _Optional[str] = ..., session: _Optional[str] = ..., ended: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListGrantsResponse(_message.Message):
    __slots__ = ("grants", "next_page_token")
    GRANTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    grants: _containers.RepeatedCompositeFieldContainer[Grant]
    next_page_token: str
    def __init__(self, grants: _Optional[_Iterable[_Union[Grant, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RevokeGrantRequest(_message.Message):
    __slots__ = ("grant_id", "reason")
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    grant_id: str
    reason: str
    def __init__(self, grant_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class RevokeGrantResponse(_message.Message):
    __slots__ = ("grant", "cancelled")
    GRANT_FIELD_NUMBER: _ClassVar[int]
    CANCELLED_FIELD_NUMBER: _ClassVar[int]
    grant: Grant
    cancelled: int
    def __init__(self, grant: _Optional[_Union[Grant, _Mapping]] = ..., cancelled: _Optional[int] = ...) -> None: ...

class ResolveResponse(_message.Message):
    __slots__ = ("accepted", "code", "message", "approval", "replayed", "grant", "released")
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    GRANT_FIELD_NUMBER: _ClassVar[int]
    RELEASED_FIELD_NUMBER: _ClassVar[int]
    accepted: bool
    code: ReceiptCode
    message: str
    approval: Approval
    replayed: bool
    grant: Grant
    released: int
    def __init__(self, accepted: _Optional[bool] = ..., code: _Optional[_Union[ReceiptCode, str]] = ..., message: _Optional[str] = ..., approval: _Optional[_Union[Approval, _Mapping]] = ..., replayed: _Optional[bool] = ..., grant: _Optional[_Union[Grant, _Mapping]] = ..., released: _Optional[int] = ...) -> None: ...
