"""Where things stand in a JSON text."""

import json

import pytest
from adjudicator.authoring.json_places import JsonPlaces

TEXT = '{\n  "a": {"b": 1, "c\\u0021": [true, "x,]", {}]},\n  "d": "e: {",\n  "f": []\n}\n'
PATHS = [
    ("a",),
    ("a", "b"),
    ("a", "c!"),
    ("a", "c!", "0"),
    ("a", "c!", "1"),
    ("a", "c!", "2"),
    ("d",),
    ("f",),
]


def at(value, path):
    """What holds the value at the path, and its key there."""
    for name in path[:-1]:
        value = value[int(name) if isinstance(value, list) else name]
    return value, int(path[-1]) if isinstance(value, list) else path[-1]


def test_every_member_and_item_has_a_place():
    """Names are those that the text means, whatever it escapes."""
    assert sorted(JsonPlaces.of(TEXT).members) == sorted(PATHS)


@pytest.mark.parametrize("path", PATHS)
def test_a_place_is_where_the_value_is(path):
    """From its first character to its last."""
    places = JsonPlaces.of(TEXT)
    member = places.members[path]
    holder, key = at(json.loads(TEXT), path)
    assert json.loads(TEXT[member.value : member.end]) == holder[key]


@pytest.mark.parametrize("path", PATHS)
def test_what_is_cut_out_leaves_sound_json_without_it(path):
    """Commas go with it."""
    start, end = JsonPlaces.of(TEXT).without(path)
    expected = json.loads(TEXT)
    holder, key = at(expected, path)
    del holder[key]
    assert json.loads(TEXT[:start] + TEXT[end:]) == expected


def test_lines_are_those_of_names():
    """What is not there has none."""
    places = JsonPlaces.of(TEXT)
    assert [places.line(path) for path in (("a", "b"), ("d",), ("f",), ("g",))] == [2, 3, 4, 0]
