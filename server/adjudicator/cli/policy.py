"""`adjudicator policy check`, `status`, `reload`: the bundle on disk and the snapshot that decides.

`preview`, which is of the same group, has a file of its own.
"""

from pathlib import Path
from typing import Any

import click
from rich.text import Text

from adjudicator.api.v1.policy_service_pb2 import PolicyStatus
from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.message_json import message_json
from adjudicator.cli.moments import local
from adjudicator.cli.output import out, print_json, print_line
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.cli.policy_preview import preview
from adjudicator.cli.problems import place
from adjudicator.cli.verdicts import print_facts
from adjudicator.config.settings import POLICIES

_CODES = exit_codes(ExitCode.OK, ExitCode.ERROR, ExitCode.USAGE)


@click.group(short_help="Check, show, preview or reload the policy.")
def policy() -> None:
    """Check a bundle offline, see which snapshot decides, preview the folder, or read it again."""


policy.add_command(preview)


@policy.command(
    epilog="\b\nExample:\n  adjudicator policy check ./policies && git commit -a\n\n" + _CODES,
    short_help="Check a bundle, without a sidecar.",
)
@click.argument(
    "folder",
    metavar="[DIR]",
    default=POLICIES,
    envvar="ADJUDICATOR_POLICIES",
    type=click.Path(path_type=Path),
)
@json_option
def check(*, folder: Path, as_json: bool) -> None:
    """Read a bundle as the sidecar would, run its tests, and list every problem as FILE:LINE:COLUMN.

    The tests run when nothing else is wrong. DIR is ./policies unless it is given, or named by
    ADJUDICATOR_POLICIES. No sidecar is needed.
    """
    from adjudicator.app.bundle import BundleError, check_bundle  # noqa: PLC0415 - only this needs it

    try:
        bundle = check_bundle(folder)
    except BundleError as error:
        problems = [
            {"file": each.file, "line": each.line, "column": each.column, "message": each.message}
            for each in error.problems
        ]
        _print_check({"ok": False, "directory": str(folder), "problems": problems}, as_json=as_json)
        click.get_current_context().exit(ExitCode.ERROR)
    snapshot = bundle.snapshot
    counts = {
        "tenants": len(snapshot.registry.tenants),
        "agents": len(snapshot.registry.agents),
        "tools": len(snapshot.registry.tools),
        "rules": snapshot.rule_count,
        "tests": len(bundle.tests),
    }
    report = {"ok": True, "directory": str(folder), "problems": [], "version": snapshot.version, **counts}
    _print_check(report, as_json=as_json)


@policy.command(
    epilog="\b\nExample:\n  adjudicator policy status", short_help="Which snapshot decides now."
)
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


@policy.command(
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


def _print_check(report: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(report)
        return
    for each in report["problems"]:
        print_line(out(), f"{place(each['file'], each['line'], each['column'])}: {each['message']}")
    if report["ok"]:
        counted = ", ".join(f"{report[name]} {name}" for name in ("tenants", "agents", "tools", "rules"))
        print_line(out(), Text("good", style="bold green"), f"  {report['directory']}: {counted}")
        print_line(out(), f"  {report['tests']} tests passed")
        print_line(out(), f"  {report['version']}")
    else:
        found = len(report["problems"])
        print_line(
            out(),
            Text("not valid", style="bold red"),
            f"  {report['directory']}: {found} {'problem' if found == 1 else 'problems'}",
        )


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
