"""Moments and remaining time as a person reads them."""

from datetime import UTC, datetime, timedelta

from google.protobuf.timestamp_pb2 import Timestamp
from rich.text import Text

_MINUTE = 60
_UNITS = ((86_400, "d", 3600, "h"), (3600, "h", 60, "m"), (60, "m", 1, "s"))
HURRY = timedelta(minutes=1)


def moment(stamp: Timestamp) -> datetime:
    """The moment, in UTC."""
    return stamp.ToDatetime(tzinfo=UTC)


def local(stamp: Timestamp) -> str:
    """The moment in the local time zone, to the second."""
    return moment(stamp).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def span(length: timedelta) -> str:
    """A length of time in its two largest units, as 4.2s, 3m10s or 2d."""
    seconds = length.total_seconds()
    if seconds < _MINUTE:
        return f"{seconds:.1f}".removesuffix(".0") + "s"
    unit, name, part, part_name = next(each for each in _UNITS if seconds >= each[0])
    whole, rest = divmod(int(seconds), unit)
    return f"{whole}{name}{rest // part}{part_name}" if rest // part else f"{whole}{name}"


def remaining(until: Timestamp, now: datetime) -> Text:
    """How long is left, as h:mm:ss or m:ss."""
    left = moment(until) - now
    if left <= timedelta(0):
        return Text("none", style="red")
    minutes, seconds = divmod(int(left.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    shown = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return Text(shown, style="red" if left < HURRY else "")
