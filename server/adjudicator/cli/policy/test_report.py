"""How a bundle's tests went, for people and for scripts."""

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.text import Text

from adjudicator.authoring.coverage.report import CoverageReport
from adjudicator.authoring.mutants.report import MutationReport
from adjudicator.authoring.test_runs import Report, Result
from adjudicator.cli.numbers import rounded_down
from adjudicator.cli.output import out, print_json, print_line, problem
from adjudicator.cli.policy.coverage_report import coverage_json, print_coverage
from adjudicator.cli.policy.mutation_report import mutation_json, print_mutation
from adjudicator.cli.policy.problems import place

_PASS, _FAIL = ("pass", "green"), ("FAIL", "bold red")


@dataclass(frozen=True, slots=True)
class Tested:
    """How the tests went; what they come to and what they would notice, where somebody wants to know."""

    report: Report
    coverage: CoverageReport | None = None
    mutation: MutationReport | None = None


def print_report(folder: Path, tested: Tested, *, as_json: bool, verbose: bool) -> None:
    """Each file with how many of its tests passed; each test that fails, with what came instead."""
    report = tested.report
    if as_json:
        print_json(_as_json(folder, tested))
        return
    for file, results in groupby(report.results, key=lambda result: result.test.file):
        _print_file(file, list(results), verbose=verbose)
    _print_total(folder, report)
    if tested.coverage is not None:
        print_coverage(tested.coverage)
    if tested.mutation is not None:
        print_mutation(tested.mutation)


def says_enough(tested: Tested, least_coverage: float, least_killed: float) -> bool:
    """Whether the tests come to enough, and would notice enough; it says what they do not."""
    enough = True
    if tested.coverage is not None and tested.coverage.percent < least_coverage:
        problem(f"coverage is {rounded_down(tested.coverage.percent):.1f} %, under {least_coverage:g} %")
        enough = False
    if tested.mutation is not None and tested.mutation.killed_percent < least_killed:
        noticed = rounded_down(tested.mutation.killed_percent)
        problem(f"{noticed:.1f} % of mistakes are noticed, under {least_killed:g} %")
        enough = False
    return enough


def _as_json(folder: Path, tested: Tested) -> dict[str, Any]:
    data = report_json(folder, tested.report)
    if tested.coverage is not None:
        data["coverage"] = coverage_json(tested.coverage)
    if tested.mutation is not None:
        data["mutation"] = mutation_json(tested.mutation)
    return data


def report_json(folder: Path, report: Report) -> dict[str, Any]:
    """The same as scripts read it."""
    return {
        "ok": report.passed,
        "directory": str(folder),
        "version": report.version,
        "passed": len(report.results) - len(report.failed),
        "failed": len(report.failed),
        "left_out": report.left_out,
        "tests": [
            {
                "file": each.test.file,
                "line": each.test.line,
                "name": each.test.name,
                "passed": not each.failure,
                "failure": each.failure,
                "seconds": round(each.seconds, 6),
            }
            for each in report.results
        ],
    }


def _print_file(file: str, results: list[Result], *, verbose: bool) -> None:
    failed = sum(bool(each.failure) for each in results)
    word, style = _FAIL if failed else _PASS
    print_line(out(), Text(word, style=style), f"  {file}: {len(results) - failed} of {len(results)}")
    for each in results:
        if each.failure:
            print_line(out(), Text("      ✗ ", style="red"), f"{each.test.name}")
            print_line(out(), f"        {place(file, each.test.line, each.test.column)}: {each.failure}")
        elif verbose:
            print_line(out(), Text("      ✓ ", style="green"), f"{each.test.name}")


def _print_total(folder: Path, report: Report) -> None:
    failed, passed = len(report.failed), len(report.results) - len(report.failed)
    left_out = f", {report.left_out} left out" if report.left_out else ""
    if not report.results:
        why = "no test matches" if report.left_out else "there are no tests; add some in the folder `tests`"
        print_line(out(), Text("nothing run", style="bold red"), f"  {folder}: {why}{left_out}")
        return
    verdict = Text("failed", style="bold red") if failed else Text("passed", style="bold green")
    seconds = sum(each.seconds for each in report.results)
    print_line(out(), verdict, f"  {folder}: {passed} passed, {failed} failed{left_out}, {seconds:.2f} s")
