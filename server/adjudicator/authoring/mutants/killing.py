"""Makes every mutant of a bundle, and runs the tests that could notice it until one does."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from adjudicator.authoring.mutants.equivalence import why_equivalent
from adjudicator.authoring.mutants.grounds import Grounds
from adjudicator.authoring.mutants.mutant import Fate, Group, Mutant, RefusedError
from adjudicator.authoring.mutants.registry_mutants import registry_groups
from adjudicator.authoring.mutants.report import MutationReport, NotKilled, counted
from adjudicator.authoring.mutants.row_mutants import row_groups
from adjudicator.authoring.mutants.schema_mutants import schema_groups
from adjudicator.authoring.mutants.settings_mutants import settings_groups
from adjudicator.authoring.progress import Progress, unheard
from adjudicator.authoring.trials import Trial
from adjudicator.policy.loader import BundleError, OpenBundle, open_sources

EXAMINED = 300
"""Survivors that are loaded from their files to see whether they would go live."""
EXAMINED_ROWS = 1_000_000
"""Rows that all of these loads may read together."""


def mutate(
    bundle: OpenBundle, trials: Sequence[Trial], progress: Progress = unheard, *, examined: int = EXAMINED
) -> MutationReport:
    """What the trials notice of all mutants of the bundle. The time grows with its size, not faster."""
    grounds = Grounds(bundle, trials, progress)
    found = _Found()
    for group in groups(bundle):
        for place, mutants in enumerate(group.mutants):
            progress(f"changing {group.name}", place, group.size)
            for mutant in mutants:
                found.add(mutant, *fate_of(mutant, grounds))
    rows = sum(len(policy.rows) for policy in bundle.policies.values())
    most = min(examined, EXAMINED_ROWS // max(1, rows))
    return _report(grounds, found, most, progress)


def groups(bundle: OpenBundle) -> Iterator[Group]:
    """All mutants of a bundle, by where they are."""
    return chain(
        row_groups(bundle.policies),
        settings_groups(bundle.sources),
        registry_groups(bundle.sources, bundle.snapshot.registry),
        schema_groups(bundle.sources),
    )


def fate_of(mutant: Mutant, grounds: Grounds) -> tuple[Fate, str]:
    """What becomes of the mutant by its tests alone, and why."""
    try:
        altered = mutant.change.altered(grounds)
    except RefusedError as error:
        return Fate.REFUSED, str(error)
    for number in sorted(altered.trials) if altered else ():
        trial = grounds.trials[number]
        if altered and trial.fails(altered.snapshot):
            return Fate.KILLED, trial.name
    return Fate.SURVIVED, ""


@dataclass(slots=True)
class _Found:
    counts: dict[str, Counter[Fate]] = field(default_factory=lambda: defaultdict(Counter))
    survivors: list[Mutant] = field(default_factory=list)
    refused: list[NotKilled] = field(default_factory=list)

    def add(self, mutant: Mutant, fate: Fate, why: str) -> None:
        if fate is Fate.SURVIVED:
            self.survivors.append(mutant)
            return
        self.counts[mutant.kind][fate] += 1
        if fate is Fate.REFUSED:
            self.refused.append(_not_killed(mutant, fate, why))


def _report(grounds: Grounds, found: _Found, most: int, progress: Progress) -> MutationReport:
    not_killed = found.refused
    for number, mutant in enumerate(found.survivors):
        fate, why = Fate.SURVIVED, ""
        if number < most:
            progress("looking at survivors", number, min(most, len(found.survivors)))
            fate, why = _examined(mutant, grounds)
        found.counts[mutant.kind][fate] += 1
        not_killed.append(_not_killed(mutant, fate, why))
    return MutationReport(
        counts=counted(found.counts),
        not_killed=tuple(sorted(not_killed, key=lambda each: (each.file, each.line))),
        trials=len(grounds.trials),
        failing=tuple(trial.name for trial in grounds.failing),
        unexamined=max(0, len(found.survivors) - most),
    )


def _examined(mutant: Mutant, grounds: Grounds) -> tuple[Fate, str]:
    """Whether a survivor would load at all, and whether it is known to change nothing."""
    try:
        changed = open_sources(grounds.bundle.sources.edited(mutant.change.edits(grounds)))
    except BundleError as error:
        return Fate.REFUSED, str(error.problems[0])
    why = why_equivalent(mutant, grounds.bundle, changed)
    return (Fate.EQUIVALENT, why) if why else (Fate.SURVIVED, "")


def _not_killed(mutant: Mutant, fate: Fate, why: str) -> NotKilled:
    return NotKilled(mutant.kind, mutant.file, mutant.line, mutant.before, mutant.after, fate, why)
