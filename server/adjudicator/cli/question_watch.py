"""`adjudicator question watch`: what waits for an answer, as it happens."""

from datetime import datetime, timedelta

import click
from rich.text import Text

from adjudicator.api.v1.question_service_pb2 import Question, QuestionSnapshot, WatchQuestionsResponse
from adjudicator.api.v1.types_pb2 import Priority
from adjudicator.cli.following import Following, JsonLines
from adjudicator.cli.message_json import enum_name
from adjudicator.cli.moments import moment
from adjudicator.cli.option_types import EnumValue
from adjudicator.cli.output import Cell, out, print_line, print_row
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.cli.question_view import line, state, time_left
from adjudicator.domain.clock import SystemClock

_WIDTHS = (8, 9, 36, 7, 8, 10, 10)


@click.command(
    "watch",
    epilog="\b\nExamples:\n  adjudicator question watch\n"
    "  adjudicator question watch --tenant studio --priority high --json | my-notifier",
    short_help="What waits for an answer, as it happens.",
)
@click.option("--tenant", default="", help="Only this tenant.")
@click.option("--priority", type=EnumValue(Priority), help="Only this priority and those above.")
@click.option("--once", is_flag=True, help="Print what is open and exit.")
@json_option
@approver_plane
def watch_questions(
    *, plane: ApproverPlane, tenant: str, priority: Priority | None, once: bool, as_json: bool
) -> None:
    """Print what is open now, then every change, until it is interrupted.

    It goes through breaks as `watch` does. With --json, one event on each line; a break is
    {"closed": ...}.
    """
    screen = JsonLines() if as_json else QuestionLines()
    least = priority or Priority.PRIORITY_UNSPECIFIED
    with plane.open() as client:
        Following(
            lambda cursor: client.watch_questions(tenant=tenant, least_priority=least, cursor=cursor),
            screen,
            is_last=lambda response: once and response.snapshot.complete,
        ).run()


class QuestionLines:
    """Each event as a line for a person."""

    def __init__(self) -> None:
        self._console = out()
        self._clock = SystemClock()
        self._ahead = timedelta()
        self._listed = 0

    def event(self, response: WatchQuestionsResponse) -> None:
        """Print what changed. A sign of life only sets the clock by which time left is told."""
        match response.WhichOneof("event"):
            case "snapshot":
                self._snapshot(response.snapshot)
            case "change":
                self._row(response.change)
            case "heartbeat":
                self._ahead = moment(response.heartbeat.now) - self._clock.now()
            case "resync":
                self._listed = 0
                self._say("starting over", response.resync.reason, "yellow")

    def closed(self, reason: str) -> None:
        """Say that nothing on the screen is current."""
        self._say("stream closed", f"{reason}. Nothing on the screen is current; trying again.", "bold red")

    def back(self) -> None:
        """Say that it is current again."""
        self._say("stream is back", "what follows is current", "bold green")

    def _snapshot(self, snapshot: QuestionSnapshot) -> None:
        for question in snapshot.questions:
            self._row(question)
        self._listed += len(snapshot.questions)
        if snapshot.complete:
            self._say(f"{self._listed} open", "as of now", "bold")
            self._listed = 0

    def _row(self, question: Question) -> None:
        now = self._now()
        cells: list[Cell] = [_time(now), state(question), question.id, time_left(question, now)]
        cells += [enum_name(question, "priority"), question.tenant, question.agent, line(question)]
        print_row(self._console, cells, _WIDTHS)

    def _say(self, what: str, detail: str, style: str) -> None:
        print_line(self._console, f"{_time(self._now())}  ", Text(what, style=style), f"  {detail}")

    def _now(self) -> datetime:
        return self._clock.now() + self._ahead


def _time(now: datetime) -> str:
    return now.astimezone().strftime("%H:%M:%S")
