"""`adjudicator question`: asking, listing, watching, answering."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from adjudicator.api.v1.adjudication_service_pb2 import AskQuestionResponse
from adjudicator.api.v1.approval_service_pb2 import Heartbeat, Resync
from adjudicator.api.v1.question_service_pb2 import (
    AnswerCode,
    AnswerQuestionResponse,
    ListQuestionsResponse,
    Question,
    QuestionSnapshot,
    WatchQuestionsResponse,
)
from adjudicator.api.v1.types_pb2 import Priority, QuestionState, Trigger
from adjudicator.cli.exit_code import ExitCode
from adjudicator.cli.question_view import print_questions
from rich.console import Console
from scripted import refusal

WHO = ("--tenant", "acme", "--agent", "coder")
STATES = QuestionState


def question(number=1, **fields):
    """An open question with two options and some minutes left."""
    values = {
        "id": f"qst-{number:032x}",
        "state": STATES.QUESTION_STATE_OPEN,
        "tenant": "acme",
        "agent": "coder",
        "text": "Which database shall it be?",
        "options": ["postgres", "sqlite"],
        "recommended_option": "sqlite",
        "priority": Priority.PRIORITY_MEDIUM,
        "expires_at": datetime.now(UTC) + timedelta(seconds=272.9),
    }
    return Question(**(values | fields))


def test_a_question_is_asked_as_it_is_said(run, script):
    """Every flag arrives in its field; what is still open is an ask."""
    script.answers["AskQuestion"] = AskQuestionResponse(
        question_id="q1", state=STATES.QUESTION_STATE_OPEN, trace_number=12
    )
    words = ("--session", "s", "--question-id", "q1", "--option", "a", "--option", "b", "--free-text")
    more = ("--recommended", "b", "--principal", "user:eve", "--trigger", "blocked_task")
    times = ("--wait", "1.5", "--answer-limit", "60")
    result = run("question", "ask", "Which?", *WHO, *words, *more, *times)
    assert result.exit_code == ExitCode.ASK
    assert "OPEN" in result.stdout
    request = script.requests[0]
    assert (request.text, list(request.options), request.recommended_option) == ("Which?", ["a", "b"], "b")
    assert (request.tenant, request.agent, request.session) == ("acme", "coder", "s")
    assert (request.question_id, request.principal) == ("q1", "user:eve")
    assert request.free_text
    assert request.trigger == Trigger.TRIGGER_BLOCKED_TASK
    assert (request.wait.ToMilliseconds(), request.limit.ToSeconds()) == (1500, 60)
    assert script.seconds[0] > 30  # the wait comes on top of the time for an answer


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (STATES.QUESTION_STATE_ANSWERED, ExitCode.OK),
        (STATES.QUESTION_STATE_OPEN, ExitCode.ASK),
        (STATES.QUESTION_STATE_EXPIRED, ExitCode.NOT_ACCEPTED),
        (STATES.QUESTION_STATE_CANCELLED, ExitCode.NOT_ACCEPTED),
        (STATES.QUESTION_STATE_UNSPECIFIED, ExitCode.NOT_ACCEPTED),
        (99, ExitCode.NOT_ACCEPTED),
    ],
)
def test_only_an_answer_is_one(run, script, state, code):
    """A state that this client does not know is none."""
    script.answers["AskQuestion"] = AskQuestionResponse(
        state=state, text="pg\x1b[2J", answered_by="user:ann"
    )
    result = run("question", "ask", "Which?", *WHO)
    assert result.exit_code == code
    assert "pg\\x1b[2J" in result.stdout
    assert "\x1b" not in result.stdout
    assert run("question", "ask", "Which?", *WHO, "--json").exit_code == code


def test_a_question_that_is_refused_is_an_error(run, script):
    """The sidecar's words are printed, with the field that they are about."""
    script.answers["AskQuestion"] = refusal(
        "FAILED_PRECONDITION", "SESSION_CLOSED", "no question is asked", {"session": "it is closed"}
    )
    result = run("question", "ask", "Which?", *WHO)
    assert result.exit_code == ExitCode.ERROR
    assert "SESSION_CLOSED: no question is asked" in result.stderr
    assert "session: it is closed" in result.stderr


def test_what_is_open_is_listed(run, script):
    """With what may be chosen; every id is whole."""
    script.answers["ListQuestions"] = ListQuestionsResponse(
        questions=[question(1), question(2, text="x\n")]
    )
    result = run("question", "list", "--tenant", "acme")
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["QUESTION", "TIME", "LEFT", "PRIORITY", "TENANT", "AGENT", "TEXT"]
    assert question(1).id in lines[1]
    assert lines[1].endswith("Which database shall it be? [postgres | sqlite]")
    assert lines[2].endswith("x\\n [postgres | sqlite]")
    assert script.requests[0].tenant == "acme"
    assert len(run("question", "list", "--json").stdout.splitlines()) == 2
    script.answers["ListQuestions"] = ListQuestionsResponse()
    assert run("question", "list").stdout == "No question is open.\n"


