"""Argument patterns of rules, matched against facets: Deny over-matches, Allow under-matches.

A pattern is `*` (the tool alone), `path:GLOB` or `text:GLOB`. Matching takes time in proportion to
the value times the pattern: no regular expression with a repetition is ever built from a bundle.
"""

import re
from dataclasses import dataclass

from adjudicator.config.limits import PATTERN_CHARS
from adjudicator.domain.facet import ArgumentKind, Facet
from adjudicator.policy.casbin.functions import PatternError
from adjudicator.policy.folding import fold_blanks, is_plain_path, loose_segments, scattered_segments
from adjudicator.policy.globs import Wildcard, match_segments

ANY = "*"
DEEP = "**"
_PLAIN = re.compile(r"[A-Za-z0-9_.*?/-]+")
_PATHS = ("path:/", "path:./", "path:**/")
_ODD = ("//", "/./", "/../", "***")
_KINDS = {kind.value: kind for kind in ArgumentKind}
_BY_TOOL_ALONE = {
    ArgumentKind.SHELL: "shell commands are judged by the tool alone: a prefix would be defeated by `&&`",
    ArgumentKind.URL: "URLs are judged by the tool alone in this version",
}


@dataclass(frozen=True, slots=True)
class AnyPattern:
    """Matches every call of the tool, whatever its arguments."""

    kind: ArgumentKind | None = None

    def matches(self, facet: Facet) -> bool:  # noqa: ARG002 - the protocol that all patterns share
        """Always."""
        return True


@dataclass(frozen=True, slots=True)
class ExactText:
    """A glob over a whole text as Allow compares it."""

    wildcard: Wildcard
    kind: ArgumentKind = ArgumentKind.TEXT

    def matches(self, facet: Facet) -> bool:
        """Whether the glob matches the facet's whole text, character by character."""
        return facet.kind is self.kind and facet.opaque is None and self.wildcard.matches(facet.text)


@dataclass(frozen=True, slots=True)
class LooseText:
    """A glob over a whole text as Deny and Ask compare it: case, form and runs of blanks do not count.

    `exact` is tried too: folding can change how many characters a `?` has to stand for.
    """

    wildcard: Wildcard
    exact: ExactText
    kind: ArgumentKind = ArgumentKind.TEXT

    def matches(self, facet: Facet) -> bool:
        """Whether the glob matches the whole text in any spelling that could mean it."""
        if facet.kind is not self.kind:
            return False
        return self.wildcard.matches(fold_blanks(facet.text)) or self.exact.matches(facet)


@dataclass(frozen=True, slots=True)
class ExactPath:
    """A path glob as Allow compares it: exact, whole, and never on an opaque value."""

    segments: tuple[Wildcard | None, ...]
    anchor: str
    kind: ArgumentKind = ArgumentKind.PATH

    def matches(self, facet: Facet) -> bool:
        """Whether the glob matches the whole normalised path."""
        if facet.kind is not self.kind or facet.opaque is not None:
            return False
        if self.anchor == "./":
            return facet.inside is not None and match_segments(self.segments, _exact_segments(facet.inside))
        if self.anchor == "/" and not facet.text.startswith("/"):
            return False
        return match_segments(self.segments, _exact_segments(facet.text))


@dataclass(frozen=True, slots=True)
class LoosePath:
    """A path glob as Deny and Ask compare it: folded, and anywhere in a value that is not a plain path.

    `exact` is tried too: folding can change how many characters a `?` has to stand for.
    """

    segments: tuple[Wildcard | None, ...]
    anchor: str
    exact: ExactPath
    kind: ArgumentKind = ArgumentKind.PATH

    def matches(self, facet: Facet) -> bool:
        """Whether the glob matches the path in any spelling that could mean it."""
        if facet.kind is not self.kind:
            return False
        if facet.opaque is not None and not self._is_in_place(facet):
            return self._found_anywhere(facet.text)
        return self._folded_matches(facet) or self.exact.matches(facet)

    def _folded_matches(self, facet: Facet) -> bool:
        if self.anchor == "./":
            return facet.inside is not None and match_segments(self.segments, loose_segments(facet.inside))
        if self.anchor == "/" and not facet.text.startswith("/"):
            return False
        return match_segments(self.segments, loose_segments(facet.text))

    def _is_in_place(self, facet: Facet) -> bool:
        """Whether an opaque value still says where the path begins, so that an anchor means something."""
        return is_plain_path(facet.text) and (self.anchor != "./" or facet.inside is not None)

    def _found_anywhere(self, text: str) -> bool:
        anywhere = (None, *self.segments, None)
        return any(match_segments(anywhere, segments) for segments in scattered_segments(text))


