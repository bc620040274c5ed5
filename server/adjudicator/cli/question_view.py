"""A question as the person who answers it sees it."""

from collections.abc import Iterator
from datetime import datetime

from rich.console import Console
from rich.text import Text

from adjudicator.api.v1.question_service_pb2 import Question
from adjudicator.api.v1.types_pb2 import QuestionState, Trigger
from adjudicator.cli.message_json import enum_name
from adjudicator.cli.moments import local, remaining
from adjudicator.cli.output import Cell, print_line, print_table
from adjudicator.cli.plain import plain
from adjudicator.cli.verdicts import print_facts

HEADER = ["QUESTION", "TIME LEFT", "PRIORITY", "TENANT", "AGENT", "TEXT"]
_STYLES = {
    "OPEN": "bold yellow",
    "ANSWERED": "bold green",
    "EXPIRED": "red",
    "CANCELLED": "red",
}


def state(question: Question) -> Text:
    """The state in its colour."""
    name = enum_name(question, "state")
    return Text(name, style=_STYLES.get(name, "bold red"))


def time_left(question: Question, now: datetime) -> Cell:
    """How long it can still be answered."""
    still_open = question.state == QuestionState.QUESTION_STATE_OPEN
    return remaining(question.expires_at, now) if still_open else "-"


def line(question: Question) -> str:
    """What is asked and what may be answered, or was, on one line."""
    if question.answered_by:
        answer = " ".join(each for each in (question.selected_option, question.answer_text) if each)
        return f"{question.text} -- {question.answered_by}: {answer}"
    return f"{question.text} [{' | '.join(question.options)}]" if question.options else question.text


def print_questions(console: Console, questions: list[Question], now: datetime) -> None:
    """A table of what is open; every id is whole."""
    rows: list[list[Cell]] = [
        [
            each.id,
            time_left(each, now),
            enum_name(each, "priority"),
            each.tenant,
            each.agent,
            line(each),
        ]
        for each in questions
    ]
    print_table(console, HEADER, rows)


def print_question(console: Console, question: Question, now: datetime) -> None:
    """Everything about one question."""
    print_line(console, state(question), f"  {question.id}")
    print_facts(console, _facts(question, now))


def _facts(question: Question, now: datetime) -> Iterator[tuple[str, Cell]]:
    yield "question", question.text
    for option in question.options:
        chosen = ", recommended" if option == question.recommended_option else ""
        yield "option", Text(plain(option)).append(chosen, style="dim")
    if question.free_text:
        yield "text", "text of your own is taken"
    yield "priority", enum_name(question, "priority")
    if question.trigger != Trigger.TRIGGER_UNSPECIFIED:
        yield "trigger", enum_name(question, "trigger")
    yield "tenant", question.tenant
    yield "agent", question.agent
    yield "session", question.session or "(none)"
    yield "trace", str(question.trace_number)
    yield "asked", local(question.asked_at)
    yield "time left", time_left(question, now)
    if question.answered_by:
        yield "answered by", question.answered_by
    if question.selected_option:
        yield "chosen", question.selected_option
    if question.answer_text:
        yield "answer", question.answer_text
