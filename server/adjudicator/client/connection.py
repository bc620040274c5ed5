"""One channel to one plane: where it leads, what it sends along, how its errors come back."""

from collections.abc import Iterator
from typing import Any, Self, TypeVar

import grpc

from adjudicator.client.errors import client_error

MAX_RECEIVE_BYTES = 16 * 1024 * 1024
REQUEST_SECONDS = 30.0

Request = TypeVar("Request")
Response = TypeVar("Response")

_OPTIONS = (
    ("grpc.max_receive_message_length", MAX_RECEIVE_BYTES),
    ("grpc.max_send_message_length", -1),
    # A proxy for the web is no way to a sidecar, and what it would see is nobody's business.
    ("grpc.enable_http_proxy", 0),
)


class Connection:
    """A plain-text channel to `address`, which is host:port or unix:/path.

    Nothing is sent before the first request. `timeout` is in seconds and holds for each request.
    """

    def __init__(self, address: str, timeout: float = REQUEST_SECONDS, token: str = "") -> None:
        self.address = address
        self.timeout = timeout
        self.channel = grpc.insecure_channel(address, options=_OPTIONS)
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()

    def unary(
        self,
        method: "grpc.UnaryUnaryMultiCallable[Request, Response]",
        request: Request,
        extra_seconds: float = 0.0,
    ) -> Response:
        """The response. Raises ClientError."""
        try:
            return method(request, timeout=self.timeout + extra_seconds, metadata=self._metadata)
        except grpc.RpcError as error:
            raise client_error(error, self.address) from error

    def stream(
        self, method: "grpc.UnaryStreamMultiCallable[Request, Response]", request: Request
    ) -> Iterator[Response]:
        """Every response until the sidecar ends the stream. Raises ClientError. Has no time limit."""
        call: Any = method(request, metadata=self._metadata)
        try:
            yield from call
        except grpc.RpcError as error:
            raise client_error(error, self.address) from error
        finally:
            call.cancel()

    def close(self) -> None:
        """End every request that is under way and free the channel."""
        self.channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
