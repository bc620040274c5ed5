"""What a path with wildcards could expand to, against an enumeration; and that Deny looks there."""

import itertools
import time
from dataclasses import replace

import pytest
from adjudicator.domain.facet import ArgumentKind, ArgumentSpec
from adjudicator.facets.derive import derive
from adjudicator.policy.expansions import expansions, has_wildcard
from adjudicator.policy.globs import Globs, Wildcard, meet_segments
from adjudicator.policy.patterns import parse_pattern
from hypothesis import example, given
from hypothesis import strategies as st

SPEC = ArgumentSpec("/path", ArgumentKind.PATH)
WORDS = ["".join(letters) for size in range(6) for letters in itertools.product("ab", repeat=size)]
GLOB = st.text(alphabet="ab*?", max_size=3)
SHORT = st.text(alphabet="ab*?", min_size=1, max_size=2)
LISTS = [
    list(segments) for size in range(5) for segments in itertools.product(["a", "b", "ab"], repeat=size)
]


def denies(pattern, path, root="/srv/app"):
    """Whether a Deny with this pattern speaks about the path."""
    (facet,) = derive({"path": path}, (SPEC,), root, {})
    return parse_pattern(pattern, loose=True).matches(facet)


def allows(pattern, path, root="/srv/app"):
    """Whether an Allow with this pattern speaks about the path."""
    (facet,) = derive({"path": path}, (SPEC,), root, {})
    return parse_pattern(pattern, loose=False).matches(facet)


@given(GLOB, GLOB)
@example("*a*b*", "?b*a?")
@example("", "*")
def test_two_globs_meet_where_some_text_matches_both(one, other):
    """Two globs of three characters meet within five letters or not at all."""
    left, right = Wildcard.compile(one), Wildcard.compile(other)
    expected = any(left.matches(word) and right.matches(word) for word in WORDS)
    assert left.meets(right) == right.meets(left) == expected


@given(st.lists(st.none() | SHORT, max_size=3), st.lists(st.none() | SHORT, max_size=3))
@example([None, "a"], ["a", None])
def test_two_lists_of_globs_meet_where_some_path_matches_both(one, other):
    """Over every path of up to four segments of `a`, `b` and `ab`; a meeting elsewhere is possible too."""
    left, right = (
        Globs(glob if glob is None else Wildcard.compile(glob) for glob in globs) for globs in (one, other)
    )
    if any(left.matches(path) and right.matches(path) for path in LISTS):
        assert meet_segments(left, right)
        assert meet_segments(right, left)


@given(st.lists(st.none() | st.sampled_from("ab"), max_size=4), st.lists(st.none() | st.sampled_from("ab")))
def test_lists_that_never_meet_are_told_apart(one, other):
    """With whole segments for letters, the answer is that of two texts in which `**` is a star."""
    left, right = (
        [glob if glob is None else Wildcard.compile(glob) for glob in globs] for globs in (one, other)
    )
    texts = [Wildcard.compile("".join(glob or "*" for glob in globs)) for globs in (one, other)]
    assert meet_segments(left, right) == texts[0].meets(texts[1])


COULD = [
    ("path:**/appsettings*", "/srv/app*.json"),
    ("path:**/appsettings*", "app*.json"),
    ("path:**/appsettings*", "/srv/{app,web}settings.json"),
    ("path:**/.env", "*"),
    ("path:**/.env", ".e?v"),
    ("path:**/.env", ".en[v]"),
    ("path:**/.env", ".en[!x]"),
    ("path:**/.env", ".{env,git}"),
    ("path:**/.env", "{.env,x}"),
    ("path:**/.env", "@(.env|x)"),
    ("path:**/.env", "+(.)env"),
    ("path:**/.env", "[.]ENV"),
    ("path:**/.env", "[]..]env"),
    ("path:**/.env", "[[:punct:]]env"),
    ("path:**/.env", "**/x/../.e*"),
    ("path:**/.env", "$HOME/.e*"),
    ("path:**/.env", "C:\\app\\.e*"),
    ("path:**/.env", "\uff0a"),
    ("path:**/.env", "/srv/app/.e\u200bn?"),
    ("path:/etc/**", "/e*/passwd"),
    ("path:/etc/**", "/**/passwd"),
    ("path:/etc/**", "/{etc,srv}/passwd"),
    ("path:/etc/**", "/srv/{a,../../etc}/passwd"),
    ("path:/etc/passwd", "/et?/pass*"),
    ("path:./keys/**", "k*/a"),
    ("path:./keys/**", "/srv/a*/keys/a"),
    ("path:./keys/**", "k[e]ys/a"),
    ("path:/home/u/test-dir/", "/home/*/Test-dir/a"),
    ("path:**/*.pem", "/srv/a*m"),
    ("path:/etc/**", "/srv/{..,a}/etc/passwd"),
    ("path:/etc/**", "/srv/.{.,a}/etc/passwd"),
    ("path:/etc/**", "/srv/{,a}../etc/passwd"),
    ("path:/etc/**", "/srv/.*/etc/passwd"),
    ("path:**/.env", "[!/]env"),
    ("path:**/.env", "[./]env"),
]


