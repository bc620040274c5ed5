"""Argument patterns of rules, matched against facets: Deny over-matches, Allow under-matches.

A pattern is `*` (the tool alone), or a word for what it is about and a glob, as in `path:GLOB`. Matching
takes time in proportion to the value times the pattern: no regular expression with a repetition is ever
built from a bundle.
"""

import re
from dataclasses import dataclass

from adjudicator.config.limits import PATTERN_CHARS
from adjudicator.domain.facet import Access, ArgumentKind, Facet
from adjudicator.policy.expansions import expansions, has_wildcard
from adjudicator.policy.folding import fold_blanks, is_plain_path, loose_segments, scattered_segments
from adjudicator.policy.globs import DEEP, Globs, Wildcard, meet_segments
from adjudicator.policy.pattern_error import PatternError
from adjudicator.policy.shell_patterns import ExactShell, LooseShell, parse_shell
from adjudicator.policy.url_patterns import ExactUrl, LooseUrl, parse_url_pattern

ANY = "*"
_PLAIN = re.compile(r"(?:path|read|write):(?:\./|/|\*\*/)[A-Za-z0-9_.*?/-]+")
_KINDS = {kind.value: kind for kind in ArgumentKind} | {each.value: ArgumentKind.PATH for each in Access}
_ACCESS = {access.value: access for access in Access}
_SECOND = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(_KINDS)}):")


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
    """A path glob as Allow compares it: exact, whole, and never on an opaque value.

    `access` is what the tool has to do to the path; None is any.
    """

    segments: Globs
    anchor: str
    access: Access | None = None
    kind: ArgumentKind = ArgumentKind.PATH

    def matches(self, facet: Facet) -> bool:
        """Whether the glob matches the whole normalised path."""
        if (
            facet.kind is not self.kind
            or facet.opaque is not None
            or self.access not in (None, facet.access)
        ):
            return False
        if self.anchor == "./":
            return facet.inside is not None and self.segments.matches(_exact_segments(facet.inside))
        if self.anchor == "/" and not facet.text.startswith("/"):
            return False
        return self.segments.matches(_exact_segments(facet.text))


@dataclass(frozen=True, slots=True)
class LoosePath:
    """A path glob as Deny and Ask compare it: folded, and anywhere in a value that is not a plain path.

    A value with a wildcard matches when it could expand to something that the glob matches.

    `exact` is tried too: folding can change how many characters a `?` has to stand for.
    """

    segments: Globs
    anchor: str
    exact: ExactPath
    access: Access | None = None
    kind: ArgumentKind = ArgumentKind.PATH

    def matches(self, facet: Facet) -> bool:
        """Whether the glob matches the path in any spelling that could mean it."""
        if facet.kind is not self.kind or self.access not in (None, facet.access):
            return False
        if has_wildcard(facet.text) and self._could_match(facet):
            return True
        if facet.opaque is not None and not self._is_in_place(facet):
            return self._found_anywhere(facet.text)
        return self._folded_matches(facet) or self.exact.matches(facet)

    def _folded_matches(self, facet: Facet) -> bool:
        if self.anchor == "./":
            return facet.inside is not None and self.segments.matches(loose_segments(facet.inside))
        if self.anchor == "/" and not facet.text.startswith("/"):
            return False
        return self.segments.matches(loose_segments(facet.text))

    def _could_match(self, facet: Facet) -> bool:
        # What a mention may stand for is a guess, and `ls *.py` is not about a key because of `id_rsa*`.
        freely = not facet.mention
        if self._is_in_place(facet):
            text = facet.inside if self.anchor == "./" and facet.inside is not None else facet.text
            return meet_segments(self.segments, expansions(text, scattered=False), freely=freely)
        anywhere = (None, *self.segments, None)
        return meet_segments(anywhere, expansions(facet.text, scattered=True), freely=freely)

    def _is_in_place(self, facet: Facet) -> bool:
        """Whether a value, even an opaque one, says where the path begins: then an anchor counts."""
        return is_plain_path(facet.text) and (self.anchor != "./" or facet.inside is not None)

    def _found_anywhere(self, text: str) -> bool:
        anywhere = Globs((None, *self.segments, None))
        return any(anywhere.matches(segments) for segments in scattered_segments(text))


Pattern = (
    AnyPattern
    | ExactText
    | LooseText
    | ExactPath
    | LoosePath
    | ExactUrl
    | LooseUrl
    | ExactShell
    | LooseShell
)


def aim_of(word: str) -> tuple[ArgumentKind, Access | None]:
    """What patterns are about that begin with this word, as `write` in `write:./**`; any access is None."""
    return _KINDS[word], _ACCESS.get(word)


def access_of(pattern: Pattern) -> Access | None:
    """What a pattern wants to be done to a path; None where it does not matter."""
    return pattern.access if isinstance(pattern, ExactPath | LoosePath) else None


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
        words = ", ".join(f"`{known}:GLOB`" for known in _KINDS)
        raise PatternError(f"{text!r} is not a pattern: write `*`, or one of {words}")
    if _SECOND.search(glob) is not None:
        raise PatternError("there is one pattern to a field; write a row for each")
    if glob != glob.strip() or not glob:
        raise PatternError(f"nothing, or a blank, stands beside `{word}:`; write the glob right after it")
    if kind is ArgumentKind.SHELL:
        return parse_shell(glob, loose=loose)
    if kind is ArgumentKind.TEXT:
        exact = ExactText(Wildcard.compile(glob))
        return LooseText(Wildcard.compile(fold_blanks(glob)), exact) if loose else exact
    if kind is ArgumentKind.URL:
        return parse_url_pattern(glob, loose=loose)
    return _parse_path(glob, _ACCESS.get(word), loose=loose)


def is_plain_path_pattern(text: str) -> bool:
    """Whether the text certainly is a path pattern that `parse_pattern` takes, loose or not."""
    if _PLAIN.fullmatch(text) is None or len(text) > PATTERN_CHARS:
        return False
    if "//" in text or "/./" in text or "/../" in text or text.endswith(("/", "/.", "/..")):
        return False
    deep = text.count(DEEP)
    return not deep or deep == text.count("/**/") + text.endswith("/**") + (":**/" in text)


def _parse_path(glob: str, access: Access | None, *, loose: bool) -> ExactPath | LoosePath:
    anchor = _anchor(glob)
    if glob.endswith("/") and glob != "/":
        if not loose:
            raise PatternError(f"a last `/` says nothing in an Allow; write `{glob}**` for all below it")
        glob += DEEP
    words = glob.removeprefix("./" if anchor == "./" else "/").split("/") if glob != "/" else []
    for word in words:
        _check_segment(word)
    exact = ExactPath(Globs.compile(words), anchor, access)
    if not loose:
        return exact
    return LoosePath(Globs.compile([_fold_segment(word) for word in words]), anchor, exact, access)


def _anchor(glob: str) -> str:
    for anchor in ("/", "./", "**/"):
        if glob.startswith(anchor):
            return anchor
    if glob.startswith("~"):
        raise PatternError("a home folder is not known here; write `**/` instead, as in `**/.ssh/**`")
    if ".." in glob.split("/"):
        raise PatternError(
            "a path has no `..` once it is normalised; write where it leads, as in `/srv/shared/**`"
        )
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
