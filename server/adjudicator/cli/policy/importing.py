"""`adjudicator policy import`: what other programs say of tools and permissions, brought into a bundle."""

from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.output import problem
from adjudicator.cli.plain import plain
from adjudicator.cli.planes import json_option
from adjudicator.cli.policy.import_report import Report, finish, origin_of, telling_faults, text_of
from adjudicator.cli.progress import progress_bar
from adjudicator.config.settings import POLICIES

if TYPE_CHECKING:
    from adjudicator.authoring.imports.rule_rows import RuleRow
    from adjudicator.authoring.imports.tools import TakenTool

_CODES = exit_codes(ExitCode.OK, ExitCode.ERROR, ExitCode.USAGE)

_file = click.argument("file", type=click.File("rb"))
_into = click.option(
    "--into",
    "folder",
    metavar="DIR",
    default=POLICIES,
    show_default=True,
    envvar="ADJUDICATOR_POLICIES",
    show_envvar=True,
    type=click.Path(path_type=Path),
    help="The folder of the bundle.",
)
_write = click.option("--write", is_flag=True, help="Write it, instead of printing what would be written.")


@click.group("import", short_help="Bring in tools, or permission rules, of other programs.")
def importing() -> None:
    """Bring in what other programs say. Nothing is written without --write, and nothing gets looser."""


@importing.command(
    epilog="\b\nExamples:\n  adjudicator policy import tools github.json --prefix github --tenant studio\n"
    "  list-tools | adjudicator policy import tools - --prefix files --write\n\n" + _CODES,
    short_help="Register tools from a server's list.",
)
@_file
@_into
@click.option("--prefix", default="", help="Register each tool as PREFIX.NAME.")
@click.option(
    "--permission",
    default="",
    help="What an agent must hold to call them; nobody does yet.  [default: PREFIX.use, or imported.use]",
)
@click.option("--tenant", default="", help="Put them on the allow-list of this tenant.")
@click.option("--trust-hints", is_flag=True, help="Believe the server which of its tools only read.")
@_write
@json_option
def tools(
    *,
    file: IO[bytes],
    folder: Path,
    prefix: str,
    permission: str,
    tenant: str,
    trust_hints: bool,
    write: bool,
    as_json: bool,
) -> None:
    """Register tools from the answer of an MCP server to tools/list, with a strict contract of each.

    FILE is that answer, a list of definitions or one of them; - is standard input. Nobody may call the
    tools until a row of permission.csv and one of rules.csv say so: none is written. What a server says
    is not trusted: its schemas are closed and never get looser, its texts are cleaned, and each change and
    guess is noted. A tool that cannot be taken is left out, and the exit code is 1.
    """
    from adjudicator.authoring.imports.definitions import (  # noqa: PLC0415 - only this needs it
        definitions_in,
        read_import,
    )
    from adjudicator.authoring.imports.tools import ToolWish, import_tools  # noqa: PLC0415 - the same
    from adjudicator.policy.loader import open_bundle  # noqa: PLC0415 - the same

    with telling_faults(folder, as_json=as_json), progress_bar() as progress:
        progress("reading the bundle", 0, 0)
        bundle = open_bundle(folder)
        wish = ToolWish(origin_of(file), prefix, permission, tenant, trust_hints)
        found = import_tools(definitions_in(read_import(text_of(file))), bundle, wish, progress)
        report = Report(
            found.edits,
            [*found.left_out, *found.notes],
            {"tools": [_tool_json(tool) for tool in found.tools]},
            summary=f"{len(found.tools)} to register, {len(found.left_out)} left out",
            failed=bool(found.left_out),
        )
        progress("reading the bundle as it would be", 0, 0)
        finish(folder, bundle, report, write=write, as_json=as_json)