@pytest.mark.parametrize(("pattern", "path"), COULD)
def test_a_value_that_could_expand_to_it_is_denied_and_never_allowed(pattern, path):
    """Every kind of wildcard, wherever it stands."""
    assert denies(pattern, path)
    assert pattern.endswith("/") or not allows(pattern, path)


COULD_NOT = [
    ("path:**/appsettings*", "/srv/web*.json"),
    ("path:**/.env", "*.py"),
    ("path:**/.env", ".e?"),
    ("path:**/.env", "src/[id].tsx"),
    ("path:**/.env.*", "src/[lang]/[id].tsx"),
    ("path:/etc/**", "/srv/*"),
    ("path:/etc/**", "/srv/**/*.py"),
    ("path:/etc/**", "/srv/{a,b/c}/x"),
    ("path:/etc/passwd", "/etc/*/passwd"),
    ("path:/etc/**", "*"),
    ("path:/etc/**", "file{1..3}.txt"),
    ("path:/etc/**", "/srv/a.{js,ts}"),
    ("path:**/*.pem", "/srv/a*b"),
]


@pytest.mark.parametrize(("pattern", "path"), COULD_NOT)
def test_a_value_that_cannot_expand_to_it_is_not_denied(pattern, path):
    """A wildcard stays inside its segment, and one character of a set is one character."""
    assert not denies(pattern, path)


def test_a_name_with_brackets_stays_a_name_for_allow():
    """Frameworks name files `[id].tsx`; file tools expand nothing."""
    assert allows("path:./**", "src/[id].tsx")
    assert denies("path:./src/[id*".replace("[", "?"), "src/[id].tsx")


def test_a_value_longer_than_any_path_may_stand_for_anything():
    """What is too long to look at is not taken for harmless."""
    assert denies("path:/etc/**", "/srv/" + "a*" * 3000)


@given(st.text(alphabet="ab./*?[]{}(),!@\\ ", max_size=30))
def test_every_text_has_expansions(text):
    """No nesting of brackets crashes, and without wildcards the only expansion is the path itself."""
    for scattered in (True, False):
        globs = expansions(text, scattered=scattered)
        if not has_wildcard(text):
            assert all(glob is not None and len(glob.pieces) == 1 for glob in globs)


NAMES = st.lists(st.sampled_from([".env", "etc", "a", "ab", "keys", "x.pem"]), min_size=1, max_size=4)


@given(NAMES, st.data())
def test_a_deny_is_blind_to_wildcards(names, data):
    """Any part of a path may be written as a wildcard: what it could stand for stays denied."""
    hidden = []
    for name in names:
        at = data.draw(st.integers(0, len(name) - 1))
        before, char, after = name[:at], name[at], name[at + 1 :]
        forms = [name, f"{before}*", f"{before}?{after}", f"*{after}", "*", "**", "{x," + name + "}"]
        forms += [f"{before}[{char}]{after}", f"{before}[!/]{after}", f"{before}[a-{char}]{after}"]
        hidden.append(data.draw(st.sampled_from(forms)))
    path = "/".join(names)
    for pattern in (f"path:/srv/app/{path}", f"path:./{path}", f"path:**/{path}"):
        assert denies(pattern, "/srv/app/" + "/".join(hidden))
        assert denies(pattern, "/".join(hidden))


HOSTILE = [
    *(
        "a*" * 2000,
        "*/" * 2000,
        "**/" * 1300,
        "[" * 4000,
        "{" * 4000,
        "{," * 2000,
        "[a]" * 1300,
        "?" * 4000,
    ),
    *("[" + "/" * 4000, "(" * 4000, "@(" * 2000, "{a,../" * 680, "[!" * 2000, "[[:a:]" * 680),
]


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("pattern", ["path:/" + "**/a*a/" * 50 + "b", "path:**/" + "*a" * 200 + "b"])
def test_a_hostile_value_takes_little_time(pattern, value):
    """The longest path against globs made to backtrack: under a second, mostly far under."""
    started = time.process_time()
    (facet,) = derive({"path": f"/{value}"}, (SPEC,), "/srv/app", {})
    parse_pattern(pattern, loose=True).matches(facet)
    assert time.process_time() - started < 1


MENTIONED = [
    ("**/id_rsa*", "id_*", True),
    ("**/id_rsa", "*_rsa", True),
    ("/etc/**", "/etc/*", True),
    ("/etc/**", "/e*/passwd", True),
    ("**/.env", ".e*", True),
    ("**/*.pem", "keys/*.pem", True),
    ("**/id_rsa*", "*.py", False),
    ("**/.env", "*", False),
    ("**/.env.*", "src/*.py", False),
    ("**/.env", "*env", False),
]


@pytest.mark.parametrize(("glob", "value", "denied"), MENTIONED)
def test_a_mention_with_a_wildcard_is_denied_where_something_written_speaks_for_it(glob, value, denied):
    """`ls *.py` is not about a key because a key could be called `id_rsa.py`; an argument is."""
    (facet,) = derive({"path": value}, (SPEC,), "/srv/app", {})
    pattern = parse_pattern(f"path:{glob}", loose=True)
    assert pattern.matches(replace(facet, mention=True)) is denied
    assert pattern.matches(facet)
