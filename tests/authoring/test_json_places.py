"""Each value of a JSON file is found where it stands."""

import json

import pytest
from adjudicator.authoring.json_places import JsonPlaces
from hypothesis import given
from hypothesis import strategies as st

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
    places = JsonPlaces(text)
    lines = text.split("\n")
    assert places.at(()) == (1, 1)
    for path, there in paths(value):
        line, column = places.at(path)
        rest = "\n".join([lines[line - 1][column - 1 :], *lines[line:]])
        assert json.JSONDecoder().raw_decode(rest)[0] == there


def test_what_is_not_there_has_no_place():
    """Nobody is led anywhere for it."""
    with pytest.raises(KeyError):
        JsonPlaces('{"a": [1]}').at(("a", "1"))
