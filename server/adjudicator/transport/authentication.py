"""Who speaks on the approver plane: whom the bearer token names. No request field says it."""

import hashlib
import hmac
import re
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

import grpc
from grpc import aio

from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.transport.errors import abort

_NAME = re.compile(r"[a-z0-9._-]{1,64}")
_SUFFIX = ".token"
_SHORTEST_TOKEN = 32
_OPEN = "/grpc.health.v1.Health/"
Metadata = Iterable[tuple[str, str | bytes]]
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"  # not subscriptable when it runs


class Approvers:
    """The people whose tokens lie in a folder: `<name>.token`, readable by its owner only.

    The folder is read anew for a token that is not known, so people can be added, and for every
    known one its file is looked at again, so people can be removed while the sidecar runs.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def actor(self, metadata: Metadata) -> str:
        """The actor of a request, `user:<name>`; raises UNAUTHENTICATED."""
        presented = _bearer(metadata)
        found = ""
        if presented is not None:
            digest = hashlib.sha256(presented.encode()).digest()
            for name, token in self._tokens():
                # No early end: the time taken tells nothing about which token nearly fits.
                if hmac.compare_digest(hashlib.sha256(token.encode()).digest(), digest):
                    found = name
        if not found:
            raise AdjudicatorError(
                ErrorReason.UNAUTHENTICATED,
                "the approver plane needs 'authorization: Bearer TOKEN' with the token of an approver",
            )
        return f"user:{found}"

    def _tokens(self) -> Iterable[tuple[str, str]]:
        try:
            files = sorted(self._folder.glob(f"*{_SUFFIX}"))
        except OSError:
            return
        for file in files:
            name = file.name.removesuffix(_SUFFIX)
            token = _read_token(file)
            if token is not None and _NAME.fullmatch(name):
                yield name, token


class RequireApprover(aio.ServerInterceptor):
    """Lets only known approvers through to any method but the health check."""

    def __init__(self, approvers: Approvers) -> None:
        self._approvers = approvers

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable["Handler | None"]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "Handler | None":
        """The method, or one that answers UNAUTHENTICATED."""
        handler = await continuation(handler_call_details)
        if handler is None or handler_call_details.method.startswith(_OPEN):
            return handler
        try:
            self._approvers.actor(handler_call_details.invocation_metadata)
        except AdjudicatorError as error:
            return _refusing(handler, error)
        return handler


def _refusing(handler: Handler, error: AdjudicatorError) -> Handler:
    async def unary(_: Any, context: aio.ServicerContext[Any, Any]) -> None:
        await abort(context, error)

    async def stream(_: Any, context: aio.ServicerContext[Any, Any]) -> Any:
        await abort(context, error)
        yield

    makers: dict[tuple[bool, bool], tuple[Any, Any]] = {
        (False, False): (grpc.unary_unary_rpc_method_handler, unary),
        (False, True): (grpc.unary_stream_rpc_method_handler, stream),
        (True, False): (grpc.stream_unary_rpc_method_handler, unary),
        (True, True): (grpc.stream_stream_rpc_method_handler, stream),
    }
    make, behaviour = makers[bool(handler.request_streaming), bool(handler.response_streaming)]
    refusing: Handler = make(behaviour, handler.request_deserializer, handler.response_serializer)
    return refusing


def _bearer(metadata: Metadata) -> str | None:
    values = [value for key, value in metadata if key.lower() == "authorization"]
    if len(values) != 1 or not isinstance(values[0], str):
        return None
    scheme, _, token = values[0].partition(" ")
    return token if scheme.lower() == "bearer" and token else None


def _read_token(file: Path) -> str | None:
    """The token, or None for a file that others can read, that is too short, or that cannot be read."""
    try:
        if file.is_symlink() or file.stat().st_mode & 0o077:
            return None
        token = file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return token if len(token) >= _SHORTEST_TOKEN else None
