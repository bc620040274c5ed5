"""`adjudicator policy check`: what keeps a bundle from being activated, and what is worth a look."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.output import out, print_json, print_line
from adjudicator.cli.planes import json_option
from adjudicator.cli.policy.folder import folder_argument, print_problems, problem_json, telling_problems
from adjudicator.cli.policy.problems import place
from adjudicator.cli.progress import progress_bar
from adjudicator.config.limits import WARNINGS_SHOWN, Limits

if TYPE_CHECKING:
    from adjudicator.authoring.warnings.meant import Sorted
    from adjudicator.authoring.warnings.warning import BundleWarning
    from adjudicator.policy.loader import OpenBundle
    from adjudicator.policy.problem import Problem

_CODES = exit_codes(ExitCode.OK, ExitCode.ERROR, ExitCode.USAGE)


@click.command(
    epilog="\b\nExamples:\n  adjudicator policy check ./policies && git commit -a\n"
    "  adjudicator policy check --strict --json | jq '.warnings[].code'\n\n" + _CODES,
    short_help="Check a bundle, without a sidecar.",
)
@folder_argument
@click.option("--strict", is_flag=True, help="End with 1 for warnings too.")
@json_option
def check(*, folder: Path, strict: bool, as_json: bool) -> None:
    """Read a bundle as the sidecar would, run its tests, and list every problem as FILE:LINE:COLUMN.

    The tests run when nothing else is wrong. Then there are warnings too, of what loads and is probably not
    meant; they keep no bundle from being activated. What each code says, and how to say that a warning is
    meant, is in docs/warnings.md. DIR is ./policies unless it is given, or named by ADJUDICATOR_POLICIES.
    No sidecar is needed.
    """
    from adjudicator.authoring.warnings.lints import warnings_of  # noqa: PLC0415 - only this needs it
    from adjudicator.policy.loader import open_bundle  # noqa: PLC0415 - the same

    with telling_problems(folder, as_json=as_json), progress_bar() as progress:
        progress("reading the bundle", 0, 0)
        bundle = open_bundle(folder)
        failures = _failures(bundle, progress)
        warned = warnings_of(bundle, progress)
    if as_json:
        print_json(_report(folder, bundle, failures, warned))
    else:
        _print_report(folder, bundle, failures, warned)
    is_bad = failures or (strict and warned.warnings)
    click.get_current_context().exit(ExitCode.ERROR if is_bad else ExitCode.OK)


def _failures(bundle: "OpenBundle", progress: Callable[[str, int, int], None]) -> "tuple[Problem, ...]":
    """A problem for each test of the bundle that fails."""
    from adjudicator.authoring.test_runs import check_tests  # noqa: PLC0415 - only this needs it
    from adjudicator.policy.problem import BundleError  # noqa: PLC0415 - the same

    try:
        check_tests(bundle.bundle, Limits(), progress)
    except BundleError as error:
        return error.problems
    return ()


def _counts(bundle: "OpenBundle") -> dict[str, int]:
    snapshot = bundle.snapshot
    return {
        "tenants": len(snapshot.registry.tenants),
        "agents": len(snapshot.registry.agents),
        "tools": len(snapshot.registry.tools),
        "rules": snapshot.rule_count,
        "tests": len(bundle.bundle.tests),
    }


def _report(
    folder: Path, bundle: "OpenBundle", failures: "tuple[Problem, ...]", warned: "Sorted"
) -> dict[str, Any]:
    good = {} if failures else {"version": bundle.snapshot.version, **_counts(bundle)}
    return {
        "ok": not failures,
        "directory": str(folder),
        "problems": [problem_json(each) for each in failures],
        "warnings": [_warning_json(each) for each in warned.warnings],
        "meant": warned.accepted,
        **good,
    }


def _warning_json(warning: "BundleWarning") -> dict[str, Any]:
    """A warning as scripts read it."""
    return {
        "file": warning.file,
        "line": warning.line,
        "column": warning.column,
        "code": warning.code.value,
        "message": warning.message,
    }


def _print_report(
    folder: Path, bundle: "OpenBundle", failures: "tuple[Problem, ...]", warned: "Sorted"
) -> None:
    if failures:
        print_problems(folder, failures, as_json=False)
    _print_warnings(warned.warnings)
    counts = _counts(bundle)
    if not failures:
        counted = ", ".join(
            _counted(counts[f"{name}s"], name) for name in ("tenant", "agent", "tool", "rule")
        )
        print_line(out(), Text("good", style="bold green"), f"  {folder}: {counted}")
        print_line(out(), f"  {_counted(counts['tests'], 'test')} passed")
    print_line(out(), f"  {_counted(len(warned.warnings), 'warning')}, {warned.accepted} accepted as meant")
    if not failures:
        print_line(out(), f"  {bundle.snapshot.version}")


def _counted(count: int, name: str) -> str:
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def _print_warnings(warnings: "tuple[BundleWarning, ...]") -> None:
    """As compilers print them, so that editors lead there; of each code the first ones."""
    by_code: dict[str, list[BundleWarning]] = {}
    for each in warnings:
        by_code.setdefault(each.code.value, []).append(each)
    for code, found in by_code.items():
        for each in found[:WARNINGS_SHOWN]:
            at = place(each.file, each.line, each.column)
            print_line(out(), f"{at}: ", Text("warning", style="yellow"), f": {code}: {each.message}")
        if len(found) > WARNINGS_SHOWN:
            print_line(out(), f"  and {len(found) - WARNINGS_SHOWN:,} more warnings of {code}")
