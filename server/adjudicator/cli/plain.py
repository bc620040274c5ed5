"""Text from agents, tools and policies as it may reach a terminal: nothing in it acts, nothing hides."""

import re
import unicodedata

# Letters and marks that a terminal draws as nothing, or as a blank, although their category says otherwise.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
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
        hidden = _hides(character) or marks > MOST_MARKS
        shown.append(_escaped(character) if hidden else character)
    return "".join(shown)


def _hides(character: str) -> bool:
    category = unicodedata.category(character)
    blank = category == "Zs" and character != " "
    return blank or category in _HIDDEN_CATEGORIES or _INVISIBLE.match(character) is not None


def _escaped(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    return (
        character.encode("ascii", "backslashreplace").decode("ascii")
        if character > "\x7f"
        else (f"\\x{ord(character):02x}")
    )
