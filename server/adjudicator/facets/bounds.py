"""How much a call may touch. What is over is denied before anything is done that could take long."""

import unicodedata
from collections.abc import Collection

from adjudicator.config.limits import FACET_CHARS, FACETS, MARKS


class TooComplexError(Exception):
    """A call that rules cannot look at in a short time. The text says what there is too much of."""


def check_bounds(texts: Collection[str], resolved: Collection[str]) -> None:
    """Raise TooComplexError unless these are few enough, short enough together, and plain enough."""
    if len(texts) + len(resolved) > FACETS:
        raise TooComplexError(f"the call touches more than {FACETS} things")
    if sum(map(len, texts)) + sum(map(len, resolved)) > FACET_CHARS:
        raise TooComplexError(f"what the call touches is longer than {FACET_CHARS:,} characters together")
    if any(_heaps_marks(text) for text in (*texts, *resolved)):
        raise TooComplexError(f"a character in the call has more than {MARKS} marks on it")


def _heaps_marks(text: str) -> bool:
    if text.isascii():
        return False
    run = 0
    for char in text:
        run = run + 1 if unicodedata.combining(char) else 0
        if run > MARKS:
            return True
    return False
