"""Argument patterns of rules, matched against facets: Deny over-matches, Allow under-matches.

A pattern is `*` (the tool alone), `path:GLOB`, `text:GLOB` or `shell:COMMAND`. Matching takes time in
proportion to the value times the pattern: no regular expression with a repetition is ever built from a
bundle.
"""

from dataclasses import dataclass

from adjudicator.config.limits import PATTERN_CHARS
from adjudicator.domain.facet import ArgumentKind, Facet
from adjudicator.policy.folding import fold_blanks, is_plain_path, loose_segments, scattered_segments
from adjudicator.policy.globs import Wildcard, match_segments
from adjudicator.policy.shell_patterns import ExactShell, LooseShell, ShellPatternError, parse_shell

ANY = "*"
DEEP = "**"
_KINDS = {kind.value: kind for kind in ArgumentKind}
_BY_TOOL_ALONE = {
    ArgumentKind.URL: "URLs are judged by the tool alone in this version",
}


class PatternError(ValueError):
    """A pattern that is refused. The text says what to write instead."""


@dataclass(frozen=True, slots=True)
class AnyPattern:
    """Matches every call of the tool, whatever its arguments."""

    kind: ArgumentKind | None = None

    def matches(self, facet: Facet) -> bool:
        """Always, but for a mention: another facet of the call answers for it, and is matched."""
        return not facet.mention


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


Pattern = AnyPattern | ExactText | LooseText | ExactPath | LoosePath | ExactShell | LooseShell


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
        raise PatternError(
            f"{text!r} is not a pattern: write `*`, `path:GLOB`, `text:GLOB` or `shell:COMMAND`"
        )
    if kind in _BY_TOOL_ALONE:
        raise PatternError(f"{_BY_TOOL_ALONE[kind]}; write `*`")
    if any(f"{other}:" in glob for other in _KINDS):
        raise PatternError("there is one pattern to a field; write a row for each")
    if glob != glob.strip() or not glob:
        raise PatternError(f"nothing, or a blank, stands beside `{word}:`; write the glob right after it")
    if kind is ArgumentKind.SHELL:
        return _parse_shell(glob, loose=loose)
    if kind is ArgumentKind.TEXT:
        exact = ExactText(Wildcard.compile(glob))
        return LooseText(Wildcard.compile(fold_blanks(glob)), exact) if loose else exact
    return _parse_path(glob, loose=loose)


def _parse_shell(command: str, *, loose: bool) -> ExactShell | LooseShell:
    try:
        return parse_shell(command, loose=loose)
    except ShellPatternError as error:
        raise PatternError(str(error)) from error


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
