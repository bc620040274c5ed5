import datetime

from adjudicator.api.v1 import approval_service_pb2 as _approval_service_pb2
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

class TraceKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRACE_KIND_UNSPECIFIED: _ClassVar[TraceKind]
    TRACE_KIND_CALL: _ClassVar[TraceKind]
    TRACE_KIND_FLOW: _ClassVar[TraceKind]
    TRACE_KIND_GRANT: _ClassVar[TraceKind]
    TRACE_KIND_QUESTION: _ClassVar[TraceKind]
    TRACE_KIND_SESSION: _ClassVar[TraceKind]

class ElementKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ELEMENT_KIND_UNSPECIFIED: _ClassVar[ElementKind]
    ELEMENT_KIND_INPUT_CONTEXT: _ClassVar[ElementKind]
    ELEMENT_KIND_PROPOSED_ACTION: _ClassVar[ElementKind]
    ELEMENT_KIND_VERDICT: _ClassVar[ElementKind]
    ELEMENT_KIND_TOOL_CALL: _ClassVar[ElementKind]
    ELEMENT_KIND_APPROVAL: _ClassVar[ElementKind]
    ELEMENT_KIND_RESULT: _ClassVar[ElementKind]
    ELEMENT_KIND_FINAL_OUTPUT: _ClassVar[ElementKind]
TRACE_KIND_UNSPECIFIED: TraceKind
TRACE_KIND_CALL: TraceKind
TRACE_KIND_FLOW: TraceKind
TRACE_KIND_GRANT: TraceKind
TRACE_KIND_QUESTION: TraceKind
TRACE_KIND_SESSION: TraceKind
ELEMENT_KIND_UNSPECIFIED: ElementKind
ELEMENT_KIND_INPUT_CONTEXT: ElementKind
ELEMENT_KIND_PROPOSED_ACTION: ElementKind
ELEMENT_KIND_VERDICT: ElementKind
ELEMENT_KIND_TOOL_CALL: ElementKind
ELEMENT_KIND_APPROVAL: ElementKind
ELEMENT_KIND_RESULT: ElementKind
ELEMENT_KIND_FINAL_OUTPUT: ElementKind

class Element(_message.Message):
    __slots__ = ("sequence", "kind", "recorded_at", "body_json")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    RECORDED_AT_FIELD_NUMBER: _ClassVar[int]
    BODY_JSON_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    kind: ElementKind
    recorded_at: _timestamp_pb2.Timestamp
    body_json: str
    def __init__(self, sequence: _Optional[int] = ..., kind: _Optional[_Union[ElementKind, str]] = ..., recorded_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., body_json: _Optional[str] = ...) -> None: ...

class Trace(_message.Message):
    __slots__ = ("number", "opened_at", "finished_at", "tenant", "session", "agent", "tool", "verdict", "elements", "kind", "flow_id", "flow_trace", "object_id")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    OPENED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    ELEMENTS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    FLOW_TRACE_FIELD_NUMBER: _ClassVar[int]
    OBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    number: int
    opened_at: _timestamp_pb2.Timestamp
    finished_at: _timestamp_pb2.Timestamp
    tenant: str
    session: str
    agent: str
    tool: str
    verdict: _types_pb2.Verdict
    elements: _containers.RepeatedCompositeFieldContainer[Element]
    kind: TraceKind
    flow_id: str
    flow_trace: int
    object_id: str
    def __init__(self, number: _Optional[int] = ..., opened_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., finished_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., tenant: _Optional[str] = ..., session: _Optional[str] = ..., agent: _Optional[str] = ..., tool: _Optional[str] = ..., verdict: _Optional[_Union[_types_pb2.Verdict, _Mapping]] = ..., elements: _Optional[_Iterable[_Union[Element, _Mapping]]] = ..., kind: _Optional[_Union[TraceKind, str]] = ..., flow_id: _Optional[str] = ..., flow_trace: _Optional[int] = ..., object_id: _Optional[str] = ...) -> None: ...

class GetTraceRequest(_message.Message):
    __slots__ = ("number",)
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    number: int
    def __init__(self, number: _Optional[int] = ...) -> None: ...

class GetTraceResponse(_message.Message):
    __slots__ = ("trace",)
    TRACE_FIELD_NUMBER: _ClassVar[int]
    trace: Trace
    def __init__(self, trace: _Optional[_Union[Trace, _Mapping]] = ...) -> None: ...

