"""`adjudicator question`: agents ask, people answer. An answer authorises nothing."""

from typing import Any

import click
from rich.text import Text

from adjudicator.api.v1.adjudication_service_pb2 import AskQuestionRequest, AskQuestionResponse
from adjudicator.api.v1.types_pb2 import QuestionState, Trigger
from adjudicator.cli.caller import agent_option, session_option, tenant_option
from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.message_json import enum_name, message_json
from adjudicator.cli.moments import local
from adjudicator.cli.numbers import Seconds
from adjudicator.cli.option_types import EnumValue
from adjudicator.cli.output import Cell, out, print_json, print_line
from adjudicator.cli.planes import AgentPlane, ApproverPlane, agent_plane, approver_plane, json_option
from adjudicator.cli.question_view import print_question, print_questions
from adjudicator.cli.question_watch import watch_questions
from adjudicator.cli.verdicts import print_facts
from adjudicator.config.limits import Limits
from adjudicator.domain.clock import SystemClock

_LIMITS = Limits()
_ASK_CODES = exit_codes(ExitCode.OK, ExitCode.ASK, ExitCode.NOT_ACCEPTED, ExitCode.ERROR, ExitCode.USAGE)
_ANSWER_CODES = exit_codes(ExitCode.OK, ExitCode.NOT_ACCEPTED, ExitCode.ERROR, ExitCode.USAGE)
_OUTCOMES = {
    QuestionState.QUESTION_STATE_OPEN: ExitCode.ASK,
    QuestionState.QUESTION_STATE_ANSWERED: ExitCode.OK,
}


@click.group(short_help="Ask people a question, and answer one.")
def question() -> None:
    """Business questions of agents. An answer is information: it authorises nothing."""


@question.command(
    epilog="\b\nExamples:\n"
    "  adjudicator question ask 'Which database?' --tenant studio --agent coder --wait 60\n"
    "  adjudicator question ask 'Which?' --tenant studio --agent coder --option a --option b\n\n"
    f"{_ASK_CODES}\n  4 while it is open, 5 when it ended without an answer.",
    short_help="Ask people a question.",
)
@click.argument("text")
@tenant_option
@agent_option
@session_option
@click.option("--question-id", default="", metavar="ID", help="The idempotency key.  [default: a new one]")
@click.option(
    "--option", "options", multiple=True, help=f"Repeat for each, at most {_LIMITS.question_options}."
)
@click.option("--recommended", "recommended_option", default="", help="One of the options.")
@click.option("--free-text", is_flag=True, help="Beside options, text may be answered too.")
@click.option("--principal", default="", help="For whom the agent works, for example user:ann.")
@click.option("--trigger", type=EnumValue(Trigger), help="What brings it up, as BLOCKED_TASK.")
@click.option(
    "--wait", default=0.0, type=Seconds(_LIMITS.wait_seconds), metavar="SECONDS", help="Hold the response."
)
@click.option(
    "--answer-limit",
    default=0.0,
    type=Seconds(_LIMITS.limit_seconds),
    metavar="SECONDS",
    help="How long people have to answer; 0, or more than the policy's, is the policy's.",
)
@json_option
@agent_plane
def ask(
    *,
    plane: AgentPlane,
    wait: float,
    answer_limit: float,
    as_json: bool,
    **fields: Any,
) -> None:
    """Ask people a question. The same command with the same --question-id finds it, and its answer.

    TEXT is shown as it is: put no secret in it.
    """
    request = AskQuestionRequest(**fields)
    request.wait.FromNanoseconds(int(wait * 1e9))
    request.limit.FromNanoseconds(int(answer_limit * 1e9))
    with plane.open() as client:
        response = client.ask_question(request)
    if as_json:
        print_json(message_json(response))
    else:
        _print_asked(response)
    click.get_current_context().exit(_OUTCOMES.get(response.state, ExitCode.NOT_ACCEPTED))


def _print_asked(response: AskQuestionResponse) -> None:
    facts: list[tuple[str, Cell]] = [
        ("question_id", response.question_id),
        ("trace", str(response.trace_number)),
        ("expires", local(response.expires_at)),
    ]
    if response.answered_by:
        facts.append(("answered by", response.answered_by))
    if response.selected_option:
        facts.append(("chosen", response.selected_option))
    if response.text:
        facts.append(("answer", response.text))
    print_line(out(), Text(enum_name(response, "state"), style="bold"))
    print_facts(out(), iter(facts))


@question.command(
    "list",
    epilog="\b\nExample:\n  adjudicator question list --tenant studio",
    short_help="What waits for an answer.",
)
@click.option("--tenant", default="", help="Only this tenant.")
@json_option
@approver_plane
def list_open(*, plane: ApproverPlane, tenant: str, as_json: bool) -> None:
    """List the questions that are open and that you may answer. With --json, one on each line."""
    with plane.open() as client:
        found = list(client.questions(tenant=tenant))
    if as_json:
        for each in found:
            print_json(message_json(each))
    elif found:
        print_questions(out(), found, SystemClock().now())
    else:
        print_line(out(), "No question is open.")


@question.command(
    epilog="\b\nExamples:\n  adjudicator question answer qst-... --option postgres\n"
    "  adjudicator question answer qst-... --text 'neither: ask the team'\n\n" + _ANSWER_CODES,
    short_help="Answer a question.",
)
@click.argument("question_id", metavar="ID")
@click.option("--option", default="", help="One of its options, as it is shown.")
@click.option("--text", default="", help="Text of your own, where the question takes it.")
@json_option
@approver_plane
def answer(*, plane: ApproverPlane, question_id: str, option: str, text: str, as_json: bool) -> None:
    """Answer one question, and print the receipt."""
    if not option and not text:
        raise click.UsageError("Give --option or --text.")
    with plane.open() as client:
        receipt = client.answer_question(question_id, option=option, text=text)
    if as_json:
        print_json(message_json(receipt))
    else:
        verdict = Text("accepted", "bold green") if receipt.accepted else Text("not accepted", "bold red")
        print_line(out(), verdict, f"  {enum_name(receipt, 'code')}: {receipt.message}")
        if receipt.HasField("question"):
            print_question(out(), receipt.question, SystemClock().now())
    click.get_current_context().exit(ExitCode.OK if receipt.accepted else ExitCode.NOT_ACCEPTED)


question.add_command(watch_questions)
