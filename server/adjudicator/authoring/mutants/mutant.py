"""One small change of a bundle: as an edit of its files, and as what it does to the snapshot."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from adjudicator.domain.symbol import Symbol
from adjudicator.policy.snapshot import Snapshot

if TYPE_CHECKING:
    from adjudicator.authoring.mutants.grounds import Grounds


class Fate(Symbol):
    """What became of a mutant."""

    KILLED = "killed"
    """A test fails on it."""
    SURVIVED = "survived"
    """Every test passes on it."""
    REFUSED = "refused"
    """It would not load, so it could never go live."""
    EQUIVALENT = "equivalent"
    """Every call is answered as before, which was proven."""


class RefusedError(Exception):
    """A change after which the bundle would not load. The text says why."""


@dataclass(frozen=True, slots=True)
class Altered:
    """The snapshot after a change, and the numbers of the trials that could notice it."""

    snapshot: Snapshot
    trials: Collection[int]


class Change(Protocol):
    """What a mutant does, in both of its forms, which mean the same."""

    def altered(self, grounds: "Grounds") -> Altered | None:
        """What it comes to; None when no trial could notice. Raises RefusedError."""
        ...

    def edits(self, grounds: "Grounds") -> Mapping[str, str]:
        """The texts of the files that it changes."""
        ...


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small change. `before` and `after` are the lines that it changes; no other line moves."""

    kind: str
    file: str
    line: int
    before: str
    after: str
    change: Change


@dataclass(frozen=True, slots=True)
class Group:
    """Mutants of one kind of source: what it is called, of how many things, and those of each in turn."""

    name: str
    size: int
    mutants: Iterator[list[Mutant]]


@dataclass(frozen=True, slots=True)
class TextEdit:
    """The text from `start` to `end` is another. `line` is where it starts."""

    line: int
    start: int
    end: int
    new: str

    def applied(self, text: str) -> str:
        """The text after the edit."""
        return text[: self.start] + self.new + text[self.end :]

    def lines(self, text: str) -> tuple[str, str]:
        """The lines that it touches, before and after."""
        first = text.rfind("\n", 0, self.start) + 1
        end = text.find("\n", self.end)
        before = text[first : end if end >= 0 else len(text)]
        after = before[: self.start - first] + self.new + before[self.end - first :]
        return before.strip(), after.strip()

    def mutant(self, kind: str, file: str, text: str, change: Change) -> Mutant:
        """A mutant of this edit of the file's text."""
        return Mutant(kind, file, self.line, *self.lines(text), change)
