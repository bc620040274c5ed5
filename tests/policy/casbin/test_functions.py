"""Casbin's matching functions: each answers as stock Casbin does, or refuses the pattern with advice."""

import re

import pytest
from adjudicator.policy.casbin.anchors import AnchorIndex
from adjudicator.policy.casbin.functions import NOTHING, casbin_functions
from adjudicator.policy.pattern_error import PatternError
from casbin.util import builtin_operators as stock
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

FUNCTIONS = casbin_functions()
STOCK = {
    "keyMatch": stock.key_match,
    "keyMatch2": stock.key_match2,
    "keyMatch3": stock.key_match3,
    "keyMatch4": stock.key_match4,
    "keyMatch5": stock.key_match5,
    "regexMatch": stock.regex_match,
    "ipMatch": stock.ip_match,
    "globMatch": stock.glob_match,
}


def pieces(*texts, most=7):
    """Texts made of these pieces."""
    return st.lists(st.sampled_from(texts), max_size=most).map("".join)


PATHS = pieces("/", "/", "a", "b", "ab", "-", "?x=1", "é", "A")
PATTERNS = {
    "keyMatch": pieces("/", "a", "b", "*", "-", most=5),
    "keyMatch2": pieces("/", "/", "a", "b", ":n", ":n", "/*", ":", "*", most=6),
    "keyMatch3": pieces("/", "/", "a", "b", "{n}", "{m}", "/*", "{", "*", most=6),
    "keyMatch4": pieces("/", "/", "a", "b", "{n}", "{m}", "/{n}", "/*", most=6),
    "keyMatch5": pieces("/", "/", "a", "b", "{n}", "{m}", "/*", "?", most=6),
    "regexMatch": pieces("/", "a", "b", ".*", "^", "$", "[ab]", "(a|b)", "+", "?", "[^/]+", "a{0,2}"),
    "ipMatch": st.sampled_from(
        ["10.0.0.1", "10.0.0.0/8", "10.0.0.0/255.0.0.0", "10.1.2.3/31", "::1", "::/64", "0.0.0.0/0", "x"]
    ),
    "globMatch": pieces(
        "/", "/", "a", "b", "*", "**", "?", ".", "[ab]", "[!a]", "/*", "/**", "**/", most=6
    ),
}
VALUES = {
    **dict.fromkeys(PATTERNS, PATHS),
    "ipMatch": st.sampled_from(["10.0.0.1", "10.1.2.3", "11.0.0.1", "::1", "::ffff", "192.0.2.1"]),
    "globMatch": pieces("/", "/", "a", "b", "ab", ".", ".a", "é"),
}


def matching(name, pattern):
    """The compiled pattern; one that is refused is no example."""
    try:
        return FUNCTIONS[name].compile(pattern)
    except PatternError:
        assume(False)  # noqa: FBT003 - Hypothesis asks for it in this way


@pytest.mark.parametrize("name", STOCK)
@settings(max_examples=150)
@given(data=st.data())
def test_a_function_answers_as_stock_casbin_does(name, data):
    """Whatever pattern is not refused matches the same values."""
    pattern, value = data.draw(PATTERNS[name]), data.draw(VALUES[name])
    ours = matching(name, pattern)
    try:
        expected = STOCK[name](value, pattern)
    except re.error:  # Python has no `^+`, RE2 has
        assume(False)  # noqa: FBT003 - Hypothesis asks for it in this way
    assert ours.matches(value) == expected, (value, pattern)


@pytest.mark.parametrize("name", STOCK)
@settings(max_examples=100)
@given(data=st.data())
def test_the_index_finds_every_pattern_that_matches(name, data):
    """Among the candidates for a value is each pattern that matches it, in the order of their numbers."""
    compiled = []
    for pattern in data.draw(st.lists(PATTERNS[name], min_size=1, max_size=12)):
        try:
            compiled.append(FUNCTIONS[name].compile(pattern))
        except PatternError:
            continue
    index, numbered, memo = AnchorIndex(list(enumerate(compiled))), list(enumerate(compiled)), {}
    for value in data.draw(st.lists(VALUES[name], max_size=6)):
        found = index.candidates(value, memo)
        naive = [number for number, each in numbered if each.matches(value)]
        assert [number for number, each in found if each.matches(value)] == naive
        for number in naive:
            assert shows_all_anchors(compiled[number], value)


