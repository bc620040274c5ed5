"""Entries and items added to YAML: what stood there stands there still."""

import pytest
import yaml
from adjudicator.authoring.imports.notes import ImportFaultError
from adjudicator.authoring.imports.yaml_edits import scalar, with_entries, with_items, word
from adjudicator.policy.document import parse_document
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source
from hypothesis import given
from hypothesis import strategies as st

LISTS = [
    "t:\n  tools: [a, b]\n",
    "t:\n  tools: [a, b,]  # why\n",
    "t:\n  tools: []\nu:\n  tools: [z]\n",
    "t:\n  tools:\n    - a\n    - b  # why\n\nu:\n  tools: [z]\n",
    "t:\n  tools:\n  - a\n  # an end\n",
    't: {tools: ["a b", c]}\n',
    "t:\n  tools: [\n    a, # one\n    b\n  ]\n",
]


@pytest.mark.parametrize("text", LISTS)
def test_items_are_put_at_the_end_of_a_list(text):
    """In either form, whatever comments stand around it."""
    before = yaml.safe_load(text)
    edited = with_items(Source("f", text), "t", "tools", ["x", "y:"])
    after = yaml.safe_load(edited)
    assert after["t"]["tools"] == [*before["t"]["tools"], "x", "y:"]
    assert after | {"t": None} == before | {"t": None}
    assert sorted(line for line in text.splitlines() if "#" in line) == sorted(
        line.replace(', x, "y:"', "") for line in edited.splitlines() if "#" in line
    )


@pytest.mark.parametrize("text", ["a: 1\n", "  a: 1\n", "# why\na: 1\n\n# end\n"])
def test_entries_are_put_behind_the_others(text):
    """As deep as those stand; nothing that was there changes."""
    edited = with_entries(Source("f", text), ["b:\n  c: d"], "new")
    assert edited.startswith(text)
    assert yaml.safe_load(edited) == {"a": 1, "b": {"c": "d"}}


@pytest.mark.parametrize("text", ["{a: 1}\n", "- a\n", "", "a: [\n"])
def test_a_file_without_lines_to_add_to_is_told(text):
    """It is not rewritten by guess."""
    with pytest.raises(ImportFaultError):
        with_entries(Source("f", text), ["b: 1"], "new")
    with pytest.raises(ImportFaultError):
        with_items(Source("f", text), "t", "tools", ["x"])


@given(st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_characters="\x7f\x85\xad")))
def test_any_text_is_read_back_as_itself(text):
    """Also one that looks like a number, a mapping, or a comment."""
    if text.isprintable():
        text_of_file = f"k: {scalar(text)}\n{word('k' + text)}: [{word(text)}, {{{word(text)}: 1}}]\n"
        root = parse_document(Source("f", text_of_file), Problems())
        assert root is not None
        first, second = root.node.value
        assert (first[1].value, second[0].value) == (text, f"k{text}")
        assert second[1].value[0].value == text
