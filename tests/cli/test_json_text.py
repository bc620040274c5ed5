"""Cutting and indenting JSON without touching a value."""

import json
import time

import pytest
from adjudicator.cli.json_text import JsonTextError, indented, items, members, string
from hypothesis import given, settings
from hypothesis import strategies as st

TEXTS = st.text(max_size=8)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=10,
)
SPACES = st.text(alphabet=" \t\n\r", max_size=3)


@settings(deadline=None)
@given(value=VALUES, name=TEXTS, space=SPACES, compact=st.booleans(), ascii_only=st.booleans())
def test_a_member_is_the_text_that_was_written(value, name, space, compact, ascii_only):
    """Whatever a value is, its slice is its text, with the spaces around it gone."""
    text = json.dumps(value, separators=(",", ":") if compact else None, ensure_ascii=ascii_only)
    line = (
        f'{space}{{{space}"before":[1,"}}"],{json.dumps(name + "x")}{space}:{space}{text}{space}}}{space}'
    )
    assert members(line)[name + "x"] == text


@settings(deadline=None)
@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_members_are_those_that_a_parser_finds(value):
    """The names are the parser's, in the order of the text, and each value parses to the parser's."""
    found = members(json.dumps(value))
    assert list(found) == list(value)
    assert {name: repr(json.loads(text)) for name, text in found.items()} == {
        name: repr(each) for name, each in value.items()
    }


@settings(deadline=None)
@given(st.lists(VALUES, max_size=4))
def test_items_are_the_texts_of_an_array(value):
    """An array comes apart into the texts of its items."""
    texts = [json.dumps(each) for each in value]
    assert items("[" + ", ".join(texts) + "]") == texts


@settings(deadline=None)
@given(st.text())
def test_any_text_is_cut_or_refused(text):
    """No text makes the scanner fail in any other way, and what it accepts begins and ends an object."""
    try:
        members(text)
    except JsonTextError:
        return
    assert text.strip(" \t\n\r")[0] == "{"
    assert text.strip(" \t\n\r")[-1] == "}"


@pytest.mark.parametrize(
    "arguments",
    [
        '{"n": 123456789012345678901234567890, "f": 1.10, "e": 1E400, "z": -0.0}',
        '{"a": 1, "a": 2}',
        '{"x": NaN, "y": -Infinity}',
        '{"s": "\\ud800"}',
        '{"a":[}',
        "[" * 10_000 + "]" * 10_000,
        '{"a":' * 10_000 + "1" + "}" * 10_000,
        '"quoted"',
        "null",
    ],
    ids=["numbers", "twice", "nan", "surrogate", "crossed", "deep-array", "deep-object", "string", "null"],
)
def test_arguments_that_only_the_sidecar_may_judge(arguments):
    """What a strict parser would refuse or change comes through as it is, unless its end is unclear."""
    line = f'{{"tool": "x", "arguments": {arguments}, "agent": "a"}}'
    if arguments == '{"a":[}':
        with pytest.raises(JsonTextError, match="closes what it did not open"):
            members(line)
    else:
        assert members(line)["arguments"] == arguments


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "{ is missing"),
        ("[1]", "{ is missing"),
        ("{", "a string is needed"),
        ('{"a" 1}', ": is missing"),
        ('{"a": }', "a value is missing"),
        ('{"a": 1,}', "a string is needed"),
        ('{"a": "b}', "never ends"),
        ('{"a": {"b": "c}', "never ends"),
        ('{"a": [1', "is never closed"),
        ('{"a": 1} 2', "follows the end"),
        ('{"a": 1, "a": 1}', "there twice"),
        ('{"\t": 1}', "control character"),
    ],
)
def test_a_text_that_cannot_be_cut_says_where(text, problem):
    """The message names the problem and the place."""
    with pytest.raises(JsonTextError, match=f"{problem}.* at character [0-9]+"):
        members(text)


def test_five_mebibytes_are_cut_quickly():
    """The scan is linear: large arguments take a moment, not minutes."""
    arguments = json.dumps({"content": 'a\\"' * 1_000_000, "list": [[0]] * 300_000})
    started = time.monotonic()
    assert members(f'{{"arguments": {arguments}}}')["arguments"] == arguments
    assert time.monotonic() - started < 5


def test_a_value_that_is_no_string_is_refused():
    """A number is not taken for a string."""
    with pytest.raises(JsonTextError, match="a string is needed"):
        string("1")


@settings(deadline=None)
@given(VALUES)
def test_indenting_changes_only_the_space_between_values(value):
    """Indented, a text is what the standard library writes with the same indent."""
    assert "\n".join(indented(json.dumps(value))) == json.dumps(value, indent=2)


@settings(deadline=None)
@given(st.text(alphabet='{}[]",:\\ a1'))
def test_indenting_loses_no_character(text):
    """Even what is no JSON keeps each of its characters but spaces."""
    assert "".join("\n".join(indented(text)).split()) == "".join(text.split())


def test_indenting_ten_thousand_levels_stays_small():
    """Deep nesting costs lines, not a square of spaces."""
    assert sum(len(line) for line in indented("[" * 10_000 + "]" * 10_000)) < 2_000_000
