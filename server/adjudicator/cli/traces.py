"""`adjudicator traces` and `trace`: what was decided, and why."""

from collections.abc import Iterator

import click
from rich.console import Console
from rich.text import Text

from adjudicator.api.v1.trace_service_pb2 import ElementKind, Trace, TraceFilter, TraceKind
from adjudicator.cli.following import Following, JsonLines
from adjudicator.cli.json_text import indented
from adjudicator.cli.message_json import enum_name, message_json, short_name
from adjudicator.cli.moments import local
from adjudicator.cli.numbers import TRACE_NUMBER
from adjudicator.cli.output import Cell, out, print_json, print_line, print_table
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.cli.trace_events import TraceLines
from adjudicator.cli.trace_filters import trace_filter
from adjudicator.cli.verdicts import outcome, print_facts, step_label
from adjudicator.client.approver import SILENCE_SECONDS

_FLOW = Text("FLOW", style="bold cyan")
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


@click.command(
    epilog="\b\nExample:\n  adjudicator trace 12", short_help="One trace with its seven elements."
)
@click.argument("number", type=TRACE_NUMBER)
@json_option
@approver_plane
def trace(*, plane: ApproverPlane, number: int, as_json: bool) -> None:
    """Show one trace: its seven elements in their order, and which of them it does not have."""
    with plane.open() as client:
        found = client.trace(number)
    if as_json:
        print_json(message_json(found))
    else:
        _print_trace(out(), found)


def _follow(plane: ApproverPlane, wanted: TraceFilter, cursor: str, *, as_json: bool) -> None:
    if wanted.HasField("since") or wanted.HasField("until"):
        raise click.UsageError("--follow begins now, or at --cursor; --since and --until are for lists.")
    screen = JsonLines() if as_json else TraceLines()
    with plane.open() as client:
        Following(
            lambda cursor: client.watch_traces(wanted, cursor=cursor, silence_seconds=SILENCE_SECONDS),
            screen,
            cursor=cursor,
        ).run()


def _print_traces(console: Console, found: list[Trace]) -> None:
    if not found:
        print_line(console, "No trace matches.")
        return
    print_table(console, _HEADER, [_row(each) for each in found])


def _row(each: Trace) -> list[Cell]:
    verdict, flow = each.verdict, each.kind == TraceKind.TRACE_KIND_FLOW
    return [
        str(each.number),
        local(each.opened_at),
        _FLOW if flow else outcome(verdict),
        step_label(verdict.step),
        each.tenant or "(blank)",
        each.agent or "(blank)",
        "-" if flow else each.tool or "(blank)",
        "-" if flow else enum_name(verdict, "cause"),
        _flow_state(each) if flow else verdict.reason,
    ]


def _flow_state(each: Trace) -> str:
    return f"{each.flow_id}, {'closed' if each.HasField('finished_at') else 'open'}"


def _print_trace(console: Console, found: Trace) -> None:
    if found.kind == TraceKind.TRACE_KIND_FLOW:
        print_line(console, _FLOW, f"  trace {found.number}: {_flow_state(found)}")
    else:
        print_line(console, outcome(found.verdict), f"  trace {found.number}: {found.verdict.reason}")
    print_facts(console, _facts(found))
    for number, value in ElementKind.DESCRIPTOR.values_by_number.items():
        if number == ElementKind.ELEMENT_KIND_UNSPECIFIED:
            continue
        name = short_name(ElementKind.DESCRIPTOR, value.name).lower().replace("_", " ")
        print_line(console, "")
        _print_elements(console, found, number, Text(f"{number}. {name}", style="bold"))
    _print_unknown(console, found)


def _facts(found: Trace) -> Iterator[tuple[str, Cell]]:
    yield "tenant", found.tenant or "(blank)"
    yield "session", found.session or "(none)"
    yield "agent", found.agent or "(blank)"
    if found.kind == TraceKind.TRACE_KIND_FLOW:
        yield "calls", f"adjudicator traces --flow {found.number}"
    else:
        yield "tool", found.tool or "(blank)"
    if found.flow_trace:
        yield "flow", str(found.flow_trace)
    yield "opened", local(found.opened_at)
    finished = found.HasField("finished_at")
    yield "finished", local(found.finished_at) if finished else "no: it is open"


def _print_elements(console: Console, found: Trace, kind: int, title: Text) -> None:
    elements = [element for element in found.elements if element.kind == kind]
    if not elements:
        print_line(console, title, Text("  absent", style="dim"))
    for element in elements:
        when = f"  element {element.sequence}, {local(element.recorded_at)}"
        print_line(console, title, Text(when, style="dim"))
        for line in indented(element.body_json):
            print_line(console, f"   {line}")


def _print_unknown(console: Console, found: Trace) -> None:
    known = set(ElementKind.DESCRIPTOR.values_by_number) - {ElementKind.ELEMENT_KIND_UNSPECIFIED}
    for kind in sorted({element.kind for element in found.elements} - known):
        print_line(console, "")
        _print_elements(console, found, kind, Text(f"kind {kind}, unknown to this client", style="bold"))
