"""Wildcards and segment lists, matched without backtracking."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

DEEP = "**"
"""The segment that stands for any number of segments."""
_WILD = frozenset("*?")


@dataclass(frozen=True)
class Wildcard:
    """One glob without separators: `*` is any run of characters, `?` is one character.

    Not slotted: `cached_property` needs a place. Each piece between two stars has a fixed length, so
    taking its first place is right, and the search never goes back.
    """

    pieces: tuple[str, ...]

    @classmethod
    def compile(cls, glob: str) -> "Wildcard":
        """The wildcard for a glob."""
        return cls(tuple(glob.split("*")))

    def matches(self, text: str) -> bool:
        """Whether the whole text matches."""
        first, last = self.pieces[0], self.pieces[-1]
        if len(self.pieces) == 1:
            return first == text or ("?" in first and len(text) == len(first) and _at(first, text, 0))
        end = len(text) - len(last)
        if len(first) > end or not _at(first, text, 0) or not _at(last, text, end):
            return False
        return self._middle_fits(text, len(first), end)

    def meets(self, other: "Wildcard", *, freely: bool = True) -> bool:
        """Whether some text matches both.

        Unless `freely`, a wildcard of `other` is followed only where something written speaks for it: the
        two begin or end with the same character, and no wildcard stands for a dot that a name begins with.

        A set of places in this glob is one number, which each character of the other moves on at once.
        """
        if not freely and not self._is_near(other):
            return False
        places = self._past_star(1)
        for char in other.glob:
            if not places:
                return False
            if char == "*":
                places = self._everywhere & -(places & -places)
            else:
                places = self._past_star(self._moved(places, char))
        return bool(places >> len(self.glob))

    def _is_near(self, other: "Wildcard") -> bool:
        mine, given = self.glob, other.glob
        if not _WILD & set(given):
            return True
        if mine[:1] == "." and given[:1] in _WILD:
            return False
        return any(
            ends[0] == ends[1] not in _WILD for ends in ((mine[:1], given[:1]), (mine[-1:], given[-1:]))
        )

    @cached_property
    def glob(self) -> str:
        """The glob that this was made from; of stars in a row only one is left."""
        return re.sub(r"\*+", "*", "*".join(self.pieces))

    @cached_property
    def _everywhere(self) -> int:
        return (2 << len(self.glob)) - 1

    @cached_property
    def _places(self) -> dict[str, int]:
        """Where each character of the glob stands: a bit for each place."""
        places: dict[str, int] = defaultdict(int)
        for place, char in enumerate(self.glob):
            places[char] |= 1 << place
        return dict(places)

    def _past_star(self, places: int) -> int:
        return places | (places & self._places.get("*", 0)) << 1

    def _moved(self, places: int, char: str) -> int:
        """Where the places lead with one more character; a star takes it and stays."""
        stars = self._places.get("*", 0)
        if char == "?":
            return (places & ~stars) << 1 & self._everywhere | places & stars
        taking = self._places.get(char, 0) | self._places.get("?", 0)
        return (places & taking) << 1 | places & stars

    def _middle_fits(self, text: str, start: int, end: int) -> bool:
        for piece, length in self._middle:
            found = piece.search(text, start, end)
            if found is None:
                return False
            start = found.start() + length
        return True

    @cached_property
    def _middle(self) -> tuple[tuple[re.Pattern[str], int], ...]:
        return tuple((_fixed(piece), len(piece)) for piece in self.pieces[1:-1] if piece)


class Globs(tuple[Wildcard | None, ...]):  # noqa: SLOT001 - `cached_property` needs a place
    """Globs of segments, one after the other; None stands for `**`: any number of segments."""

    @classmethod
    def compile(cls, words: Iterable[str]) -> "Globs":
        """The globs for these words."""
        return cls(None if word == DEEP else Wildcard.compile(word) for word in words)

    def matches(self, segments: Sequence[str]) -> bool:
        """Whether the whole list of segments matches."""
        runs = self._runs
        first, last = runs[0], runs[-1]
        if len(runs) == 1:
            return len(segments) == len(first) and _run_at(first, segments, 0)
        end = len(segments) - len(last)
        if len(first) > end or not _run_at(first, segments, 0) or not _run_at(last, segments, end):
            return False
        position = len(first)
        for run in runs[1:-1]:
            found = _find_run(run, segments, position, end)
            if found is None:
                return False
            position = found + len(run)
        return True

    @cached_property
    def _runs(self) -> list[list[Wildcard]]:
        """What stands between the `**`."""
        runs: list[list[Wildcard]] = [[]]
        for glob in self:
            if glob is None:
                runs.append([])
            else:
                runs[-1].append(glob)
        return runs


def meet_segments(
    globs: Sequence[Wildcard | None], others: Sequence[Wildcard | None], *, freely: bool = True
) -> bool:
    """Whether some list of segments matches both lists of globs; None stands for `**` in either.

    `freely` is what `Wildcard.meets` has it.
    """
    places = _past_deep(globs, {0})
    for other in others:
        if other is None:
            places = set(range(min(places, default=len(globs) + 1), len(globs) + 1))
        else:
            places = _past_deep(globs, _moved(globs, places, other, freely=freely))
    return len(globs) in places


def _moved(
    globs: Sequence[Wildcard | None], places: set[int], other: Wildcard, *, freely: bool
) -> set[int]:
    moved = set()
    for place in places:
        glob = globs[place] if place < len(globs) else other
        if glob is None:
            moved.add(place)
        elif place < len(globs) and glob.meets(other, freely=freely):
            moved.add(place + 1)
    return moved


def _past_deep(globs: Sequence[Wildcard | None], places: set[int]) -> set[int]:
    """The places, and those that follow one where `**` stands, which may stand for nothing."""
    passed = set(places)
    for place in places:
        end = place
        while end < len(globs) and globs[end] is None:
            end += 1
            passed.add(end)
    return passed


def _find_run(run: list[Wildcard], segments: Sequence[str], start: int, end: int) -> int | None:
    for position in range(start, end - len(run) + 1):
        if _run_at(run, segments, position):
            return position
    return None


def _run_at(run: list[Wildcard], segments: Sequence[str], position: int) -> bool:
    for offset, glob in enumerate(run):  # noqa: SIM110 - a generator would cost more than the look
        if not glob.matches(segments[position + offset]):
            return False
    return True


def _at(piece: str, text: str, start: int) -> bool:
    if "?" not in piece:
        return text.startswith(piece, start)
    part = text[start : start + len(piece)]
    return all(want in ("?", have) for want, have in zip(piece, part, strict=True))


def _fixed(piece: str) -> re.Pattern[str]:
    return re.compile("".join("." if char == "?" else re.escape(char) for char in piece), re.DOTALL)
