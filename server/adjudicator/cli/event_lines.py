"""What is pending, or open, as lines for a person: what the two watches of it have in common."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp
from rich.text import Text

from adjudicator.cli.moments import moment
from adjudicator.cli.output import out, print_line
from adjudicator.domain.clock import SystemClock

T = TypeVar("T")


class EventLines(Generic[T]):
    """Prints each event as a line, and says of breaks and snapshots. Who inherits says what a row is.

    `noun` is what there is so much of after a snapshot, as `pending`; `suspended` what a break means.
    """

    noun: str
    suspended: str

    def __init__(self) -> None:
        self.console = out()
        self._clock = SystemClock()
        self._ahead = timedelta()
        self._listed = 0

    def row(self, item: T, now: datetime) -> None:
        """Print one of them."""
        raise NotImplementedError

    def show(self, item: T) -> None:
        """Print one of them as it is now."""
        self.row(item, self._now())

    def listed(self, items: Iterable[T], *, complete: bool) -> None:
        """Print a part of a snapshot, and how many there are after the last."""
        for item in items:
            self.show(item)
            self._listed += 1
        if complete:
            self._say(f"{self._listed} {self.noun}", "as of now", "bold")
            self._listed = 0

    def heard(self, now: Timestamp) -> None:
        """Take a sign of life, which only sets the clock by which time left is told."""
        self._ahead = moment(now) - self._clock.now()

    def restarted(self, reason: str) -> None:
        """Say that what follows begins anew."""
        self._listed = 0
        self._say("starting over", reason, "yellow")

    def closed(self, reason: str) -> None:
        """Say that nothing on the screen is current."""
        self._say("stream closed", f"{reason}. {self.suspended}", "bold red")

    def back(self) -> None:
        """Say that it is current again."""
        self._say("stream is back", "what follows is current", "bold green")

    def _say(self, what: str, detail: str, style: str) -> None:
        print_line(self.console, f"{clock_time(self._now())}  ", Text(what, style=style), f"  {detail}")

    def _now(self) -> datetime:
        return self._clock.now() + self._ahead


def clock_time(now: datetime) -> str:
    """The time of day, as a line begins with it."""
    return now.astimezone().strftime("%H:%M:%S")
