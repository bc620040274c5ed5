"""One channel to one plane: where it leads, what it sends along, how its errors come back."""

import threading
from collections.abc import Generator
from typing import Any, Self, TypeVar

import grpc

from adjudicator.client.errors import ClientError, client_error

MAX_RECEIVE_BYTES = 16 * 1024 * 1024
REQUEST_SECONDS = 30.0

Request = TypeVar("Request")
Response = TypeVar("Response")

_OPTIONS = (
    ("grpc.max_receive_message_length", MAX_RECEIVE_BYTES),
    ("grpc.max_send_message_length", -1),
    # A proxy for the web is no way to a sidecar, and what it would see is nobody's business.
    ("grpc.enable_http_proxy", 0),
    # However long a sidecar was away, a program that waits for it is not kept waiting much longer.
    ("grpc.max_reconnect_backoff_ms", 5_000),
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
        self,
        method: "grpc.UnaryStreamMultiCallable[Request, Response]",
        request: Request,
        silence_seconds: float,
    ) -> Generator[Response]:
        """Every response until the sidecar ends the stream. Raises ClientError.

        Has no time limit, but nothing may be waited for longer than `silence_seconds`: a sidecar that
        hangs keeps its streams open, and its listeners must not take that for quiet.
        """
        call: Any = method(request, metadata=self._metadata)
        silence = _Silence(call, silence_seconds)
        try:
            while True:
                with silence:
                    response = next(call, None)
                if response is None:
                    return
                yield response
        except grpc.RpcError as error:
            if silence.too_long:
                raise _silent(self.address, silence_seconds) from error
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


class _Silence:
    """Cancels a call when a block takes longer than it may, once for each block."""

    def __init__(self, call: Any, seconds: float) -> None:
        self._call = call
        self._seconds = seconds
        self.too_long = False

    def __enter__(self) -> None:
        self._timer = threading.Timer(self._seconds, self._cancel)
        self._timer.daemon = True
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def _cancel(self) -> None:
        self.too_long = True
        self._call.cancel()


def _silent(address: str, seconds: float) -> ClientError:
    message = f"the sidecar has been silent for {seconds:g} seconds, without a sign of life"
    return ClientError(grpc.StatusCode.DEADLINE_EXCEEDED, message, address)
