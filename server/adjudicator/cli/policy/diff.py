"""`adjudicator policy diff`: which calls get another verdict by another bundle."""

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from google.protobuf.timestamp_pb2 import Timestamp

from adjudicator.cli.databases import existing, own_database
from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.option_types import Moment
from adjudicator.cli.output import problem
from adjudicator.cli.planes import json_option
from adjudicator.cli.policy.compared_calls import Found, Progress, calls_of_file, calls_of_traces
from adjudicator.cli.policy.diff_json import print_json_report
from adjudicator.cli.policy.diff_view import print_report
from adjudicator.cli.policy.folder import print_problems
from adjudicator.cli.progress import progress_bar
from adjudicator.cli.tool_calls import MODES, CallFields
from adjudicator.config.limits import Limits
from adjudicator.config.settings import Settings
from adjudicator.policy.loader import BundleError, OpenBundle, open_bundle

if TYPE_CHECKING:
    from adjudicator.app.recorded_calls import Wanted
    from adjudicator.authoring.comparison.report import Report

_EXAMPLES = """\b
Examples:
  adjudicator policy diff main/policies policies
  adjudicator policy diff main/policies policies --calls calls.jsonl --tenant studio
  adjudicator policy diff main/policies policies --traces --since 7d --fail-on loosened"""
_CODES = exit_codes(ExitCode.OK, ExitCode.ERROR, ExitCode.USAGE, ExitCode.CHANGED)
_EXAMPLES_SHOWN = 3
_LOOSENED = "loosened"
_OF_RECORDS = ("since", "until", "last")
_FOLDER = click.Path(path_type=Path)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command(
    epilog=f"{_EXAMPLES}\n\n{_CODES}", short_help="Which calls get another verdict by another bundle."
)
@click.argument("was", metavar="A", type=_FOLDER)
@click.argument("now", metavar="B", type=_FOLDER)
@click.option(
    "--calls",
    "files",
    multiple=True,
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    help="A .jsonl file of calls; - is standard input. May be repeated.",
)
@click.option("--tests", is_flag=True, help="The calls in the tests of both.  [default: if nothing else]")
@click.option("--traces", is_flag=True, help="The calls on record in the database.")
@click.option(
    "--export",
    "exports",
    multiple=True,
    metavar="FILE",
    type=_FILE,
    help="The calls on record in an export or an archive. May be repeated.",
)
@own_database
@click.option("--tenant", help="The tenant, where a line of --calls has none; of records, only this one.")
@click.option("--agent", help="The same for the agent.")
@click.option("--tool", help="The same for the tool.")
@click.option("--principal", help="For whom the agent works, where a line does not say it.")
@click.option("--on-behalf-of", multiple=True, metavar="AGENT", help="The same; repeat, nearest first.")
@click.option("--working-directory", help="The same for the folder.  [default: the current directory]")
@click.option("--mode", type=click.Choice(list(MODES)), help="The same for a stricter mode.")
@click.option("--since", type=Moment(), help="Of records, only those opened then or later, as 2h ago.")
@click.option("--until", type=Moment(), help="Of records, only those opened before.")
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Of records, only the latest N.")
@click.option("--all", "show_all", is_flag=True, help="Show every row and call that differs.")
@click.option(
    "--fail-on",
    type=click.Choice(["change", _LOOSENED]),
    default="change",
    show_default=True,
    help="What the exit code counts.",
)
@json_option
def diff(
    *, settings: Settings, was: Path, now: Path, fail_on: str, show_all: bool, as_json: bool, **options: Any
) -> None:
    """Judge calls by the bundles in the folders A and B, and show those whose verdict differs.

    What is loosened comes first: calls that were denied and are allowed, then the others by what they
    were and are, and by the rule that decides. Nothing is recorded, and no sidecar is needed. Arguments
    are shown without what either bundle hides. It is an error if anything could not be read, or if no
    call was compared.
    """
    from adjudicator.authoring.comparison.examples import Shelf  # noqa: PLC0415 - only this needs it
    from adjudicator.authoring.comparison.report import Report  # noqa: PLC0415 - the same

    _check(options)
    with Shelf() as shelf:
        with progress_bar() as progress:
            bundles = _opened((was, now), progress, as_json=as_json)
            report = Report.begun(
                (str(was), str(now)), bundles, shelf, None if show_all else _EXAMPLES_SHOWN
            )
            for found in _found(options, settings, report, progress):
                _take(report, found)
        (print_json_report if as_json else print_report)(report, show_all=show_all)
        code = _code(report, only_loosened=fail_on == _LOOSENED)
    click.get_current_context().exit(code)