Pattern = AnyPattern | ExactText | LooseText | ExactPath | LoosePath


def parse_pattern(text: str, *, loose: bool) -> Pattern:
    """The pattern that the text stands for; `loose` as Deny and Ask compare, else exactly as Allow does.

    Raises PatternError, with advice, for anything that would not mean what it seems to mean.
    """
    if text == ANY:
        return AnyPattern()
    if len(text) > PATTERN_CHARS:
        raise PatternError(f"the pattern is longer than {PATTERN_CHARS} characters; write several rows")
    word, separator, glob = text.partition(":")
    kind = _KINDS.get(word)
    if not separator or kind is None:
        raise PatternError(f"{text!r} is not a pattern: write `*`, `path:GLOB` or `text:GLOB`")
    if kind in _BY_TOOL_ALONE:
        raise PatternError(f"{_BY_TOOL_ALONE[kind]}; write `*`")
    if any(f"{other}:" in glob for other in _KINDS):
        raise PatternError("there is one pattern to a field; write a row for each")
    if glob != glob.strip() or not glob:
        raise PatternError(f"nothing, or a blank, stands beside `{word}:`; write the glob right after it")
    if kind is ArgumentKind.TEXT:
        exact = ExactText(Wildcard.compile(glob))
        return LooseText(Wildcard.compile(fold_blanks(glob)), exact) if loose else exact
    return _parse_path(glob, loose=loose)


def is_plain_path_pattern(text: str) -> bool:
    """Whether the text certainly is a path pattern that `parse_pattern` takes, loose or not."""
    if not text.startswith(_PATHS) or len(text) > PATTERN_CHARS or _PLAIN.fullmatch(text, 5) is None:
        return False
    path = f"{text[5:].removeprefix('.')}/"
    deep = path.count("**")
    if deep and deep != path.count("/**/") + path.startswith("**/"):
        return False
    return not any(odd in path for odd in _ODD)


def _parse_path(glob: str, *, loose: bool) -> ExactPath | LoosePath:
    anchor = _anchor(glob)
    if glob.endswith("/") and glob != "/":
        if not loose:
            raise PatternError(f"a last `/` says nothing in an Allow; write `{glob}**` for all below it")
        glob += DEEP
    words = glob.removeprefix("./" if anchor == "./" else "/").split("/") if glob != "/" else []
    for word in words:
        _check_segment(word)
    exact = ExactPath(_compiled(words), anchor)
    if not loose:
        return exact
    return LoosePath(_compiled([_fold_segment(word) for word in words]), anchor, exact)


def _compiled(words: list[str]) -> tuple[Wildcard | None, ...]:
    return tuple(None if word == DEEP else Wildcard.compile(word) for word in words)


def _anchor(glob: str) -> str:
    for anchor in ("/", "./", "**/"):
        if glob.startswith(anchor):
            return anchor
    if glob.startswith("~"):
        raise PatternError("a home folder is not known here; write `**/` instead, as in `**/.ssh/**`")
    raise PatternError(
        f"a path starts with `/` (absolute), `./` (inside the working directory) or `**/` (anywhere); "
        f"write `./{glob}` or `**/{glob}`"
    )


def _check_segment(word: str) -> None:
    if word in ("", ".", ".."):
        raise PatternError(f"a path has no {word!r} between two `/` once it is normalised; leave it out")
    if DEEP in word and word != DEEP:
        raise PatternError("`**` is a whole segment; write `**/*.txt` instead of `**.txt`")
    for char in "[]{}\\;|":
        if char in word:
            raise PatternError(f"`{char}` has no meaning here; write `?`, or one row for each")


def _fold_segment(word: str) -> str:
    segments = loose_segments(word)
    if len(segments) != 1:
        raise PatternError(f"{word!a} has a character that stands for nothing or for `/`; write `?` for it")
    return segments[0]


def _exact_segments(path: str) -> list[str]:
    return [segment for segment in path.split("/") if segment not in ("", ".")]
