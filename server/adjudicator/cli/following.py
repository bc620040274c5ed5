"""Following a stream through breaks, for whoever shows it."""

import time
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

import grpc
from google.protobuf.message import Message

from adjudicator.cli.message_json import message_json
from adjudicator.cli.output import print_json
from adjudicator.client.errors import ClientError

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 15.0
# Coming again does not help against these.
_FINAL = frozenset(
    {
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.UNIMPLEMENTED,
        grpc.StatusCode.INVALID_ARGUMENT,
    }
)


class Response(Protocol):
    """One event of a stream, with the cursor that continues after it."""

    cursor: str


R = TypeVar("R", bound=Response)
R_contra = TypeVar("R_contra", bound=Response, contravariant=True)


class Screen(Protocol[R_contra]):
    """Where a stream is shown."""

    def event(self, response: R_contra) -> None:
        """Show one event."""
        ...

    def closed(self, reason: str) -> None:
        """Say that the stream is closed."""
        ...

    def back(self) -> None:
        """Say that it is open again."""
        ...


class Following(Generic[R]):
    """Follows a stream through breaks: it continues from the last cursor, after growing pauses."""

    def __init__(
        self,
        follow: Callable[[str], Iterator[R]],
        screen: Screen[R],
        *,
        cursor: str = "",
        is_last: Callable[[R], bool] = lambda _: False,
        patient: bool = False,
    ) -> None:
        self._follow = follow
        self._screen = screen
        self._is_last = is_last
        self._patient = patient
        self._cursor = cursor
        self._seen = False
        self._open = True
        self._pause = FIRST_PAUSE_SECONDS

    def run(self, sleep: Callable[[float], None] = time.sleep) -> None:
        """Follow until interrupted, or until the last event that is wanted.

        Raises ClientError when coming again cannot help, or, unless it is patient, when there was nothing
        from the start.
        """
        while not self._followed():
            sleep(self._pause)
            self._pause = min(self._pause * 2, LONGEST_PAUSE_SECONDS)

    def _followed(self) -> bool:
        try:
            for response in self._follow(self._cursor):
                self._take(response)
                if self._is_last(response):
                    return True
        except ClientError as error:
            if error.code in _FINAL or not (self._seen or self._patient):
                raise
            reason = (
                "no sidecar answers" if error.unreachable else f"{error.reason} {error.message}".strip()
            )
        else:
            reason = "the sidecar ended it"
        if self._open:
            self._open = False
            self._screen.closed(reason)
        return False

    def _take(self, response: R) -> None:
        if not self._open:
            self._open = True
            self._screen.back()
        self._screen.event(response)
        self._cursor = response.cursor
        self._seen = True
        self._pause = FIRST_PAUSE_SECONDS


class JsonLines:
    """Each event as a line of JSON."""

    def event(self, response: Message) -> None:
        """Print the event as it came."""
        print_json(message_json(response))

    def closed(self, reason: str) -> None:
        """Print a line that is no event of the sidecar's."""
        print_json({"closed": {"reason": reason}})

    def back(self) -> None:
        """Print the end of the break."""
        print_json({"back": {}})
