"""JSON Pointers are made and taken apart as RFC 6901 says."""

import pytest
from adjudicator.domain.json_pointer import is_pointer, parts_of, to_pointer
from hypothesis import given, settings
from hypothesis import strategies as st


@settings(deadline=None)
@given(st.lists(st.text()))
def test_parts_come_back_as_they_were(parts):
    """Whatever is in a name, also `/`, `~` and what looks like an escape."""
    assert parts_of(to_pointer(parts)) == parts


@pytest.mark.parametrize(
    ("parts", "pointer"),
    [([], ""), (["a", 0], "/a/0"), (["a/b", "c~d", "~1"], "/a~1b/c~0d/~01"), ([""], "/")],
)
def test_a_pointer_is_written_as_the_standard_says(parts, pointer):
    """The two escapes, in the order that makes them reversible."""
    assert to_pointer(parts) == pointer


@pytest.mark.parametrize("text", ["", "a", "/", "/a/", "//a", "/~", "/~2", "#/a"])
def test_what_points_at_nothing_in_particular_is_no_pointer(text):
    """An empty part and a broken escape would never match an argument."""
    assert not is_pointer(text)


@pytest.mark.parametrize("text", ["/a", "/a/*/b", "/a~0b", "/a~1b", "/\n"])
def test_a_pointer_is_known(text):
    """Any other text is a name."""
    assert is_pointer(text)
