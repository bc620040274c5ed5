"""Spellings that may mean the same thing, brought to one form. Used to deny and to ask, never to allow."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from adjudicator.domain.invisible import has_unprintable, is_invisible
from adjudicator.domain.system_links import leads_elsewhere

# What may stand beside a path in a value that is not a plain path: blanks, quotes, brackets, controls.
_SCATTER = re.compile(r"[/\\\s\"'`()\[\]{}<>,:;=|&$%\x00-\x20\x7f]+")
_REMEMBERED = 4096
_ODD = re.compile(r"[\\\"'`$%~\x00-\x1f\x7f]")


def fold(text: str) -> str:
    """The text without differences of case and form, and without characters drawn as nothing."""
    if text.isascii():
        return text.lower()
    return _folded(text) if len(text) <= _REMEMBERED else _folded.__wrapped__(text)


@lru_cache(maxsize=256)  # each rule asks again for the same few texts of a call
def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", "".join(char for char in folded if not is_invisible(char)))


def fold_blanks(text: str) -> str:
    """The folded text with every run of blanks as one, and none at the ends."""
    return " ".join(fold(text).split())


def loose_segments(path: str) -> list[str]:
    """The folded path's segments; a backslash separates too, and last dots and blanks do not count."""
    segments = fold(path).replace("\\", "/").split("/")
    return [segment.rstrip(" .") or segment for segment in segments if segment not in ("", ".")]


def is_plain_path(text: str) -> bool:
    """Whether the text is an absolute, normalised path that nothing in it could lead elsewhere."""
    if not text.startswith("/") or _ODD.search(text) is not None or leads_elsewhere(text):
        return False
    if has_unprintable(text):
        return False
    folded = fold(text)
    segments = folded.split("/")[1:]
    return folded.count("/") == text.count("/") and not any(s in ("", ".", "..") for s in segments)


def scattered_segments(text: str) -> Iterator[list[str]]:
    """The words of a value that is no plain path, as they stand, and with every `..` resolved."""
    words = scattered_words(fold(text))
    yield words
    if ".." in words:
        yield resolved(words)


def scattered_words(folded: str) -> list[str]:
    """The words of a folded value that is no plain path, as they stand."""
    return [_trimmed(word) for word in _SCATTER.split(folded) if word not in ("", ".")]


def resolved(words: list[str]) -> list[str]:
    """The words without `.`, and with every `..` taken for a step up; there is none above the first."""
    kept: list[str] = []
    for word in words:
        if word == "..":
            del kept[-1:]
        elif word != ".":
            kept.append(word)
    return kept


def _trimmed(segment: str) -> str:
    return segment.rstrip(" .") or segment
