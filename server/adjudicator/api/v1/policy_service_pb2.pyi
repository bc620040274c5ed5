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
