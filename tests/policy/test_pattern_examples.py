"""The examples in the documentation of patterns mean what it says."""

import re
from pathlib import Path

import pytest
from adjudicator.domain.facet import ArgumentKind, ArgumentSpec
from adjudicator.facets.derive import derive
from adjudicator.policy.functions import matcher_functions

PAGE = (Path(__file__).parents[2] / "docs" / "casbin.md").read_text()
ROWS = re.findall(r"^\| (allow|deny) \| `(url:[^`]*)` \| (.*) \| (.*) \|$", PAGE, re.MULTILINE)


def spoken_of(effect, pattern, cell):
    """For each URL in the cell, whether a row with this effect and pattern speaks about it."""
    specs = (ArgumentSpec("/url", ArgumentKind.URL),)
    facets = [
        facet for url in re.findall("`([^`]*)`", cell) for facet in derive({"url": url}, specs, "", {})
    ]
    assert facets
    return [matcher_functions()["facet_match"](facet, pattern, "", effect) for facet in facets]


def test_there_are_examples():
    """A table that was renamed does not pass as an empty one."""
    assert {row[0] for row in ROWS} == {"allow", "deny"}


@pytest.mark.parametrize(("effect", "pattern", "matches", "others"), ROWS)
def test_an_example_of_a_url_pattern_is_true(effect, pattern, matches, others):
    """What is said to match matches, what is said not to does not."""
    assert all(spoken_of(effect, pattern, matches))
    assert not any(spoken_of(effect, pattern, others))