class ListTracesRequest(_message.Message):
    __slots__ = ("tenant", "session", "agent", "tool", "outcome", "page_size", "page_token", "step", "reason_code", "cause", "approval_id", "flow_trace", "since", "until")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    REASON_CODE_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    FLOW_TRACE_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    session: str
    agent: str
    tool: str
    outcome: _types_pb2.Outcome
    page_size: int
    page_token: str
    step: _types_pb2.Step
    reason_code: _types_pb2.ReasonCode
    cause: _types_pb2.Cause
    approval_id: str
    flow_trace: int
    since: _timestamp_pb2.Timestamp
    until: _timestamp_pb2.Timestamp
    def __init__(self, tenant: _Optional[str] = ..., session: _Optional[str] = ..., agent: _Optional[str] = ..., tool: _Optional[str] = ..., outcome: _Optional[_Union[_types_pb2.Outcome, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., step: _Optional[_Union[_types_pb2.Step, str]] = ..., reason_code: _Optional[_Union[_types_pb2.ReasonCode, str]] = ..., cause: _Optional[_Union[_types_pb2.Cause, str]] = ..., approval_id: _Optional[str] = ..., flow_trace: _Optional[int] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class TraceFilter(_message.Message):
    __slots__ = ("tenant", "session", "agent", "tool", "outcome", "step", "reason_code", "cause", "approval_id", "flow_trace", "since", "until")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    REASON_CODE_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_ID_FIELD_NUMBER: _ClassVar[int]
    FLOW_TRACE_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    session: str
    agent: str
    tool: str
    outcome: _types_pb2.Outcome
    step: _types_pb2.Step
    reason_code: _types_pb2.ReasonCode
    cause: _types_pb2.Cause
    approval_id: str
    flow_trace: int
    since: _timestamp_pb2.Timestamp
    until: _timestamp_pb2.Timestamp
    def __init__(self, tenant: _Optional[str] = ..., session: _Optional[str] = ..., agent: _Optional[str] = ..., tool: _Optional[str] = ..., outcome: _Optional[_Union[_types_pb2.Outcome, str]] = ..., step: _Optional[_Union[_types_pb2.Step, str]] = ..., reason_code: _Optional[_Union[_types_pb2.ReasonCode, str]] = ..., cause: _Optional[_Union[_types_pb2.Cause, str]] = ..., approval_id: _Optional[str] = ..., flow_trace: _Optional[int] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListTracesResponse(_message.Message):
    __slots__ = ("traces", "next_page_token")
    TRACES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    traces: _containers.RepeatedCompositeFieldContainer[Trace]
    next_page_token: str
    def __init__(self, traces: _Optional[_Iterable[_Union[Trace, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class WatchTracesRequest(_message.Message):
    __slots__ = ("filter", "cursor")
    FILTER_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    filter: TraceFilter
    cursor: str
    def __init__(self, filter: _Optional[_Union[TraceFilter, _Mapping]] = ..., cursor: _Optional[str] = ...) -> None: ...

class WatchTracesResponse(_message.Message):
    __slots__ = ("cursor", "record", "heartbeat", "resync")
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    RESYNC_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    record: AppendedRecord
    heartbeat: _approval_service_pb2.Heartbeat
    resync: _approval_service_pb2.Resync
    def __init__(self, cursor: _Optional[str] = ..., record: _Optional[_Union[AppendedRecord, _Mapping]] = ..., heartbeat: _Optional[_Union[_approval_service_pb2.Heartbeat, _Mapping]] = ..., resync: _Optional[_Union[_approval_service_pb2.Resync, _Mapping]] = ...) -> None: ...

class AppendedRecord(_message.Message):
    __slots__ = ("writer", "sequence", "trace_number", "place", "kind", "tenant", "session", "agent", "tool", "flow_id", "flow_trace", "recorded_at", "elements", "finished")
    WRITER_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TRACE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    FLOW_TRACE_FIELD_NUMBER: _ClassVar[int]
    RECORDED_AT_FIELD_NUMBER: _ClassVar[int]
    ELEMENTS_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    writer: str
    sequence: int
    trace_number: int
    place: int
    kind: TraceKind
    tenant: str
    session: str
    agent: str
    tool: str
    flow_id: str
    flow_trace: int
    recorded_at: _timestamp_pb2.Timestamp
    elements: _containers.RepeatedCompositeFieldContainer[Element]
    finished: bool
    def __init__(self, writer: _Optional[str] = ..., sequence: _Optional[int] = ..., trace_number: _Optional[int] = ..., place: _Optional[int] = ..., kind: _Optional[_Union[TraceKind, str]] = ..., tenant: _Optional[str] = ..., session: _Optional[str] = ..., agent: _Optional[str] = ..., tool: _Optional[str] = ..., flow_id: _Optional[str] = ..., flow_trace: _Optional[int] = ..., recorded_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., elements: _Optional[_Iterable[_Union[Element, _Mapping]]] = ..., finished: _Optional[bool] = ...) -> None: ...

class SummarizeTracesRequest(_message.Message):
    __slots__ = ("filter", "bucket")
    FILTER_FIELD_NUMBER: _ClassVar[int]
    BUCKET_FIELD_NUMBER: _ClassVar[int]
    filter: TraceFilter
    bucket: _duration_pb2.Duration
    def __init__(self, filter: _Optional[_Union[TraceFilter, _Mapping]] = ..., bucket: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class SummarizeTracesResponse(_message.Message):
    __slots__ = ("calls", "flows", "outcomes", "steps", "causes", "denied_tools", "denied_agents", "denying_rules", "denials_read", "approvals", "bucket", "buckets")
    CALLS_FIELD_NUMBER: _ClassVar[int]
    FLOWS_FIELD_NUMBER: _ClassVar[int]
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    CAUSES_FIELD_NUMBER: _ClassVar[int]
    DENIED_TOOLS_FIELD_NUMBER: _ClassVar[int]
    DENIED_AGENTS_FIELD_NUMBER: _ClassVar[int]
    DENYING_RULES_FIELD_NUMBER: _ClassVar[int]
    DENIALS_READ_FIELD_NUMBER: _ClassVar[int]
    APPROVALS_FIELD_NUMBER: _ClassVar[int]
    BUCKET_FIELD_NUMBER: _ClassVar[int]
    BUCKETS_FIELD_NUMBER: _ClassVar[int]
    calls: int
    flows: int
    outcomes: _containers.RepeatedCompositeFieldContainer[Count]
    steps: _containers.RepeatedCompositeFieldContainer[Count]
    causes: _containers.RepeatedCompositeFieldContainer[Count]
    denied_tools: _containers.RepeatedCompositeFieldContainer[Count]
    denied_agents: _containers.RepeatedCompositeFieldContainer[Count]
    denying_rules: _containers.RepeatedCompositeFieldContainer[Count]
    denials_read: int
    approvals: _containers.RepeatedCompositeFieldContainer[ApprovalCount]
    bucket: _duration_pb2.Duration
    buckets: _containers.RepeatedCompositeFieldContainer[Bucket]
    def __init__(self, calls: _Optional[int] = ..., flows: _Optional[int] = ..., outcomes: _Optional[_Iterable[_Union[Count, _Mapping]]] = ..., steps: _Optional[_Iterable[_Union[Count, _Mapping]]] = ..., causes: _Optional[_Iterable[_Union[Count, _Mapping]]] = ..., denied_tools: _Optional[_Iterable[_Union[Count, _Mapping]]] = ..., denied_agents: _Optional[_Iterable[_Union[Count, _Mapping]]] = ..., denying_rules: _Optional[_Iterable[_Union[Count, _Mapping]]] = ..., denials_read: _Optional[int] = ..., approvals: _Optional[_Iterable[_Union[ApprovalCount, _Mapping]]] = ..., bucket: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., buckets: _Optional[_Iterable[_Union[Bucket, _Mapping]]] = ...) -> None: ...

class Count(_message.Message):
    __slots__ = ("name", "count")
    NAME_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    name: str
    count: int
    def __init__(self, name: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class ApprovalCount(_message.Message):
    __slots__ = ("state", "count", "median", "ninetieth")
    STATE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    MEDIAN_FIELD_NUMBER: _ClassVar[int]
    NINETIETH_FIELD_NUMBER: _ClassVar[int]
    state: _approval_service_pb2.ApprovalState
    count: int
    median: _duration_pb2.Duration
    ninetieth: _duration_pb2.Duration
    def __init__(self, state: _Optional[_Union[_approval_service_pb2.ApprovalState, str]] = ..., count: _Optional[int] = ..., median: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., ninetieth: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class Bucket(_message.Message):
    __slots__ = ("starts_at", "outcomes")
    STARTS_AT_FIELD_NUMBER: _ClassVar[int]
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    starts_at: _timestamp_pb2.Timestamp
    outcomes: _containers.RepeatedCompositeFieldContainer[Count]
    def __init__(self, starts_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., outcomes: _Optional[_Iterable[_Union[Count, _Mapping]]] = ...) -> None: ...
