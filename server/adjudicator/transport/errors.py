"""The one table from a reason to a gRPC status, and the guard that applies it to every method."""

import functools
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn, TypeVar

import grpc
import structlog
from google.protobuf import any_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc import aio
from grpc_status import rpc_status

from adjudicator.domain.errors import ERROR_DOMAIN, AdjudicatorError, ErrorReason

STATUS: dict[ErrorReason, grpc.StatusCode] = {
    ErrorReason.MALFORMED_REQUEST: grpc.StatusCode.INVALID_ARGUMENT,
    ErrorReason.UNAUTHENTICATED: grpc.StatusCode.UNAUTHENTICATED,
    ErrorReason.STORE_UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
    ErrorReason.POLICY_INVALID: grpc.StatusCode.UNAVAILABLE,
    ErrorReason.DRAINING: grpc.StatusCode.UNAVAILABLE,
    ErrorReason.NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    ErrorReason.TRACE_FROZEN: grpc.StatusCode.FAILED_PRECONDITION,
    ErrorReason.NOT_ALLOWED: grpc.StatusCode.FAILED_PRECONDITION,
    ErrorReason.RECORD_ALTERED: grpc.StatusCode.DATA_LOSS,
    ErrorReason.LIMIT_EXCEEDED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    ErrorReason.FLOW_ID_REUSED: grpc.StatusCode.ALREADY_EXISTS,
    ErrorReason.QUESTION_ID_REUSED: grpc.StatusCode.ALREADY_EXISTS,
    ErrorReason.SESSION_CLOSED: grpc.StatusCode.FAILED_PRECONDITION,
    ErrorReason.INTERNAL: grpc.StatusCode.INTERNAL,
}
_log = structlog.get_logger("adjudicator.transport")
Context = aio.ServicerContext[Any, Any]
Servicer = TypeVar("Servicer")
Request = TypeVar("Request")
Response = TypeVar("Response")


async def abort(context: Context, error: AdjudicatorError) -> NoReturn:
    """End the call with the error's status, its reason as ErrorInfo and its fields as BadRequest."""
    details = [_packed(error_details_pb2.ErrorInfo(reason=error.reason.value, domain=ERROR_DOMAIN))]
    if error.fields:
        violations = [
            error_details_pb2.BadRequest.FieldViolation(field=name, description=problem)
            for name, problem in error.fields.items()
        ]
        details.append(_packed(error_details_pb2.BadRequest(field_violations=violations)))
    status = status_pb2.Status(
        code=code_pb2.Code.Value(STATUS[error.reason].name), message=error.message, details=details
    )
    await context.abort_with_status(rpc_status.to_status(status))
    raise AssertionError("abort_with_status does not return")


def guarded(
    method: Callable[[Servicer, Request, Context], Awaitable[Response]],
) -> Callable[[Servicer, Request, Context], Awaitable[Response]]:
    """A method whose errors leave by the table. What is unknown leaves as INTERNAL."""

    @functools.wraps(method)
    async def method_with_errors(self: Servicer, request: Request, context: Context) -> Response:
        try:
            return await method(self, request, context)
        except AdjudicatorError as error:
            if error.reason is ErrorReason.INTERNAL:
                await abort(context, _internal(method.__qualname__, error))
            if error.reason is ErrorReason.RECORD_ALTERED:
                _log.error("somebody changed what is on record", problem=error.message)
            await abort(context, error)
        except aio.AbortError:
            raise
        except Exception as error:  # noqa: BLE001 - detail stays in the log, the caller gets an id
            await abort(context, _internal(method.__qualname__, error))

    return method_with_errors


def _internal(method: str, error: Exception) -> AdjudicatorError:
    request_id = secrets.token_hex(8)
    _log.error("a request failed", method=method, request_id=request_id, exc_info=error)
    return AdjudicatorError(
        ErrorReason.INTERNAL, f"a fault in the sidecar; its log has it as request {request_id}"
    )


def _packed(message: Any) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed
