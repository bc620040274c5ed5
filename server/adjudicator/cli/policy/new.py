"""`adjudicator policy new`: a first bundle to grow from."""

import shlex
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.output import out, print_json, print_line, problem
from adjudicator.cli.planes import json_option
from adjudicator.config.approver_tokens import FIRST_APPROVER

if TYPE_CHECKING:
    from adjudicator.authoring.starter.names import Names

_CODES = exit_codes(ExitCode.OK, ExitCode.ERROR, ExitCode.USAGE)


@click.command(
    epilog="\b\nExamples:\n  adjudicator policy new policies\n"
    "  adjudicator policy new policies --tenant team-a --agent coder --approver ann\n\n" + _CODES,
    short_help="Make a first bundle to grow from.",
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--tenant", default="main", show_default=True, help="The code of its tenant.")
@click.option("--agent", default="assistant", show_default=True, help="The code of the agent that works.")
@click.option(
    "--approver", default=FIRST_APPROVER, show_default=True, help="Who decides on what waits for a person."
)
@json_option
def new(*, folder: Path, tenant: str, agent: str, approver: str, as_json: bool) -> None:
    """Make a small bundle that is complete: models, rows, tools, schemas, and tests of every step.

    DIR is a new or an empty folder. Whatever goes wrong, it is left as it was. No sidecar is needed.
    """
    from adjudicator.authoring.starter.files import (  # noqa: PLC0415 - only this needs it
        editor_files,
        starter_files,
    )
    from adjudicator.authoring.starter.folder import (  # noqa: PLC0415 - the same
        FolderError,
        check_place,
        make_folder,
    )
    from adjudicator.authoring.starter.names import Names  # noqa: PLC0415 - the same

    names = Names(tenant, agent, approver)
    for field, fault in names.faults():
        raise click.BadParameter(fault, param_hint=f"'--{field}'")
    files = starter_files(names) | editor_files()
    try:
        make_folder(check_place(folder), files)
    except FolderError as error:
        problem(str(error))
        click.get_current_context().exit(ExitCode.ERROR)
    if as_json:
        print_json({"ok": True, "directory": str(folder), "files": sorted(files)})
    else:
        _print_made(folder, files, names)


def _print_made(folder: Path, files: Iterable[str], names: "Names") -> None:
    parts = Counter(name.partition("/")[0] + "/" if "/" in name else name for name in files)
    print_line(out(), Text("made", style="bold green"), f"  {folder}")
    for part, count in parts.items():
        print_line(
            out(),
            f"  {part}" + (f"  {count} {'file' if count == 1 else 'files'}" if part.endswith("/") else ""),
        )
    call = (
        f"adjudicator call --tenant {names.tenant} --agent {names.agent} --tool read "
        """--arguments '{"path": "README.md"}'"""
    )
    at = shlex.quote(str(folder))
    print_line(out(), "next:")
    for command in (f"adjudicator policy check {at}", f"adjudicator serve --policies {at}", call):
        print_line(out(), f"  {command}")
