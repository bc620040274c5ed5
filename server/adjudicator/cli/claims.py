"""`adjudicator claim`: who is on an approval, so that two people do not read the same one."""

from datetime import timedelta

import click
from rich.text import Text

from adjudicator.api.v1.approval_service_pb2 import ClaimApprovalResponse
from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.message_json import message_json
from adjudicator.cli.moments import local
from adjudicator.cli.option_types import APPROVAL_ID, Span
from adjudicator.cli.output import out, print_json, print_line
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.config.limits import Limits

_EXAMPLES = "\b\nExamples:\n  adjudicator claim apr-...\n  adjudicator claim apr-... --release"
_CODES = exit_codes(ExitCode.OK, ExitCode.NOT_ACCEPTED, ExitCode.ERROR, ExitCode.USAGE)


@click.command(epilog=f"{_EXAMPLES}\n\n{_CODES}", short_help="Say that you are on an approval.")
@click.argument("approval_id", metavar="ID", type=APPROVAL_ID)
@click.option(
    "--for",
    "lease",
    type=Span(timedelta(seconds=Limits().claim_seconds)),
    default="5m",
    show_default=True,
    metavar="SPAN",
    help="For how long, at most 10m.",
)
@click.option("--release", is_flag=True, help="Let go of a claim of your own.")
@json_option
@approver_plane
def claim(
    *, plane: ApproverPlane, approval_id: str, lease: timedelta, release: bool, as_json: bool
) -> None:
    """Say for a while that you are on it, so that two people do not read the same one.

    It keeps nobody from deciding.
    """
    with plane.open() as client:
        response = client.claim(approval_id, timedelta() if release else lease)
    if as_json:
        print_json(message_json(response))
    else:
        _print(response, "released" if release else "claimed")
    click.get_current_context().exit(ExitCode.OK if response.claimed else ExitCode.NOT_ACCEPTED)


def _print(response: ClaimApprovalResponse, done: str) -> None:
    verdict = Text(done, "bold green") if response.claimed else Text(f"not {done}", "bold red")
    holder = response.approval.claim
    who = f"{holder.actor} is on it until {local(holder.until)}" if holder.actor else "nobody is on it"
    print_line(out(), verdict, f"  {who}")