def _check(options: dict[str, Any]) -> None:
    if any(options[name] for name in _OF_RECORDS) and not (options["traces"] or options["exports"]):
        names = ", ".join(f"--{name}" for name in _OF_RECORDS)
        raise click.UsageError(f"{names} are about records; name some with --traces or --export.")


def _opened(folders: tuple[Path, Path], progress: Progress, *, as_json: bool) -> tuple[OpenBundle, ...]:
    """Both bundles; where one is not valid, all problems of both are told, and the command ends."""
    opened: list[OpenBundle] = []
    for folder in folders:
        progress(f"reading {folder}", 0, 0)
        try:
            opened.append(open_bundle(folder))
        except BundleError as error:
            print_problems(folder, error.problems, as_json=as_json)
    if len(opened) < len(folders):
        click.get_current_context().exit(ExitCode.ERROR)
    return tuple(opened)


def _found(
    options: dict[str, Any], settings: Settings, report: "Report", progress: Progress
) -> Iterator[Found]:
    """The calls of all sources that were named, and what in them is none."""
    if options["tests"] or not (options["files"] or options["traces"] or options["exports"]):
        yield from (Found(source, call) for call, source in report.calls_of_tests().items())
    defaults = _defaults(options)
    for name in options["files"]:
        try:
            with click.open_file(name, "rb") as lines:
                yield from calls_of_file(lines, name, defaults, progress)
        except OSError as error:
            yield Found(name, problem=f"the file cannot be read: {error.strerror or error}")
    if options["traces"] or options["exports"]:
        yield from _recorded(options, settings, progress)


def _recorded(options: dict[str, Any], settings: Settings, progress: Progress) -> Iterator[Found]:
    from adjudicator.app import recorded_calls  # noqa: PLC0415 - only this needs it
    from adjudicator.app.database import readable  # noqa: PLC0415 - the same

    wanted = _wanted(options)
    if options["traces"]:
        database = readable(existing(settings))
        replays = recorded_calls.calls_of_database(database, wanted, Limits())
        yield from calls_of_traces(replays, database.name, progress)
    for file in options["exports"]:
        replays = recorded_calls.calls_of_export(file, wanted, Limits())
        yield from calls_of_traces(replays, str(file), progress)


def _wanted(options: dict[str, Any]) -> "Wanted":
    from adjudicator.app.recorded_calls import Wanted  # noqa: PLC0415 - only this needs it

    since, until = (_moment(options[name]) for name in ("since", "until"))
    who = {name: options[name] or "" for name in ("tenant", "agent", "tool")}
    return Wanted(since, until, **who, last=options["last"])


def _moment(stamp: Timestamp | None) -> Any:
    return stamp.ToDatetime(UTC) if stamp else None


def _defaults(options: dict[str, Any]) -> CallFields:
    names = ("tenant", "agent", "tool", "principal", "on_behalf_of", "working_directory", "mode")
    given = {name: options[name] for name in names}
    return CallFields(**{**given, "working_directory": given["working_directory"] or str(Path.cwd())})


def _take(report: "Report", found: Found) -> None:
    if found.gap:
        report.leave_out(found.trace, found.gap)
        return
    fault = report.compare(found.call, found.source) if found.call else found.problem
    if fault:
        report.unreadable += 1
        problem(f"{found.source}: {fault}")


def _code(report: "Report", *, only_loosened: bool) -> ExitCode:
    """An error before all else: who could not compare must not be told that nothing changes."""
    if not report.compared and not report.same_version:
        problem("no call was compared, so nothing is known of what changes; name calls with --calls")
        return ExitCode.ERROR
    if report.unreadable:
        return ExitCode.ERROR
    return ExitCode.CHANGED if report.changes(only_loosened=only_loosened) else ExitCode.OK
