"""`adjudicator trace`: one call's record, and what can be done with all of them."""

from collections.abc import Iterator

import click
from rich.console import Console
from rich.text import Text

from adjudicator.api.v1.trace_service_pb2 import ElementKind, Trace, TraceKind
from adjudicator.cli.json_text import indented
from adjudicator.cli.message_json import message_json, short_name
from adjudicator.cli.moments import local
from adjudicator.cli.numbers import TRACE_NUMBER
from adjudicator.cli.output import Cell, out, print_json, print_line
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.cli.trace_export import export
from adjudicator.cli.trace_stats import stats
from adjudicator.cli.trace_verify import verify
from adjudicator.cli.traces import is_call, kind_label, state_of_kind
from adjudicator.cli.verdicts import outcome, print_facts


class _TraceGroup(click.Group):
    """A group in which a number, with or without options, is `show`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take `trace 12` for `trace show 12`."""
        first = args[0] if args else ""
        if (first[:1].isdigit() or first.startswith("-")) and first not in ctx.help_option_names:
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=_TraceGroup,
    epilog="\b\nExamples:\n  adjudicator trace 12\n  adjudicator trace verify",
    short_help="One trace with its seven elements; count, verify or export all.",
)
def trace() -> None:
    """Show one trace by its number; count, verify or export all that was recorded."""


@trace.command(
    epilog="\b\nExamples:\n  adjudicator trace 12\n  adjudicator trace show 12 --json",
    short_help="One trace with its seven elements.",
)
@click.argument("number", type=TRACE_NUMBER)
@json_option
@approver_plane
def show(*, plane: ApproverPlane, number: int, as_json: bool) -> None:
    """Show one trace: its seven elements in their order, and which of them it does not have.

    The word `show` may be left out.
    """
    with plane.open() as client:
        found = client.trace(number)
    if as_json:
        print_json(message_json(found))
    else:
        _print_trace(out(), found)


trace.add_command(verify)
trace.add_command(export)
trace.add_command(stats)


def _print_trace(console: Console, found: Trace) -> None:
    if not is_call(found):
        print_line(console, kind_label(found), f"  trace {found.number}: {state_of_kind(found)}")
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
    elif is_call(found) or found.tool:
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
