"""Command lines as tests judge them: their facets, and the verdict of a handful of shell patterns."""

import shlex

from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec
from adjudicator.facets.bounds import TooComplexError
from adjudicator.facets.derive import derive
from adjudicator.policy.patterns import parse_pattern

ROOT = "/srv/app"
SPEC = ArgumentSpec("/command", ArgumentKind.SHELL, Access.WRITE)


def facets(line, root=ROOT):
    """The facets of a call with this command line, or with this list of words."""
    return derive({"command": line}, (SPEC,), root, {})


def full(line, root=ROOT):
    """The facets that need an Allow of their own."""
    return [facet for facet in facets(line, root) if not facet.mention]


def commands(line, root=ROOT):
    """The words of each command that needs an Allow of its own."""
    return [facet.words for facet in full(line, root) if facet.kind is ArgumentKind.SHELL and facet.words]


def programs(line, root=ROOT):
    """The first word of every command of the line, of wrappers too."""
    return [facet.words[0] for facet in facets(line, root) if facet.words]


def paths(line, root=ROOT, *, mentioned=False):
    """The paths of the line with their access: those it redirects to, or those it mentions."""
    return [
        (facet.text, facet.access.value)
        for facet in facets(line, root)
        if facet.kind is ArgumentKind.PATH and facet.mention is mentioned
    ]


def codes(line, root=ROOT):
    """What keeps the line's full facets from being known."""
    return {facet.opaque.code.value for facet in full(line, root) if facet.opaque is not None}


def verdict(line, allow=(), deny=(), ask=(), default="default", root=ROOT):
    """What the chain would say of the line, for rules with these patterns: the strictest facet wins."""
    try:
        found = facets(line, root)
    except TooComplexError:
        return "deny"
    rows = [("deny", deny, True), ("allow", allow, False), ("ask", ask, True)]
    parsed = [(effect, [_pattern(text, loose) for text in texts]) for effect, texts, loose in rows]
    verdicts = {_of_facet(facet, parsed, default) for facet in found} - {None}
    return next(word for word in ("deny", "ask", default, "allow") if word in verdicts)


def _of_facet(facet, parsed, default):
    for effect, patterns in parsed:
        if any(pattern.matches(facet) for pattern in patterns):
            return effect
    return None if facet.mention else default


def _pattern(text, loose):
    return parse_pattern(text if ":" in text or text == "*" else f"shell:{text}", loose=loose)


def quoted(words):
    """The words as one line of a shell."""
    return shlex.join(words)
