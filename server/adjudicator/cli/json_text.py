"""JSON as text: cut out a member, or indent it, without touching a character of any value.

Nothing here parses a value, so big integers, duplicate keys, NaN and ten thousand levels come out as
they went in, and no depth is too deep.
"""

import json
import re
from collections.abc import Iterator

_STRING_PATTERN = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_SPACE = re.compile(r"[ \t\n\r]*+")
_STRING = re.compile(_STRING_PATTERN, re.DOTALL)
_SCALAR = re.compile(r'[^ \t\n\r,:"\[\]{}]++')
_BRACKET_OR_STRING = re.compile(_STRING_PATTERN + r'|["\[\]{}]', re.DOTALL)
# The single quotation mark at the end keeps a string that never ends.
_PART = re.compile(_STRING_PATTERN + r'|[\[\]{},:]|[^ \t\n\r,:"\[\]{}]++|"', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}

# Deeper than this nobody sees the difference, and the spaces alone would fill the memory.
MOST_INDENTS = 40


class JsonTextError(ValueError):
    """A text in which the parts cannot be told apart."""

    def __init__(self, problem: str, position: int) -> None:
        super().__init__(f"{problem} at character {position + 1}")


def members(text: str) -> dict[str, str]:
    """The members of the one object in `text`: each name with the exact text of its value.

    Raises JsonTextError when it is not one object or names a member twice.
    """
    found: dict[str, str] = {}
    for start, end in _parts(text, "{"):
        name_end = _string_end(text, start)
        name = string(text[start:name_end])
        if name in found:
            raise JsonTextError(f"{name!a} is there twice, the second time", start)
        value = _after_space(text, _expect(text, _after_space(text, name_end), ":"))
        found[name] = text[value:end]
    return found


def items(text: str) -> list[str]:
    """The items of the one array in `text`, each as its exact text. Raises JsonTextError."""
    return [text[start:end] for start, end in _parts(text, "[")]


def string(text: str) -> str:
    """The string that a value's text is. Raises JsonTextError when it is not one."""
    if not text.startswith('"'):
        raise JsonTextError("a string is needed", 0)
    try:
        return str(json.loads(text))
    except json.JSONDecodeError as error:
        raise JsonTextError(error.msg, error.pos) from error


def indented(text: str, indent: str = "  ") -> Iterator[str]:
    """The text in lines, one member or item on each; every value keeps its characters."""
    line, depth, previous = "", 0, ""
    for part in _PART.findall(text):
        if part in _CLOSING.values():
            depth = max(0, depth - 1)
        closes_empty = part in _CLOSING.values() and previous in _CLOSING
        if (part in _CLOSING.values() or previous in _CLOSING or previous == ",") and not closes_empty:
            yield line
            line = indent * min(depth, MOST_INDENTS)
        line += ": " if part == ":" else part
        depth += part in _CLOSING
        previous = part
    yield line


def _parts(text: str, opening: str) -> Iterator[tuple[int, int]]:
    """Where each part of the one array, or each `name: value` of the one object, starts and ends."""
    position = _after_space(text, _expect(text, _after_space(text, 0), opening))
    if not text.startswith(_CLOSING[opening], position):
        while True:
            start = _after_space(text, position)
            value = _value_start(text, start) if opening == "{" else start
            end = _value_end(text, value)
            yield start, end
            position = _after_space(text, end)
            if not text.startswith(",", position):
                break
            position += 1
    end = _after_space(text, _expect(text, position, _CLOSING[opening]))
    if end != len(text):
        raise JsonTextError("something follows the end of the JSON text", end)


def _value_start(text: str, start: int) -> int:
    return _after_space(text, _expect(text, _after_space(text, _string_end(text, start)), ":"))


def _value_end(text: str, start: int) -> int:
    if text[start : start + 1] in _CLOSING:
        return _bracket_end(text, start)
    if text.startswith('"', start):
        return _string_end(text, start)
    scalar = _SCALAR.match(text, start)
    if scalar is None:
        raise JsonTextError("a value is missing", start)
    return scalar.end()


def _bracket_end(text: str, start: int) -> int:
    awaited: list[str] = []
    for match in _BRACKET_OR_STRING.finditer(text, start):
        part = match.group()
        if part in _CLOSING:
            awaited.append(_CLOSING[part])
        elif part == '"':
            raise JsonTextError("a string never ends: it starts", match.start())
        elif not part.startswith('"') and part != awaited.pop():
            raise JsonTextError(f"{part} closes what it did not open", match.start())
        if not awaited:
            return match.end()
    raise JsonTextError(f"{text[start]} is never closed: it opens", start)


def _string_end(text: str, start: int) -> int:
    match = _STRING.match(text, start)
    if match is None:
        raise JsonTextError("a string is needed, or never ends,", start)
    return match.end()


def _after_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return position if match is None else match.end()


def _expect(text: str, position: int, character: str) -> int:
    if not text.startswith(character, position):
        raise JsonTextError(f"{character} is missing", position)
    return position + 1
