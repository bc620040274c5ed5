"""Patterns of schemas: which are refused, and what those that are not mean."""

import json

import pytest
from policy.contracts import CLOSED, read, value_contract

UNANCHORED = [
    "a",
    "^a",
    "a$",
    "^a|b$",
    "^a$|b",
    "a|^b$",
    "^a$|",
    r"^a\$",
    "^a[$]",
    "^*a$",
    "^?a$",
    "^{0}a$",
    "(^a$)",
    "^",
    "$",
    r"\Aa\z",
    "https://bank.example.test#acct",
]
ANCHORED = ["^a$", "^$", "^a$|^b$", "^(?:a|b)$", "^(a|b)$", r"^a\|b$", "^[|]$", r"^[\]$]$", "^(?P<n>a)$"]
UNCLEAR = ["^[]a]$", "^[^]a]$", "^[a[b]]$", "^[a&&b]$", "^[a-z--b]$", "^[a~~b]$"]
FLAGS = ["^(?m)a$", "(?m)^a$", "^(?m:a$)$", "^(?x)a # $", "^(?i)a$", "^(?-u)a$"]
NOT_LINEAR = [
    "^(?=a)b$",
    "^(?!a)b$",
    "^(?<=a)b$",
    r"^(a)\1$",
    r"^a\Z",
    "^(?>a)$",
    "^(",
    "^(?:[a-z]{1,900}){900}$",
]


def problems_of(pattern, keyword="pattern", **beside):
    """The problems of a schema with this pattern; there is a contract exactly when there are none."""
    value = {pattern: {}} if keyword == "patternProperties" else pattern
    found, problems = read(json.dumps(CLOSED | {"properties": {"a": {keyword: value} | beside}}))
    assert (found is None) == bool(problems)
    return problems


@pytest.mark.parametrize("keyword", ["pattern", "patternProperties"])
@pytest.mark.parametrize("pattern", UNANCHORED)
def test_a_pattern_that_would_be_searched_for_is_refused(pattern, keyword):
    """Whoever writes a pattern means the whole text; without both anchors it would match a part of one."""
    (problem,) = problems_of(pattern, keyword)
    assert f"/properties/a/{keyword}" in problem
    assert "would be searched for" in problem
    assert "`^…$`" in problem


@pytest.mark.parametrize("pattern", [*UNANCHORED, *ANCHORED])
def test_a_search_that_is_meant_is_marked(pattern):
    """With the mark, any pattern that the engine knows is accepted."""
    assert problems_of(pattern, **{"x-unanchored": True}) == []


@pytest.mark.parametrize("mark", [False, "yes", 1, {}])
def test_the_mark_is_true_or_absent(mark):
    """A mark that says something else is a slip."""
    (problem,) = problems_of("^a$", **{"x-unanchored": mark})
    assert "/properties/a/x-unanchored: is `true` where a search is meant" in problem


@pytest.mark.parametrize("pattern", ANCHORED)
def test_an_anchored_pattern_is_accepted(pattern):
    """Both anchors around each choice outside of groups are enough."""
    assert problems_of(pattern) == []


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        *[(each, "brackets that engines read differently") for each in UNCLEAR],
        *[(each, "inline flags") for each in FLAGS],
        *[(each, "not a pattern that can be matched in linear time") for each in NOT_LINEAR],
    ],
)
def test_a_pattern_that_could_mean_something_else_is_refused(pattern, fault):
    """What engines read differently, what moves the anchors, and what cannot be matched in linear time."""
    (problem,) = problems_of(pattern)
    assert fault in problem


MEANING = [
    ("^[a-z]+$", "safe", True),
    ("^[a-z]+$", "safe\n", False),
    ("^[a-z]+$", "safe\nsafe", False),
    ("^[a-z]+$", "\nsafe", False),
    (r"^\d+$", "123", True),
    (r"^\d+$", "\u0661\u0662", False),
    (r"^\w+$", "caf\u00e9", False),
    (r"^\w+$", "a_1\n", False),
    (r"^\s$", "\u00a0", True),
    (r"^https://bank\.example\.test#acct$", "https://bankxexample.test#acct", False),
    (r"^https://bank\.example\.test#acct$", "https://bank.example.test#acctEVIL", False),
    ("^a.b$", "a\nb", False),
    ("^a.b$", "a\u2028b", False),
    (r"^\p{L}+$", "caf\u00e9", True),
    ("^[^\\u0000-\\u001f]+$", "a\u001bb", False),
]


@pytest.mark.parametrize(("pattern", "text", "accepted"), MEANING)
def test_a_pattern_means_what_ecma_262_says(pattern, text, accepted):
    """`$` is the end and not before a last line end, digits and letters of a word are ASCII."""
    assert (value_contract(pattern=pattern).violations({"a": text}) == ()) is accepted
