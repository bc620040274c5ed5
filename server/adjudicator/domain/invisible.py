"""Which characters a reader cannot see, or cannot be sure to see. The one table that all of it goes by."""

import unicodedata

# Format characters, halves of pairs, and what no standard says how to draw.
_NOT_DRAWN = frozenset({"Cf", "Cs", "Co", "Cn"})
_ACTING = frozenset({"Cc", "Zl", "Zp"})
# Drawn as nothing or as a blank although their category is that of a letter, a mark or a symbol: the
# combining grapheme joiner, Hangul fillers, Khmer inherent vowels, Mongolian and other variation
# selectors, the blank Braille pattern, the object replacement character, the Khitan filler, the null
# notehead.
_BLANK = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFFC, 0xFFFC),
    (0x16FE4, 0x16FE4),
    (0x1D159, 0x1D159),
    (0xE0000, 0xE0FFF),
)
_BLANKS = frozenset(chr(code) for first, last in _BLANK for code in range(first, last + 1))


def is_invisible(char: str) -> bool:
    """Whether the character is drawn as nothing, or nobody can say as what; controls are not among them."""
    if char.isascii():
        return False
    return char in _BLANKS or unicodedata.category(char) in _NOT_DRAWN


def is_unprintable(char: str) -> bool:
    """Whether the character is invisible, or a control or separator, which acts instead of being drawn."""
    if char.isascii():
        return not char.isprintable()
    return is_invisible(char) or unicodedata.category(char) in _ACTING


def has_unprintable(text: str) -> bool:
    """Whether any character of the text is unprintable."""
    if text.isascii():
        return not text.isprintable()
    return any(is_unprintable(char) for char in text)


def is_plain(char: str) -> bool:
    """Whether the character is seen as itself: printable, and no blank but the ordinary one."""
    return char == " " or not (is_unprintable(char) or unicodedata.category(char) == "Zs")


def is_all_plain(text: str) -> bool:
    """Whether every character of the text is seen as itself."""
    if text.isascii():
        return text.isprintable()
    return all(map(is_plain, text))


def plain(text: str) -> str:
    """The text with every character that is not seen as itself written out."""
    if is_all_plain(text):
        return text
    return "".join(char if is_plain(char) else ascii(char)[1:-1] for char in text)
