"""Runs every test of a bundle once, on the shipped chain, and notes what it came to."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from adjudicator.authoring.asked import Asked, noted
from adjudicator.authoring.coverage.answers import Answers
from adjudicator.authoring.coverage.keywords import keyword_items
from adjudicator.authoring.coverage.report import CoverageReport, Item, Part, part, seen
from adjudicator.authoring.judging import judged
from adjudicator.authoring.progress import Progress, unheard
from adjudicator.authoring.trials import Trial
from adjudicator.chain.judge import CHAIN
from adjudicator.config.limits import Limits
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.domain.verdict import Outcome, Step, Verdict
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.snapshot import Snapshot


@dataclass(slots=True)
class _Seen:
    """What all tests together came to."""

    steps: set[str] = field(default_factory=set)
    checks: set[str] = field(default_factory=set)
    asked: list[Asked] = field(default_factory=list)

    def add(self, asked: Asked, verdict: Verdict | None) -> None:
        self.asked.append(asked)
        if verdict is not None and verdict.outcome is Outcome.DENY:
            self.steps.add(_step(verdict.step))
            self.checks.add(verdict.check)


def cover(
    bundle: OpenBundle, trials: Sequence[Trial], limits: Limits, progress: Progress = unheard
) -> CoverageReport:
    """What the trials come to. A test that fails covers what it came to all the same."""
    found = _Seen()
    for number, trial in enumerate(trials):
        progress("running the tests", number, len(trials))
        asked = Asked()
        found.add(asked, _run(trial, noted(bundle.snapshot, asked), limits))
    return CoverageReport(tuple(_parts(bundle, found, progress)), len(trials))


def _run(trial: Trial, snapshot: Snapshot, limits: Limits) -> Verdict | None:
    """Run it, for it may ask for more than a verdict; and the verdict where it is about a call."""
    trial.fails(snapshot)
    if trial.call is None:
        return None
    try:
        return judged(trial.call, snapshot, limits)
    except AdjudicatorError:
        return None


def _parts(bundle: OpenBundle, found: _Seen, progress: Progress) -> Iterator[Part]:
    effects: list[Item] = []
    for name, policy in bundle.policies.items():
        answers = Answers(policy, bundle.rule_sets[name], bundle.settings)
        for asked in found.asked:
            answers.add(asked.requests[name])
        yield part(f"{name}.csv", _told(f"looking at {name}.csv", answers, progress))
        if answers.listed:
            yield part("lists of bundle.yaml", answers.listed_items())
        effects += answers.effect_items()
    yield part("steps", seen([_step(step) for step in Step], found.steps))
    yield part("checks", seen([check.name for check in CHAIN], found.checks))
    yield part("effects", effects)
    yield part("schema keywords", keyword_items(bundle.sources, _judged(found.asked), progress))


def _told(what: str, answers: Answers, progress: Progress) -> Iterator[Item]:
    for number, item in enumerate(answers.row_items()):
        progress(what, number, answers.size)
        yield item


def _judged(asked: Iterable[Asked]) -> dict[str, list[object]]:
    """The arguments that came as far as each tool's contract."""
    judged: dict[str, list[object]] = {}
    for each in asked:
        for tool, value in each.judged:
            judged.setdefault(tool, []).append(value)
    return judged


def _step(step: Step) -> str:
    return f"step {step.value} denies ({step.name.lower()})"
