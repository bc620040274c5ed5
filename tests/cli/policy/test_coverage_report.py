"""What a bundle's tests come to, as people and scripts read it."""

import json

from adjudicator.authoring.coverage.report import CoverageReport, Item, Part
from adjudicator.cli.policy.coverage_report import LISTED, coverage_json, print_coverage

ROWS = (
    Item("p, a", "rules.csv", 3, covered=True, matched=True),
    Item("p, b\x1b[2J", "rules.csv", 4, matched=True),
    Item("p, c", "rules.csv", 5),
)


def report(*parts):
    """A report of these parts."""
    return CoverageReport(parts, 2)


def test_what_is_not_covered_is_told_with_its_place(capsys):
    """And that another row answers first, where one does."""
    print_coverage(report(Part("rules.csv", ROWS), Part("steps", (Item("step 1", covered=True),))))
    printed = capsys.readouterr().out
    assert "rules.csv:3" not in printed
    assert "rules.csv:4" in printed
    assert "(another row answers first)" in printed
    assert "\x1b[2J" not in printed
    assert "rules.csv:5  p, c\n" in printed
    assert "50.0 %, 2 of 4, by 2 tests" in printed


def test_a_long_list_is_cut_for_people_and_whole_for_scripts(capsys):
    """What is left out is counted."""
    found = report(Part("steps", tuple(Item(str(number)) for number in range(LISTED + 2))))
    print_coverage(found)
    assert "and 2 more" in capsys.readouterr().out
    assert len(coverage_json(found)["parts"][0]["uncovered"]) == LISTED + 2


def test_scripts_get_figures_and_places():
    """Of each part and of all together."""
    found = json.loads(json.dumps(coverage_json(report(Part("rules.csv", ROWS)))))
    assert (found["covered"], found["items"], found["percent"]) == (1, 3, 33.33)
    (part,) = found["parts"]
    assert part["uncovered"][0] == {"text": "p, b\x1b[2J", "file": "rules.csv", "line": 4, "matched": True}
