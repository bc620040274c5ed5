"""Models, rows and requests that nobody thought of: stock Casbin and we agree wherever both answer."""

import itertools

from adjudicator.policy.problem import BundleError
from hypothesis import given, settings
from hypothesis import strategies as st
from policy.casbin.stock import ALLOW, ALLOW_AND_NOT_DENY, answer, model, ours, stock

NAMES = ("ann", "bob", "x", "/a", "/a/b", "")
REQUEST = ("sub", "obj", "dom", "who")
POLICY = ("sub", "obj", "dom", "when", "eft")
WORDS = st.sampled_from(NAMES)
TEXTS = st.sampled_from(['"ann"', "'x'", "'/a'", '"/a/*"'])
NUMBERS = st.sampled_from(["0", "1", "18", "2.5"])
COLUMNS = st.sampled_from(["r.sub", "r.obj", "r.dom", "p.sub", "p.obj", "p.dom"])
VALUES = st.one_of(COLUMNS, COLUMNS, TEXTS, st.just("r.who.name"))
AMOUNTS = st.one_of(
    NUMBERS, st.just("r.who.age"), st.builds("r.who.age {} {}".format, st.sampled_from("+-"), NUMBERS)
)
SIDES = st.sampled_from(["p.sub", "p.obj", "p.dom"])
REQUESTED = st.one_of(st.sampled_from(["r.sub", "r.obj", "r.dom"]), TEXTS)
PATTERNS = st.sampled_from(["p.sub", "p.obj", '"/a/*"', "'x'"])
FUNCTIONS = st.sampled_from(["keyMatch", "keyMatch2", "keyMatch3", "keyMatch4", "globMatch", "regexMatch"])
ROLES = ["g = _, _", "g2 = _, _, _"]

ATOMS = st.one_of(
    st.builds("r.{0} == p.{0}".format, st.sampled_from(["sub", "obj", "dom"])),
    st.builds("p.{0} == r.{0}".format, st.sampled_from(["sub", "obj", "dom"])),
    st.builds("({} == {} || {} == {})".format, SIDES, REQUESTED, REQUESTED, SIDES),
    st.builds("{} {} {}".format, VALUES, st.sampled_from(["==", "!="]), VALUES),
    st.builds("{} {} {}".format, AMOUNTS, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), AMOUNTS),
    st.builds("({}) > ({})".format, AMOUNTS, AMOUNTS),
    st.builds("{} in ({}, {})".format, VALUES, TEXTS, TEXTS),
    st.builds("r.who.age in [{}, {}]".format, NUMBERS, NUMBERS),
    st.builds("g({}, {})".format, VALUES, VALUES),
    st.builds("g2({}, {}, {})".format, VALUES, VALUES, st.sampled_from(["r.dom", "p.dom", "'x'"])),
    st.sampled_from(["g(r.sub, p.sub)", "g2(r.sub, p.sub, r.dom)", "g2(r.sub, p.sub, p.dom)"]),
    st.builds("{}(r.{}, {})".format, FUNCTIONS, st.sampled_from(["obj", "sub", "who.name"]), PATTERNS),
)


def joined(parts):
    """Everything that the grammar can make of smaller parts."""
    both = st.lists(parts, min_size=2, max_size=3)
    return st.one_of(
        both.map(" && ".join),
        both.map(" || ".join),
        both.map(lambda each: "(" + " || ".join(each) + ")"),
        parts.map("({})".format),
        parts.map("!({})".format),
    )


TRUTHS = st.recursive(ATOMS, joined, max_leaves=6)
MATCHERS = st.one_of(
    TRUTHS,
    st.builds("{} && {}".format, st.lists(ATOMS, min_size=1, max_size=3).map(" && ".join), joined(ATOMS)),
    st.builds("eval(p.when) && ({})".format, TRUTHS),
    st.builds("({}) && (!eval(p.when) || {})".format, TRUTHS, ATOMS),
)
EFFECTS = st.sampled_from(["allow", "allow", "deny"])
CONDITIONS = st.one_of(st.just("1 == 1"), TRUTHS)
LINKS = st.sampled_from(list(itertools.combinations(NAMES[:3], 2)))


@st.composite
def policies(draw):
    """Rows and role links; a link always leads to a later name, so that there is no cycle."""
    row = st.tuples(st.just("p"), WORDS, WORDS, WORDS, CONDITIONS, EFFECTS)
    rows = draw(st.lists(row, min_size=1, max_size=5))
    links = [("g", *link) for link in draw(st.lists(LINKS, max_size=3))]
    domains = st.tuples(LINKS, WORDS).map(lambda each: ("g2", *each[0], each[1]))
    return rows + list(dict.fromkeys(links)) + list(dict.fromkeys(draw(st.lists(domains, max_size=3))))


