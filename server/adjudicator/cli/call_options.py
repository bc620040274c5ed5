"""The options by which a call is given: flags, JSON, or JSON on standard input."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from adjudicator.cli.tool_calls import MODES, CallFields, call_fields, decoded

Command = TypeVar("Command", bound=Callable[..., Any])

FORM = """\b
A call as JSON, alone or on a line of a file:
  {"tool": ..., "arguments": {...}}, and what the flags do not say for all: tenant, agent,
  session, call_id, principal, on_behalf_of, working_directory, mode, resolved_paths, flow.
  Arguments are sent as the text that they are. If arguments is a string, its content is sent."""

_OPTIONS = (
    click.option("--tenant", envvar="ADJUDICATOR_TENANT", show_envvar=True, help="The tenant."),
    click.option("--agent", envvar="ADJUDICATOR_AGENT", show_envvar=True, help="The agent."),
    click.option("--tool", help="The tool."),
    click.option("--arguments", metavar="JSON", help="The arguments, sent exactly as they are written."),
    click.option("--session", envvar="ADJUDICATOR_SESSION", show_envvar=True, help="The session."),
    click.option("--call-id", help="The idempotency key; come again with it after an ASK."),
    click.option("--principal", help="For whom the agent works, for example user:ann."),
    click.option("--on-behalf-of", multiple=True, metavar="AGENT", help="Repeat for each, nearest first."),
    click.option("--working-directory", help="Where the tool would run.  [default: the current directory]"),
    click.option("--mode", type=click.Choice(list(MODES)), help="A stricter mode for this call."),
)


def call_options(command: Command) -> Command:
    """The flags that say what a call in JSON does not say itself; the command gets each by its name."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def flag_fields(
    *, on_behalf_of: tuple[str, ...], working_directory: str | None, **flags: Any
) -> CallFields:
    """What the flags say; the tool runs in the current directory unless they say another."""
    if working_directory is None:
        working_directory = str(Path.cwd())
    return CallFields(on_behalf_of=on_behalf_of, working_directory=working_directory, **flags)


def given_fields(text: str | None, flags: CallFields, otherwise: str) -> CallFields:
    """The call of a JSON text, of standard input for `-`, or of the flags alone, for which both are needed.

    Raises CallError; a usage error that ends with `otherwise` where nothing says what the call is.
    """
    if text is None:
        if flags.tool is None or flags.arguments is None:
            raise click.UsageError(
                f"Give --tool and --arguments, a JSON object, - for standard input, or {otherwise}."
            )
        return flags
    if text == "-":
        text = decoded(sys.stdin.buffer.read())
    return call_fields(text).or_else(flags)
