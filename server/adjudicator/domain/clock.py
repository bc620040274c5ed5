"""Time as a value that is passed in. Nothing else in the product reads a clock."""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

_TOLERANCE = timedelta(seconds=2)


class Clock(Protocol):
    """Tells the time; never goes back."""

    def now(self) -> datetime:
        """The present, in UTC."""
        ...


class SystemClock:
    """The wall clock, held up by the monotonic one.

    It never goes back: not when somebody sets the wall clock back, and not behind `floor`, the
    latest time that was ever recorded. A time limit that has run out therefore stays run out.
    `was_set_back` says that the wall clock was found behind that time: how long limits have really been
    running cannot be known then.
    """

    def __init__(self, floor: datetime | None = None) -> None:
        wall = _wall()
        # More than a correction of the clock could take back: somebody set it.
        self.was_set_back = floor is not None and wall < floor - _TOLERANCE
        self._latest = wall if floor is None else max(wall, floor)
        self._looked = time.monotonic_ns()

    def now(self) -> datetime:
        """The present, in UTC."""
        passed = (time.monotonic_ns() - self._looked) // 1000
        # What is less than a microsecond stays for the next look, or time would stand still for many.
        self._looked += passed * 1000
        self._latest = max(_wall(), self._latest + timedelta(microseconds=passed))
        return self._latest


def _wall() -> datetime:
    return datetime.now(UTC)
