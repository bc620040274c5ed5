"""Which characters of a text deceive the eye, and how. Looks at one text; knows nothing of views."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from adjudicator.config.limits import MOST_MARKS
from adjudicator.domain.invisible import is_invisible
from adjudicator.domain.symbol import Symbol


class Deception(Symbol):
    """How a character deceives."""

    BIDIRECTIONAL = "bidirectional"
    """It changes the direction in which others are drawn."""
    INVISIBLE = "invisible"
    """It is drawn as nothing, or nobody can say as what."""
    CONTROL = "control"
    """It acts instead of being drawn; terminals obey some."""
    BLANK = "blank"
    """It looks like a space and is another character."""
    LOOKALIKE = "lookalike"
    """It is another form of ASCII text, which some programs take for that; or it is drawn like that."""
    MIXED_SCRIPTS = "mixed_scripts"
    """It is a letter that stands where one of another script seems to stand."""
    MIXED_DIGITS = "mixed_digits"
    """It is a digit of another script among ASCII ones."""
    MARK = "mark"
    """It is drawn over a character that takes no marks, or over too many other marks."""


_BIDIRECTIONAL = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_HIDDEN = frozenset({Deception.BIDIRECTIONAL, Deception.INVISIBLE})
_ACTING = frozenset({"Cc", "Zl", "Zp"})
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)")
_ASCII_LETTER = re.compile(r"[A-Za-z]")
_RUN = re.compile(r"[^ \n\t]+")
_TOKEN = re.compile(r"[A-Za-z0-9\x80-\U0010ffff]+")
# Words that are plain at a glance, which keeps long texts fast: Latin with accents, Russian, East Asian.
_EAST = "\u3001-\u3002\u300c-\u300d\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3"
_WIDE = "\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff5e"
_PLAIN = re.compile(
    r"[A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e]++"
    rf"|(?:[{_EAST}][{_WIDE}]*+)++"
)
_RUSSIAN = re.compile(r"[\u0401\u0410-\u044f\u0451]++")
_NO_LATIN_LIKE = re.compile(
    r"[\u0416\u0418\u0419\u041b\u0431-\u0434\u0436-\u043d\u0442\u0444\u0446-\u044f]"
)
# The first words of the names of letters that nobody takes for a letter of another script, or that stand
# among them by custom, as in `5\u00b5s`. These scripts are written without blanks, also around Latin words.
_APART = frozenset(
    {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC"}
    | {"THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"}
)
_NEUTRAL = _APART | {"MICRO", "MODIFIER", ""}
_WIDE_PUNCTUATION = re.compile(f"[{_WIDE}]")
# Drawn as slashes, backslashes, colons, hyphens, an exclamation mark, and as `g` and `a`, by most fonts.
_ASCII_LIKE = frozenset(
    "\u2044\u2215\u29f8\u2216\u29f5\u29f9\ua789\u2236\u02d0\u2010\u2011\u2212\u01c3\u0261\u0251"
)
_DASHES = frozenset("\u2012\u2013\u2014\u2015")
# Letters that many fonts draw as they draw a Latin one: Cyrillic, Greek, Armenian.
_LATIN_LIKE = frozenset(
    "\u0405\u0406\u0408\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u04ae\u04c0"
    "\u051a\u051c\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u0475\u04af\u04bb\u04cf\u0501"
    "\u051b\u051d\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03b9"
    "\u03bd\u03bf\u03c1\u03c5\u03f2\u0555\u0578\u057d\u0581\u0585\u0570\u0566"
)


@dataclass(frozen=True, slots=True)
class _Trait:
    """What one character is by itself. `script` is empty where it does not count."""

    kind: Deception | None
    script: str = ""
    is_apart: bool = False
    is_digit: bool = False
    is_mark: bool = False
    in_word: bool = False


def deceptive_places(text: str) -> dict[int, Deception]:
    """The places of the characters that deceive, in order, each with how it does; empty for plain text."""
    if text.isascii() and text.isprintable():
        return {}
    found = {match.start(): Deception.CONTROL for match in _CONTROL.finditer(text)}
    if text.isascii():
        return found
    return dict(sorted((found | _Scan(text).places()).items()))


@lru_cache(maxsize=8192)
def _trait(char: str) -> _Trait:
    category = unicodedata.category(char)
    script = ""
    if category[0] == "L":
        script = _script(char)
    return _Trait(
        kind=None if char.isascii() else _kind(char, category),
        script="" if script in _NEUTRAL else script,
        is_apart=script in _APART,
        is_digit=category == "Nd",
        is_mark=category[0] == "M",
        in_word=category[0] in "LMN",
    )


def _kind(char: str, category: str) -> Deception | None:
    if char in _BIDIRECTIONAL:
        return Deception.BIDIRECTIONAL
    if category in _ACTING:
        return Deception.CONTROL
    if is_invisible(char):
        return Deception.INVISIBLE
    if category == "Zs":
        return Deception.BLANK
    is_like = char in _ASCII_LIKE or unicodedata.normalize("NFKC", char).isascii()
    return Deception.LOOKALIKE if is_like else None


def _script(char: str) -> str:
    """The first word of the letter's name, which is its script's; of a stylised letter the plain one's."""
    own = _first_word(char)
    return own if own in _NEUTRAL else _first_word(unicodedata.normalize("NFKC", char)[:1])


