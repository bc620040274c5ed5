"""`adjudicator policy test`: run a bundle's own tests, and ask what they would not notice."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.numbers import Percent
from adjudicator.cli.output import out, print_line, problem
from adjudicator.cli.planes import json_option
from adjudicator.cli.policy.folder import folder_argument, print_problems
from adjudicator.cli.progress import progress_bar
from adjudicator.config.limits import Limits
from adjudicator.policy.folder import fingerprint
from adjudicator.policy.problem import BundleError

if TYPE_CHECKING:
    from adjudicator.authoring.test_runs import Report
    from adjudicator.cli.policy.test_report import Tested

_EXAMPLES = """\b
Examples:
  adjudicator policy test
  adjudicator policy test ./policies --filter people --verbose
  adjudicator policy test --watch
  adjudicator policy test --coverage --min-coverage 90
  adjudicator policy test --mutate --min-killed 95
  adjudicator policy test --junit build/policy.xml"""
_CODES = exit_codes(ExitCode.OK, ExitCode.ERROR, ExitCode.USAGE)
_FAILING = "  1 also when a test fails, when there is none to run, and under a least percentage."
_LOOK_SECONDS = 0.3
_PERCENT = Percent()


class Least(NamedTuple):
    """The least percentages that will do; None where nobody wants to know them."""

    coverage: float | None
    killed: float | None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What one run does."""

    folder: Path
    filters: tuple[str, ...]
    junit: Path | None
    as_json: bool
    verbose: bool
    least: Least


@click.command(
    epilog=f"{_EXAMPLES}\n\n{_CODES}\n{_FAILING}",
    short_help="Run a bundle's tests.",
)
@folder_argument
@click.option(
    "-k",
    "--filter",
    "filters",
    multiple=True,
    metavar="TEXT",
    help="Only tests whose name, file, or FILE:LINE has this text; repeat for more.",
)
@click.option("-v", "--verbose", is_flag=True, help="Print the tests that pass too.")
@click.option("--watch", is_flag=True, help="Run again whenever something in the folder changes.")
@click.option(
    "--junit",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a report in the JUnit XML form too.",
)
@click.option(
    "--coverage", is_flag=True, help="Show which rules, steps, effects and keywords no test comes to."
)
@click.option("--min-coverage", type=_PERCENT, metavar="PERCENT", help="The same, and fail under this.")
@click.option(
    "--mutate", is_flag=True, help="Make each small mistake, and show those that no test notices."
)
@click.option("--min-killed", type=_PERCENT, metavar="PERCENT", help="The same, and fail under this.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of test files, for editors, and stop.")
@json_option
def test(  # noqa: PLR0913 - click passes each option by its name
    *,
    folder: Path,
    filters: tuple[str, ...],
    verbose: bool,
    watch: bool,
    junit: Path | None,
    coverage: bool,
    min_coverage: float | None,
    mutate: bool,
    min_killed: float | None,
    schema: bool,
    as_json: bool,
) -> None:
    """Run the tests that a bundle brings along, each by the chain that judges calls.

    They are in the `.yaml` files of the folder `tests`: calls and what must become of them, people and what
    they may decide. A bundle whose tests fail does not go live.
    """
    from adjudicator.policy.bundle_tests import SCHEMA  # noqa: PLC0415 - only this needs it

    if schema:
        click.echo(SCHEMA.read_text(encoding="utf-8"), nl=False)
        return
    least = Least(
        0 if coverage and min_coverage is None else min_coverage,
        0 if mutate and min_killed is None else min_killed,
    )
    wanted = _Wanted(folder, filters, junit, as_json, verbose, least)
    if watch:
        _for_ever(folder, lambda: _run(wanted))
    click.get_current_context().exit(_run(wanted))


def _run(wanted: _Wanted) -> ExitCode:
    """Run the tests once and print how it went."""
    from adjudicator.cli.policy.test_report import (  # noqa: PLC0415 - only this needs it
        print_report,
        says_enough,
    )

    try:
        with progress_bar() as progress:
            tested = _tested(wanted, progress)
    except BundleError as error:
        print_problems(wanted.folder, error.problems, as_json=wanted.as_json)
        return ExitCode.ERROR
    print_report(wanted.folder, tested, as_json=wanted.as_json, verbose=wanted.verbose)
    enough = says_enough(tested, wanted.least.coverage or 0, wanted.least.killed or 0)
    written = wanted.junit is None or _is_written(wanted.junit, tested.report)
    return ExitCode.OK if tested.report.passed and enough and written else ExitCode.ERROR


def _is_written(path: Path, report: "Report") -> bool:
    """Whether the report for other programs could be written; it says why not."""
    from adjudicator.cli.policy.junit import write_junit  # noqa: PLC0415 - only this needs it

    try:
        write_junit(path, report)
    except OSError as error:
        problem(f"{path} cannot be written: {error.strerror}")
        return False
    return True


def _tested(wanted: _Wanted, progress: Callable[[str, int, int], None]) -> "Tested":
    from adjudicator.authoring.test_runs import run_tests  # noqa: PLC0415 - only this needs it
    from adjudicator.authoring.trials import trials_of  # noqa: PLC0415 - the same
    from adjudicator.cli.policy.test_report import Tested  # noqa: PLC0415 - the same
    from adjudicator.policy.loader import open_bundle  # noqa: PLC0415 - the same

    limits = Limits()
    progress("reading the bundle", 0, 0)
    opened = open_bundle(wanted.folder)
    report = run_tests(opened.bundle, limits, wanted.filters, progress)
    trials = trials_of(tuple(result.test for result in report.results), limits)
    coverage = mutation = None
    if wanted.least.coverage is not None:
        from adjudicator.authoring.coverage.measuring import cover  # noqa: PLC0415 - the same

        coverage = cover(opened, trials, limits, progress)
    if wanted.least.killed is not None:
        from adjudicator.authoring.mutants.killing import mutate  # noqa: PLC0415 - the same

        mutation = mutate(opened, trials, progress)
    return Tested(report, coverage, mutation)


def _for_ever(folder: Path, run: Callable[[], ExitCode]) -> None:
    """Run now, and again each time the folder has changed, until it is interrupted."""
    while True:
        seen = fingerprint(folder)
        run()
        while fingerprint(folder) == seen:
            time.sleep(_LOOK_SECONDS)
        print_line(out(), "")
