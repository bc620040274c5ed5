"""What agents write cannot act on a terminal, hide, or start a line."""

import unicodedata

import pytest
from adjudicator.cli.plain import plain
from hypothesis import given, settings
from hypothesis import strategies as st

EVERYTHING = st.text(st.characters(codec=None, exclude_categories=()))


@settings(deadline=None)
@given(EVERYTHING)
def test_what_is_left_is_one_visible_line(text):
    """No control, format or surrogate character, no line end and no odd blank comes through."""
    hidden = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    shown = plain(text)
    assert not [each for each in shown if unicodedata.category(each) in hidden]
    assert not [each for each in shown if each.isspace() and each != " "]


@settings(deadline=None)
@given(EVERYTHING)
def test_showing_twice_changes_nothing(text):
    """An escape is plain itself, so the layers of the command line may each make sure."""
    assert plain(plain(text)) == plain(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ls -la", "ls -la"),
        ("größe 目录 नमस्ते", "größe 目录 नमस्ते"),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("a\nDENY", "a\\nDENY"),
        ("a\r\tb", "a\\r\\tb"),
        ("\x9b31m", "\\x9b31m"),
        ("txt\u202egpj", "txt\\u202egpj"),
        ("pass\u200bword", "pass\\u200bword"),
        ("a\u00a0b", "a\\xa0b"),
        ("\u3164", "\\u3164"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("\x7f", "\\x7f"),
        ("[bold red]x[/]", "[bold red]x[/]"),
    ],
)
def test_examples(text, shown):
    """Letters stay; what acts or hides is written out."""
    assert plain(text) == shown


def test_a_tower_of_marks_is_cut_down():
    """Marks that would cover the lines above are written out from the fifth on."""
    assert plain("e" + "\u0301" * 6) == "e" + "\u0301" * 4 + "\\u0301" * 2
