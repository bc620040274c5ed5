"""Text from agents, tools and policies as it may reach a terminal: nothing in it acts, nothing hides."""

import unicodedata

from adjudicator.domain.invisible import is_plain

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
MOST_MARKS = 4


def plain(text: str) -> str:
    """The text with every control, invisible, bidirectional and unusual blank character written out.

    What is left prints on one line, and every character of it can be seen.
    """
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        hidden = not is_plain(character) or marks > MOST_MARKS
        shown.append(_escaped(character) if hidden else character)
    return "".join(shown)


def _escaped(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    return (
        character.encode("ascii", "backslashreplace").decode("ascii")
        if character > "\x7f"
        else (f"\\x{ord(character):02x}")
    )