def test_nothing_of_a_list_is_cut_in_80_columns():
    """What has no room beside the rest goes below it, whole."""
    console = Console(width=80, record=True, force_terminal=True, markup=False, highlight=False)
    with console.capture() as captured:
        print_questions(console, [question(1, text="word " * 40)], datetime.now(UTC))
    text = captured.get()
    assert question(1).id in text
    assert text.count("word") == 40
    assert "[postgres | sqlite]" in text
    below = text.splitlines()[2:]
    assert below
    assert all(len(line) <= 80 for line in below)


def test_an_answer_is_sent_as_it_is_said(run, script):
    """The receipt says whether it counts, and what was asked."""
    script.answers["AnswerQuestion"] = AnswerQuestionResponse(
        accepted=True,
        code=AnswerCode.ANSWER_CODE_ACCEPTED,
        message="the answer counts",
        question=question(
            state=STATES.QUESTION_STATE_ANSWERED, answered_by="user:ann", selected_option="sqlite"
        ),
    )
    result = run("question", "answer", "qst-1", "--option", "sqlite", "--text", "why not")
    assert result.exit_code == ExitCode.OK
    assert result.stdout.startswith("accepted  ACCEPTED: the answer counts\n")
    assert "sqlite, recommended" in result.stdout
    request = script.requests[0]
    assert (request.id, request.selected_option, request.text) == ("qst-1", "sqlite", "why not")
    assert script.metadata[0]["authorization"].startswith("Bearer ")


def test_an_answer_that_does_not_count_has_its_own_code(run, script):
    """It is not taken for an error, and not for an answer."""
    script.answers["AnswerQuestion"] = AnswerQuestionResponse(
        code=AnswerCode.ANSWER_CODE_NOT_ENTITLED, message="the policy does not entitle you to answer it"
    )
    result = run("question", "answer", "qst-1", "--text", "x")
    assert result.exit_code == ExitCode.NOT_ACCEPTED
    assert result.stdout.startswith("not accepted  NOT_ENTITLED: ")
    assert (
        json.loads(run("question", "answer", "qst-1", "--text", "x", "--json").stdout)["accepted"] is False
    )
    assert run("question", "answer", "qst-1").exit_code == ExitCode.USAGE


SNAPSHOT = WatchQuestionsResponse(
    cursor="1", snapshot=QuestionSnapshot(questions=[question(1)], complete=True)
)
EVENTS = [
    WatchQuestionsResponse(cursor="", snapshot=QuestionSnapshot(questions=[question(2)])),
    SNAPSHOT,
    WatchQuestionsResponse(cursor="2", heartbeat=Heartbeat()),
    WatchQuestionsResponse(
        cursor="3",
        change=question(
            1, state=STATES.QUESTION_STATE_ANSWERED, answered_by="user:ann", answer_text="neither"
        ),
    ),
    WatchQuestionsResponse(cursor="4", resync=Resync(reason="the policy has changed")),
]


def test_a_watch_says_what_is_open_and_what_changes(run, script):
    """In lines for a person, through breaks, and in JSON for a script."""
    end = refusal("UNAUTHENTICATED", "UNAUTHENTICATED", "no token")
    streams = iter([EVENTS, [end], EVENTS, [end]])
    script.answers["WatchQuestions"] = lambda _: iter(next(streams))
    result = run("question", "watch", "--tenant", "acme", "--least-priority", "high")
    assert result.exit_code == ExitCode.ERROR
    for part in ("2 open", "ANSWERED", "user:ann: neither", "starting over  the policy has changed"):
        assert part in result.stdout
    assert "Nothing on the screen is current" in result.stdout
    request = script.requests[0]
    assert (request.tenant, request.least_priority) == ("acme", Priority.PRIORITY_HIGH)
    assert [each.cursor for each in script.requests] == ["", "4"]
    lines = [json.loads(line) for line in run("question", "watch", "--json").stdout.splitlines()]
    assert [max(line) for line in lines] == [
        "snapshot",
        "snapshot",
        "heartbeat",
        "cursor",
        "resync",
        "closed",
    ]


def test_a_watch_ends_after_the_snapshot_if_that_is_wanted(run, script):
    """All parts of it, and no change."""
    script.answers["WatchQuestions"] = lambda _: iter(EVENTS)
    result = run("question", "watch", "--once")
    assert result.exit_code == ExitCode.OK
    assert "2 open" in result.stdout
    assert "ANSWERED" not in result.stdout
