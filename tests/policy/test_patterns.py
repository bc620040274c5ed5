"""Patterns against facets: Deny over-matches, Allow under-matches, and neither takes long."""

import time
import unicodedata

import pytest
from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec, Facet, Opacity, Opaque
from adjudicator.facets.bounds import TooComplexError
from adjudicator.facets.derive import derive
from adjudicator.policy.functions import FacetMatch, matcher_functions
from adjudicator.policy.patterns import PatternError, parse_pattern
from hypothesis import assume, example, given
from hypothesis import strategies as st

ROOT = "/srv/app"
SPEC = ArgumentSpec("/path", ArgumentKind.PATH)


def path_facet(path, root=ROOT):
    """The facet of a path argument, as a call gives it."""
    (facet,) = derive({"path": path}, (SPEC,), root, {})
    return facet


def text_facet(text):
    """The facet of a text argument."""
    return Facet(ArgumentKind.TEXT, text)


def allows(pattern, facet):
    """Whether an Allow with this pattern speaks about the facet."""
    return parse_pattern(pattern, loose=False).matches(facet)


def denies(pattern, facet):
    """Whether a Deny with this pattern speaks about the facet."""
    return parse_pattern(pattern, loose=True).matches(facet)


BOTH = [
    ("path:./**", "a"),
    ("path:./**", "."),
    ("path:./**", "/srv/app"),
    ("path:./**", "/srv/app/a/b"),
    ("path:./*", "a"),
    ("path:./*.py", "a.py"),
    ("path:./?.py", "a.py"),
    ("path:./a/**/z", "a/z"),
    ("path:./a/**/z", "a/b/c/z"),
    ("path:./**/x/**/y", "a/x/x/b/y"),
    ("path:./a*b*c", "aXbXc"),
    ("path:./a*b*c", "abc"),
    ("path:./*a?c*", "xxabcabc"),
    ("path:/srv/**", "a"),
    ("path:/srv/**", "/srv"),
    ("path:/**", "/"),
    ("path:/", "/"),
    ("path:**/.env", "/.env"),
    ("path:**/.env", "x/.env"),
    ("path:**/.env", "../.env"),
    ("path:**/.env", "../../x/../.env"),
    ("path:**/.ssh/**", "/home/u/.ssh"),
    ("path:**/.ssh/**", "/home/u/.ssh/a/b"),
]
NEITHER = [
    ("path:./*", "a/b"),
    ("path:./*", "."),
    ("path:./**", "/srv/app-evil/x"),
    ("path:./**", "../x"),
    ("path:./**", "/srv"),
    ("path:./?.py", "ab.py"),
    ("path:./?.py", ".py"),
    ("path:./a*b", "abx"),
    ("path:./ab*bc", "abc"),
    ("path:/sandbox/**", "/sandbox-evil/x"),
    ("path:/sandbox/**", "/sandbox/../etc/passwd"),
    ("path:/sandbox/**", "/sandbox//../etc/passwd"),
    ("path:**/.env", "/x/.envx"),
    ("path:**/.env", "/x/.env/y"),
    ("path:/", "/a"),
    ("text:*", "a"),
]


@pytest.mark.parametrize(("pattern", "path"), BOTH)
def test_a_path_that_is_meant_is_matched_by_both(pattern, path):
    """What a pattern says plainly, Allow and Deny read in the same way."""
    assert allows(pattern, path_facet(path))
    assert denies(pattern, path_facet(path))


@pytest.mark.parametrize(("pattern", "path"), NEITHER)
def test_a_path_that_is_not_meant_is_matched_by_neither(pattern, path):
    """A neighbour is not inside, and over-matching is for spellings, not for other paths."""
    assert not allows(pattern, path_facet(path))
    assert not denies(pattern, path_facet(path)) or path_facet(path).opaque


DENY_ONLY = [
    ("path:**/.env", "/srv/app/.ENV"),
    ("path:**/.env", ".Env"),
    ("path:**/.env", "x/.env."),
    ("path:**/.env", "x\\.env"),
    ("path:**/.env", "$HOME/.env"),
    ("path:**/.env", "~/.env"),
    ("path:**/.env", ".env\0.txt"),
    ("path:**/.env", ".e\u200bnv"),
    ("path:**/.env", "\uff0eenv"),
    ("path:**/.env", "x\uff0f.env"),
    ("path:**/.env", "C:\\app\\.env"),
    ("path:**/.env", "file:///srv/app/.env"),
    ("path:**/.env", "//server/share/.env"),
    ("path:**/.ssh/**", "~/.SSH/id_rsa"),
    ("path:/etc/**", "/etc/../etc\\passwd"),
    ("path:/etc/**", "//etc/passwd"),
    ("path:/etc/**", "/ETC/passwd"),
    ("path:/etc/**", "../../../etc/passwd?"),
    ("path:/home/u/Test-dir/", "/home/u/Test-dir/a"),
    ("path:/home/u/Test-dir/", "/home/u/Test-dir"),
    ("path:/home/u/Test-dir/", "/HOME/u/test-dir/a"),
    ("path:./keys/**", "/srv/APP/keys/a"),
    ("path:./keys/**", "KEYS/a"),
    ("path:./keys/**", "keys/*"),
    ("path:./keys/**", "$X/keys/a"),
    ("path:./keys/**", "ke\u200bys/a"),
    ("path:**/caf\u00e9", "cafe\u0301"),
    ("path:**/stra\u00dfe", "STRASSE"),
]


