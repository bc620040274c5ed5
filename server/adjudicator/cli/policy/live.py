"""`adjudicator policy status` and `reload`: the snapshot that decides in a sidecar."""

import click
from rich.text import Text

from adjudicator.api.v1.policy_service_pb2 import PolicyStatus
from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.message_json import message_json
from adjudicator.cli.moments import local
from adjudicator.cli.output import out, print_json, print_line
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.cli.policy.problems import place
from adjudicator.cli.verdicts import print_facts

_CODES = exit_codes(ExitCode.OK, ExitCode.ERROR, ExitCode.USAGE)


@click.command(epilog="\b\nExample:\n  adjudicator policy status", short_help="Which snapshot decides now.")
@json_option
@approver_plane
def status(*, plane: ApproverPlane, as_json: bool) -> None:
    """Show the snapshot that decides now, and what was wrong with the folder when it was last read."""
    with plane.open() as client:
        found = client.policy_status()
    if as_json:
        print_json(message_json(found))
    else:
        _print_status(found)


@click.command(
    epilog="\b\nExample:\n  adjudicator policy reload\n\n" + _CODES, short_help="Read the folder again."
)
@json_option
@approver_plane
def reload(*, plane: ApproverPlane, as_json: bool) -> None:
    """Let the sidecar read its folder and activate the bundle, all or nothing.

    A bundle with a problem changes nothing: the last good snapshot goes on deciding.
    """
    with plane.open() as client:
        response = client.reload_policy()
    if as_json:
        print_json(message_json(response))
    else:
        _print_status(response.status)
        active = Text("active", style="bold green")
        print_line(out(), active if response.activated else Text("not activated", style="bold red"))
    click.get_current_context().exit(ExitCode.OK if response.activated else ExitCode.ERROR)


def _print_status(found: PolicyStatus) -> None:
    console = out()
    facts = [
        ("version", found.version or Text("none: nothing is allowed", style="bold red")),
        ("activated", local(found.activated_at) if found.HasField("activated_at") else "never"),
        ("directory", found.directory),
        ("tenants", str(found.tenants)),
        ("agents", str(found.agents)),
        ("tools", str(found.tools)),
        ("rules", str(found.rules)),
        ("tests", f"{found.tests} passed"),
        ("problems", str(len(found.problems)) if found.problems else "none"),
    ]
    print_facts(console, iter(facts))
    for each in found.problems:
        print_line(console, f"    {place(each.file, each.line, each.column)}: {each.message}")
