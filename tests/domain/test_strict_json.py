"""Strict JSON of any kind: what a fault says, where it is, and that nothing raises."""

import json
import time

import pytest
from adjudicator.domain.strict_json import Fault, Json, canonical_json, read_json
from hypothesis import example, given, settings
from hypothesis import strategies as st


def read(text, verb="send", *, quoting=False):
    """Read with limits that are easy to reach."""
    return read_json(text, "its contents", max_bytes=1000, max_depth=4, verb=verb, quoting=quoting)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a":1,"a":2}', "its contents name a key twice; write it once"),
        ("[NaN]", "its contents hold NaN, which is not JSON; write null, or leave it out"),
        (
            "[1e999]",
            "its contents hold a number that is out of range; write a smaller one, or a string",
        ),
        ('"\\ud800"', "its contents hold half of a surrogate pair; write whole characters"),
        ("[[[[[]]]]]", "its contents are nested more than 4 levels deep"),
    ],
)
def test_a_fault_says_what_to_do(text, message):
    """The sentence is about what was read, and its advice is for whoever wrote it."""
    assert read(text, verb="write").message == message


def test_a_fault_repeats_a_word_only_where_nothing_is_secret():
    """In a file of a policy the key is named; in a call it may be a secret, or beside one."""
    assert (
        read('{"a":1,"a":2}', quoting=True).message == "its contents name the key 'a' twice; send it once"
    )
    assert "'a'" not in read('{"a":1,"a":2}').message


def test_a_fault_has_its_place_where_it_is_known():
    """The message counts characters from 1; who knows lines takes the offset instead."""
    fault = read('{"a":\n x}')
    assert fault == Fault("its contents are not JSON: Expecting value", offset=7)
    assert fault.message == "its contents are not JSON: Expecting value at character 8"


@settings(deadline=None)
@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text() | st.none())
def test_a_value_alone_is_read(value):
    """Any JSON value counts, not only objects."""
    assert read(json.dumps(value)) == Json(value, canonical_json(value))


@settings(deadline=None)
@given(st.from_regex(r"-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,25})?", fullmatch=True))
@example("1e-99999999999999999999")
@example("0e99999999999999999999")
def test_a_number_is_read_exactly_or_not_at_all(text):
    """No exponent and no number of digits raises or is rounded."""
    found = read(text)
    if isinstance(found, Json):
        assert json.loads(found.canonical) == found.value
    else:
        assert "number" in found.message


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("[1,2,3]", 3),
        ("[[[]],[]]", 3),
        ('["a,b","[[[[","\\",[{","\\\\"]', 4),
        ('{"a,b,c,d":{}}', 1),
        ("1", 1),
    ],
)
def test_marks_in_strings_are_no_values(text, values):
    """What holds as many values as may be is read, whatever its strings look like."""
    assert isinstance(read_json(text, "its contents", max_bytes=100, max_depth=9, max_values=values), Json)


@pytest.mark.parametrize("unit", ["1.5", "0e1", "[]", "{}", '""', '{"":{"":0.0}}', "[" * 60 + "]" * 60])
def test_a_large_text_of_many_values_is_refused_before_it_is_read(unit):
    """To read all of them would hold up everybody else for a second."""
    text = "[" + ",".join([unit] * (2**20 // (len(unit) + 1) - 1)) + "]"
    began = time.process_time()
    fault = read_json(text, "its contents", max_bytes=2**20, max_depth=64, max_values=2000)
    assert fault == Fault("its contents hold more than 2,000 values; send fewer", too_large=True)
    assert time.process_time() - began < 0.15
