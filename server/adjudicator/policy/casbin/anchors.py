"""Many patterns at once: which of them could match a value, told by words that the value must show."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from adjudicator.policy.casbin.functions import NOTHING, Anchor, Matching, View

Numbered = tuple[int, Matching]


class AnchorIndex:
    """Compiled patterns of one bucket by their rarest anchors, apart for each view."""

    def __init__(self, patterns: Iterable[Numbered]) -> None:
        by_view: dict[View, list[Numbered]] = defaultdict(list)
        for number, matching in patterns:
            by_view[matching.view].append((number, matching))
        self._views = [(view, _OneView(group)) for view, group in by_view.items()]

    def candidates(self, value: Any, memo: dict[Any, Any]) -> list[Numbered]:
        """Every pattern that could match, in the order of their numbers.

        `memo` belongs to the question that the value is in.
        """
        found: list[Numbered] = []
        for view, group in self._views:
            key = (view, id(value))
            if key not in memo:
                # With the value itself, for its number may be another's once it is gone.
                memo[key] = value, view(value)
            _, words = memo[key]
            if words is not NOTHING:
                found.extend(group.candidates(words))
        if len(found) > 1:
            found.sort(key=_number)
        return found


class _OneView:
    """Patterns that look at the same words. A pattern without an anchor is always a candidate."""

    def __init__(self, patterns: Sequence[Numbered]) -> None:
        self._all = patterns
        self._free: list[Numbered] = []
        self._is: dict[str, list[Numbered]] = {}
        self._starts: dict[str, list[Numbered]] = {}
        self._ends: dict[str, list[Numbered]] = {}
        shared = Counter(anchor for _, matching in patterns for anchor in set(matching.anchors))
        for numbered in patterns:
            self._place(numbered, shared)
        self._start_lengths = sorted({len(text) for text in self._starts})
        self._end_lengths = sorted({len(text) for text in self._ends})

    def _place(self, numbered: Numbered, shared: Counter[Anchor]) -> None:
        anchors = [anchor for anchor in numbered[1].anchors if anchor.text]
        if not anchors:
            self._free.append(numbered)
            return
        place, text = min(
            anchors, key=lambda anchor: (shared[anchor], anchor.place != "is", -len(anchor.text))
        )
        table = {"is": self._is, "starts": self._starts, "ends": self._ends}[place]
        table.setdefault(text, []).append(numbered)

    def candidates(self, words: frozenset[str] | None) -> Iterable[Numbered]:
        """Those that a value with these words could match."""
        if words is None:
            return self._all
        found: list[Numbered] = []
        for word in words:
            found.extend(self._is.get(word, ()))
            for length in self._start_lengths:
                found.extend(self._starts.get(word[:length], ()))
            for length in self._end_lengths:
                found.extend(self._ends.get(word[-length:], ()))
        if len(found) > 1:  # two words of a value may show the anchor of one pattern
            found = list(dict(found).items())
        return found + self._free if found else self._free


def _number(numbered: Numbered) -> int:
    return numbered[0]
