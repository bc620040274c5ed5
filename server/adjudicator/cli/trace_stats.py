"""`adjudicator trace stats`: how much was decided, what, by which rules, and how soon people decide."""

from collections.abc import Iterable
from datetime import timedelta

import click
from google.protobuf.duration_pb2 import Duration
from rich.console import Console
from rich.text import Text

from adjudicator.api.v1.trace_service_pb2 import Count, SummarizeTracesResponse, TraceFilter
from adjudicator.api.v1.types_pb2 import Step
from adjudicator.cli.message_json import enum_name, message_json
from adjudicator.cli.moments import span
from adjudicator.cli.option_types import SPAN
from adjudicator.cli.output import Cell, out, print_json, print_line, print_table
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.cli.spark import bar, timeline
from adjudicator.cli.trace_filters import trace_filter
from adjudicator.cli.verdicts import STYLES, step_label

_BAR = 24
_CAUSES = 10


@click.command(
    epilog="\b\nExamples:\n  adjudicator trace stats --since 1d\n"
    "  adjudicator trace stats --agent coder --bucket 15m\n"
    "  adjudicator trace stats --json | jq '.denying_rules'",
    short_help="Counts: outcomes, steps, causes, rules, approvals, calls over time.",
)
@trace_filter
@click.option(
    "--bucket", type=SPAN, help="The width of a column over time, as 15m.  [default: a fitting one]"
)
@json_option
@approver_plane
def stats(*, plane: ApproverPlane, wanted: TraceFilter, bucket: timedelta | None, as_json: bool) -> None:
    """Count the calls that the filters select.

    By outcome, step and cause; what was denied most; how soon approvals were decided; calls over time.
    Outcome, step, reason code and cause are those of a call's latest verdict.
    """
    seconds = bucket.total_seconds() if bucket else 0.0
    with plane.open() as client:
        found = client.summarize_traces(wanted, bucket_seconds=seconds)
    if as_json:
        print_json(message_json(found))
    elif not found.calls:
        print_line(out(), f"No call matches{_flows(found)}.")
    else:
        _print(out(), found)


def _print(console: Console, found: SummarizeTracesResponse) -> None:
    print_line(console, Text(f"{found.calls:,} calls", style="bold"), _flows(found))
    print_line(console, "")
    _print_shares(console, "OUTCOME", found.outcomes, found.calls)
    _print_shares(console, "STEP", [_by_label(each) for each in found.steps], found.calls)
    _print_shares(console, "CAUSE", found.causes[:_CAUSES], found.calls)
    _print_denied(console, found)
    _print_approvals(console, found)
    for line in timeline(found, console):
        print_line(console, line)


def _flows(found: SummarizeTracesResponse) -> str:
    return f", and {found.flows:,} {'flow' if found.flows == 1 else 'flows'}" if found.flows else ""


def _by_label(count: Count) -> Count:
    """A step as people cite it."""
    number = Step.DESCRIPTOR.values_by_name.get(f"STEP_{count.name}")
    return Count(name=step_label(number.number) if number else count.name, count=count.count)


def _print_shares(console: Console, what: str, counts: Iterable[Count], whole: int) -> None:
    """Each count with its share of all calls, as a number and as a bar."""
    rows: list[list[Cell]] = [
        [
            Text(each.name, style=STYLES.get(each.name, "")),
            f"{each.count:,}".rjust(9),
            f"{each.count / whole:.1%}".rjust(6),
            bar(each.count / whole, _BAR, console),
        ]
        for each in counts
    ]
    print_table(console, [what.ljust(22), "CALLS".rjust(9), "SHARE".rjust(6), ""], rows)
    print_line(console, "")


def _print_denied(console: Console, found: SummarizeTracesResponse) -> None:
    denials = sum(each.count for each in found.outcomes if each.name == "DENY")
    for what, counts in (
        ("TOOL", found.denied_tools),
        ("AGENT", found.denied_agents),
        ("RULE", found.denying_rules),
    ):
        if counts:
            rows: list[list[Cell]] = [
                [each.name or "(blank)", f"{each.count:,}".rjust(9)] for each in counts
            ]
            title = f"DENIED MOST BY {what}"
            print_table(console, [title.ljust(22), "DENIALS".rjust(9)], rows)
            if what == "RULE" and found.denials_read < denials:
                among = f"  among the newest {found.denials_read:,} of {denials:,} denials"
                print_line(console, Text(among, style="dim"))
            print_line(console, "")


def _print_approvals(console: Console, found: SummarizeTracesResponse) -> None:
    if not found.approvals:
        return
    rows: list[list[Cell]] = [
        [
            enum_name(each, "state"),
            f"{each.count:,}".rjust(9),
            _span(each.median, there=each.HasField("median")),
            _span(each.ninetieth, there=each.HasField("ninetieth")),
        ]
        for each in found.approvals
    ]
    print_table(
        console, ["APPROVALS".ljust(22), "COUNT".rjust(9), "MEDIAN".rjust(8), "9 IN 10".rjust(8)], rows
    )
    print_line(console, "")


def _span(duration: Duration, *, there: bool) -> str:
    return (span(duration.ToTimedelta()) if there else "-").rjust(8)
