"""Most rows are read at first sight; what that makes of a file is what careful reading makes of it."""

from unittest.mock import patch

from adjudicator.policy.casbin import rows as reading
from adjudicator.policy.casbin.rows import read_rows
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source
from hypothesis import given, settings
from hypothesis import strategies as st

ODD = [
    "\t",
    "\r",
    "\x0b",
    "\x0c",
    "\x1f",
    "\x85",
    "\u2028",
    "\u200b",
    "\xa0",
    "\x7f",
    "\U0001f600",
    "é",
    "#",
]
PARTS = ["p", "g", "a", ",", ", ", " ", '"', '""', '"x,y"', "(", ")", "[", "]", "\n", "\r\n", *ODD]
ROWS = ["p, a, b\n", "g,a,b\n", "q, a\n", "q\n", "q,\n"]
WIDTHS = {"p": 2, "g": 2, "q": 1}


def read(text):
    """The rows by kind with their lines, and the problems."""
    problems = Problems()
    found = read_rows([Source("x.csv", text)], WIDTHS, problems)
    return {kind: [(row.line, row.fields) for row in rows] for kind, rows in found.items()}, list(problems)


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PARTS + ROWS), max_size=30).map("".join), st.integers(1, 20))
def test_rows_read_at_first_sight_are_those_that_are_read_with_care(text, piece):
    """However the file is cut into pieces, and whatever stands between its commas."""
    careful = [read(f"{line}\n") for line in text.split("\n")]
    rows = {
        kind: [(number, row) for number, (rows, _) in enumerate(careful, 1) for _, row in rows[kind]]
        for kind in WIDTHS
    }
    with patch.object(reading, "_PIECE", piece):
        whole, problems = read(text)
    assert whole == rows
    assert [(each.line, each.column, each.message) for each in problems] == [
        (number, each.column, each.message)
        for number, (_, found) in enumerate(careful, 1)
        for each in found
    ]


def test_a_kind_alone_is_no_row():
    """A line without a comma has no field, not an empty one."""
    rows, problems = read("q\n")
    assert rows["q"] == []
    assert "1 fields after the first column, this one has 0" in problems[0].message
