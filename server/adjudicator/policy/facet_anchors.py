"""What the index of rules knows of a pattern without trying it: words that every matching facet shows."""

from collections.abc import Iterator
from typing import Any

from adjudicator.domain.facet import ArgumentKind, Facet
from adjudicator.policy.casbin.functions import NOTHING, Anchor, View
from adjudicator.policy.expansions import has_wildcard
from adjudicator.policy.folding import fold, fold_blanks, loose_segments, scattered_segments
from adjudicator.policy.globs import Wildcard
from adjudicator.policy.patterns import (
    AnyPattern,
    ExactPath,
    ExactText,
    LoosePath,
    LooseText,
    Pattern,
    is_plain_path_pattern,
)
from adjudicator.policy.shell_patterns import ExactShell, LooseShell, folded_base_name
from adjudicator.policy.url_patterns import ExactUrl, LooseUrl
from adjudicator.policy.url_readings import readings


def anchors(pattern: Pattern) -> tuple[Anchor, ...]:
    """Words that a facet shows in the pattern's view whenever the pattern matches it. Each is necessary."""
    match pattern:
        case AnyPattern():
            return ()
        case ExactText(wildcard):
            return tuple(_of_wildcard(wildcard))
        case LooseText(wildcard):
            return tuple(_trimmed(_of_wildcard(wildcard), " "))
        case ExactPath(segments):
            return tuple(anchor for segment in segments if segment for anchor in _of_wildcard(segment))
        case LoosePath(segments):
            found = (anchor for segment in segments if segment for anchor in _of_wildcard(segment))
            return tuple(_trimmed(found, " ."))
        case ExactUrl() | LooseUrl() | ExactShell() | LooseShell():
            return tuple(Anchor("is", word) for word in pattern.literals)


def plain_path_anchors(text: str, *, loose: bool) -> tuple[Anchor, ...]:
    """The anchors of a plain path pattern with a segment that is written out; none for any other pattern.

    They are among those of the compiled pattern, and are found without compiling it.
    """
    if not is_plain_path_pattern(text):
        return ()
    segments = [part for part in text.partition(":")[2].split("/") if part not in ("", ".")]
    written = [part for part in segments if "*" not in part and "?" not in part]
    if loose:
        written = [segment for part in written for segment in loose_segments(part)]
    return tuple(Anchor("is", part) for part in written)


def path_view(*, loose: bool) -> View:
    """How a facet is looked at for the anchors of a path pattern."""
    return _loose_path if loose else _exact_path


def view(pattern: Pattern) -> View:
    """How a facet is looked at for the pattern's anchors."""
    return _VIEWS[type(pattern)]


def _of_wildcard(wildcard: Wildcard) -> Iterator[Anchor]:
    first, last = wildcard.pieces[0], wildcard.pieces[-1]
    if len(wildcard.pieces) == 1 and "?" not in first:
        yield Anchor("is", first)
        return
    yield Anchor("starts", first.partition("?")[0])
    yield Anchor("ends", last.rpartition("?")[2])


def _trimmed(found: Iterator[Anchor], characters: str) -> Iterator[Anchor]:
    """A folded value has lost these at its ends, so a start that stops at one may be cut shorter there."""
    for place, text in found:
        if place == "starts":
            yield Anchor(place, text.rstrip(characters))
        elif place == "ends":
            yield Anchor(place, text.lstrip(characters))
        else:
            yield Anchor(place, text)


def _anything(facet: Any) -> frozenset[str]:  # noqa: ARG001 - every view takes the facet
    return frozenset()


def _exact_text(facet: Facet) -> frozenset[str]:
    return frozenset((facet.text,)) if facet.kind is ArgumentKind.TEXT else NOTHING


def _loose_text(facet: Facet) -> frozenset[str] | None:
    if facet.kind is not ArgumentKind.TEXT:
        return NOTHING
    # A mark that is composed with the last letter of a start would hide it.
    return frozenset((fold_blanks(facet.text),)) if facet.text.isascii() else None


def _exact_path(facet: Facet) -> frozenset[str]:
    if facet.kind is not ArgumentKind.PATH or facet.opaque is not None:
        return NOTHING
    return frozenset(facet.text.split("/"))


def _loose_path(facet: Facet) -> frozenset[str] | None:
    if facet.kind is not ArgumentKind.PATH:
        return NOTHING
    if not facet.text.isascii() or has_wildcard(facet.text):
        return None
    words = frozenset(loose_segments(facet.text))
    return words if facet.opaque is None else words.union(*scattered_segments(facet.text))


def _url(facet: Facet) -> frozenset[str] | None:
    if facet.kind is not ArgumentKind.URL:
        return NOTHING
    if facet.url is None:
        return None
    paths = readings(facet.url, doubted=facet.opaque is not None)
    return frozenset(facet.url.host.labels).union(*paths)


def _exact_shell(facet: Facet) -> frozenset[str]:
    if facet.kind is not ArgumentKind.SHELL or facet.opaque is not None:
        return NOTHING
    return frozenset(facet.words)


def _loose_shell(facet: Facet) -> frozenset[str]:
    if facet.kind is not ArgumentKind.SHELL or not facet.words:
        return NOTHING
    return frozenset((folded_base_name(facet.words[0]), *map(fold, facet.words[1:])))


_VIEWS: dict[type, View] = {
    AnyPattern: _anything,
    ExactText: _exact_text,
    LooseText: _loose_text,
    ExactPath: _exact_path,
    LoosePath: _loose_path,
    ExactUrl: _url,
    LooseUrl: _url,
    ExactShell: _exact_shell,
    LooseShell: _loose_shell,
}
