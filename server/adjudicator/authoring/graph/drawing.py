"""Pieces of an SVG: escaped text whose width is known, boxes, and groups that have a tooltip."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape

from adjudicator.domain.invisible import plain

NAME, SMALL, HEADING = 11.0, 9.5, 15.0
_EM = 0.602
"""How wide a character is in a font of one width, in parts of its size; none of the usual is wider."""


@dataclass(frozen=True, slots=True)
class Block:
    """Something drawn from its own upper left corner, and the room that it takes, and its head alone."""

    body: str
    width: float
    height: float
    head: float = 0.0

    def at(self, x: float, y: float) -> str:
        """It, moved there."""
        return f'<g transform="translate({number(x)} {number(y)})">{self.body}</g>'


def width_of(text: str, size: float = NAME) -> float:
    """How wide the text is drawn, at most."""
    return columns_of(text) * size * _EM


def columns_of(text: str) -> int:
    """How many characters wide the text is; ideographs take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in plain(text))


def fitted(text: str, most: int) -> str:
    """The text, or its beginning and end around an ellipsis where it is wider than so many characters."""
    text = plain(text)
    if columns_of(text) <= most:
        return text
    end = _begun(text[::-1], most // 3)[::-1]
    return f"{_begun(text, most - 1 - columns_of(end))}…{end}"


def _begun(text: str, most: int) -> str:
    """As much of the beginning of a text as is so many characters wide."""
    width = 0
    for place, char in enumerate(text):
        width += columns_of(char)
        if width > most:
            return text[:place]
    return text


def number(value: float) -> str:
    """The number as short as it can be written."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def safe(text: str) -> str:
    """The text as it may stand in XML, between tags or in double quotes."""
    return escape(plain(text), {'"': "&quot;"})


def label(x: float, y: float, text: str, kind: str = "name", more: str = "") -> str:
    """A text on one line; `kind` is its class."""
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}"{more}>{safe(text)}</text>'


def box(x: float, y: float, width: float, height: float, kind: str, more: str = "") -> str:
    """A rectangle; `kind` is its class."""
    place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return f'<rect class="{kind}" {place}{more}/>'


def group(kind: str, parts: Iterable[str], tooltip: Iterable[str] = (), **data: str) -> str:
    """Parts that belong together, with lines that are shown to whoever points at them."""
    said = "".join(f' data-{name}="{safe(value)}"' for name, value in data.items())
    lines = "\n".join(safe(line) for line in tooltip)
    title = f"<title>{lines}</title>" if lines else ""
    return f'<g class="{kind}"{said}>{title}{"".join(parts)}</g>'
