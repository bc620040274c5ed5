"""`adjudicator watch`: what waits for a person, as it happens."""

from datetime import datetime, timedelta

import click
from rich.text import Text

from adjudicator.api.v1.approval_service_pb2 import Approval, PendingSnapshot, WatchPendingResponse
from adjudicator.cli.approval_view import approve_votes, asked, is_pending, print_below, state
from adjudicator.cli.following import Following, JsonLines
from adjudicator.cli.moments import moment, remaining
from adjudicator.cli.output import Cell, out, print_line, print_row
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.client.approver import SILENCE_SECONDS
from adjudicator.domain.clock import SystemClock

_WIDTHS = (8, 9, 36, 7, 10, 10, 16, 5)


@click.command(
    epilog="\b\nExamples:\n  adjudicator watch\n  adjudicator watch --tenant studio --json | my-notifier",
    short_help="What waits for a person, as it happens.",
)
@click.option("--tenant", default="", help="Only this tenant.")
@click.option("--tool", default="", help="Only this tool.")
@click.option("--once", is_flag=True, help="Print what is pending and exit.")
@json_option
@approver_plane
def watch(*, plane: ApproverPlane, tenant: str, tool: str, once: bool, as_json: bool) -> None:
    """Print what is pending now, then every change, until it is interrupted.

    When the stream closes, or is silent for fifteen seconds, it says so: approving is suspended, and
    nothing on the screen is current. It comes back by itself, from where it stood. With --json, one
    event on each line; a break is {"closed": ...}.
    """
    screen = JsonLines() if as_json else Lines()
    with plane.open() as client:
        Following(
            lambda cursor: client.watch(
                tenant=tenant, tool=tool, cursor=cursor, silence_seconds=SILENCE_SECONDS
            ),
            screen,
            is_last=lambda response: once and response.snapshot.complete,
        ).run()


class Lines:
    """Each event as a line for a person."""

    def __init__(self) -> None:
        self._console = out()
        self._clock = SystemClock()
        self._ahead = timedelta()
        self._listed = 0

    def event(self, response: WatchPendingResponse) -> None:
        """Print what changed. A sign of life only sets the clock by which time left is told."""
        match response.WhichOneof("event"):
            case "snapshot":
                self._snapshot(response.snapshot)
            case "change":
                self._row(response.change.approval)
            case "heartbeat":
                self._ahead = moment(response.heartbeat.now) - self._clock.now()
            case "resync":
                self._listed = 0
                self._say("starting over", response.resync.reason, "yellow")

    def closed(self, reason: str) -> None:
        """Say that nothing on the screen is current."""
        suspended = "Approving is suspended and nothing on the screen is current until it is back"
        self._say("stream closed", f"{reason}. {suspended}; trying again.", "bold red")

    def back(self) -> None:
        """Say that it is current again."""
        self._say("stream is back", "what follows is current", "bold green")

    def _snapshot(self, snapshot: PendingSnapshot) -> None:
        for approval in snapshot.approvals:
            self._row(approval)
        self._listed += len(snapshot.approvals)
        if snapshot.complete:
            self._say(f"{self._listed} pending", "as of now", "bold")
            self._listed = 0

    def _row(self, approval: Approval) -> None:
        now = self._now()
        left: Cell = remaining(approval.expires_at, now) if is_pending(approval) else "-"
        cells: list[Cell] = [
            _time(now),
            state(approval),
            approval.id,
            left,
            approval.tenant,
            approval.agent,
        ]
        cells += [approval.tool, approve_votes(approval), asked(approval)]
        print_row(self._console, cells, _WIDTHS)
        if is_pending(approval):
            print_below(self._console, approval)

    def _say(self, what: str, detail: str, style: str) -> None:
        print_line(self._console, f"{_time(self._now())}  ", Text(what, style=style), f"  {detail}")

    def _now(self) -> datetime:
        return self._clock.now() + self._ahead


def _time(now: datetime) -> str:
    return now.astimezone().strftime("%H:%M:%S")
