"""What a preview of a bundle finds: lists that are bounded, and counts that are not."""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from adjudicator.domain.verdict import Outcome
from adjudicator.policy.problem import Problem

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ended:
    """An approval that would be cancelled, or a grant that would be revoked, and why."""

    id: str
    tool: str
    reason: str


@dataclass(frozen=True, slots=True)
class Flipped:
    """A recent call that would get another outcome, with the reason for the new one."""

    trace_number: int
    tool: str
    outcome: Outcome
    new_outcome: Outcome
    reason: str


@dataclass(slots=True)
class Changes(Generic[T]):
    """How many were judged, how many of them would change, and the first of those."""

    most: int
    judged: int = 0
    total: int = 0
    listed: list[T] = field(default_factory=list)

    def add(self, change: T | None) -> None:
        """One more was judged; None is one that stays as it is."""
        self.judged += 1
        if change is not None:
            self.total += 1
            if len(self.listed) < self.most:
                self.listed.append(change)


@dataclass(slots=True)
class Preview:
    """What the folder's bundle would change. One with problems has no version, and changes nothing.

    `unknown_calls` are those of which not everything is on record. `complete` is whether there was time for
    all that was asked.
    """

    version: str
    problems: tuple[Problem, ...]
    approvals: Changes[Ended]
    grants: Changes[Ended]
    calls: Changes[Flipped]
    unknown_calls: int = 0
    complete: bool = False


def empty_preview(version: str, problems: tuple[Problem, ...], most: int) -> Preview:
    """A preview in which nothing was judged yet, and of which at most so many of each are listed."""
    return Preview(version, problems, Changes(most), Changes(most), Changes(most))
