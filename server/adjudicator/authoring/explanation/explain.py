"""Everything that explains the verdict on one call by one bundle."""

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.authoring.explanation.rows_asked import (
    FacetRows,
    ObjectRows,
    facet_rows,
    objects_of,
)
from adjudicator.authoring.explanation.search import Search
from adjudicator.authoring.explanation.steps import StepAnswer, step_answers
from adjudicator.authoring.explanation.suggestions import Ways
from adjudicator.authoring.judging import case_of, judged
from adjudicator.authoring.progress import Progress
from adjudicator.authoring.shown_arguments import shown_arguments
from adjudicator.config.limits import (
    EXPLAINED_LOADED_ROWS,
    EXPLAINED_LOADS,
    EXPLAINED_MISSES,
    EXPLAINED_MOST_LOADS,
    Limits,
)
from adjudicator.domain.call import ToolCall
from adjudicator.domain.verdict import Outcome, Verdict
from adjudicator.policy.loader import OpenBundle


@dataclass(frozen=True, slots=True)
class Explanation:
    """One verdict with its steps, the rows that spoke or nearly did, and the ways to other outcomes.

    `shown` are the arguments without what the bundle hides; empty where nothing of them may be shown.
    """

    call: ToolCall
    shown: str
    verdict: Verdict
    steps: tuple[StepAnswer, ...]
    objects: tuple[ObjectRows, ...]
    facets: tuple[FacetRows, ...]
    ways: tuple[Ways, ...]


def explain(
    call: ToolCall,
    bundle: OpenBundle,
    limits: Limits,
    wants: Sequence[Outcome],
    progress: Progress,
    *,
    every_miss: bool = False,
) -> Explanation:
    """Explain the verdict on the call; look for ways to the outcomes wanted that it is not.

    Raises AdjudicatorError for a call that would not be judged at all.
    """
    most = None if every_miss else EXPLAINED_MISSES
    case = case_of(call, bundle.snapshot, limits)
    verdict = judged(call, bundle.snapshot, limits)
    progress("looking at the rows", 0, 0)
    others = [want for want in wants if want is not verdict.outcome]
    return Explanation(
        call,
        shown_arguments(case),
        verdict,
        step_answers(case, verdict),
        objects_of(bundle, case, most),
        facet_rows(bundle, case, most),
        _ways(bundle, call, limits, others, progress),
    )


def _ways(
    bundle: OpenBundle, call: ToolCall, limits: Limits, wants: Sequence[Outcome], progress: Progress
) -> tuple[Ways, ...]:
    if not wants:
        return ()
    rows = sum(len(policy.rows) for policy in bundle.policies.values())
    loads = max(EXPLAINED_LOADS, min(EXPLAINED_MOST_LOADS, EXPLAINED_LOADED_ROWS // max(1, rows)))
    search = Search(bundle, call, limits, loads, progress)
    return tuple(search.ways(want, loads // len(wants)) for want in wants)