@importing.command(
    epilog="\b\nExamples:\n"
    "  adjudicator policy import permissions settings.json --tenant studio --role engineer\n"
    "  adjudicator policy import permissions settings.json --tenant studio --agent coder \\\n"
    "    --tool Bash=bash --tool WebSearch= --write\n\n" + _CODES,
    short_help="Translate permission rules into rows.",
)
@_file
@_into
@click.option("--tenant", required=True, help="The tenant that the rows are for.")
@click.option("--role", default="", help="The role that the rows are for.")
@click.option("--agent", default="", help="The agent that the rows are for, instead of a role.")
@click.option(
    "--tool",
    "named",
    multiple=True,
    metavar="NAME=CODE",
    help="Which tool of the bundle NAME is; may be repeated. `NAME=` is none.",
)
@click.option(
    "--form",
    default="",
    metavar="FORM",
    help="The form of FILE, unless it shows: lists, mapping or tools.",
)
@_write
@click.option("--accept-lost", is_flag=True, help="Write although a denial is lost.")
@json_option
def permissions(  # noqa: PLR0913 - one for each option
    *,
    file: IO[bytes],
    folder: Path,
    tenant: str,
    role: str,
    agent: str,
    named: tuple[str, ...],
    form: str,
    write: bool,
    accept_lost: bool,
    as_json: bool,
) -> None:
    """Translate the permission rules of another command line into rows of rules.csv.

    FILE is JSON: lists allow, ask and deny of patterns such as Bash(git diff:*); a mapping permission of
    tools and patterns; or lists of tools that there are, are left out, or run unasked. Nothing is allowed
    that the rules there would deny or ask about. What cannot be said exactly is said more strictly, with a
    note; a denial that cannot be said at all is listed first, and the exit code is 1.
    """
    from adjudicator.authoring.imports.definitions import read_import  # noqa: PLC0415 - only this needs it
    from adjudicator.authoring.imports.forms.reading import read_rules  # noqa: PLC0415 - the same
    from adjudicator.authoring.imports.permissions import RuleWish, import_rules  # noqa: PLC0415 - the same
    from adjudicator.policy.loader import open_bundle  # noqa: PLC0415 - the same

    if bool(role) == bool(agent):
        only = "give only one of them" if role else "give one of them"
        raise click.UsageError(f"the rows are for a role or for an agent, by --role or --agent; {only}")
    with telling_faults(folder, as_json=as_json), progress_bar() as progress:
        source = read_rules(read_import(text_of(file)), form)
        progress("reading the bundle", 0, 0)
        bundle = open_bundle(folder)
        subject = f"role:{role}" if role else f"agent:{agent}"
        wish = RuleWish(origin_of(file), subject, tenant, _codes_by_name(named))
        found = import_rules(source, bundle, wish, progress)
        report = Report(
            found.edits,
            [*found.lost, *found.notes],
            {"rows": [_row_json(row) for row in found.rows], "lost": [str(note) for note in found.lost]},
            summary=f"{len(found.rows)} rows of {len(source.rules)} rules, denials lost: {len(found.lost)}",
            failed=bool(found.lost),
        )
        progress("reading the bundle as it would be", 0, 0)
        if write and found.lost and not accept_lost:
            problem(
                "a denial would be lost, so nothing is written: say what it is about by --tool NAME=CODE,"
                " that it is about nothing by --tool NAME=, or --accept-lost"
            )
            write = False
        finish(folder, bundle, report, write=write, as_json=as_json)


def _codes_by_name(named: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for each in named:
        name, equals, code = each.partition("=")
        if not name or not equals:
            raise click.BadParameter(f"{plain(each)!r} is not NAME=CODE", param_hint="'--tool'")
        found[name] = (*found.get(name, ()), code) if code else ()
    return found


def _row_json(row: "RuleRow") -> dict[str, Any]:
    return {
        "tool": row.tool,
        "argument": row.argument,
        "unless": row.unless,
        "effect": row.effect.value,
        "reason": row.reason,
    }


def _tool_json(tool: "TakenTool") -> dict[str, Any]:
    return {
        "name": tool.name,
        "code": tool.code,
        "access": tool.access.value,
        "arguments": {spec.pointer: spec.kind.value for spec in tool.arguments},
    }
