"""Options that say which traces a command is about."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import click

from adjudicator.api.v1.trace_service_pb2 import TraceFilter
from adjudicator.api.v1.types_pb2 import Cause, Outcome, ReasonCode, Step
from adjudicator.cli.numbers import TRACE_NUMBER
from adjudicator.cli.option_types import EnumValue, Moment

Command = TypeVar("Command", bound=Callable[..., Any])


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