@pytest.mark.parametrize(("pattern", "path"), DENY_ONLY)
def test_a_spelling_that_could_mean_it_is_denied_and_never_allowed(pattern, path):
    """Case, form, hidden characters, separators of other systems, and what only a run resolves."""
    assert denies(pattern, path_facet(path))
    if not pattern.endswith("/"):
        assert not allows(pattern, path_facet(path))


def test_percent_signs_stay_what_they_are():
    """A file tool decodes nothing: `%2e%2e` is a name below the folder."""
    assert allows("path:/sandbox/**", path_facet("/sandbox/%2e%2e/etc/passwd"))
    assert allows("path:/sandbox/**", path_facet("/sandbox/./a"))


def test_an_unresolved_path_is_denied_as_it_stands_but_not_somewhere_else():
    """A path that is plain and only waits for its links is compared in place, not anywhere."""
    spec = ArgumentSpec("/path", ArgumentKind.PATH, needs_resolution=True)
    (facet,) = derive({"path": "etc/x"}, (spec,), ROOT, {})
    assert facet.opaque
    assert denies("path:./etc/**", facet)
    assert not denies("path:/etc/**", facet)
    assert not allows("path:./**", facet)


@pytest.mark.parametrize("kind", [None, ArgumentKind.SHELL, ArgumentKind.URL, ArgumentKind.TEXT])
def test_a_facet_of_another_kind_is_matched_only_by_the_tool_alone(kind):
    """A call without a path is not a call with any path."""
    facet = Facet(kind, "/srv/app/a", inside="a")
    for pattern in ("path:./**", "path:/**", "path:**/a"):
        assert not allows(pattern, facet)
        assert not denies(pattern, facet)
    assert allows("*", facet)
    assert denies("*", facet)


TEXTS = [
    ("text:git *", "git push", True, True),
    ("text:git *", "git ", True, True),
    ("text:git *", "GIT  push", False, True),
    ("text:git push", "git\tpush", False, True),
    ("text:git push", " git \n push ", False, True),
    ("text:rm *", "\uff52\uff4d -rf", False, True),
    ("text:rm *", "r\u200bm -rf", False, True),
    ("text:rm *", "farm x", False, False),
    ("text:a", "ab", False, False),
    ("text:a*c", "a\nb\nc", True, True),
    ("text:a?c", "abc", True, True),
    ("text:a?c", "a\u00dfc", True, True),
    ("text:*", "", True, True),
]


@pytest.mark.parametrize(("pattern", "text", "allowed", "denied"), TEXTS)
def test_texts(pattern, text, allowed, denied):
    """A text pattern covers the whole text; loosely, blanks and case do not count."""
    assert allows(pattern, text_facet(text)) == allowed
    assert denies(pattern, text_facet(text)) == denied


WRITTEN = ArgumentSpec("/path", ArgumentKind.PATH, Access.WRITE)


@pytest.mark.parametrize("loose", [True, False])
@pytest.mark.parametrize("path", ["a", "/srv/app/x/../a"])
def test_reading_and_writing_are_told_apart(loose, path):
    """`read:` and `write:` are about one access, `path:` is about both; so for Allow and for Deny."""
    for spec, word, other in ((SPEC, "read", "write"), (WRITTEN, "write", "read")):
        (facet,) = derive({"path": path}, (spec,), ROOT, {})
        for glob in ("./a", "/srv/app/**", "**/a"):
            assert parse_pattern(f"path:{glob}", loose=loose).matches(facet)
            assert parse_pattern(f"{word}:{glob}", loose=loose).matches(facet)
            assert not parse_pattern(f"{other}:{glob}", loose=loose).matches(facet)


@pytest.mark.parametrize("path", ["*", "~/a", "A", 7, {"x": "a"}])
def test_what_cannot_be_known_still_has_its_access(path):
    """A Deny for writing sees odd spellings of what is written, and leaves what is read alone."""
    for spec, denied in ((SPEC, False), (WRITTEN, True)):
        (facet,) = derive({"path": path}, (spec,), ROOT, {})
        assert parse_pattern("write:**/**", loose=True).matches(facet) is denied


