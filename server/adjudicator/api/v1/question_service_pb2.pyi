import datetime

from adjudicator.api.v1 import approval_service_pb2 as _approval_service_pb2
from adjudicator.api.v1 import types_pb2 as _types_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AnswerCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ANSWER_CODE_UNSPECIFIED: _ClassVar[AnswerCode]
    ANSWER_CODE_ACCEPTED: _ClassVar[AnswerCode]
    ANSWER_CODE_UNKNOWN: _ClassVar[AnswerCode]
    ANSWER_CODE_ALREADY_ANSWERED: _ClassVar[AnswerCode]
    ANSWER_CODE_EXPIRED: _ClassVar[AnswerCode]
    ANSWER_CODE_NOT_ENTITLED: _ClassVar[AnswerCode]
    ANSWER_CODE_NOT_A_PERSON: _ClassVar[AnswerCode]
    ANSWER_CODE_OPTION_UNKNOWN: _ClassVar[AnswerCode]
    ANSWER_CODE_NO_ANSWER: _ClassVar[AnswerCode]
ANSWER_CODE_UNSPECIFIED: AnswerCode
ANSWER_CODE_ACCEPTED: AnswerCode
ANSWER_CODE_UNKNOWN: AnswerCode
ANSWER_CODE_ALREADY_ANSWERED: AnswerCode
ANSWER_CODE_EXPIRED: AnswerCode
ANSWER_CODE_NOT_ENTITLED: AnswerCode
ANSWER_CODE_NOT_A_PERSON: AnswerCode
ANSWER_CODE_OPTION_UNKNOWN: AnswerCode
ANSWER_CODE_NO_ANSWER: AnswerCode

class Question(_message.Message):
    __slots__ = ("id", "state", "tenant", "session", "agent", "principal", "question_id", "text", "options", "recommended_option", "free_text", "priority", "trigger", "asked_at", "expires_at", "changed_at", "trace_number", "selected_option", "answer_text", "answered_by")
    ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    QUESTION_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RECOMMENDED_OPTION_FIELD_NUMBER: _ClassVar[int]
    FREE_TEXT_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    ASKED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    CHANGED_AT_FIELD_NUMBER: _ClassVar[int]
    TRACE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    SELECTED_OPTION_FIELD_NUMBER: _ClassVar[int]
    ANSWER_TEXT_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_BY_FIELD_NUMBER: _ClassVar[int]
    id: str
    state: _types_pb2.QuestionState
    tenant: str
    session: str
    agent: str
    principal: str
    question_id: str
    text: str
    options: _containers.RepeatedScalarFieldContainer[str]
    recommended_option: str
    free_text: bool
    priority: _types_pb2.Priority
    trigger: _types_pb2.Trigger
    asked_at: _timestamp_pb2.Timestamp
    expires_at: _timestamp_pb2.Timestamp
    changed_at: _timestamp_pb2.Timestamp
    trace_number: int
    selected_option: str
    answer_text: str
    answered_by: str
    def __init__(self, id: _Optional[str] = ..., state: _Optional[_Union[_types_pb2.QuestionState, str]] = ..., tenant: _Optional[str] = ..., session: _Optional[str] = ..., agent: _Optional[str] = ..., principal: _Optional[str] = ..., question_id: _Optional[str] = ..., text: _Optional[str] = ..., options: _Optional[_Iterable[str]] = ..., recommended_option: _Optional[str] = ..., free_text: _Optional[bool] = ..., priority: _Optional[_Union[_types_pb2.Priority, str]] = ..., trigger: _Optional[_Union[_types_pb2.Trigger, str]] = ..., asked_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., changed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., trace_number: _Optional[int] = ..., selected_option: _Optional[str] = ..., answer_text: _Optional[str] = ..., answered_by: _Optional[str] = ...) -> None: ...

class WatchQuestionsRequest(_message.Message):
    __slots__ = ("tenant", "cursor", "least_priority")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    LEAST_PRIORITY_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    cursor: str
    least_priority: _types_pb2.Priority
    def __init__(self, tenant: _Optional[str] = ..., cursor: _Optional[str] = ..., least_priority: _Optional[_Union[_types_pb2.Priority, str]] = ...) -> None: ...

class WatchQuestionsResponse(_message.Message):
    __slots__ = ("cursor", "snapshot", "change", "heartbeat", "resync")
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    RESYNC_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    snapshot: QuestionSnapshot
    change: Question
    heartbeat: _approval_service_pb2.Heartbeat
    resync: _approval_service_pb2.Resync
    def __init__(self, cursor: _Optional[str] = ..., snapshot: _Optional[_Union[QuestionSnapshot, _Mapping]] = ..., change: _Optional[_Union[Question, _Mapping]] = ..., heartbeat: _Optional[_Union[_approval_service_pb2.Heartbeat, _Mapping]] = ..., resync: _Optional[_Union[_approval_service_pb2.Resync, _Mapping]] = ...) -> None: ...

class QuestionSnapshot(_message.Message):
    __slots__ = ("questions", "complete")
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    questions: _containers.RepeatedCompositeFieldContainer[Question]
    complete: bool
    def __init__(self, questions: _Optional[_Iterable[_Union[Question, _Mapping]]] = ..., complete: _Optional[bool] = ...) -> None: ...

class ListQuestionsRequest(_message.Message):
    __slots__ = ("tenant", "page_size", "page_token")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    page_size: int
    page_token: str
    def __init__(self, tenant: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListQuestionsResponse(_message.Message):
    __slots__ = ("questions", "next_page_token")
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    questions: _containers.RepeatedCompositeFieldContainer[Question]
    next_page_token: str
    def __init__(self, questions: _Optional[_Iterable[_Union[Question, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class AnswerQuestionRequest(_message.Message):
    __slots__ = ("id", "selected_option", "text")
    ID_FIELD_NUMBER: _ClassVar[int]
    SELECTED_OPTION_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    id: str
    selected_option: str
    text: str
    def __init__(self, id: _Optional[str] = ..., selected_option: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class AnswerQuestionResponse(_message.Message):
    __slots__ = ("accepted", "code", "message", "question")
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    accepted: bool
    code: AnswerCode
    message: str
    question: Question
    def __init__(self, accepted: _Optional[bool] = ..., code: _Optional[_Union[AnswerCode, str]] = ..., message: _Optional[str] = ..., question: _Optional[_Union[Question, _Mapping]] = ...) -> None: ...
