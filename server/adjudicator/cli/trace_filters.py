"""Options that say which traces a command is about."""

import difflib
import functools
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from google.protobuf.timestamp_pb2 import Timestamp

from adjudicator.api.v1.trace_service_pb2 import TraceFilter
from adjudicator.api.v1.types_pb2 import Cause, Outcome, ReasonCode, Step
from adjudicator.cli.message_json import short_name
from adjudicator.cli.numbers import TRACE_NUMBER
from adjudicator.cli.plain import plain
from adjudicator.domain.clock import SystemClock

if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType
Command = TypeVar("Command", bound=Callable[..., Any])
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


_OPTIONS = (
    click.option("--tenant", default="", help="Only this tenant."),
    click.option("--session", default="", help="Only this session."),
    click.option("--agent", default="", help="Only this agent."),
    click.option("--tool", default="", help="Only this tool."),
    click.option(
        "--outcome", type=EnumValue(Outcome), help="Only this latest outcome: allow, deny or ask."
    ),
    click.option(
        "--step",
        type=EnumValue(Step, **{f"S{number}": number for number in range(1, 9)}),
        help="Only what was decided at this step, as S7 or GATE.",
    ),
    click.option(
        "--reason",
        "--reason-code",
        "reason_code",
        metavar="CODE",
        type=EnumValue(ReasonCode),
        help="Only this reason code, as FORBIDDEN.",
    ),
    click.option("--cause", metavar="CAUSE", type=EnumValue(Cause), help="Only this cause, as RULE_DENY."),
    click.option(
        "--approval", "approval_id", metavar="ID", default="", help="Only the call of this approval."
    ),
    click.option(
        "--flow", "flow_trace", metavar="TRACE", type=TRACE_NUMBER, help="Only the calls of this flow."
    ),
    click.option("--since", type=Moment(), help="Only those opened then or later; 2h is two hours ago."),
    click.option("--until", type=Moment(), help="Only those opened before."),
)
_FIELDS = tuple(field.name for field in TraceFilter.DESCRIPTOR.fields)


def trace_filter(command: Command) -> Command:
    """Give a command the options of a filter, as one argument `wanted`."""

    @functools.wraps(command)
    def with_filter(*args: Any, **options: Any) -> Any:
        wanted = TraceFilter(**{name: options.pop(name) for name in _FIELDS})
        return command(*args, wanted=wanted, **options)

    filtered: Any = with_filter
    for option in reversed(_OPTIONS):
        filtered = option(filtered)
    return cast("Command", filtered)
