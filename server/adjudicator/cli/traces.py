"""`adjudicator traces`: what was decided, and why."""

import click
from rich.console import Console

from adjudicator.api.v1.trace_service_pb2 import Trace
from adjudicator.api.v1.types_pb2 import Outcome
from adjudicator.cli.message_json import enum_name, message_json
from adjudicator.cli.moments import local
from adjudicator.cli.output import Cell, out, print_json, print_line, print_table
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.cli.verdicts import outcome, step_label

_OUTCOMES = {"allow": Outcome.OUTCOME_ALLOW, "deny": Outcome.OUTCOME_DENY, "ask": Outcome.OUTCOME_ASK}
_HEADER = ["TRACE", "OPENED", "OUTCOME", "STEP", "TENANT", "AGENT", "TOOL", "CAUSE", "REASON"]


@click.command(
    epilog="\b\nExamples:\n  adjudicator traces --outcome deny --agent coder\n"
    "  adjudicator traces --limit 1000 --json | jq -r .verdict.cause | sort | uniq -c",
    short_help="What was decided, newest first.",
)
@click.option("--tenant", default="", help="Only this tenant.")
@click.option("--session", default="", help="Only this session.")
@click.option("--agent", default="", help="Only this agent.")
@click.option("--tool", default="", help="Only this tool.")
@click.option(
    "--outcome", "outcome_name", type=click.Choice(list(_OUTCOMES)), help="Only this latest outcome."
)
@click.option(
    "-n", "--limit", type=click.IntRange(min=1), default=50, show_default=True, help="At most so many."
)
@json_option
@approver_plane
def traces(
    *,
    plane: ApproverPlane,
    tenant: str,
    session: str,
    agent: str,
    tool: str,
    outcome_name: str | None,
    limit: int,
    as_json: bool,
) -> None:
    """List traces without their elements, newest first. With --json, one on each line."""
    wanted = _OUTCOMES.get(outcome_name or "", Outcome.OUTCOME_UNSPECIFIED)
    with plane.open() as client:
        found = client.traces(
            tenant=tenant, session=session, agent=agent, tool=tool, outcome=wanted, limit=limit
        )
        if as_json:
            for each in found:
                print_json(message_json(each))
        else:
            _print_traces(out(), list(found))


def _print_traces(console: Console, found: list[Trace]) -> None:
    if not found:
        print_line(console, "No trace matches.")
        return
    print_table(console, _HEADER, [_row(each) for each in found])


def _row(each: Trace) -> list[Cell]:
    verdict = each.verdict
    return [
        str(each.number),
        local(each.opened_at),
        outcome(verdict),
        step_label(verdict.step),
        each.tenant or "(blank)",
        each.agent or "(blank)",
        each.tool or "(blank)",
        enum_name(verdict, "cause"),
        verdict.reason,
    ]
