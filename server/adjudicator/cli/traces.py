"""`adjudicator traces`: what was decided, and why."""

import click
from rich.console import Console
from rich.text import Text

from adjudicator.api.v1.trace_service_pb2 import Trace, TraceFilter, TraceKind
from adjudicator.cli.following import Following, JsonLines
from adjudicator.cli.message_json import enum_name, message_json
from adjudicator.cli.moments import local
from adjudicator.cli.output import Cell, out, print_json, print_line, print_table
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.cli.trace_events import TraceLines
from adjudicator.cli.trace_filters import trace_filter
from adjudicator.cli.verdicts import outcome, step_label

_CALLS = frozenset({TraceKind.TRACE_KIND_UNSPECIFIED, TraceKind.TRACE_KIND_CALL})
_HEADER = ["TRACE", "OPENED", "OUTCOME", "STEP", "TENANT", "AGENT", "TOOL", "CAUSE", "REASON"]


@click.command(
    epilog="\b\nExamples:\n  adjudicator traces --outcome deny --agent coder --since 2h\n"
    "  adjudicator traces --step S7 --cause rule_deny --until 2026-01-31T09:00:00Z\n"
    "  adjudicator traces --follow --outcome deny\n"
    "  adjudicator traces --limit 1000 --json | jq -r .verdict.cause | sort | uniq -c",
    short_help="What was decided, newest first.",
)
@trace_filter
@click.option("--follow", is_flag=True, help="Print every record from now on, as it is appended.")
@click.option("--cursor", default="", help="With --follow: go on after this cursor of an earlier event.")
@click.option(
    "-n", "--limit", type=click.IntRange(min=1), default=50, show_default=True, help="At most so many."
)
@json_option
@approver_plane
def traces(
    *,
    plane: ApproverPlane,
    wanted: TraceFilter,
    follow: bool,
    cursor: str,
    limit: int,
    as_json: bool,
) -> None:
    """List traces without their elements, newest first. With --json, one on each line.

    Outcome, step, reason code and cause are those of a call's latest verdict.

    With --follow, print every record that is appended to a trace until it is interrupted: a verdict, a
    vote, an outcome. It goes through breaks and restarts of the sidecar, misses nothing and repeats
    nothing. Outcome, step, reason code and cause are then those of the record. With --json, one event on
    each line; a break is {"closed": ...}.
    """
    if follow:
        _follow(plane, wanted, cursor, as_json=as_json)
        return
    if cursor:
        raise click.UsageError("--cursor goes with --follow.")
    with plane.open() as client:
        found = client.traces(wanted, limit=limit)
        if as_json:
            for each in found:
                print_json(message_json(each))
        else:
            _print_traces(out(), list(found))


def _follow(plane: ApproverPlane, wanted: TraceFilter, cursor: str, *, as_json: bool) -> None:
    if wanted.HasField("since") or wanted.HasField("until"):
        raise click.UsageError("--follow begins now, or at --cursor; --since and --until are for lists.")
    screen = JsonLines() if as_json else TraceLines()
    with plane.open() as client:
        Following(
            lambda cursor: client.watch_traces(wanted, cursor=cursor),
            screen,
            cursor=cursor,
        ).run()


def _print_traces(console: Console, found: list[Trace]) -> None:
    if not found:
        print_line(console, "No trace matches.")
        return
    print_table(console, _HEADER, [_row(each) for each in found])


def _row(each: Trace) -> list[Cell]:
    verdict, other = each.verdict, not is_call(each)
    return [
        str(each.number),
        local(each.opened_at),
        kind_label(each) if other else outcome(verdict),
        step_label(verdict.step),
        each.tenant or "(blank)",
        each.agent or "(blank)",
        "-" if other and not each.tool else each.tool or "(blank)",
        "-" if other else enum_name(verdict, "cause"),
        kind_state(each) if other else verdict.reason,
    ]


def is_call(each: Trace) -> bool:
    """Whether the trace is of a call, and has a verdict."""
    return each.kind in _CALLS


def kind_label(each: Trace) -> Text:
    """What stands in the place of an outcome in a trace that is of no call."""
    return Text(enum_name(each, "kind"), style="bold cyan")


def kind_state(each: Trace) -> str:
    """Of which flow, question, grant or session a trace is, and whether more comes to it."""
    own_id = each.flow_id or each.object_id or each.session
    return f"{own_id}, {'closed' if each.HasField('finished_at') else 'open'}"
