"""`adjudicator call`: ask for the verdict on one call, or on every call of a file."""

from typing import Any

import click

from adjudicator.cli.call_file import FileRun
from adjudicator.cli.call_options import FORM, call_options, flag_fields, given_fields
from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.message_json import message_json
from adjudicator.cli.numbers import TRACE_NUMBER, Seconds
from adjudicator.cli.output import out, print_json
from adjudicator.cli.planes import AgentPlane, agent_plane, json_option
from adjudicator.cli.tool_calls import CallFields, hint_blanks
from adjudicator.cli.verdicts import exit_code_of, print_verdict
from adjudicator.client.agent import Ask
from adjudicator.config.limits import Limits
from adjudicator.domain.clock import SystemClock

_LIMITS = Limits()
_EXAMPLES = """\b
Examples:
  adjudicator call --tenant studio --agent coder --tool bash --arguments '{"command": "ls"}'
  adjudicator call '{"tenant": "studio", "agent": "coder", "tool": "ls", "arguments": {"path": "."}}'
  runtime | adjudicator call --json -
  adjudicator call --tenant studio --agent coder --file calls.jsonl"""

_FILE_CODES = "  For a file: 1 if any line is an error, else 3 if any is denied, else 4 if any asks."
_CODES = exit_codes(ExitCode.OK, ExitCode.DENY, ExitCode.ASK, ExitCode.ERROR, ExitCode.USAGE)


@click.command(
    epilog=f"{_EXAMPLES}\n\n{FORM}\n\n{_CODES}\n{_FILE_CODES}",
    short_help="Ask for the verdict on a call, or on a file of calls.",
)
@click.argument("call", required=False, metavar="[JSON | -]")
@click.option(
    "-f",
    "--file",
    "path",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    help="A .jsonl file of calls; - is standard input.",
)
@call_options
@click.option("--flow", type=TRACE_NUMBER, metavar="TRACE", help="The open flow that the call belongs to.")
@click.option(
    "--wait", default=0.0, type=Seconds(_LIMITS.wait_seconds), metavar="SECONDS", help="Hold an ASK."
)
@click.option(
    "--approval-limit",
    default=0.0,
    type=Seconds(_LIMITS.limit_seconds),
    metavar="SECONDS",
    help="A shorter time limit for the approval that an ASK opens; 0 leaves the policy's.",
)
@click.option("--dry-run", is_flag=True, help="The same verdict; nothing recorded, opened or used.")
@click.option("-q", "--quiet", is_flag=True, help="Of a file, print the summary and errors only.")
@json_option
@agent_plane
def call(
    *,
    plane: AgentPlane,
    call: str | None,
    path: str | None,
    wait: float,
    approval_limit: float,
    dry_run: bool,
    quiet: bool,
    as_json: bool,
    **flags: Any,
) -> None:
    """Ask whether a tool call may run: one call from flags, from JSON or from standard input, or a file.

    The flags say what a call in JSON does not say itself.
    """
    if call is not None and path is not None:
        raise click.UsageError("Give one call or a file, not both.")
    ask = Ask(wait_seconds=wait, dry_run=dry_run, limit_seconds=approval_limit)
    defaults = flag_fields(**flags)
    if path is not None:
        with click.open_file(path, "rb") as lines, plane.open() as client:
            code = FileRun(client, path, defaults, ask, as_json=as_json, quiet=quiet).judge(lines)
    else:
        code = _judge_one(plane, given_fields(call, defaults, "--file"), ask, as_json=as_json)
    click.get_current_context().exit(code)


def _judge_one(plane: AgentPlane, fields: CallFields, ask: Ask, *, as_json: bool) -> ExitCode:
    tool_call = fields.tool_call()
    hint_blanks(tool_call)
    with plane.open() as client:
        verdict = client.adjudicate(tool_call, ask)
    if as_json:
        print_json(message_json(verdict))
    else:
        print_verdict(out(), verdict, SystemClock().now())
    return exit_code_of(verdict)
