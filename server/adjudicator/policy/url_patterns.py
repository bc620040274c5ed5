"""`url:` patterns: scheme, host, port and path matched apart. Deny over-matches, Allow under-matches."""

import re
from dataclasses import dataclass

from adjudicator.domain.facet import ArgumentKind, Facet
from adjudicator.domain.url import DEFAULT_PORTS, Host, Url, decoded, is_label, is_number, parse_port
from adjudicator.policy.folding import fold, loose_segments
from adjudicator.policy.globs import DEEP, Globs, Wildcard
from adjudicator.policy.pattern_error import PatternError
from adjudicator.policy.url_readings import readings

ANY = "*"

_PARTS = re.compile(
    r"(?P<scheme>[^:/]*)://(?P<host>\[[^\[\]/]*\]|[^:/\[\]]*)(?::(?P<port>[^/]*))?(?P<path>/.*)?"
)
_SEGMENT = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,=:@-]|%[0-9A-Fa-f]{2})*")
_HOST_LIKE = re.compile(r"\[[0-9a-f:.]+\]|[a-z0-9-]+(?:\.[a-z0-9-]+)*")
_PREFIX_LENGTH = re.compile(r"/\d{1,3}(?:/|$)")
_NUMBERS = 4


@dataclass(frozen=True, slots=True)
class ExactUrl:
    """A URL glob as Allow compares it: exact, whole, and never on a path that is read in several ways.

    Without a port it is the scheme's own. A query is not looked at, and so it passes only where the glob
    ends with `**`. `literals` are folded words that the host or the path of every match shows.
    """

    scheme: str
    host: Globs
    is_address: bool
    port: str
    path: Globs
    literals: tuple[str, ...]
    kind: ArgumentKind = ArgumentKind.URL

    def matches(self, facet: Facet) -> bool:
        """Whether the glob matches the whole URL."""
        url = facet.url
        return (
            facet.kind is self.kind
            and facet.opaque is None
            and url is not None
            and self.scheme in (ANY, url.scheme)
            and (url.has_default_port if not self.port else self.port in (ANY, str(url.port)))
            and self.is_address is url.host.is_address
            and self.host.matches(url.host.labels)
            and (not url.has_query or self.path[-1] is None)
            and self.path.matches(url.segments)
        )


@dataclass(frozen=True, slots=True)
class LooseUrl:
    """A URL glob as Deny and Ask compare it: in every way in which a server may read the path.

    Without a port it is any. A name stands for the names below it too. A value that is no text is
    searched for the host. `literals` are as in ExactUrl, for a facet that has a URL.
    """

    scheme: str
    host: Globs
    port: str
    path: Globs
    exact: ExactUrl
    literals: tuple[str, ...]
    kind: ArgumentKind = ArgumentKind.URL

    def matches(self, facet: Facet) -> bool:
        """Whether the glob matches the URL in any spelling that could mean it."""
        if facet.kind is not self.kind:
            return False
        if facet.url is None:
            return any(self.host.matches(labels) for labels in _hosts_in(facet.text))
        return self._is_server(facet.url) and (self._is_path(facet, facet.url) or self.exact.matches(facet))

    def _is_server(self, url: Url) -> bool:
        return (
            self.scheme in (ANY, url.scheme)
            and self.port in (ANY, str(url.port))
            and self.host.matches(url.host.labels)
        )

    def _is_path(self, facet: Facet, url: Url) -> bool:
        globs = self.path if facet.opaque is None else Globs((None, *self.path, None))
        return any(globs.matches(words) for words in readings(url, doubted=facet.opaque is not None))


def parse_url_pattern(glob: str, *, loose: bool) -> ExactUrl | LooseUrl:
    """The pattern after `url:`.

    Raises PatternError, with advice, for anything that would not mean what it seems to mean.
    """
    parts = _parts(glob)
    scheme, port = parts["scheme"].lower(), _port(parts["port"])
    host = parts["host"].lower()
    labels = [host] if host.startswith("[") else host.split(".")
    is_address = _check_host(labels, loose=loose)
    words, folded = _path(parts["path"], is_address=is_address, loose=loose)
    literals = _literals([*labels, *folded])
    exact = ExactUrl(scheme, _exact_host(labels), is_address, port, _exact_path(words), literals)
    if not loose:
        return exact
    return LooseUrl(scheme, _loose_host(labels), port or ANY, Globs.compile(folded), exact, literals)


def _parts(glob: str) -> re.Match[str]:
    if not glob.isascii() or not glob.isprintable() or " " in glob or "\\" in glob:
        raise PatternError(
            "a URL has no blank, no backslash and nothing beyond ASCII; write the host in its `xn--` form "
            "and the rest percent-encoded"
        )
    for char, advice in (
        ("?", "a pattern does not look at queries; leave the `?` and the rest out"),
        ("#", "no server sees a fragment; leave the `#` and the rest out"),
    ):
        if char in glob:
            raise PatternError(advice)
    parts = _PARTS.fullmatch(glob)
    if parts is None:
        raise PatternError(
            f"{glob!r} is no URL pattern; write `url:SCHEME://HOST/PATH`, as `url:https://example.com/**`; "
            "any URL is `url:*://**/**`"
        )
    if parts["scheme"].lower() not in (ANY, *DEFAULT_PORTS):
        known = ", ".join(DEFAULT_PORTS)
        raise PatternError(
            f"{parts['scheme']!r} can never match: write `*` or one of {known}; others are denied unasked"
        )
    return parts


