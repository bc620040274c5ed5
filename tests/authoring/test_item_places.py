"""Items are put behind the others and taken from between them, in whichever form a list is written."""

import pytest
import yaml
from adjudicator.authoring.item_places import behind_last, between_commas, line_end, span

LISTS = [
    "t: [a, b]\nu: 1\n",
    "t: [a, b,]  # why\n",
    "t: []\nu: [z]\n",
    "t:\n  - a\n  - b  # why\n\nu: 1\n",
    "t:\n- a\n# an end\n",
    "t:\n- a",
    't: ["a b", c]',
    "t: [\n  a, # one\n  b\n]\n",
]


def items(text):
    """The list under the first key."""
    return yaml.compose(text, Loader=yaml.SafeLoader).value[0][1]


@pytest.mark.parametrize("text", LISTS)
@pytest.mark.parametrize("new", [["x"], ["x", "y"]])
def test_items_come_behind_the_last(text, new):
    """What else the text says stays, with every comment."""
    place, added = behind_last(text, items(text), new)
    edited = text[:place] + added + text[place:]
    before = yaml.safe_load(text)
    assert yaml.safe_load(edited) == before | {"t": [*before["t"], *new]}
    assert edited.count("#") == text.count("#")


@pytest.mark.parametrize("text", ["t: [a]", "t: [a, b]", "t: [a,  b , c]"])
def test_one_goes_with_one_of_its_commas(text):
    """Whichever of them it is."""
    spans = [span(item) for item in items(text).value]
    for place in range(len(spans)):
        start, end = between_commas(spans, place)
        expected = yaml.safe_load(text)["t"]
        del expected[place]
        assert yaml.safe_load(text[:start] + text[end:]) == {"t": expected}


def test_a_last_line_ends_where_the_text_does():
    """Whether or not a line feed ends it."""
    assert [line_end("ab\ncd", index) for index in (0, 2, 3, 5)] == [2, 2, 5, 5]
