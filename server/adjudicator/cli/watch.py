"""`adjudicator watch`: what waits for a person, as it happens."""

from datetime import datetime

import click

from adjudicator.api.v1.approval_service_pb2 import Approval, WatchPendingResponse
from adjudicator.api.v1.types_pb2 import Priority
from adjudicator.cli.approval_notes import is_pending
from adjudicator.cli.approval_view import approve_votes, asked, print_below, state
from adjudicator.cli.event_lines import EventLines, clock_time
from adjudicator.cli.following import Following, JsonLines
from adjudicator.cli.moments import remaining
from adjudicator.cli.option_types import least_priority_option
from adjudicator.cli.output import Cell, print_row
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.client.approver import SILENCE_SECONDS

_WIDTHS = (8, 9, 36, 7, 10, 10, 16, 5)


@click.command(
    epilog="\b\nExamples:\n  adjudicator watch\n  adjudicator watch --tenant studio --json | my-notifier",
    short_help="What waits for a person, as it happens.",
)
@click.option("--tenant", default="", help="Only this tenant.")
@click.option("--tool", default="", help="Only this tool.")
@least_priority_option
@click.option("--once", is_flag=True, help="Print what is pending and exit.")
@json_option
@approver_plane
def watch(
    *,
    plane: ApproverPlane,
    tenant: str,
    tool: str,
    least_priority: Priority,
    once: bool,
    as_json: bool,
) -> None:
    """Print what is pending now, then every change, until it is interrupted.

    When the stream closes, or is silent for fifteen seconds, it says so: approving is suspended, and
    nothing on the screen is current. It comes back by itself, from where it stood. With --json, one
    event on each line; a break is {"closed": ...}.
    """
    screen = JsonLines() if as_json else Lines()
    with plane.open() as client:
        Following(
            lambda cursor: client.watch(
                tenant=tenant,
                tool=tool,
                least_priority=least_priority,
                cursor=cursor,
                silence_seconds=SILENCE_SECONDS,
            ),
            screen,
            is_last=lambda response: once and response.snapshot.complete,
        ).run()


class Lines(EventLines[Approval]):
    """Each event as a line for a person."""

    noun = "pending"
    suspended = (
        "Approving is suspended and nothing on the screen is current until it is back; trying again."
    )

    def event(self, response: WatchPendingResponse) -> None:
        """Print what changed."""
        match response.WhichOneof("event"):
            case "snapshot":
                self.listed(response.snapshot.approvals, complete=response.snapshot.complete)
            case "change":
                self.show(response.change.approval)
            case "heartbeat":
                self.heard(response.heartbeat.now)
            case "resync":
                self.restarted(response.resync.reason)

    def row(self, item: Approval, now: datetime) -> None:
        """An approval, and below it what is pending of it."""
        left: Cell = remaining(item.expires_at, now) if is_pending(item) else "-"
        cells: list[Cell] = [clock_time(now), state(item), item.id, left, item.tenant, item.agent]
        cells += [item.tool, approve_votes(item), asked(item)]
        print_row(self.console, cells, _WIDTHS)
        if is_pending(item):
            print_below(self.console, item, now)
