"""Arguments are read strictly: what two readers could read differently is a fault."""

import json

import pytest
from adjudicator.domain.arguments import Arguments, Fault, read_arguments
from adjudicator.domain.strict_json import canonical_json
from hypothesis import given
from hypothesis import strategies as st


def read(text):
    """Read with limits that are easy to reach."""
    return read_arguments(text, max_bytes=100_000, max_depth=64, max_values=1000, max_digits=1000)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "an array; send one JSON object"),
        ("null", "null; send one JSON object"),
        ('"x"', "a string; send one JSON object"),
        ("true", "a boolean; send one JSON object"),
        ("{} {}", "arguments are not JSON: Extra data at character 4"),
        ('{"a":1,"a":2}', "arguments name a key twice; send it once"),
        ('{"roles":["_admin"],"roles":[]}', "name a key twice"),
        ('{"x":{"b":1,"\\u0062":2}}', "name a key twice"),
        ('{"a":NaN}', "NaN, which is not JSON"),
        ('{"a":Infinity}', "Infinity, which is not JSON"),
        ('{"a":-Infinity}', "-Infinity, which is not JSON"),
        ('{"a":1e999}', "out of range"),
        ('{"a":1e-999}', "a double cannot hold"),
        ('{"a":1e-99999999999999999999}', "a double cannot hold"),
        ('{"a":0.1000000000000000055511151231257827}', "a double cannot hold"),
        ('{"a":' + "9" * 5000 + "}", "too many digits"),
        ('{"path":"\\ud800"}', "half of a surrogate pair"),
        ('{"\\udfff":1}', "half of a surrogate pair"),
        ('{"a":"\ud800"}', "half of a surrogate pair"),
        ("{'a':1}", "not JSON"),
        ('{"a":1,}', "not JSON"),
        ('{"a":"line\nbreak"}', "not JSON"),
        ("\ufeff{}", "not JSON"),
    ],
)
def test_what_is_ambiguous_is_a_fault_that_says_so(text, says):
    """Each fault names what is wrong."""
    fault = read(text)
    assert isinstance(fault, Fault)
    assert says in fault.message


@pytest.mark.parametrize("opening", ["[", '{"a":'])
@pytest.mark.parametrize(
    ("levels", "says"), [(64, "64 levels"), (1_000, "64 levels"), (10_000, "more than 1,000 values")]
)
def test_deep_nesting_is_a_fault_and_not_a_crash(opening, levels, says):
    """Beyond the limit the nesting is refused, however deep it is."""
    closing = "]" if opening == "[" else "}"
    fault = read('{"a":' + opening * levels + "1" + closing * levels + "}")
    assert isinstance(fault, Fault)
    assert fault.too_large
    assert says in fault.message


def test_nesting_up_to_the_limit_is_read():
    """The limit counts objects and arrays, the outermost included."""
    assert isinstance(read('{"a":' + "[" * 63 + "]" * 63 + "}"), Arguments)


def test_too_many_bytes_are_a_fault_with_both_numbers():
    """The size is counted in UTF-8."""
    fault = read('{"a":"' + "é" * 60_000 + '"}')
    assert isinstance(fault, Fault)
    assert fault.too_large
    assert "120,008 bytes; the limit is 100,000" in fault.message


def test_integers_stay_exact():
    """Beyond the integers of a double nothing is rounded."""
    read_back = read('{"account":9007199254740993,"big":123456789012345678901234567890}')
    assert read_back.value == {"account": 9007199254740993, "big": 123456789012345678901234567890}
    assert b"9007199254740993" in read_back.canonical


def test_numbers_that_differ_have_different_canonical_forms():
    """1, 1.0 and true are equal in Python and are three different arguments."""
    forms = {read(f'{{"n":{text}}}').canonical for text in ("1", "1.0", "true", '"1"')}
    assert len(forms) == 4


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), _json, max_size=4))
def test_any_json_object_is_read_whole_whatever_its_layout(value):
    """Key order and white space do not change the canonical form; nothing else is lost."""
    shuffled = dict(reversed(value.items()))
    compact, spaced = read(json.dumps(value)), read(json.dumps(shuffled, indent=3, ensure_ascii=False))
    assert compact.canonical == spaced.canonical == canonical_json(value)
    assert json.loads(compact.canonical) == value


@given(st.text(max_size=200))
def test_no_text_raises(text):
    """Whatever comes, the answer is arguments or a fault."""
    assert isinstance(read(text), Arguments | Fault)


_VALUES = st.recursive(
    st.integers(-(10**40), 10**40) | st.booleans() | st.sampled_from(["", "[[[{", "1" * 30]),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.sampled_from("ab[{"), inside),
    max_leaves=12,
)


def values_in(value):
    """How many values are inside, at every depth."""
    children = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return len(children) + sum(map(values_in, children))


def depth_of(value):
    """How many objects and arrays are in one another."""
    if not isinstance(value, dict | list):
        return 0
    children = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth_of, children), default=0)


def long_digits_in(value):
    """How many digits all integers beyond 64 bits have; one less than that may be counted for each."""
    if isinstance(value, dict | list):
        return sum(map(long_digits_in, value.values() if isinstance(value, dict) else value))
    is_long = not isinstance(value, bool | str) and abs(value) >= 2**63
    return len(str(abs(value))) if is_long else 0


@given(st.dictionaries(st.sampled_from("abcd"), _VALUES), st.integers(0, 60), st.integers(1, 8))
def test_a_limit_counts_however_short_the_text_is(value, most, most_deep):
    """More values, digits or levels than allowed are a fault, whatever the length already tells."""
    text = json.dumps(value, separators=(",", ":"))
    limits = {"max_bytes": 100_000, "max_depth": most_deep, "max_values": most, "max_digits": most}
    is_over = values_in(value) > most or long_digits_in(value) > most or depth_of(value) > most_deep
    if is_over:
        assert isinstance(read_arguments(text, **limits), Fault)
    elif long_digits_in(value) == 0:
        assert read_arguments(text, **limits).value == value
