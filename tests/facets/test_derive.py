"""From arguments to facets: each declared argument, its place, and what makes it opaque."""

import pytest
from adjudicator.config.limits import FACET_CHARS, FACETS, MARKS
from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec, Facet
from adjudicator.facets.bounds import TooComplexError
from adjudicator.facets.derive import derive
from hypothesis import given
from hypothesis import strategies as st

PATH = ArgumentSpec("/path", ArgumentKind.PATH, Access.WRITE)
ROOT = "/srv/app"


def one(path, root=ROOT, resolved=None):
    """The only facet of a call with this path."""
    (facet,) = derive({"path": path}, (PATH,), root, resolved or {})
    return facet


PLACES = [
    ("a", "/srv/app/a", "a"),
    ("./a", "/srv/app/a", "a"),
    ("a/", "/srv/app/a", "a"),
    ("a//b/./c", "/srv/app/a/b/c", "a/b/c"),
    ("a/../b", "/srv/app/b", "b"),
    (".", "/srv/app", "."),
    ("/srv/app", "/srv/app", "."),
    ("/srv/app/", "/srv/app", "."),
    ("/srv/app/a", "/srv/app/a", "a"),
    ("..", "/srv", None),
    ("../app/a", "/srv/app/a", "a"),
    ("../../../../etc", "/etc", None),
    ("/srv/app-evil/x", "/srv/app-evil/x", None),
    ("/srv/application", "/srv/application", None),
    ("/a/../../b", "/b", None),
    ("/", "/", None),
    ("///etc", "/etc", None),
    ("%2e%2e/x", "/srv/app/%2e%2e/x", "%2e%2e/x"),
    ("...", "/srv/app/...", "..."),
    ("a b", "/srv/app/a b", "a b"),
    ("caf\u00e9", "/srv/app/caf\u00e9", "caf\u00e9"),
    ("cafe\u0301", "/srv/app/cafe\u0301", "cafe\u0301"),
    ("{slug}.tsx", "/srv/app/{slug}.tsx", "{slug}.tsx"),
    ("[id].tsx", "/srv/app/[id].tsx", "[id].tsx"),
    ("a~", "/srv/app/a~", "a~"),
    ("100%", "/srv/app/100%", "100%"),
]


@pytest.mark.parametrize(("path", "text", "inside"), PLACES)
def test_a_path_is_normalised_by_its_text(path, text, inside):
    """Dots, repeated separators and a last one are resolved; the part inside the directory is known."""
    assert one(path) == Facet(ArgumentKind.PATH, text, "/path", Access.WRITE, inside)


OPAQUE = [
    ("", "empty"),
    (" /etc/passwd", "blank"),
    ("/etc/passwd ", "blank"),
    ("~/x", "home"),
    ("~root/x", "home"),
    ("$HOME/x", "variable"),
    ("a/${X}/b", "variable"),
    ("a/$(id)", "variable"),
    ("%USERPROFILE%/x", "variable"),
    ("a\\b", "backslash"),
    ("\\\\server\\share", "backslash"),
    ("//server/share", "another machine"),
    ("C:/x", "drive"),
    ("c:x", "drive"),
    ("file:///etc/passwd", "scheme"),
    ("a\0b", "control"),
    ("a\nb", "control"),
    ("a\x7f", "control"),
    ("a\x85b", "control"),
    ("a\u200bb", "not drawn"),
    ("a\u202eb", "not drawn"),
    ("a\u2066b", "not drawn"),
    ("a\ufeffb", "not drawn"),
    ("a\u2028b", "not drawn"),
    ("a\ud800b", "not drawn"),
    ("a\u3164b", "not drawn"),
    ("a*", "wildcard"),
    ("a?", "wildcard"),
    ("{a,b}.py", "wildcard"),
    ("/srv/{a,../../etc}/passwd", "wildcard"),
    ("a{1..3}", "wildcard"),
    ("@(a|b)", "wildcard"),
    ("\uff0e\uff0e/x", "separator or a dot"),
    ("a\uff0fb", "separator or a dot"),
    ("\u2025/x", "separator or a dot"),
    ("\uff5e/x", "separator or a dot"),
    ("/srv/APP/a", "spells the working directory in another way"),
    ("/SRV/app", "spells the working directory in another way"),
    ("a" * 5000, "longer than 4096"),
]


