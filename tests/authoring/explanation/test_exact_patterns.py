"""The pattern for exactly one value: it matches that value, and nothing beside it."""

import pytest
from adjudicator.authoring.explanation.exact_patterns import exact_pattern
from adjudicator.domain.arguments import Arguments
from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec
from adjudicator.facets.derive import derive
from adjudicator.policy.patterns import parse_pattern
from hypothesis import given, settings
from hypothesis import strategies as st


def facets(kind, value, access=Access.WRITE):
    """What rules see of one argument."""
    arguments = Arguments({"a": value}, b"").value
    return derive(arguments, (ArgumentSpec("/a", kind, access),), "/srv/app", {})


PATTERNS = [
    (ArgumentKind.PATH, "src/a.py", "write:./src/a.py"),
    (ArgumentKind.PATH, "/etc/passwd", "write:/etc/passwd"),
    (ArgumentKind.PATH, ".", "write:/srv/app"),
    (ArgumentKind.PATH, "a/[id].ts", "write:./a/?id?.ts"),
    (ArgumentKind.PATH, "~/x", None),
    (ArgumentKind.SHELL, "git log --oneline", "shell:git log --oneline"),
    (ArgumentKind.SHELL, "git commit -m 'a b'", "shell:git commit -m a?b"),
    (ArgumentKind.SHELL, "ls $HOME", None),
    (ArgumentKind.URL, "https://x.test/a/b", "url:https://x.test/a/b"),
    (ArgumentKind.URL, "https://x.test", "url:https://x.test/"),
    (ArgumentKind.URL, "https://x.test:8443/a?q", "url:https://x.test:8443/a/**"),
    (ArgumentKind.TEXT, "who calls *?", "text:who calls ??"),
    (ArgumentKind.TEXT, " ", None),
]


@pytest.mark.parametrize(("kind", "value", "pattern"), PATTERNS)
def test_a_value_has_its_own_pattern_or_none(kind, value, pattern):
    """None where no Allow could match: what is opaque, and what no pattern can say."""
    assert exact_pattern(facets(kind, value)[0], loose=False) == pattern


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(list(ArgumentKind)), st.text(alphabet="ab./ *?'$~[]-\\éA", min_size=1, max_size=12))
def test_a_pattern_is_never_wider_than_it_looks(kind, text):
    """It matches its value, and no `*` in it comes from the value."""
    try:
        found = facets(kind, f"https://x.test/{text}" if kind is ArgumentKind.URL else text)
    except Exception:  # noqa: BLE001 - the chain denies what has no facets
        return
    for facet in found:
        for loose in (False, True):
            pattern = exact_pattern(facet, loose=loose)
            if pattern is not None:
                assert parse_pattern(pattern, loose=loose).matches(facet)
                assert "*" not in pattern.removesuffix("/**").replace("//**", "//")
