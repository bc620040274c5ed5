"""`adjudicator question watch`: what waits for an answer, as it happens."""

from datetime import datetime

import click

from adjudicator.api.v1.question_service_pb2 import Question, WatchQuestionsResponse
from adjudicator.api.v1.types_pb2 import Priority
from adjudicator.cli.event_lines import EventLines, clock_time
from adjudicator.cli.following import Following, JsonLines
from adjudicator.cli.message_json import enum_name
from adjudicator.cli.option_types import least_priority_option
from adjudicator.cli.output import Cell, print_row
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.cli.question_view import line, state, time_left

_WIDTHS = (8, 9, 36, 7, 8, 10, 10)


@click.command(
    "watch",
    epilog="\b\nExamples:\n  adjudicator question watch\n"
    "  adjudicator question watch --tenant studio --least-priority high --json | my-notifier",
    short_help="What waits for an answer, as it happens.",
)
@click.option("--tenant", default="", help="Only this tenant.")
@least_priority_option
@click.option("--once", is_flag=True, help="Print what is open and exit.")
@json_option
@approver_plane
def watch_questions(
    *, plane: ApproverPlane, tenant: str, least_priority: Priority, once: bool, as_json: bool
) -> None:
    """Print what is open now, then every change, until it is interrupted.

    It goes through breaks as `watch` does. With --json, one event on each line; a break is
    {"closed": ...}.
    """
    screen = JsonLines() if as_json else QuestionLines()
    with plane.open() as client:
        Following(
            lambda cursor: client.watch_questions(
                tenant=tenant, least_priority=least_priority, cursor=cursor
            ),
            screen,
            is_last=lambda response: once and response.snapshot.complete,
        ).run()


class QuestionLines(EventLines[Question]):
    """Each event as a line for a person."""

    noun = "open"
    suspended = "Nothing on the screen is current; trying again."

    def event(self, response: WatchQuestionsResponse) -> None:
        """Print what changed."""
        match response.WhichOneof("event"):
            case "snapshot":
                self.listed(response.snapshot.questions, complete=response.snapshot.complete)
            case "change":
                self.show(response.change)
            case "heartbeat":
                self.heard(response.heartbeat.now)
            case "resync":
                self.restarted(response.resync.reason)

    def row(self, item: Question, now: datetime) -> None:
        """A question on one line."""
        cells: list[Cell] = [clock_time(now), state(item), item.id, time_left(item, now)]
        cells += [enum_name(item, "priority"), item.tenant, item.agent, line(item)]
        print_row(self.console, cells, _WIDTHS)