@pytest.mark.parametrize(("path", "reason"), OPAQUE, ids=[ascii(case[0][:20]) for case in OPAQUE])
def test_a_path_that_may_lead_elsewhere_is_opaque(path, reason):
    """The reason is told, and the text stays for Deny to look at."""
    facet = one(path)
    assert reason in facet.opaque.why
    assert path.strip("/ ") in facet.text or "/srv" in path.lower()


def test_an_opaque_relative_path_keeps_the_folder_it_is_in():
    """Deny rules for the working directory still see what follows."""
    assert one("a*").text == "/srv/app/a*"
    assert one("~/a").text == "~/a"


NO_ROOT = [
    ("a", "a", "states no working_directory"),
    ("./a/../b", "b", "states no working_directory"),
    (".", ".", "states no working_directory"),
    ("../a", "../a", "leaves"),
    ("a/../..", "a/../..", "leaves"),
]


@pytest.mark.parametrize(("path", "text", "opaque"), NO_ROOT)
def test_without_a_working_directory_a_relative_path_cannot_be_known(path, text, opaque):
    """It may lead to /etc: no Allow matches it, and Deny still sees what it can."""
    facet = one(path, root="")
    assert facet.text == text
    assert opaque in facet.opaque.why
    assert facet.inside == (None if opaque == "leaves" else text)


def test_without_a_working_directory_an_absolute_path_is_inside_of_nothing():
    """It cannot be known to be."""
    assert one("/srv/app/a", root="") == Facet(ArgumentKind.PATH, "/srv/app/a", "/path", Access.WRITE)


@pytest.mark.parametrize(
    "root", ["srv/app", ".", "/srv/../etc", "~", "$HOME", "C:\\x", "/srv/app\0", " /srv", "//srv", "/a//b"]
)
def test_a_working_directory_that_is_not_clean_is_not_used(root):
    """Relative paths are opaque then, and no path is inside."""
    assert "working_directory" in one("a", root=root).opaque.why
    assert one("/srv/app/a", root=root).inside is None


def test_a_working_directory_may_end_with_a_separator():
    """`/srv/app/` is `/srv/app`, and `/` contains everything."""
    assert one("a", root="/srv/app/").inside == "a"
    assert one("/etc/x", root="/").inside == "etc/x"
    assert one("/", root="/").inside == "."


def test_a_resolved_path_is_judged_beside_the_one_that_was_named():
    """A link to another place gives two facets."""
    facets = derive({"path": "l"}, (PATH,), ROOT, {"/path": "/etc/passwd"})
    assert [(facet.text, facet.inside, facet.opaque) for facet in facets] == [
        ("/srv/app/l", "l", None),
        ("/etc/passwd", None, None),
    ]


def test_a_path_that_is_no_link_gives_one_facet():
    """The same place twice is judged once."""
    assert len(derive({"path": "a"}, (PATH,), ROOT, {"/path": "/srv/app/a"})) == 1


@pytest.mark.parametrize("resolved", ["a", "/a/../b", "/a/", "", "~/x", "/a\0"])
def test_a_resolved_path_that_is_not_clean_is_opaque(resolved):
    """The runtime resolves; what it could not resolve is not taken for resolved."""
    assert derive({"path": "a"}, (PATH,), ROOT, {"/path": resolved})[1].opaque


