"""Edits of YAML texts change what they are for, and no other line."""

import pytest
import yaml
from adjudicator.authoring.mutants import yaml_edits

BLOCK = "a:\n  one: 1  # why\n  two: [x, y]\n  three:\n    - u\n    - v  # too\n\n# b is next\nb: 2\n"
FLOW = "a: {one: 1, two: [x, y], three: [u, v]}\nb: 2\n"


def entry(text):
    """The mapping under `a`."""
    return yaml.compose(text, Loader=yaml.CBaseLoader).value[0][1]


def read(text):
    """What the text says."""
    return yaml.load(text, Loader=yaml.CBaseLoader)  # noqa: S506 - it makes texts, lists and mappings alone


@pytest.mark.parametrize("text", [BLOCK, FLOW])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_key_goes_with_its_value_and_nothing_else(text, place):
    """The rest says what it said, and stands where it stood."""
    edited = yaml_edits.without_entry(text, entry(text), place).applied(text)
    expected = read(text)
    del expected["a"][list(expected["a"])[place]]
    assert read(edited) == expected
    assert edited.count("\n") == text.count("\n")


@pytest.mark.parametrize("text", [BLOCK, FLOW])
@pytest.mark.parametrize("key", [1, 2])
@pytest.mark.parametrize("place", [0, 1])
def test_an_item_goes_and_the_others_stay(text, key, place):
    """Lists in brackets and lists by line are the same."""
    items = entry(text).value[key][1]
    edited = yaml_edits.without_item(text, items, place).applied(text)
    expected = read(text)
    del list(expected["a"].values())[key][place]
    assert read(edited) == expected


@pytest.mark.parametrize("text", [BLOCK, FLOW])
@pytest.mark.parametrize("key", [1, 2])
def test_an_item_comes_behind_the_last(text, key):
    """It is the last of the list then."""
    edited = yaml_edits.with_item(text, entry(text).value[key][1], "new").applied(text)
    expected = read(text)
    list(expected["a"].values())[key].append("new")
    assert read(edited) == expected


@pytest.mark.parametrize("text", [BLOCK, FLOW])
def test_two_edits_are_one(text):
    """Whichever of them comes first in the text."""
    edits = [yaml_edits.without_entry(text, entry(text), place) for place in (2, 0)]
    edited = yaml_edits.both(text, *edits).applied(text)
    assert set(read(edited)["a"]) == {"two"}


@pytest.mark.parametrize("text", [BLOCK, FLOW])
def test_a_key_comes_before_the_first(text):
    """The rest says what it said."""
    edited = yaml_edits.with_entry(entry(text), "new: 5").applied(text)
    assert read(edited)["a"] == {"new": "5", **read(text)["a"]}
