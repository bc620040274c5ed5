"""What the tests of a bundle notice of its mutants, as values."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.authoring.mutants.mutant import Fate


@dataclass(frozen=True, slots=True)
class NotKilled:
    """One mutant that no test killed, and what it turned out to be. `why` says how that is known."""

    kind: str
    file: str
    line: int
    before: str
    after: str
    fate: Fate
    why: str = ""


@dataclass(frozen=True, slots=True)
class MutationReport:
    """How many mutants of each kind had which fate, and each that was not killed.

    `failing` are the tests that fail without any change, and could notice nothing. Of `unexamined` mutants
    that survived nobody looked whether they would load, or are equivalent: there were too many.
    """

    counts: Mapping[str, Mapping[Fate, int]]
    not_killed: tuple[NotKilled, ...]
    trials: int
    failing: tuple[str, ...]
    unexamined: int

    def total(self, fate: Fate) -> int:
        """How many mutants had this fate."""
        return sum(by_fate.get(fate, 0) for by_fate in self.counts.values())

    @property
    def mutants(self) -> int:
        """How many there were."""
        return sum(sum(by_fate.values()) for by_fate in self.counts.values())

    @property
    def killed_percent(self) -> float:
        """The part of the mutants that a test noticed.

        Of those that none noticed, what would not load or changes nothing does not count. What a test
        noticed counts whether it would load or not: to load all of it would take long.
        """
        killed, survived = self.total(Fate.KILLED), self.total(Fate.SURVIVED)
        return 100.0 * killed / (killed + survived) if killed + survived else 100.0


def counted(counts: Mapping[str, Counter[Fate]]) -> dict[str, dict[Fate, int]]:
    """Counters as plain mappings, by kind in the order of their names."""
    return {kind: dict(counts[kind]) for kind in sorted(counts)}