def test_a_tool_may_require_the_resolved_path():
    """Without it the path is opaque, with it both are judged as they are."""
    spec = ArgumentSpec("/path", ArgumentKind.PATH, needs_resolution=True)
    (facet,) = derive({"path": "a"}, (spec,), ROOT, {})
    assert facet.opaque.why == "the tool requires resolved_paths for /path"
    assert (facet.text, facet.inside) == ("/srv/app/a", "a")
    assert [facet.opaque for facet in derive({"path": "a"}, (spec,), ROOT, {"/path": "/x"})] == [None, None]


def test_a_resolved_path_of_nothing_is_opaque():
    """A pointer that names no declared path is not passed over, and may be read as well as written."""
    facets = derive({"path": "a"}, (PATH,), ROOT, {"/pth": "/etc/passwd"})
    assert [(facet.text, facet.access) for facet in facets[1:]] == [
        ("/etc/passwd", Access.READ),
        ("/etc/passwd", Access.WRITE),
    ]
    assert all("resolved_paths names /pth" in facet.opaque.why for facet in facets[1:])


def test_items_of_a_list_are_facets_of_their_own():
    """`*` stands for every item, and the pointer says which."""
    spec = ArgumentSpec("/files/*/to~1", ArgumentKind.PATH)
    files = [{"to/": "a"}, {"other": 1}, {"to/": "/etc/x"}]
    facets = derive({"files": files}, (spec,), ROOT, {"/files/2/to~1": "/etc/y"})
    assert [(facet.pointer, facet.text) for facet in facets] == [
        ("/files/0/to~1", "/srv/app/a"),
        ("/files/2/to~1", "/etc/x"),
        ("/files/2/to~1", "/etc/y"),
    ]


def test_a_place_in_a_list_may_be_named():
    """RFC 6901 counts from 0; a place that is not there is no facet."""
    spec = (ArgumentSpec("/a/1", ArgumentKind.TEXT),)
    assert derive({"a": ["x", "y"]}, spec, "", {}) == (Facet(ArgumentKind.TEXT, "y", "/a/1"),)
    assert derive({"a": ["x"]}, spec, "", {}) == (Facet(None, ""),)


@pytest.mark.parametrize("value", [None, 1, True, ["/etc/passwd"], {"x": "/etc/passwd"}])
def test_a_value_that_is_no_text_is_opaque(value):
    """Its JSON is kept for Deny."""
    facet = one(value)
    assert facet.opaque.why == "the value is not a string"
    assert ("passwd" in facet.text) == ("passwd" in str(value))


@pytest.mark.parametrize("value", ["/etc/passwd", {"0": "/etc/passwd"}, 7])
def test_a_list_that_is_none_is_opaque(value):
    """Declared as a list, sent as something else: not the same as absent."""
    (facet,) = derive({"paths": value}, (ArgumentSpec("/paths/*", ArgumentKind.PATH),), ROOT, {})
    assert facet.pointer == "/paths"
    assert facet.opaque


def test_a_call_without_declared_arguments_has_one_facet_of_no_kind():
    """An empty set of checks is never a pass."""
    assert derive({"text": "x"}, (PATH,), ROOT, {}) == (Facet(None, ""),)
    assert derive({}, (), "", {}) == (Facet(None, ""),)
    assert derive({"paths": []}, (ArgumentSpec("/paths/*", ArgumentKind.PATH),), ROOT, {}) == (
        Facet(None, ""),
    )


@pytest.mark.parametrize("kind", [ArgumentKind.TEXT])
def test_other_kinds_keep_their_text(kind):
    """Nothing is normalised that is no path."""
    (facet,) = derive({"a": " ../x\\ "}, (ArgumentSpec("/a", kind),), ROOT, {})
    assert facet == Facet(kind, " ../x\\ ", "/a")


