"""`adjudicator watch`: what waits for a person, as it happens."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Protocol

import click
import grpc
from rich.text import Text

from adjudicator.api.v1.approval_service_pb2 import Approval, PendingSnapshot, WatchPendingResponse
from adjudicator.cli.approval_view import approve_votes, is_pending, preview, state
from adjudicator.cli.message_json import message_json
from adjudicator.cli.moments import moment, remaining
from adjudicator.cli.output import Cell, out, print_json, print_line, print_row
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.client.approver import SILENCE_SECONDS
from adjudicator.client.errors import ClientError
from adjudicator.domain.clock import SystemClock

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 15.0
_WIDTHS = (8, 9, 36, 7, 10, 10, 16, 5)
# Coming again does not help against these.
_FINAL = frozenset(
    {
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.UNIMPLEMENTED,
        grpc.StatusCode.INVALID_ARGUMENT,
    }
)


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
        Watch(
            lambda cursor: client.watch(
                tenant=tenant, tool=tool, cursor=cursor, silence_seconds=SILENCE_SECONDS
            ),
            screen,
            once=once,
        ).run()


class Screen(Protocol):
    """Where a watch shows what it learns."""

    def event(self, response: WatchPendingResponse) -> None:
        """Show one event."""
        ...

    def closed(self, reason: str) -> None:
        """Say that the stream is closed."""
        ...

    def back(self) -> None:
        """Say that it is open again."""
        ...


class Watch:
    """Follows the stream through breaks: it continues from the last cursor, after growing pauses."""

    def __init__(
        self, follow: Callable[[str], Iterator[WatchPendingResponse]], screen: Screen, *, once: bool = False
    ) -> None:
        self._follow = follow
        self._screen = screen
        self._once = once
        self._cursor = ""
        self._seen = False
        self._open = True
        self._pause = FIRST_PAUSE_SECONDS

    def run(self, sleep: Callable[[float], None] = time.sleep) -> None:
        """Watch until interrupted, or until the snapshot is complete if that is all that is wanted.

        Raises ClientError when coming again cannot help, or when there was nothing from the start.
        """
        while not self._followed():
            sleep(self._pause)
            self._pause = min(self._pause * 2, LONGEST_PAUSE_SECONDS)

    def _followed(self) -> bool:
        try:
            for response in self._follow(self._cursor):
                self._take(response)
                if self._once and response.snapshot.complete:
                    return True
        except ClientError as error:
            if error.code in _FINAL or not self._seen:
                raise
            reason = (
                "no sidecar answers" if error.unreachable else f"{error.reason} {error.message}".strip()
            )
        else:
            reason = "the sidecar ended it"
        if self._open:
            self._open = False
            self._screen.closed(reason)
        return False

    def _take(self, response: WatchPendingResponse) -> None:
        if not self._open:
            self._open = True
            self._screen.back()
        self._screen.event(response)
        self._cursor = response.cursor
        self._seen = True
        self._pause = FIRST_PAUSE_SECONDS


class JsonLines:
    """Each event as a line of JSON."""

    def event(self, response: WatchPendingResponse) -> None:
        """Print the event as it came."""
        print_json(message_json(response))

    def closed(self, reason: str) -> None:
        """Print a line that is no event of the sidecar's."""
        print_json({"closed": {"reason": reason}})

    def back(self) -> None:
        """Print the end of the break."""
        print_json({"back": {}})


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
        cells += [approval.tool, approve_votes(approval), preview(approval)]
        print_row(self._console, cells, _WIDTHS)

    def _say(self, what: str, detail: str, style: str) -> None:
        print_line(self._console, f"{_time(self._now())}  ", Text(what, style=style), f"  {detail}")

    def _now(self) -> datetime:
        return self._clock.now() + self._ahead


def _time(now: datetime) -> str:
    return now.astimezone().strftime("%H:%M:%S")
