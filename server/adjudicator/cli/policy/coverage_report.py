"""What a bundle's tests come to, for people and for scripts."""

from typing import Any

from rich.text import Text

from adjudicator.authoring.coverage.report import CoverageReport, Item, Part, percent
from adjudicator.cli.numbers import rounded_down
from adjudicator.cli.output import out, print_line
from adjudicator.cli.policy.problems import place

LISTED = 20
"""Things of one part that are listed; the others are counted. Scripts get all of them."""


def print_coverage(report: CoverageReport) -> None:
    """How much of each part some test came to, with the places of what none did; then all together."""
    width = max(len(part.name) for part in report.parts)
    for part in report.parts:
        _print_part(part, width)
    share = f"{rounded_down(report.percent):.1f} %, {report.covered} of {report.items}"
    total = f"{share}, by {report.trials} tests"
    print_line(out(), Text("coverage", style="bold"), f"  {total}")


def coverage_json(report: CoverageReport) -> dict[str, Any]:
    """The same as scripts read it, with all that no test came to."""
    return {
        "percent": rounded_down(report.percent, 2),
        "covered": report.covered,
        "items": report.items,
        "tests": report.trials,
        "parts": [
            {
                "name": part.name,
                "percent": rounded_down(percent(part.covered, len(part.items)), 2),
                "covered": part.covered,
                "items": len(part.items),
                "uncovered": [_item_json(item) for item in part.uncovered],
            }
            for part in report.parts
        ],
    }


def _item_json(item: Item) -> dict[str, Any]:
    return {"text": item.text, "file": item.file, "line": item.line, "matched": item.matched}


def _print_part(part: Part, width: int) -> None:
    style = "green" if part.covered == len(part.items) else "yellow"
    share = f"{rounded_down(percent(part.covered, len(part.items))):5.1f} %"
    counted = f"  {part.covered} of {len(part.items)}"
    print_line(out(), "  ", part.name.ljust(width), "  ", Text(share, style=style), counted)
    uncovered = part.uncovered
    for item in uncovered[:LISTED]:
        where = f"{place(item.file, item.line, 0)}  " if item.file else ""
        note = "  (another row answers first)" if item.matched else ""
        print_line(out(), f"      {where}{item.text}{note}")
    if len(uncovered) > LISTED:
        print_line(out(), f"      and {len(uncovered) - LISTED:,} more")
