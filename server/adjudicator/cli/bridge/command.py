"""`adjudicator bridge`: the command that an editor runs as its child."""

import signal
import sys
from datetime import timedelta
from typing import Any

import click

from adjudicator.cli.bridge.session import Session
from adjudicator.cli.bridge.wanted import FORMS, Wanted
from adjudicator.cli.numbers import Seconds
from adjudicator.cli.option_types import PRIORITY
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.config.approver_tokens import name_in
from adjudicator.config.limits import FILE_CHANGE_SECONDS

_EXAMPLES = """\b
Examples:
  adjudicator bridge --as ann
  adjudicator bridge --as ann --tenant studio --forms file-changes"""

_END = """\b
It ends with 0 when standard input closes, at SIGTERM, and when nobody reads standard output any more;
with 1 when the sidecar does not let this token in. What is pending stays pending."""


@click.command(
    epilog=f"{_EXAMPLES}\n\n{_END}",
    short_help="Approvals for an editor, as JSON lines on standard streams.",
)
@click.option("--tenant", default="", help="Only this tenant.")
@click.option("--tool", default="", help="Only this tool.")
@click.option(
    "--least-priority", type=PRIORITY, default="UNSPECIFIED", help="Only this priority and above."
)
@click.option(
    "--forms",
    default=",".join(FORMS),
    show_default=True,
    metavar="FORM,...",
    callback=lambda _context, _option, value: _forms(value),
    help="Which forms are sent.",
)
@click.option(
    "--file-change-limit",
    type=Seconds(FILE_CHANGE_SECONDS, min_open=True),
    default=float(FILE_CHANGE_SECONDS),
    show_default=True,
    metavar="SECONDS",
    help="How long a file-change request waits for an answer.",
)
@json_option
@approver_plane
def bridge(*, plane: ApproverPlane, file_change_limit: float, as_json: bool, **wanted: Any) -> None:
    """Tell an editor of what is pending, and take its answers: one JSON object on each line.

    Out on standard output, in on standard input; the log is on standard error. It comes back by itself
    when the sidecar was away, and lets nobody decide meanwhile. It prints JSON with or without --json.
    """
    del as_json
    approver = name_in(plane.token_file.name) if plane.token_file else plane.name
    limit = timedelta(seconds=file_change_limit)
    with plane.open() as client:
        everything = Wanted(file_change_limit=limit, approver=approver or "", **wanted)
        session = Session(client, everything, sys.stdin.fileno(), sys.stdout.fileno())
        signal.signal(signal.SIGTERM, lambda *_: session.end())
        session.run()


def _forms(value: str) -> tuple[str, ...]:
    forms = tuple(value.split(","))
    if unknown := [form for form in forms if form not in FORMS]:
        raise click.BadParameter(f"{unknown[0]!a} is not one of them: {', '.join(FORMS)}.")
    return forms