def shows_all_anchors(one, value):
    """Whether the value shows each anchor of the pattern, which is what makes an anchor necessary."""
    words = one.view(value)
    if words is None:
        return True
    shown = {"is": str.__eq__, "starts": str.startswith, "ends": str.endswith}
    return words is not NOTHING and all(
        any(shown[place](word, text) for word in words) for place, text in one.anchors
    )


@example("//a/x", "/a/*")
@example("b//x", "b/*")
@given(VALUES["globMatch"], PATTERNS["globMatch"])
def test_a_glob_is_looked_up_as_it_matches(value, pattern):
    """Repeated slashes count as one for the index too."""
    one = matching("globMatch", pattern)
    assert bool(AnchorIndex([(0, one)]).candidates(value, {})) or not one.matches(value)


def test_a_value_that_is_gone_leaves_nothing_behind():
    """What is remembered of a value is not taken for another that comes to lie in its place."""
    index, memo = AnchorIndex([(0, FUNCTIONS["globMatch"].compile("/a/*"))]), {}
    cut = -1  # a slice is a new text each time
    gone = "//b/x?"[:cut]
    place = id(gone)
    assert index.candidates(gone, memo) == []
    del gone
    others = ["//a/x?"[:cut] for _ in range(1000)]
    again = next((other for other in others if id(other) == place), others[0])
    assert index.candidates(again, memo)


REFUSED = [
    ("keyMatch", "/a/*/b", "keyMatch ignores what follows the first `*`"),
    ("keyMatch2", "/a.*", "write `:name` for one part of a path, and `/*` for the rest"),
    ("keyMatch2", "/a(b)", "`(` in '/a(b)' means different things"),
    ("keyMatch3", "/{a{b}", "write `{name}` for one part of a path"),
    ("keyMatch3", "/{}", "means different things to Casbins"),
    ("keyMatch4", "/{a}-{b}", "two names in one part"),
    ("keyMatch5", "/{a}{b}", "two names in one part"),
    ("keyMatch5", "/a?b=1", "keyMatch5 cuts the value at `?`"),
    ("regexMatch", "(?=a)", "not a regular expression of RE2, which knows no look-around"),
    ("regexMatch", r"(a)\1", "not a regular expression of RE2"),
    ("regexMatch", "a{,2}", "write `{0,` for up to so many times"),
    ("regexMatch", "(a{1000}){1000}", "not a regular expression of RE2"),
    ("regexMatch", "[", "not a regular expression of RE2"),
    ("ipMatch", "10.0.0.0/33", "neither an address nor a network"),
    ("ipMatch", "localhost", "neither an address nor a network"),
    ("globMatch", "{a,b}", "`{` in '{a,b}' means different things"),
    ("globMatch", "a\\*", "means different things"),
    ("globMatch", "a//b", "`//` in 'a//b' means different things"),
    ("globMatch", "**/**", "leave it out"),
    ("globMatch", "a***", "leave it out"),
    ("globMatch", "[z-a]", "write letters, digits and ranges of them in the brackets"),
    ("globMatch", "[--9]", "write letters, digits and ranges of them"),
    ("globMatch", "[a-]", "write letters, digits and ranges of them"),
    ("globMatch", "[]a]", "is not understood"),
    ("globMatch", "[a", "is not understood"),
]


@pytest.mark.parametrize(("name", "pattern", "advice"), REFUSED)
def test_a_pattern_that_casbins_read_differently_is_refused(name, pattern, advice):
    """The error says what to write instead."""
    with pytest.raises(PatternError) as raised:
        FUNCTIONS[name].compile(pattern)
    assert advice in str(raised.value)


@pytest.mark.parametrize("name", STOCK)
@pytest.mark.parametrize("value", [None, 1, b"/a", ["/a"], {"a": 1}])
def test_what_is_no_text_is_an_error(name, value):
    """It never matches in silence, and the index never hides it from the pattern."""
    one = FUNCTIONS[name].compile("10.0.0.1" if name == "ipMatch" else "/a")
    assert AnchorIndex([(0, one)]).candidates(value, {}) == [(0, one)]
    with pytest.raises(TypeError, match="a text was expected"):
        one.matches(value)
