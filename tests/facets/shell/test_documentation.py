"""The page about command lines says what the code does."""

import re
from pathlib import Path

import pytest
from adjudicator.domain.facet import Opacity
from command_lines import verdict

PAGE = Path(__file__).parents[3] / "docs" / "shell.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^\| `(.+)` \| (allow|ask|deny|-) \|$", TEXT, re.MULTILINE)
RULES = {
    effect.lower(): re.findall(r"`([^`]+)`", listed)
    for effect, listed in re.findall(
        r"\b(Allow|Deny|Ask)\s+((?:`[^`]+`(?:,\s+)?)+)(?=;)", TEXT.split("## Examples")[1]
    )
}


@pytest.mark.parametrize(("line", "expected"), EXAMPLES)
def test_an_example_gets_the_verdict_that_the_page_gives(line, expected):
    """Each row of the table, under the rules that stand above it."""
    assert verdict(line, **RULES, default="-") == expected


def test_the_page_has_its_rules_and_examples():
    """The table and the rules above it are found, so that none of this passes by being empty."""
    assert len(EXAMPLES) > 25
    assert {effect: len(listed) for effect, listed in RULES.items()} == {"allow": 6, "deny": 3, "ask": 1}


def test_the_page_names_each_code_of_a_command_line():
    """Every kind of opacity but that of a value that is no command line at all."""
    named = set(re.findall(r"^\| `([A-Z_]+)` \|", TEXT, re.MULTILINE))
    assert named == {code.value for code in Opacity} - {"FORM"}