def test_a_resolved_path_of_nothing_is_denied_whatever_is_done_to_it():
    """Nobody says whether it is read or written, so both rows speak of it."""
    facets = derive({"path": "a"}, (SPEC,), ROOT, {"/other": "/etc/passwd"})
    for word in ("read", "write", "path"):
        pattern = parse_pattern(f"{word}:/etc/**", loose=True)
        assert any(pattern.matches(facet) for facet in facets)


@pytest.mark.parametrize(
    ("deny", "allow", "path", "resolved"),
    [
        ("read:/etc/passwd", "read:/srv/app/**", "/srv/app/l", "/etc/passwd"),
        ("read:**/.ssh/**", "read:**/**", "~/.SSH/id_rsa", None),
        ("read:**/.env", "read:/srv/app/**", "/srv/app/.ENV", None),
        ("read:**/.env", "read:/srv/app/**", "/srv/app/.Env", None),
        ("read:**/appsettings*", "read:/srv/**", "/srv/app*.json", None),
        ("read:/home/u/Test-dir/", "read:/home/**", "/home/u/Test-dir", None),
        ("read:/home/u/Test-dir/", "read:/home/**", "/home/u/Test-dir/a", None),
    ],
)
def test_a_deny_has_its_way_beside_an_allow(deny, allow, path, resolved):
    """Links, case, wildcards and a last slash: one of the call's facets is denied."""
    facets = derive({"path": path}, (SPEC,), ROOT, {"/path": resolved} if resolved else {})
    assert parse_pattern(allow, loose=False)
    assert any(parse_pattern(deny, loose=True).matches(facet) for facet in facets)


def test_a_folder_in_one_argument_and_a_name_in_another_are_both_seen():
    """A Deny for a folder sees it wherever it stands."""
    specs = (SPEC, ArgumentSpec("/pattern", ArgumentKind.PATH))
    for arguments in ({"pattern": "*", "path": "/mnt/d"}, {"pattern": "/mnt/d/*"}):
        facets = derive(arguments, specs, ROOT, {})
        assert any(parse_pattern("path:/mnt/d/**", loose=True).matches(facet) for facet in facets)


def test_a_word_that_ends_like_a_kind_is_part_of_a_name():
    """Only a second pattern in the field is refused."""
    assert allows("path:./a/thread:1", path_facet("a/thread:1"))
    for second in ("path:./a read:./b", "write:./a|write:./b", "text:a url:b"):
        with pytest.raises(PatternError, match="one pattern to a field"):
            parse_pattern(second, loose=True)


def test_an_exception_errs_on_the_side_of_not_allowing():
    """An Allow's exception is compared loosely, a Deny's and an Ask's exactly."""
    match = matcher_functions()["facet_match"]
    exact, other = path_facet("a/.env.example"), path_facet("a/.ENV.example")
    assert not match(exact, "path:./**", "path:**/.env*", "allow")
    assert not match(other, "path:./**", "path:**/.env*", "allow")
    for effect in ("deny", "ask"):
        assert not match(exact, "path:**/.env.*", "path:**/.env.example", effect)
        assert match(other, "path:**/.env.*", "path:**/.env.example", effect)


def test_an_unknown_effect_is_an_error():
    """A matcher cannot be asked for something between."""
    with pytest.raises(ValueError, match="Deny"):
        FacetMatch().compile("*", "", "Deny")


# Laws ------------------------------------------------------------------------------------------------

NAME = st.text(alphabet="abAB.e\u00e9\u00df\u0130 -_~$%?\\\u200b\uff0e", min_size=1, max_size=5)
PATH = st.lists(
    st.sampled_from(["..", ".", "", ".env", ".ssh", "etc", "a"]) | NAME, min_size=1, max_size=6
).map("/".join)
WORD = st.text(alphabet="ab.e\u00e9\u00df*?-", min_size=1, max_size=4).filter(
    lambda w: "**" not in w and w not in (".", "..")
)
GLOB = st.tuples(
    st.sampled_from(["/", "./", "**/"]), st.lists(st.just("**") | WORD, min_size=1, max_size=4)
).map(lambda parts: f"path:{parts[0]}{'/'.join(parts[1])}")


@given(GLOB, PATH)
@example("path:./a?", "a\u00df")
@example("path:**/a?", "a.")
def test_what_an_allow_matches_a_deny_matches(glob, path):
    """Turning an Allow into a Deny never lets more through."""
    facet = path_facet(path)
    if allows(glob, facet):
        assert denies(glob, facet)


