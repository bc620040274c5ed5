"""The index of facet patterns against a look at each: an anchor that is not necessary would hide a Deny."""

from dataclasses import replace

from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec, Facet, Opacity, Opaque
from adjudicator.facets.bounds import InvalidArgumentError, TooComplexError
from adjudicator.facets.derive import derive
from adjudicator.policy.casbin.anchors import AnchorIndex
from adjudicator.policy.casbin.functions import NOTHING
from adjudicator.policy.functions import FacetMatch
from adjudicator.policy.pattern_error import PatternError
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

PATH = tuple(
    ArgumentSpec("/path", ArgumentKind.PATH, access, resolve)
    for access in Access
    for resolve in (False, True)
)
URL = ArgumentSpec("/path", ArgumentKind.URL)
TEXT = ArgumentSpec("/path", ArgumentKind.TEXT)
SHELL = ArgumentSpec("/path", ArgumentKind.SHELL)
DOUBT = Opaque(Opacity.FORM, "made for this test")


def pieces(*texts, most=8):
    """Texts made of these pieces."""
    return st.lists(st.sampled_from(texts), min_size=1, max_size=most).map("".join)


WORDS = pieces("a", "b", "A", ".", " ", "é", "e\u0301", "ﬁ", "\uff0e", "\u200b", "ß", "-", "x", most=4)
WILD = pieces("a", "b", "A", ".", " ", "é", "ﬁ", "ß", "*", "?", "x", most=5)
SEGMENTS = st.one_of(st.sampled_from(["a", "ab", ".env", "x.py", "**", "*.py", "a*", "?b", "*"]), WILD)
PATH_PATTERNS = st.builds(
    lambda word, anchor, segments, end: f"{word}:{anchor}{'/'.join(segments)}{end}",
    st.sampled_from(["path", "read", "write"]),
    st.sampled_from(["/", "./", "**/"]),
    st.lists(SEGMENTS, max_size=3),
    st.sampled_from(["", "/", "/**"]),
)
TEXT_PATTERNS = st.builds(
    "text:{}".format, pieces("a", "B", " ", "  ", "\u00a0", "*", "?", "é", "e", "\u0301", "ﬁ", "ß", "ss")
)
URL_SEGMENTS = ["a", "A", "b*", "*", "**", "%41", "%2561", "a;b", "a.", "?x", "é", "...", "a%20"]
URL_PATTERNS = st.builds(
    "url:{}://{}{}{}".format,
    st.sampled_from(["*", "https", "http"]),
    st.sampled_from(
        ["**", "*", "a.test", "*.a.test", "**.a.test", "A.test", "10.0.0.1", "10.**", "[::1]", "b*.test"]
    ),
    st.sampled_from(["", ":*", ":8080"]),
    st.one_of(
        st.sampled_from(["", "/"]),
        st.lists(st.sampled_from(URL_SEGMENTS), min_size=1, max_size=3).map(
            lambda each: "/" + "/".join(each)
        ),
    ),
)
SHELL_WORDS = ["git", "GIT", "/bin/git", "rm", "g*", "?m", "-rf", "-f", "--force", "push", "p*", "é", "*"]
SHELL_PATTERNS = st.lists(st.sampled_from([*SHELL_WORDS, "*"]), min_size=1, max_size=4).map(
    lambda words: "shell:" + " ".join(words)
)
PATTERNS = st.one_of(PATH_PATTERNS, TEXT_PATTERNS, URL_PATTERNS, SHELL_PATTERNS, st.just("*"))

PATHS = st.one_of(
    st.builds(
        lambda start, parts: start + "/".join(parts),
        st.sampled_from(["", "/", "./", "../", "~/", "/srv/app/", "/SRV/app/", "$HOME/", "C:\\", "//"]),
        st.lists(
            st.one_of(
                st.sampled_from(["a", "ab", ".env", ".ENV", "x.py", "..", ".", "a\\b", "a.", "a ", "*.py"]),
                st.sampled_from(
                    ["[ab]", "{a,b}", "@(a|b)", "?b", "...", "..a", "a\tb", "(a)", "a:b", ".*"]
                ),
                WORDS,
            ),
            max_size=4,
        ),
    ),
    pieces(
        "/", "\\", ".", "..", "a", "B", " ", "*", "[", "]", "{", ",", "}", "é", "\u200b", "\uff0f", "%2e"
    ),
)
TEXTS = pieces(
    *("a", "b", "B", " ", "  ", "\t", "\u00a0", "é", "e", "\u0301", "ﬁ", "ß", "SS", "\x00", "?", "*")
)
URL_PATHS = [
    "a",
    "A",
    "ab",
    "%41",
    "%2561",
    "a;b",
    ";x",
    "..;",
    "..",
    ".",
    "%2e%2e",
    "%2f",
    "%5c",
    "a.",
    "",
]
URLS = st.builds(
    "{}://{}{}{}{}".format,
    st.sampled_from(["https", "HTTP", "http"]),
    st.sampled_from(
        ["a.test", "x.A.test", "b1.test", "10.0.0.1", "[::1]", "[0:0::1]", "test", "y.x.a.test"]
    ),
    st.sampled_from(["", ":8080", ":443"]),
    st.lists(st.sampled_from(URL_PATHS), max_size=4).map(lambda each: "/" + "/".join(each)),
    st.sampled_from(["", "?q=1", "#f"]),
)
PROGRAMS = "git GIT /bin/git 'rm' r\\m rm C:\\git $X"
FURTHER = "-rf -fr -r -f --forc push PUSH é e\u0301 ﬁ a.py ~/.env && | ; > *.py `ls`"
LINES = st.lists(st.sampled_from(f"{PROGRAMS} {FURTHER}".split(" ")), min_size=1, max_size=6).map(" ".join)
VALUES = st.one_of(
    st.tuples(st.just(SHELL), LINES),
    st.tuples(st.sampled_from(PATH), PATHS),
    st.tuples(st.just(TEXT), TEXTS),
    st.tuples(st.just(URL), URLS),
    st.tuples(
        st.sampled_from([*PATH, TEXT, URL, SHELL]), st.sampled_from([7, None, ["a.test"], {"a": "b/x.py"}])
    ),
)


