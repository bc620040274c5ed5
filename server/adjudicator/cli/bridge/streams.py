"""Following the sidecar's streams into the outbox: what is pending, every change, and every break."""

import contextlib
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from adjudicator.cli.bridge import messages
from adjudicator.cli.bridge.outbox import Outbox
from adjudicator.cli.bridge.shown import Shown
from adjudicator.cli.following import Response

R = TypeVar("R", bound=Response)


class Link:
    """Whether one stream is there now. While it is not, nothing of it is current and nothing is decided."""

    def __init__(self, stream: str, outbox: Outbox) -> None:
        self.stream = stream
        self._outbox = outbox
        self._up = threading.Event()

    @property
    def is_up(self) -> bool:
        """Whether what the editor was told is current."""
        return self._up.is_set()

    def up(self) -> None:
        """Something came."""
        if not self._up.is_set():
            self._up.set()
            self._outbox.tell(messages.status(self.stream, "connected", connected=True))

    def forget(self) -> None:
        """What was told of it may be lost: it is told again with what comes next."""
        self._up.clear()

    def down(self, reason: str) -> None:
        """Nothing comes."""
        self._up.clear()
        message = f"{reason}; nothing of this stream is current, and nothing of it is decided"
        self._outbox.tell(messages.status(self.stream, message, connected=False))


@dataclass(frozen=True, slots=True)
class Desk:
    """What an answer is held against: whether its stream is there, and what of it was shown."""

    link: Link
    shown: Shown


class Restarting(Generic[R]):
    """A watch that begins anew, with a snapshot, after lines were dropped since nobody read them."""

    def __init__(
        self, link: Link, outbox: Outbox, watch: Callable[[str], Generator[R]], forget: Callable[[], None]
    ) -> None:
        self._link = link
        self._outbox = outbox
        self._watch = watch
        self._forget = forget
        self._losses = outbox.losses
        self._snapshot_is_due = False

    def follow(self, cursor: str) -> Iterator[R]:
        """Every event after `cursor`, until the sidecar ends the stream.

        Losses count whenever they were, and a snapshot that is due stays due until it is complete: a break
        in between must not lead back to a cursor of the time before.
        """
        while True:
            if self._has_losses():
                self._begin_anew()
            with contextlib.closing(self._watch("" if self._snapshot_is_due else cursor)) as events:
                for event in events:
                    yield event
                    self._snapshot_is_due &= not event.cursor
                    if self._has_losses():
                        break
                else:
                    return

    def _has_losses(self) -> bool:
        return self._outbox.losses != self._losses

    def _begin_anew(self) -> None:
        self._outbox.wait_until_read()
        self._losses = self._outbox.losses
        self._snapshot_is_due = True
        self._link.forget()
        self._forget()
        self._outbox.tell(messages.resync(self._link.stream))


class SidecarTime:
    """The sidecar's time by its last sign of life: by it the time left is told."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._ahead = timedelta()

    def set(self, now: datetime) -> None:
        """Take this for its time."""
        self._ahead = now - self._now()

    def now(self) -> datetime:
        """Its time now."""
        return self._now() + self._ahead