def respelled(path, draw):
    """The same path in another spelling that means the same to some file system."""
    parts = path.split("/")
    spelled = []
    for part in parts:
        spelled.append(
            draw(st.sampled_from([part, part.upper(), unicodedata.normalize("NFD", part), part + "\u200b"]))
        )
        spelled += draw(st.sampled_from([[], ["."], [""], ["x", ".."]]))
    return "/".join(spelled[:-1] if spelled[-1] == "" else spelled)


@given(st.data())
def test_a_deny_is_blind_to_spelling(data):
    """Case, normal form, hidden characters, `./`, `//` and `x/..` do not get past a Deny."""
    names = st.sampled_from(["srv", ".env", "caf\u00e9", ".ssh", "id_rsa", "K\u00f6nig"])
    path = "/".join(data.draw(st.lists(names, min_size=1, max_size=4)))
    glob = f"path:./{path}"
    assert denies(glob, path_facet(path))
    assert denies(glob, path_facet(respelled(path, data.draw)))


@given(PATH)
def test_an_allow_never_leaves_its_folder(path):
    """Whatever the spelling, what `./box/**` allows is the folder or lies in it, by its text."""
    facet = path_facet(path)
    if allows("path:./box/**", facet) or allows("path:/srv/app/box/**", facet):
        assert facet.text == "/srv/app/box" or facet.text.startswith("/srv/app/box/")
        assert ".." not in facet.text.split("/")


@given(
    st.lists(st.sampled_from(["box", "..", ".", "", "a", "srv", "app"]), min_size=1, max_size=8).map(
        "/".join
    )
)
def test_an_allow_never_leaves_its_folder_by_climbing(path):
    """The same for paths made of little else than steps up and down."""
    assume("box" in path)
    facet = path_facet(path)
    if allows("path:./box/**", facet):
        assert facet.inside == "box" or facet.inside.startswith("box/")


def by_definition(glob, segments):
    """The naive reading of a list of segments, to compare with."""
    if not glob:
        return not segments
    if glob[0] == "**":
        return any(by_definition(glob[1:], segments[index:]) for index in range(len(segments) + 1))
    return (
        bool(segments)
        and word_by_definition(glob[0], segments[0])
        and by_definition(glob[1:], segments[1:])
    )


def word_by_definition(glob, word):
    """The naive reading of one segment."""
    if not glob:
        return not word
    if glob[0] == "*":
        return any(word_by_definition(glob[1:], word[index:]) for index in range(len(word) + 1))
    return bool(word) and glob[0] in ("?", word[0]) and word_by_definition(glob[1:], word[1:])


SHORT = st.text(alphabet="ab", min_size=1, max_size=4)
SHORT_GLOB = st.text(alphabet="ab*?", min_size=1, max_size=4).filter(lambda word: "**" not in word)


@given(st.lists(st.just("**") | SHORT_GLOB, min_size=1, max_size=5), st.lists(SHORT, max_size=6))
def test_globs_mean_what_their_definition_says(glob, segments):
    """The fast matcher and a naive one agree."""
    facet = Facet(ArgumentKind.PATH, "/" + "/".join(segments))
    assert allows("path:/" + "/".join(glob), facet) == by_definition(glob, segments)


@given(st.text(max_size=20))
def test_parsing_a_pattern_gives_a_pattern_or_an_error(text):
    """No text crashes the parser."""
    for loose in (True, False):
        try:
            parse_pattern(text, loose=loose)
        except PatternError:
            continue


HOSTILE = [
    ("path:./" + "*a" * 50 + "b", "a" * 100_000),
    ("path:./" + "?*" * 50 + "b", "a" * 100_000),
    ("path:./" + "**/a/" * 50 + "b", "a/" * 50_000),
    ("path:**/.ssh/**", ".ss/" * 25_000),
    ("path:**/.env", "x" * 100_000),
    ("path:**/.env", "../" * 33_000),
    ("path:**/.env", "\u00df\u200b" * 50_000),
    ("text:" + "*a" * 50 + "b", "a" * 100_000),
]


@pytest.mark.parametrize(("pattern", "value"), HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_value_takes_little_time(pattern, value):
    """A hundred thousand characters against a glob made to backtrack: under a second, mostly far under."""
    facet = (
        text_facet(value) if pattern.startswith("text") else Facet(ArgumentKind.PATH, value, inside=value)
    )
    opaque = Facet(facet.kind, value, opaque=Opaque(Opacity.PATH, "too long"))
    started = time.process_time()
    assert not allows(pattern, facet)
    denies(pattern, facet)
    denies(pattern, opaque)
    with pytest.raises(TooComplexError):
        derive({"path": value}, (SPEC,), ROOT, {})
    assert time.process_time() - started < 1
