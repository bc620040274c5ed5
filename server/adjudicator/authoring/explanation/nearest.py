"""The rows that are nearest to matching, out of many."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator.domain.symbol import Symbol
from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.snapshot import Effect


class Part(Symbol):
    """The part of a row that keeps it from matching."""

    SUBJECT = "subject"
    TENANT = "tenant"
    OBJECT = "object"
    ARGUMENT = "argument"
    EXCEPTION = "exception"
    CONDITION = "condition"
    SEVERAL = "several"
    """More than one: such a row is no near miss."""


CLOSENESS: Mapping[Part, float] = {
    Part.EXCEPTION: 1.0,
    Part.CONDITION: 1.0,
    Part.SUBJECT: 0.8,
    Part.OBJECT: 0.3,
    Part.TENANT: 0.7,
}
"""How near a row is that only this part keeps from matching, from 0 to 1; of arguments it depends."""
_SLACK = 8


@dataclass(frozen=True, slots=True)
class NearMiss:
    """One row, by its number and place, and the one part of it that does not match."""

    number: int
    rule: RuleRef
    effect: Effect
    part: Part
    why: str
    closeness: float


@dataclass(frozen=True, slots=True)
class Misses:
    """The nearest first, and how many more there are."""

    nearest: tuple[NearMiss, ...] = ()
    more: int = 0


@dataclass(slots=True)
class Nearest:
    """The nearest of many, without keeping all of them; None keeps them."""

    most: int | None
    wanted: frozenset[Effect]
    found: list[tuple[bool, float, int, Part, Effect]] = field(default_factory=list)
    count: int = 0

    def add(self, number: int, effect: Effect, part: Part, closeness: float) -> None:
        """Take a row up."""
        if part is Part.OBJECT and effect not in self.wanted:
            return  # what it says of something else would say nothing new of this
        self.count += 1
        self.found.append((effect not in self.wanted, -closeness, number, part, effect))
        if self.most is not None and len(self.found) > _SLACK * (self.most + 1):
            self.cut()

    def cut(self) -> None:
        """Put the nearest first and forget what is too far."""
        self.found.sort(key=lambda each: each[:3])
        if self.most is not None:
            del self.found[self.most :]