@st.composite
def facets(draw):
    """A facet as a call gives it, or one of another making: doubted, misfit, or a mere mention."""
    spec, value = draw(VALUES)
    resolved = {"/path": draw(PATHS)} if draw(st.booleans()) and isinstance(value, str) else {}
    try:
        found = derive(
            {"path": value},
            (spec,),
            draw(st.sampled_from(["/srv/app", "", "/"])),
            resolved if spec.kind is ArgumentKind.PATH else {},
        )
    except (InvalidArgumentError, TooComplexError):
        assume(False)  # noqa: FBT003 - Hypothesis asks for it in this way
    facet = draw(st.sampled_from(found))
    changes = st.fixed_dictionaries(
        {}, optional={"opaque": st.sampled_from([None, DOUBT]), "mention": st.booleans()}
    )
    return replace(facet, **draw(changes))


def url_facet(text):
    """The facet of a URL argument, as a call gives it."""
    (facet,) = derive({"path": text}, (URL,), "", {})
    return facet


ROWS = st.tuples(PATTERNS, st.one_of(st.just(""), PATTERNS), st.sampled_from(["allow", "ask", "deny"]))


def compiled(rows):
    """The rows whose patterns are not refused, numbered."""
    found = []
    for number, row in enumerate(rows):
        try:
            found.append((number, FacetMatch().compile(*row)))
        except PatternError:
            continue
    return found


@settings(max_examples=400)
@given(st.lists(ROWS, min_size=1, max_size=8), st.lists(facets(), min_size=1, max_size=3))
def test_the_index_finds_every_row_that_matches_a_facet(rows, asked):
    """Among the candidates is each row that matches, in order, whatever the facet looks like."""
    numbered, memo = compiled(rows), {}
    index = AnchorIndex(numbered)
    for facet in asked:
        naive = [number for number, each in numbered if each.matches(facet)]
        found = [number for number, each in index.candidates(facet, memo) if each.matches(facet)]
        assert found == naive, (facet, [rows[number] for number in naive])


@settings(max_examples=400)
@example(("text:a *", "", "deny"), Facet(ArgumentKind.TEXT, "A   b"))
@example(("path:/a.*", "", "deny"), Facet(ArgumentKind.PATH, "/a."))
@example(("path:**/*.py", "", "deny"), Facet(ArgumentKind.PATH, "/x/[ab].py", opaque=DOUBT))
@example(("path:**/a", "", "deny"), Facet(ArgumentKind.PATH, "~/(a)", opaque=DOUBT))
@example(("path:**/b/c", "", "ask"), Facet(ArgumentKind.PATH, "$X/b:x/../c", opaque=DOUBT))
@example(("text:e*", "", "deny"), Facet(ArgumentKind.TEXT, "e\u0301x"))
@example(("text:*e", "", "deny"), Facet(ArgumentKind.TEXT, "x\u1d49"))
@example(("url:*://a.test/q", "", "deny"), url_facet("https://a.test/q/%2e%2e/b"))
@example(("url:*://a.test/a/b", "", "deny"), url_facet("https://a.test/a;x/B%2fc"))
@given(ROWS, facets())
def test_every_anchor_of_a_pattern_is_necessary(row, facet):
    """A facet that the pattern matches shows each anchor, so that looking it up by any of them is right."""
    for _, one in compiled([row]):
        words = one.view(facet)
        if words is None or not one.matches(facet):
            continue
        assert words is not NOTHING
        for place, text in one.anchors:
            if not text:
                continue  # says nothing, and the index leaves it out
            shown = {"is": str.__eq__, "starts": str.startswith, "ends": str.endswith}[place]
            assert any(shown(word, text) for word in words), (place, text, words)


CLOSE = st.sampled_from(
    [["a"], ["ab"], ["a", "b"], [".env"], ["x.py"], ["a.", "b"], ["A", "ﬁ"], ["e\u0301"]]
)


@settings(max_examples=400)
@given(
    segments=CLOSE,
    holes=st.lists(st.sampled_from(["*", "?", "**"]), max_size=2),
    spelling=st.sampled_from([str, str.upper, str.title, lambda text: text + "."]),
    effect=st.sampled_from(["allow", "deny"]),
    start=st.sampled_from(["/", "**/", "./"]),
    data=st.data(),
)
def test_patterns_made_from_their_own_paths_are_found(segments, holes, spelling, effect, start, data):
    """Where a match is likely, the index has it: patterns here are paths with holes in them."""
    words = list(segments)
    for hole in holes:
        at = data.draw(st.integers(0, len(words) - 1))
        cut = data.draw(st.integers(0, len(words[at])))
        words[at] = hole if hole == "**" else words[at][:cut] + hole + words[at][cut + (hole == "?") :]
    numbered = compiled([(f"path:{start}{'/'.join(words)}", "", effect)])
    for facet in derive({"path": "/".join(map(spelling, segments))}, PATH[:1], "/", {}):
        for _, one in numbered:
            assert AnchorIndex(numbered).candidates(facet, {}) or not one.matches(facet)
