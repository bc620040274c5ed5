"""What options take besides text and numbers: names of enums, moments, lengths of time."""

import difflib
import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import click
from google.protobuf.timestamp_pb2 import Timestamp

from adjudicator.api.v1.types_pb2 import Priority
from adjudicator.cli.message_json import short_name
from adjudicator.cli.moments import span
from adjudicator.cli.plain import plain
from adjudicator.domain.clock import SystemClock

if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType
_LENGTH = re.compile("([0-9]{1,9})([smhdw])")
_QUESTION = "qst-"
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
        if isinstance(value, int):
            return value
        name = str(value).upper()
        number: int | None = self._names.get(name, self._further.get(name))
        if number is None:
            near = difflib.get_close_matches(name, self._names, n=9) or self._names
            self.fail(f"{plain(str(value))!r} is not one of them: {', '.join(near)}.", param, ctx)
        return number


least_priority_option = click.option(
    "--least-priority",
    type=EnumValue(Priority),
    default=Priority.PRIORITY_UNSPECIFIED,
    metavar="PRIORITY",
    help="Only this priority and those above it: low, medium, high or critical.",
)


class Span(_ParamType):
    """A length of time, as 90s, 30m, 2h, 3d or 1w, and no longer than `most`."""

    name = "span"

    def __init__(self, most: timedelta = timedelta.max) -> None:
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> timedelta:
        """The length, at least a second."""
        length = _span(str(value))
        if not length:
            self.fail(f"{plain(str(value))!r} is no length: write 90s, 30m, 2h, 3d or 1w.", param, ctx)
        if length > self._most:
            self.fail(f"{plain(str(value))!r} is too long: at most {span(self._most)}.", param, ctx)
        return length


SPAN = Span()


def _span(text: str) -> timedelta | None:
    found = _LENGTH.fullmatch(text)
    try:
        return timedelta(**{_UNITS[found[2]]: int(found[1])}) if found else None
    except OverflowError:
        return None


class ApprovalId(_ParamType):
    """The id of an approval, and no question's."""

    name = "id"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The id as it was written."""
        text = str(value)
        if text.startswith(_QUESTION):
            answer = f"adjudicator question answer {plain(text)} --option OPTION, or --text TEXT"
            self.fail(f"that is a question, no approval: {answer}.", param, ctx)
        return text


APPROVAL_ID = ApprovalId()


class Actor(_ParamType):
    """A person, as user:bob, or a role, as role:lead."""

    name = "actor"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The actor as it was written."""
        text = str(value)
        kind, _, name = text.rpartition(":")
        if kind not in ("user", "role") or not name:
            name = plain(name) or "NAME"
            self.fail(f"{plain(text)!r} is no actor: write user:{name} or role:{name}.", param, ctx)
        return text


ACTOR = Actor()


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
