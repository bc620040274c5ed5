"""What whoever imports something should know of it: a change, a guess, a thing that was left out."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """One remark. `about` is the tool or the rule, `place` a JSON Pointer into it, or empty."""

    about: str
    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.about}{f' {self.place}' if self.place else ''}: {self.text}"


class Notes:
    """Collects notes on one thing, in order; the same one counts once."""

    def __init__(self, about: str) -> None:
        self._about = about
        self._found: dict[Note, None] = {}

    def __iter__(self) -> Iterator[Note]:
        return iter(self._found)

    def add(self, text: str, place: str = "") -> None:
        """Note something of a place."""
        self._found[Note(self._about, place, text)] = None


class ImportFaultError(Exception):
    """What cannot be imported at all; the text says what to do instead."""
