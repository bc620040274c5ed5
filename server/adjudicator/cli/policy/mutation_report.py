"""Which mistakes a bundle's tests would not notice, for people and for scripts."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from rich.text import Text

from adjudicator.authoring.mutants.mutant import Fate
from adjudicator.authoring.mutants.report import MutationReport, NotKilled
from adjudicator.cli.numbers import rounded_down
from adjudicator.cli.output import out, print_line
from adjudicator.cli.policy.problems import place

LISTED = 50
"""Survivors of one file that are listed; the others are counted. Scripts get all of them."""
_BLANK = "nothing"


def print_mutation(report: MutationReport) -> None:
    """Each mistake that no test notices, by file; then how many they notice."""
    survivors = [each for each in report.not_killed if each.fate is Fate.SURVIVED]
    for file, found in groupby(survivors, key=lambda each: each.file):
        _print_file(file, list(found))
    if report.failing:
        failing = f"{len(report.failing)} tests fail already and notice nothing; put them right first"
        print_line(out(), Text("note", style="yellow"), f"  {failing}")
    if report.unexamined:
        unexamined = f"of {report.unexamined:,} that survived nobody looked whether they would load at all"
        print_line(out(), Text("note", style="yellow"), f"  {unexamined}")
    killed, survived = report.total(Fate.KILLED), report.total(Fate.SURVIVED)
    idle = (
        f"{report.total(Fate.REFUSED):,} would not load, {report.total(Fate.EQUIVALENT):,} change nothing"
    )
    told = (
        f"{rounded_down(report.killed_percent):.1f} %, {killed:,} of {killed + survived:,} mistakes; {idle}"
    )
    style = "bold green" if not survived else "bold yellow"
    print_line(out(), Text("noticed", style=style), f"  {told}; by {report.trials} tests")


def mutation_json(report: MutationReport) -> dict[str, Any]:
    """The same as scripts read it, with all that was not noticed, and why it is taken for what it is."""
    return {
        "killed_percent": rounded_down(report.killed_percent, 2),
        "mutants": report.mutants,
        **{fate.value: report.total(fate) for fate in Fate},
        "unexamined": report.unexamined,
        "tests": report.trials,
        "failing": list(report.failing),
        "kinds": {
            kind: {fate.value: by_fate.get(fate, 0) for fate in Fate}
            for kind, by_fate in report.counts.items()
        },
        "not_killed": [
            {
                "kind": each.kind,
                "file": each.file,
                "line": each.line,
                "before": each.before,
                "after": each.after,
                "fate": each.fate.value,
                "why": each.why,
            }
            for each in report.not_killed
        ],
    }


def _print_file(file: str, found: Sequence[NotKilled]) -> None:
    counted = f"{len(found):,} {'mistake' if len(found) == 1 else 'mistakes'} that no test notices"
    print_line(out(), Text(file, style="bold"), f"  {counted}")
    for each in found[:LISTED]:
        print_line(out(), f"    {place(each.file, each.line, 0)}  {each.kind}")
        print_line(out(), Text("      - ", style="red"), _on_one_line(each.before))
        print_line(out(), Text("      + ", style="green"), _on_one_line(each.after))
    if len(found) > LISTED:
        print_line(out(), f"    and {len(found) - LISTED:,} more")


def _on_one_line(text: str) -> str:
    return " ".join(text.split()) or _BLANK
