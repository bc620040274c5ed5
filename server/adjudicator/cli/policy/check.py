"""`adjudicator policy check`: what keeps a bundle from being activated."""

from pathlib import Path

import click
from rich.text import Text

from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.output import out, print_json, print_line
from adjudicator.cli.planes import json_option
from adjudicator.cli.policy.folder import folder_argument, telling_problems
from adjudicator.cli.progress import progress_bar

_CODES = exit_codes(ExitCode.OK, ExitCode.ERROR, ExitCode.USAGE)


@click.command(
    epilog="\b\nExample:\n  adjudicator policy check ./policies && git commit -a\n\n" + _CODES,
    short_help="Check a bundle, without a sidecar.",
)
@folder_argument
@json_option
def check(*, folder: Path, as_json: bool) -> None:
    """Read a bundle as the sidecar would, run its tests, and list every problem as FILE:LINE:COLUMN.

    The tests run when nothing else is wrong. DIR is ./policies unless it is given, or named by
    ADJUDICATOR_POLICIES. No sidecar is needed.
    """
    from adjudicator.app.bundle import check_bundle  # noqa: PLC0415 - only this needs it

    with telling_problems(folder, as_json=as_json), progress_bar() as progress:
        progress("reading the bundle", 0, 0)
        bundle = check_bundle(folder)
    snapshot = bundle.snapshot
    counts = {
        "tenants": len(snapshot.registry.tenants),
        "agents": len(snapshot.registry.agents),
        "tools": len(snapshot.registry.tools),
        "rules": snapshot.rule_count,
        "tests": len(bundle.tests),
    }
    if as_json:
        report = {"ok": True, "directory": str(folder), "problems": []}
        print_json({**report, "version": snapshot.version, **counts})
        return
    counted = ", ".join(f"{counts[name]} {name}" for name in ("tenants", "agents", "tools", "rules"))
    print_line(out(), Text("good", style="bold green"), f"  {folder}: {counted}")
    print_line(out(), f"  {counts['tests']} tests passed")
    print_line(out(), f"  {snapshot.version}")
