"""What cannot be seen is known as that, wherever it would have to be seen."""

import sys
import unicodedata

import pytest
from adjudicator.cli.plain import plain
from adjudicator.domain.facet import ArgumentKind, Facet, Opacity, Opaque
from adjudicator.domain.invisible import is_invisible, is_plain, is_unprintable
from adjudicator.facets.paths import WorkingDirectory, place
from adjudicator.policy.casbin.rows import read_rows
from adjudicator.policy.folding import fold, is_plain_path
from adjudicator.policy.patterns import parse_pattern
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source

# One or more of each kind: format, private, unassigned, half of a pair, tags, ignorable, selectors,
# fillers, the grapheme joiner, blank Braille, object replacement, other blanks.
INVISIBLE = [
    *"\u00ad\u061c\u180e\u200b\u200d\u200e\u202e\u2060\u2066\ufeff\ufff9\U0001bca0\U0001d173",
    *"\ue000\U000f0000\U00100000",
    *"\u0378\u2065\ufff0\uffff\U000e0000\U000e0fff",
    *"\ud800\udfff",
    *"\U000e0001\U000e0041\U000e007f",
    *"\u180b\u180c\u180d\u180f\ufe00\ufe0f\U000e0100\U000e01ef",
    *"\u115f\u1160\u3164\uffa0\u17b4\u17b5\u034f\u2800\ufffc\U00016fe4\U0001d159",
]
ACTING = [*"\0\a\b\x1b\x7f\x85\x9b\n\r\t\u2028\u2029"]
SEEN = [*"a~é中न\u0301\u0941☃😀"]


@pytest.mark.parametrize("char", INVISIBLE, ids=ascii)
def test_an_invisible_character_deceives_nobody(char):
    """No Allow matches its path, a Deny sees through it, no row holds it, and it is shown escaped."""
    assert is_invisible(char)
    where = place(f"src/a{char}b", WorkingDirectory.parse("/srv/app"))
    assert where.opaque is not None
    opaque = Opaque(Opacity.PATH, where.opaque)
    facet = Facet(ArgumentKind.PATH, where.text, inside=where.inside, opaque=opaque)
    assert not parse_pattern("path:./**", loose=False).matches(facet)
    assert not parse_pattern("path:/**", loose=False).matches(facet)
    assert parse_pattern("path:**/ab", loose=True).matches(facet)
    assert WorkingDirectory.parse(f"/srv/{char}app").opaque is not None
    assert fold(f"a{char}b") == "ab"
    assert not is_plain_path(f"/a{char}b")
    shown = plain(f"a{char}b")
    assert shown.isascii()
    assert shown.startswith("a\\")
    problems = Problems()
    assert len(read_rows([Source("rules.csv", f"p, a{char}b\n")], {"p": 1}, problems)["p"]) == 0
    problems.add("x", f"a{char}b")
    assert ["an invisible character" in problem.message for problem in problems] == [True, False]
    assert all(problem.message.isascii() for problem in problems)


@pytest.mark.parametrize("char", ACTING, ids=ascii)
def test_a_character_that_acts_is_no_part_of_a_path_or_a_row(char):
    """A control is not drawn either, but it is not nothing: what it separates stays apart."""
    assert is_unprintable(char)
    assert not is_invisible(char)
    assert place(f"a{char}b", WorkingDirectory.parse("/srv/app")).opaque is not None
    assert fold(f"a{char}b") != "ab"
    assert plain(char).isascii()
    assert plain(char).isprintable()


@pytest.mark.parametrize("char", SEEN, ids=ascii)
def test_what_is_seen_is_left_alone(char):
    """Letters of any script, marks and pictures."""
    assert is_plain(char)
    assert plain(f"a{char}") == f"a{char}"
    assert place(f"a{char}", WorkingDirectory.parse("/srv/app")).opaque is None


def test_every_character_of_a_hiding_category_is_known():
    """Over all of Unicode, the table is never narrower than the categories."""
    hiding = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        category = unicodedata.category(char)
        if category in hiding:
            assert is_unprintable(char), ascii(char)
        if not char.isprintable():
            assert char == " " or not is_plain(char), ascii(char)
