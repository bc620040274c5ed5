"""Coverage as values: what a bundle has, part by part, and which of it no test came to."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that tests may come to, with its place where it has one, and how near they came.

    `matched` says of a rule that no test was answered by that one matches it all the same.
    """

    text: str
    file: str = ""
    line: int = 0
    covered: bool = False
    matched: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """Things of one kind."""

    name: str
    items: tuple[Item, ...]

    @property
    def covered(self) -> int:
        """How many of them some test came to."""
        return sum(item.covered for item in self.items)

    @property
    def uncovered(self) -> tuple[Item, ...]:
        """Those that no test came to."""
        return tuple(item for item in self.items if not item.covered)


@dataclass(frozen=True, slots=True)
class CoverageReport:
    """All parts, of as many tests."""

    parts: tuple[Part, ...]
    trials: int

    @property
    def items(self) -> int:
        """How many things there are."""
        return sum(len(part.items) for part in self.parts)

    @property
    def covered(self) -> int:
        """How many of them some test came to."""
        return sum(part.covered for part in self.parts)

    @property
    def percent(self) -> float:
        """The same as a part of all of them."""
        return percent(self.covered, self.items)


def percent(covered: int, items: int) -> float:
    """A part in hundred; all of nothing is all."""
    return 100.0 * covered / items if items else 100.0


def part(name: str, items: Iterable[Item]) -> Part:
    """A part of these items."""
    return Part(name, tuple(items))


def seen(names: Iterable[str], found: Mapping[str, object] | set[str]) -> Iterable[Item]:
    """An item for each name, which is covered when it was found."""
    return (Item(name, covered=name in found) for name in names)
