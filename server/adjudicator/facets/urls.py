"""One strict reading of a URL. What two programs could read in different ways is no URL here."""

import re
import unicodedata

from adjudicator.config.limits import URL_CHARS
from adjudicator.domain.facet import Opacity, Opaque
from adjudicator.domain.invisible import is_unprintable
from adjudicator.domain.url import DEFAULT_PORTS, Host, Url, decoded, parse_port

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(?=:)")
_PARTS = re.compile(r"[^:]*://(?P<authority>[^/?#]*)(?P<path>[^?#]*)(?P<query>\?[^#]*)?(?:#.*)?")
_AUTHORITY = re.compile(r"(?P<host>\[[^\[\]]*\]|[^:\[\]]*)(?P<port>:.*)?")
_PATH = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*")
_DOTS = (".", "..")


def parse_url(text: str) -> Url:
    """The parts of an absolute URL.

    Raises ValueError, with advice and without the text, for anything but a URL that browsers, curl, RFC
    3986 and Python read alike.
    """
    _check_characters(text)
    scheme = _SCHEME.match(text)
    parts = _PARTS.fullmatch(text)
    if scheme is None or parts is None:
        raise ValueError("it is not an absolute URL; write one as `https://example.com/path`")
    name = scheme[0].lower()
    if name not in DEFAULT_PORTS:
        raise ValueError(f"its scheme is not understood; write one of {', '.join(DEFAULT_PORTS)}")
    host, port = _host_and_port(parts["authority"])
    path = parts["path"]
    if not path and (parts["query"] is not None or "#" in text):
        raise ValueError("something but a `/` follows the host; write a `/` after it")
    if _PATH.fullmatch(path) is None:
        raise ValueError(
            "the path has a character that stands for nothing, or a lone `%`; percent-encode it"
        )
    decoded(path)
    return Url(name, host, port or DEFAULT_PORTS[name], path, _resolved(path), parts["query"] is not None)


def normalised(url: Url, text: str, *, doubted: bool) -> str:
    """How the URL that was read from the text is shown: without a fragment, which no server sees.

    A path in doubt stays as it was written.
    """
    port = "" if url.has_default_port else f":{url.port}"
    _, question, query = text.partition("#")[0].partition("?")
    path = url.path if doubted else f"/{'/'.join(url.segments)}"
    return f"{url.scheme}://{url.host}{port}{path}{question}{query}"


def doubt_about(url: Url) -> Opaque | None:
    """Why servers and what stands before them may read the path differently; None when they agree."""
    plainest = unicodedata.normalize("NFKC", decoded(url.path))
    if "\ufffd" in plainest or any(is_unprintable(char) for char in plainest):
        return Opaque(Opacity.CHARACTER, "the path has an encoded character that is not drawn")
    if "\\" in plainest or plainest.count("/") != url.path.count("/"):
        return Opaque(Opacity.PATH, "the path has an encoded separator")
    steps = sum(word in _DOTS for word in url.path.split("/"))
    if steps != sum(word.partition(";")[0].strip() in _DOTS for word in plainest.split("/")):
        return Opaque(Opacity.PATH, "the path has an encoded or disguised `.` or `..`")
    if steps and ("%" in url.path or ";" in url.path or "//" in url.path):
        return Opaque(Opacity.PATH, "the path has `.` or `..` beside an encoded or empty part")
    return None


def _check_characters(text: str) -> None:
    if len(text) > URL_CHARS:
        raise ValueError(f"it is longer than {URL_CHARS:,} characters; shorten it")
    if not text.isascii():
        raise ValueError(
            "it has a character beyond ASCII; write the host in its `xn--` form, the rest encoded"
        )
    if " " in text or not text.isprintable():
        raise ValueError("it has a blank or a control character; take it out, or percent-encode it")
    if "\\" in text:
        raise ValueError("it has a backslash; write `/`, or `%5c` where one is meant")


def _host_and_port(authority: str) -> tuple[Host, int | None]:
    if not authority:
        raise ValueError("it names no host; write one right after `://`")
    if "@" in authority:
        raise ValueError("a name or a password stands before the host; leave all up to the `@` out")
    parts = _AUTHORITY.fullmatch(authority)
    if parts is None:
        raise ValueError(
            "brackets in the host stand for an IPv6 address, as in `[2001:db8::1]`; correct them"
        )
    port = None if parts["port"] is None else parse_port(parts["port"][1:])
    return Host.parse(parts["host"]), port


def _resolved(path: str) -> tuple[str, ...]:
    words = path.split("/")[1:]
    segments: list[str] = []
    for word in words:
        if word == "..":
            del segments[-1:]
        elif word != ".":
            segments.append(word)
    if not words or words[-1] in _DOTS:
        segments.append("")
    return tuple(segments)
