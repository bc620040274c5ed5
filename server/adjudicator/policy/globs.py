"""Wildcards and segment lists, matched without backtracking."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property


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
            return len(text) == len(first) and _at(first, text, 0)
        end = len(text) - len(last)
        if len(first) > end or not _at(first, text, 0) or not _at(last, text, end):
            return False
        return self._middle_fits(text, len(first), end)

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


def match_segments(globs: Sequence[Wildcard | None], segments: Sequence[str]) -> bool:
    """Whether the whole list of segments matches; None stands for `**`: any number of segments."""
    runs = _runs(globs)
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


def _runs(globs: Sequence[Wildcard | None]) -> list[list[Wildcard]]:
    runs: list[list[Wildcard]] = [[]]
    for glob in globs:
        if glob is None:
            runs.append([])
        else:
            runs[-1].append(glob)
    return runs


def _find_run(run: list[Wildcard], segments: Sequence[str], start: int, end: int) -> int | None:
    for position in range(start, end - len(run) + 1):
        if _run_at(run, segments, position):
            return position
    return None


def _run_at(run: list[Wildcard], segments: Sequence[str], position: int) -> bool:
    return all(glob.matches(segments[position + offset]) for offset, glob in enumerate(run))


def _at(piece: str, text: str, start: int) -> bool:
    if "?" not in piece:
        return text.startswith(piece, start)
    part = text[start : start + len(piece)]
    return all(want in ("?", have) for want, have in zip(piece, part, strict=True))


def _fixed(piece: str) -> re.Pattern[str]:
    return re.compile("".join("." if char == "?" else re.escape(char) for char in piece), re.DOTALL)
