"""A URL that every program reads in the same way: its parts, and what a host may look like."""

import ipaddress
import re
from dataclasses import dataclass
from typing import Self
from urllib.parse import unquote

DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
"""The schemes that are understood, each with the port that a URL means which names none."""
HOST_CHARS = 253
DECODINGS = 4
"""How often a path is percent-decoded until nothing changes; one that needs more is no path."""

_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PORT = re.compile(r"[1-9][0-9]{0,4}")
_MOST = 65535
# Each is another spelling of IPv4 addresses, which programs undo or not: compatible, mapped, translated,
# NAT64, Teredo and 6to4.
_IPV4_WITHIN = tuple(
    ipaddress.IPv6Network(network)
    for network in (
        *("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"),
        *("2001::/32", "2002::/16"),
    )
)
_IPV4_WITHOUT = frozenset({ipaddress.IPv6Address("::"), ipaddress.IPv6Address("::1")})


@dataclass(frozen=True, slots=True)
class Host:
    """A name by label, an IPv4 address by number, or an IPv6 address in brackets as the only label."""

    labels: tuple[str, ...]
    is_address: bool = False

    def __str__(self) -> str:
        return ".".join(self.labels)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The host that the text names, in lower case.

        Raises ValueError, with advice and without the text, for what programs read in different ways.
        """
        if text.startswith("["):
            return cls((f"[{_ipv6(text)}]",), is_address=True)
        if not text.isascii():
            raise ValueError("the host has letters beyond ASCII; write its `xn--` form")
        if text.endswith("."):
            raise ValueError("the host ends with a dot; leave it out")
        labels = tuple(text.lower().split("."))
        if is_number(labels[-1]):
            return cls(tuple(_ipv4(text).split(".")), is_address=True)
        if len(text) > HOST_CHARS or not all(is_label(label) for label in labels):
            raise ValueError(
                "the host is not made of labels such as `api` or `example-2`, of at most 63 letters, "
                "digits and hyphens, with a dot between two; correct it"
            )
        return cls(labels)


@dataclass(frozen=True, slots=True)
class Url:
    """An absolute URL. `port` is the default one where none is written.

    `path` is as it was written; `segments` are its parts with `.` and `..` resolved, still encoded: one
    empty part for `/`, and an empty last part where the path ends with `/`. `has_query` is true for `?`
    with nothing after it too.
    """

    scheme: str
    host: Host
    port: int
    path: str
    segments: tuple[str, ...]
    has_query: bool = False

    @property
    def has_default_port(self) -> bool:
        """Whether the port is the one that the scheme means by itself."""
        return self.port == DEFAULT_PORTS[self.scheme]


def is_label(text: str) -> bool:
    """Whether the text can stand between two dots of a host name."""
    return _LABEL.fullmatch(text) is not None


def is_number(label: str) -> bool:
    """Whether a host with this last label is an address to some program: `1`, `007`, `0x7f`, `0x`."""
    return _NUMBER.fullmatch(label) is not None


def parse_port(text: str) -> int:
    """The port; raises ValueError for anything but a number from 1 to 65535 without leading zeros."""
    if _PORT.fullmatch(text) is None or int(text) > _MOST:
        raise ValueError(f"the port is not a number from 1 to {_MOST}; write one, or leave the `:` out")
    return int(text)


def decoded(text: str) -> str:
    """The text with every percent-encoding undone, also one within another; bytes of no text as U+FFFD.

    Raises ValueError for encodings within one another deeper than anybody means.
    """
    for _ in range(DECODINGS):
        plainer = unquote(text)
        if plainer == text:
            return text
        text = plainer
    if unquote(text) != text:
        raise ValueError("the path is percent-encoded over and over; encode it once")
    return text


def _ipv4(text: str) -> str:
    try:
        return str(ipaddress.IPv4Address(text))
    except ValueError as error:
        raise ValueError(
            "the host ends in a number and is not an address as `192.0.2.1` is; "
            "write four numbers from 0 to 255 without leading zeros"
        ) from error


def _ipv6(text: str) -> str:
    try:
        if not text.endswith("]") or "%" in text:
            raise ValueError("brackets or a zone")  # noqa: TRY301 - one answer for all that is no address
        address = ipaddress.IPv6Address(text[1:-1])
    except ValueError as error:
        raise ValueError(
            "the host is not an IPv6 address in brackets without a zone; write one as `[2001:db8::1]`"
        ) from error
    if address not in _IPV4_WITHOUT and any(address in network for network in _IPV4_WITHIN):
        raise ValueError("the host is an IPv6 address that stands for an IPv4 address; write that one")
    return address.compressed
