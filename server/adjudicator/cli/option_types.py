"""What options take besides text and numbers: names of enums, moments, lengths of time."""

import difflib
import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import click
from google.protobuf.timestamp_pb2 import Timestamp

from adjudicator.api.v1.types_pb2 import Priority
from adjudicator.cli.message_json import short_name
from adjudicator.cli.plain import plain
from adjudicator.domain.clock import SystemClock

if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType
_LENGTH = re.compile("([0-9]{1,9})([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class EnumValue(_ParamType):
    """A value of a wire enum by its short name, in any case, or by a further name of ours."""

    name = "name"

    def __init__(self, enum: Any, **further: int) -> None:
        values = enum.DESCRIPTOR.values_by_number.items()
        self._names = {
            short_name(enum.DESCRIPTOR, value.name): number for number, value in values if number
        }
        self._further = further

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The value's number."""
        name = str(value).upper()
        number: int | None = self._names.get(name, self._further.get(name))
        if number is None:
            near = difflib.get_close_matches(name, self._names, n=9) or self._names
            self.fail(f"{plain(str(value))!r} is not one of them: {', '.join(near)}.", param, ctx)
        return number


PRIORITY = EnumValue(Priority, UNSPECIFIED=Priority.PRIORITY_UNSPECIFIED)


class Span(_ParamType):
    """A length of time, as 90s, 30m, 2h, 3d or 1w."""

    name = "span"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> timedelta:
        """The length, at least a second."""
        length = _span(str(value))
        if not length:
            self.fail(f"{plain(str(value))!r} is no length: write 90s, 30m, 2h, 3d or 1w.", param, ctx)
        return length


SPAN = Span()


def _span(text: str) -> timedelta | None:
    found = _LENGTH.fullmatch(text)
    try:
        return timedelta(**{_UNITS[found[2]]: int(found[1])}) if found else None
    except OverflowError:
        return None


class Moment(_ParamType):
    """A moment in ISO 8601, in the local time zone unless it says another, or a span before now."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Timestamp:
        """The moment."""
        stamp = Timestamp()
        try:
            stamp.FromDatetime(self._moment(str(value)))
        except (ValueError, OverflowError):
            self.fail(
                f"{plain(str(value))!r} is no moment: write 2026-01-31T09:00:00Z, or how long ago,"
                " as 90s, 30m, 2h, 3d or 1w.",
                param,
                ctx,
            )
        return stamp

    def _moment(self, text: str) -> datetime:
        if ago := _span(text):
            return SystemClock().now() - ago
        return datetime.fromisoformat(text).astimezone()
