"""`adjudicator pending`, `approval`: what waits for a person, and one of it."""

import click

from adjudicator.api.v1.types_pb2 import Priority
from adjudicator.cli.approval_view import print_approval, print_approvals
from adjudicator.cli.message_json import message_json
from adjudicator.cli.numbers import TRACE_NUMBER
from adjudicator.cli.option_types import APPROVAL_ID, least_priority_option
from adjudicator.cli.output import out, print_json, print_line
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.domain.clock import SystemClock


@click.command(
    epilog="\b\nExample:\n  adjudicator pending --tenant studio", short_help="What waits for a person."
)
@click.option("--tenant", default="", help="Only this tenant.")
@click.option("--tool", default="", help="Only this tool.")
@least_priority_option
@json_option
@approver_plane
def pending(
    *, plane: ApproverPlane, tenant: str, tool: str, least_priority: Priority, as_json: bool
) -> None:
    """List what is pending, oldest first. With --json, one approval on each line."""
    with plane.open() as client:
        approvals = list(client.pending(tenant=tenant, tool=tool, least_priority=least_priority))
    if as_json:
        for approval in approvals:
            print_json(message_json(approval))
    elif approvals:
        print_approvals(out(), approvals, SystemClock().now())
    else:
        print_line(out(), "Nothing is pending.")


@click.command(
    epilog="\b\nExamples:\n  adjudicator approval apr-...\n  adjudicator approval --trace 12",
    short_help="One approval with its view.",
)
@click.argument("approval_id", metavar="ID", type=APPROVAL_ID, required=False)
@click.option("--trace", "trace_number", type=TRACE_NUMBER, help="The approval of this trace.")
@json_option
@approver_plane
def approval(
    *, plane: ApproverPlane, approval_id: str | None, trace_number: int | None, as_json: bool
) -> None:
    """Show one approval in any state: the exact view, its digest, when it expires, and the votes."""
    if (approval_id is None) == (trace_number is None):
        raise click.UsageError("Give an ID or --trace.")
    with plane.open() as client:
        found = client.approval(approval_id) if approval_id else client.approval_of_trace(trace_number or 0)
    if as_json:
        print_json(message_json(found))
    else:
        print_approval(out(), found, SystemClock().now())