TEXTS = (ArgumentSpec("/a/*", ArgumentKind.PATH), ArgumentSpec("/b", ArgumentKind.TEXT))
TOO_MUCH = [
    ({"a": [f"f{n}" for n in range(FACETS + 1)]}, {}),
    ({"a": [1] * (FACETS + 1)}, {}),
    ({"a": ["x" * FACET_CHARS, "y"]}, {}),
    ({"b": "x" * (FACET_CHARS + 1)}, {}),
    ({"b": [["x"] * FACET_CHARS]}, {}),
    ({"b": "e" + "\u0301" * (MARKS + 1)}, {}),
    ({"a": ["e" + "\u0315\u0300" * MARKS]}, {}),
    ({"a": ["x"]}, {f"/a/{n}": "/x" for n in range(FACETS)}),
    ({"a": ["x"]}, {"/a/0": "/" + "\u0315\u0300" * MARKS}),
]


@pytest.mark.parametrize(("arguments", "resolved"), TOO_MUCH, ids=range(len(TOO_MUCH)))
def test_what_is_too_much_is_refused_before_it_is_looked_at(arguments, resolved):
    """Many values, long ones, heaps of marks, and paths that the runtime resolved."""
    with pytest.raises(TooComplexError):
        derive(arguments, TEXTS, ROOT, resolved)


@pytest.mark.parametrize(
    "root", ["/" + "a/" * 2040 + "b", "/a" + "\u0323\u0300" * 2000, "/" + "\ufdfa" * 4000]
)
def test_the_working_directory_counts_for_each_path(root):
    """It is put before every one of them."""
    with pytest.raises(TooComplexError):
        derive({"a": [f"a{n}" for n in range(100)]}, TEXTS, root, {})


def test_characters_that_stand_for_many_count_as_many():
    """One character may be eighteen in the form in which texts are compared."""
    with pytest.raises(TooComplexError):
        derive({"b": "\ufdfa" * 10_000}, TEXTS, ROOT, {})


def test_up_to_the_bounds_everything_is_looked_at():
    """The bounds are the last values that pass."""
    many = derive({"a": [f"f{n}" for n in range(FACETS)]}, TEXTS, ROOT, {})
    assert len(many) == FACETS
    assert derive({"b": "x" * (FACET_CHARS - 2 * len(ROOT))}, TEXTS, ROOT, {})[0].opaque is None
    assert derive({"b": "e" + "\u0301" * MARKS}, TEXTS, ROOT, {})[0].opaque is None


def test_an_argument_that_is_left_out_means_what_the_registry_says():
    """A search without a folder is a search in the working directory."""
    specs = (ArgumentSpec("/dir", ArgumentKind.PATH, absent="."),)
    (facet,) = derive({}, specs, "/srv/app/.ssh", {})
    assert (facet.text, facet.inside, facet.opaque) == ("/srv/app/.ssh", ".", None)
    assert derive({"dir": "x"}, specs, "/srv", {})[0].text == "/srv/x"
    assert derive({}, specs, "", {})[0].opaque is not None


@given(st.text(), st.sampled_from(["", "/", "/srv/app", "bad"]))
def test_every_text_is_a_path_or_opaque(path, root):
    """What is not opaque is normalised, and inside means inside."""
    facet = one(path, root)
    if facet.opaque is None:
        assert not {"", ".", ".."} & set(facet.text.removeprefix("/").split("/")) or facet.text in (
            "/",
            ".",
        )
        if facet.inside is not None and root:
            assert facet.text.startswith(root)
    else:
        assert facet.inside is None or facet.text.lower().startswith(root)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "*", "0"]), inner)
    ),
)


@given(
    st.dictionaries(st.sampled_from(["a", "b"]), JSON),
    st.sampled_from(["/a", "/a/*", "/a/b", "/a/0", "/a/*/b/*"]),
)
def test_any_arguments_have_facets(arguments, pointer):
    """No shape crashes, and there is always a facet."""
    facets = derive(arguments, (ArgumentSpec(pointer, ArgumentKind.PATH),), ROOT, {"/a": "/x"})
    assert facets
    assert all(isinstance(facet.text, str) for facet in facets)
