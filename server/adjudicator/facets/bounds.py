"""How much a call may touch. What is over is denied before anything is done that could take long."""

import unicodedata
from collections.abc import Collection

from adjudicator.config.limits import FACET_CHARS, FACETS, MARKS


class TooComplexError(Exception):
    """A call that rules cannot look at in a short time. The text says what there is too much of."""


class InvalidArgumentError(Exception):
    """An argument that is not what the registry says it is. The text says what, without the value."""


def check_bounds(texts: Collection[str], resolved: Collection[str], directory: str) -> None:
    """Raise TooComplexError unless these are few enough, short enough together, and plain enough.

    The working directory counts once for each text, as it may come before each of them.
    """
    if len(texts) + len(resolved) > FACETS:
        raise TooComplexError(f"the call touches more than {FACETS} things")
    everything = (directory, *texts, *resolved)
    if sum(map(len, everything)) > FACET_CHARS:
        raise TooComplexError(f"what the call touches is longer than {FACET_CHARS:,} characters together")
    if any(_heaps_marks(text) for text in everything):
        raise TooComplexError(f"a character in the call has more than {MARKS} marks on it")
    length = len(texts) * _length(directory) + sum(map(_length, texts)) + sum(map(_length, resolved))
    if length > FACET_CHARS:
        raise TooComplexError(f"what the call touches is longer than {FACET_CHARS:,} characters together")


def _length(text: str) -> int:
    """How long the text is in the form in which it is compared: one character may stand for eighteen."""
    return len(text) if text.isascii() else len(unicodedata.normalize("NFKC", text))


def _heaps_marks(text: str) -> bool:
    if text.isascii():
        return False
    run = 0
    for char in text:
        run = run + 1 if unicodedata.combining(char) else 0
        if run > MARKS:
            return True
    return False