def _port(text: str | None) -> str:
    if text is None or text == ANY:
        return text or ""
    try:
        return str(parse_port(text))
    except ValueError as error:
        raise PatternError(f"{error}; `:*` is any") from error


def _check_host(labels: list[str], *, loose: bool) -> bool:
    """Whether the labels are an address. Raises PatternError unless some host can have them."""
    if not any(ANY in label for label in labels):
        return _parsed(".".join(labels)).is_address
    for label in labels:
        if label not in (ANY, DEEP) and not is_label(label.replace(ANY, "x")):
            raise PatternError(f"{label!r} is no label of a host; write `*` for one, `**` for several")
        if DEEP in label and label != DEEP:
            raise PatternError("`**` is a whole label; write `**.example.com` instead of `**example.com`")
    if (is_number(labels[0]) or is_number(labels[-1])) and DEEP not in labels and _is_open(labels):
        raise PatternError("an address has four numbers; write `169.254.**` or `169.254.*.*` for a network")
    if not loose:
        _check_owner(labels)
    return False


def _is_open(labels: list[str]) -> bool:
    """Whether the last label leaves room for an address, which these labels are too few or too many for."""
    return len(labels) != _NUMBERS and (ANY in labels[-1] or is_number(labels[-1]))


def _parsed(host: str) -> Host:
    if "@" in host:
        raise PatternError("a URL with a name or a password in it is denied unasked; leave it out")
    try:
        return Host.parse(host)
    except ValueError as error:
        raise PatternError(f"this can never match: {error}") from error


def _check_owner(labels: list[str]) -> None:
    """Names are owned from the right, so what an Allow leaves open there is anybody's."""
    if any(ANY in label and label not in (ANY, DEEP) for label in labels):
        raise PatternError(
            "in an Allow `*` is a whole label, for anybody can have `evil-example.com`; "
            "write `*.example.com`, or a row for each name"
        )
    if len(labels) > 1 and (ANY in labels[-1] or is_number(labels[-1])):
        raise PatternError(
            "in an Allow the last label is written out, for anybody can have `example.test`, "
            "and an address is written whole; write a row for each"
        )


def _path(text: str | None, *, is_address: bool, loose: bool) -> tuple[list[str], list[str]]:
    """The words of the path, as they are written and folded."""
    if text is None and not loose:
        raise PatternError("an Allow says which paths; write `/**` after the host for all, or `/` for one")
    if is_address and _PREFIX_LENGTH.match(text or "") is not None:
        raise PatternError("a network has no `/` here; write `*` for each number that varies, or `10.**`")
    words = (text or "/").removeprefix("/").split("/")
    if loose and not words[-1]:
        words[-1] = DEEP
    return words, [_folded(word) for word in words[:-1]] + [_folded(word) for word in words[-1:] if word]


def _folded(word: str) -> str:
    if word in ("", ".", ".."):
        raise PatternError(f"a path has no {word!r} between two `/` once it is normalised; leave it out")
    if DEEP in word and word != DEEP:
        raise PatternError("`**` is a whole part of a path; write `**/*.txt` instead of `**.txt`")
    if _SEGMENT.fullmatch(word) is None:
        raise PatternError(f"{word!r} has a character that no path has; percent-encode it, or write `*`")
    try:
        words = loose_segments(decoded(word))
    except ValueError as error:
        raise PatternError(f"this can never match: {error}") from error
    if len(words) != 1 or words[0] == "..":
        raise PatternError(f"{word!r} stands for `/`, for dots or for nothing; write `*` for it")
    return words[0]


def _exact_host(labels: list[str]) -> Globs:
    """In an Allow `**` is one label or more."""
    return Globs.compile(
        [part for label in labels for part in ((ANY, DEEP) if label == DEEP else (label,))]
    )


def _loose_host(labels: list[str]) -> Globs:
    """A name stands for all below it too; an address, or what may be one, for itself."""
    own = Globs.compile(labels)
    is_name = ANY not in labels[-1] and not is_number(labels[-1])
    return Globs((None, *own)) if is_name else own


def _exact_path(words: list[str]) -> Globs:
    """An empty part, as in `//`, is matched by `**` alone, since some servers leave it out."""
    return Globs(
        Wildcard.compile("?*") if word == ANY else glob
        for word, glob in zip(words, Globs.compile(words), strict=True)
    )


def _literals(words: list[str]) -> tuple[str, ...]:
    return tuple(word for word in words if ANY not in word and "?" not in word)


def _hosts_in(text: str) -> list[list[str]]:
    """What could be a host in a value that is no text, by label; never none."""
    words = _HOST_LIKE.findall(fold(text).replace("\u3002", "."))
    return [[word] if word.startswith("[") else word.split(".") for word in words or [""]]
