"""The pattern for exactly one value: what a row says that is made for one call."""

from adjudicator.config.limits import PATTERN_CHARS
from adjudicator.domain.facet import UNKNOWN, ArgumentKind, Facet
from adjudicator.domain.invisible import is_all_plain
from adjudicator.domain.url import Url
from adjudicator.policy.pattern_error import PatternError
from adjudicator.policy.patterns import parse_pattern

_NOT_IN_PATHS = "[]{}\\;|*"
_NOT_IN_WORDS = "'\"\\&|;<>()`$* "


def exact_pattern(facet: Facet, *, loose: bool) -> str | None:
    """The narrowest pattern that matches the facet, compared loosely or as Allow does; None without one.

    A character that no pattern can have is a `?`, which is any one character.
    """
    if facet.misfit or (facet.opaque is not None and not loose):
        return None
    text = _written(facet)
    if text is None or len(text) > PATTERN_CHARS or not is_all_plain(text):
        return None
    try:
        return text if parse_pattern(text, loose=loose).matches(facet) else None
    except PatternError:
        return None


def _written(facet: Facet) -> str | None:
    if facet.kind is ArgumentKind.PATH:
        return _path(facet)
    if facet.kind is ArgumentKind.SHELL:
        return _command(facet)
    if facet.kind is ArgumentKind.URL:
        return None if facet.url is None else _url(facet.url)
    if facet.kind is ArgumentKind.TEXT:
        return f"text:{facet.text.replace('*', '?')}"
    return None


def _path(facet: Facet) -> str:
    inside = facet.inside if facet.inside not in (None, ".") else None
    text = f"./{inside}" if inside is not None else facet.text
    return f"{facet.access.value}:{_without(text, _NOT_IN_PATHS)}"


def _command(facet: Facet) -> str | None:
    if not facet.words or any(not word or UNKNOWN in word for word in facet.words):
        return None
    return f"shell:{' '.join(_without(word, _NOT_IN_WORDS) for word in facet.words)}"


def _url(url: Url) -> str:
    port = "" if url.has_default_port else f":{url.port}"
    path = "/".join(url.segments)
    # A query passes only where the pattern has an open end.
    end = ("/**" if path else "**") if url.has_query else ""
    host = ".".join(url.host.labels)
    return f"url:{url.scheme}://{host}{port}/{_without(path, '*?')}{end}"


def _without(text: str, characters: str) -> str:
    return "".join("?" if char in characters else char for char in text)
