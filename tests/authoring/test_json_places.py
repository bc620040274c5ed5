"""Where things stand in a JSON text."""

import json

import pytest
from adjudicator.authoring.json_places import JsonPlaces
from hypothesis import given
from hypothesis import strategies as st

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
    with pytest.raises(KeyError):
        places.at(("g",))


NAMES = st.text(max_size=4) | st.sampled_from(["{", "]", '"', "\\", ",", ":", "a\nb"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)


def paths(value, at=()):
    """The path of everything in a value, with what stands at its place: a name, or the value itself."""
    if isinstance(value, dict):
        for name, child in value.items():
            yield (*at, name), name
            yield from paths(child, (*at, name))
    elif isinstance(value, list):
        for number, child in enumerate(value):
            yield (*at, str(number)), child
            yield from paths(child, (*at, str(number)))


@given(value=VALUES, indent=st.sampled_from([None, 0, 3]), is_ascii=st.booleans())
def test_every_name_and_item_stands_at_its_place(value, indent, is_ascii):
    """However the file is laid out: a member is where its name is, an item where its value is."""
    text = json.dumps(value, indent=indent, ensure_ascii=is_ascii)
    places = JsonPlaces.of(text)
    lines = text.split("\n")
    assert places.at(()) == (1, 1)
    for path, there in paths(value):
        line, column = places.at(path)
        rest = "\n".join([lines[line - 1][column - 1 :], *lines[line:]])
        assert json.JSONDecoder().raw_decode(rest)[0] == there