def _first_word(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0]


@dataclass(slots=True)
class _Word:
    """Letters, marks and digits in a row, by their places; what is hidden between them parts nothing."""

    letters: list[int] = field(default_factory=list)
    digits: list[int] = field(default_factory=list)
    scripts: set[str] = field(default_factory=set)


class _Scan:
    """One look at a text that is not all ASCII; the time is linear in its length."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[int, Deception] = {}
        self._doubles: list[_Word] = []
        self._has_other_letters = False

    def places(self) -> dict[int, Deception]:
        """The places that deceive, in no order."""
        for run in _RUN.finditer(self._text):
            if not run.group().isascii():
                self._run(run.start(), run.end())
        if not self._has_other_letters and _ASCII_LETTER.search(self._text):
            for word in self._doubles:
                self._mixed(word)
        return self._found

    def _run(self, start: int, end: int) -> None:
        has_latin = _ASCII_LETTER.search(self._text, start, end) is not None
        for token in _TOKEN.finditer(self._text, start, end):
            if not self._is_plain(token.group()):
                self._characters(token.start(), token.end())
                for word in self._words(token.start(), token.end()):
                    self._judge(word, has_latin=has_latin)

    def _is_plain(self, token: str) -> bool:
        if token.isascii() or _PLAIN.fullmatch(token) is not None:
            return True
        if _RUSSIAN.fullmatch(token) is None or _NO_LATIN_LIKE.search(token) is None:
            return False
        self._has_other_letters = True
        return True

    def _characters(self, start: int, end: int) -> None:
        """What each character is by itself, and among its neighbours."""
        marks, is_east_asian = MOST_MARKS, False
        for at in range(start, end):
            trait = _trait(self._text[at])
            is_wide = trait.kind is Deception.LOOKALIKE and self._is_wide(at)
            if is_wide:
                is_east_asian = is_east_asian or (at + 1 < end and _trait(self._text[at + 1]).is_apart)
            else:
                is_east_asian = trait.is_apart
            marks = marks + 1 if trait.is_mark else 0
            if trait.kind is not None:
                if not (is_wide and is_east_asian):
                    self._found[at] = trait.kind
            elif marks > MOST_MARKS:
                self._found[at] = Deception.MARK
            elif self._text[at] in _DASHES and self._begins_option(at):
                self._found[at] = Deception.LOOKALIKE

    def _is_wide(self, at: int) -> bool:
        return _WIDE_PUNCTUATION.match(self._text, at) is not None

    def _begins_option(self, at: int) -> bool:
        """Whether a dash stands where an option would begin."""
        text = self._text
        return (at == 0 or text[at - 1] in " \n\t") and text[at + 1 : at + 2].isalnum()

    def _words(self, start: int, end: int) -> Iterator[_Word]:
        word = _Word()
        for at in range(start, end):
            trait = _trait(self._text[at])
            if trait.in_word:
                if trait.script:
                    word.letters.append(at)
                    word.scripts.add(trait.script)
                elif trait.is_digit:
                    word.digits.append(at)
            elif trait.kind not in _HIDDEN:
                yield word
                word = _Word()
        yield word

    def _judge(self, word: _Word, *, has_latin: bool) -> None:
        if len(word.scripts) > 1:
            self._mixed(word)
        elif word.scripts and "LATIN" not in word.scripts:
            if not all(self._text[at] in _LATIN_LIKE for at in word.letters):
                self._has_other_letters = True
            elif has_latin:
                self._mixed(word)
            else:
                self._doubles.append(word)
        if any(self._text[at].isascii() for at in word.digits):
            self._mark(word.digits, Deception.MIXED_DIGITS)

    def _mixed(self, word: _Word) -> None:
        self._mark(word.letters, Deception.MIXED_SCRIPTS)

    def _mark(self, places: list[int], kind: Deception) -> None:
        for at in places:
            if not self._text[at].isascii():
                self._found.setdefault(at, kind)