PEOPLE = st.fixed_dictionaries({"name": WORDS, "age": st.sampled_from([0, 1, 18, 2.5, 3])})
REQUESTS = st.lists(st.tuples(WORDS, WORDS, WORDS, PEOPLE), min_size=1, max_size=6)
EVALUATED = ", ".join(POLICY)


def engine_of(matcher, rows, effect=ALLOW_AND_NOT_DENY):
    """Our engine and the model's text; no engine where we refuse the model or a row."""
    text = model(", ".join(REQUEST), EVALUATED, matcher, ROLES, effect)
    try:
        return ours(text, rows), text
    except BundleError:
        return None, text


def fails(outcome):
    """Whether an answer is the name of an error."""
    return isinstance(outcome, str)


@settings(max_examples=400)
@given(MATCHERS, policies(), REQUESTS)
def test_stock_casbin_gives_the_same_answers(matcher, rows, requests):
    """Except where one of the two fails, and a failure of ours never allows."""
    engine, text = engine_of(matcher, rows)
    if engine is None:
        return
    enforcer = stock(text, rows)
    for request in requests:
        found, expected = answer(engine, request), answer(enforcer, request)
        assert found == expected or fails(found) or fails(expected), (found, expected, request)


@settings(max_examples=150)
@given(TRUTHS, policies(), REQUESTS)
def test_a_model_without_deny_agrees_too(matcher, rows, requests):
    """The plain effect allows what some row matches."""
    rows = [(*row[:-1], "allow") if row[0] == "p" else row for row in rows]
    engine, text = engine_of(matcher, rows, ALLOW)
    if engine is None:
        return
    enforcer = stock(text, rows)
    for request in requests:
        found, expected = answer(engine, request), answer(enforcer, request)
        assert found == expected or fails(found) or fails(expected), (found, expected, request)


@settings(max_examples=200)
@given(MATCHERS, policies(), REQUESTS, st.tuples(WORDS, WORDS, WORDS, CONDITIONS))
def test_one_more_deny_row_allows_nothing_new(matcher, rows, requests, fields):
    """What was not allowed stays so, wherever the row stands."""
    before, _ = engine_of(matcher, rows)
    denying = ("p", *fields, "deny")
    for more in ([denying, *rows], [*rows, denying]):
        after, _ = engine_of(matcher, more)
        for request in requests if before and after else ():
            assert answer(after, request) is not True or answer(before, request) is True


@settings(max_examples=200)
@given(MATCHERS, policies(), REQUESTS, st.randoms(use_true_random=False))
def test_the_order_of_rows_and_links_changes_no_answer(matcher, rows, requests, random):
    """Whether it is allowed, denied or fails."""
    engine, _ = engine_of(matcher, rows)
    shuffled = list(rows)
    random.shuffle(shuffled)
    other, _ = engine_of(matcher, shuffled)
    assert (engine is None) == (other is None)
    for request in requests if engine else ():
        found, again = answer(engine, request), answer(other, request)
        assert found == again or (fails(found) and fails(again))


@settings(max_examples=150)
@given(MATCHERS, policies(), REQUESTS)
def test_the_first_row_that_matches_by_itself_is_named(matcher, rows, requests):
    """Of each effect, whatever the keys and patterns that rows were found by."""
    engine, _ = engine_of(matcher, rows)
    links = [row for row in rows if row[0] != "p"]
    alone = [engine_of(matcher, [row, *links])[0] for row in rows if row[0] == "p"]
    for request, effect in itertools.product(requests if engine else (), ("allow", "deny")):
        matching = [n for n, each in enumerate(alone) if each.first(effect, request) is not None]
        assert engine.first(effect, request) == (matching[0] if matching else None)


@settings(max_examples=150)
@given(MATCHERS, policies(), st.lists(st.tuples(*[st.one_of(WORDS, st.none(), st.integers(), PEOPLE)] * 4)))
def test_a_failing_evaluation_never_allows(matcher, rows, requests):
    """Whatever a request holds: where stock Casbin denies, we do not allow."""
    engine, text = engine_of(matcher, rows)
    for request in requests if engine else ():
        assert answer(engine, request) is not True or answer(stock(text, rows), request) is not False
