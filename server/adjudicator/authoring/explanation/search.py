"""The smallest sets of changes that give a call another outcome, each verified by loading and judging.

From where it stands the search knows what is in the way. It tries the sets that clear all of it, the
smallest and narrowest first; where a set leads to another obstacle it goes on from there.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from adjudicator.authoring.explanation.call_changes import other_agents, other_tenants
from adjudicator.authoring.explanation.change_sets import covering, edits_twice, same
from adjudicator.authoring.explanation.changes import SEVERITY, Change, call_after, hunks, texts_after
from adjudicator.authoring.explanation.obstacles import Obstacle, Standpoint
from adjudicator.authoring.explanation.rule_obstacles import obstacles
from adjudicator.authoring.explanation.suggestions import Made, Suggestion, Ways, in_order
from adjudicator.authoring.judging import case_of, judged
from adjudicator.authoring.progress import Progress
from adjudicator.authoring.shown_arguments import shown_arguments
from adjudicator.authoring.test_runs import failure_of
from adjudicator.config.limits import EXPLAINED_CHANGES, EXPLAINED_SUGGESTIONS, Limits
from adjudicator.domain.call import ToolCall
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.domain.verdict import Outcome, Verdict
from adjudicator.policy.bundle_tests import BundleTest
from adjudicator.policy.loader import BundleError, OpenBundle, open_sources

_LOOKS = 40
"""How often the search looks what is in the way after a change."""


@dataclass(frozen=True, slots=True)
class _State:
    bundle: OpenBundle
    call: ToolCall
    made: tuple[Made, ...] = ()
    rounds: int = 0


@dataclass(order=True, slots=True)
class _Try:
    rank: tuple[int, int, int, int]
    state: _State = field(compare=False)
    changes: tuple[Change, ...] = field(compare=False)
    goes_on: bool = field(compare=False)


class Search:
    """Looks for other outcomes of one call. `loads` is how often it may load the bundle with changes."""

    def __init__(
        self,
        bundle: OpenBundle,
        call: ToolCall,
        limits: Limits,
        loads: int,
        progress: Progress,
    ) -> None:
        self._start = _State(bundle, call)
        self._limits = limits
        self._loads = loads
        self._whole = loads
        self._left = loads
        self._progress = progress
        self._numbers = count()
        self._seen: list[tuple[Change, ...]] = []
        self._cut = False
        self._looks = 0
        tests = bundle.bundle.tests
        self._failing = {id(test) for test in tests if failure_of(test, bundle.snapshot, limits)}

    def ways(self, want: Outcome, loads: int) -> Ways:
        """The ways to this outcome, with at most so many loads."""
        self._left, self._looks, self._cut = min(loads, self._whole), 0, False
        self._seen = []
        waiting, blocked = self._tries(self._start, want)
        found: list[Suggestion] = []
        while waiting and not self._is_enough(found):
            each = heapq.heappop(waiting)
            if _is_more_than_found(each, found) or self._is_full(each, found):
                continue
            state = self._made(each)
            verdict = self._judged(state) if state is not None else None
            if state is None or verdict is None:
                continue
            if verdict.outcome is want:
                found.append(self._suggestion(state, verdict))
            elif each.goes_on:
                for further in self._further(state, want):
                    heapq.heappush(waiting, further)
        return Ways(want, in_order(found), blocked, complete=not self._cut)

    def _further(self, state: _State, want: Outcome) -> list[_Try]:
        """What to try from a state that is not there yet; such looks take time, so they are bounded."""
        if len(state.made) >= EXPLAINED_CHANGES:
            return []
        self._looks += 1
        self._cut = self._cut or self._looks > _LOOKS
        return self._tries(state, want)[0] if self._looks <= _LOOKS else []

    def _tries(self, state: _State, want: Outcome) -> tuple[list[_Try], tuple[str, ...]]:
        """What to try from here, and what is in the way that nothing clears.

        What another call would meet is only known when it is there: changes of the call are tried one by
        one. Changes of the policy are tried in sets that clear all that is in the way.
        """
        at = Standpoint.of(state.bundle, case_of(state.call, state.bundle.snapshot, self._limits))
        found = obstacles(at, want)
        blocked = tuple(dict.fromkeys(each.what for each in found if not each.changes))
        tries: list[_Try] = []
        for change in (change for each in found for change in each.changes if not change.edits):
            self._add(tries, state, (change,), goes_on=True)
        of_policy = [
            Obstacle(each.what, tuple(change for change in each.changes if change.edits)) for each in found
        ]
        for changes in covering(of_policy, EXPLAINED_CHANGES - len(state.made)):
            self._add(tries, state, changes, goes_on=True)
        if not state.made and want is not Outcome.DENY:
            for change in (*other_agents(at.case), *other_tenants(at.case)):
                self._add(tries, state, (change,), goes_on=False)
        heapq.heapify(tries)
        return tries, blocked

    def _add(self, tries: list[_Try], state: _State, changes: tuple[Change, ...], *, goes_on: bool) -> None:
        """Add what was not tried yet, in whatever order its changes come."""
        every = (*(made.change for made in state.made), *changes)
        if len(every) > EXPLAINED_CHANGES or edits_twice(every):
            return
        if not any(same(every, other) for other in self._seen):
            self._seen.append(every)
            tries.append(self._try(state, changes, goes_on=goes_on))

    def _try(self, state: _State, changes: tuple[Change, ...], *, goes_on: bool) -> _Try:
        every = [*(made.change for made in state.made), *changes]
        worst = max(SEVERITY[change.defence] for change in every)
        rank = (len(every), worst, sum(change.breadth for change in every), next(self._numbers))
        return _Try(rank, state, changes, goes_on)

    def _made(self, each: _Try) -> _State | None:
        """The state after the changes; None when they do not go together, or the loader refuses them."""
        state = each.state
        files = state.bundle.sources.files
        edits = [edit for change in each.changes for edit in change.edits]
        texts = texts_after(edits, files)
        if texts is None:
            return None
        bundle = state.bundle
        if texts:
            if self._left <= 0:
                self._cut = True
                return None
            self._left -= 1
            self._loads -= 1
            self._progress("trying changes", self._whole - self._loads, self._whole)
            try:
                bundle = open_sources(bundle.sources.edited(texts))
            except BundleError:
                return None
        made = tuple(Made(change, hunks(change.edits, files), state.rounds) for change in each.changes)
        call_edits = [edit for change in each.changes for edit in change.call]
        try:
            call = call_after(call_edits, state.call)
        except (ValueError, LookupError, TypeError, AttributeError):
            return None  # two changes of the arguments that do not go together
        return replace(state, bundle=bundle, call=call, made=(*state.made, *made), rounds=state.rounds + 1)

    def _judged(self, state: _State) -> Verdict | None:
        try:
            return judged(state.call, state.bundle.snapshot, self._limits)
        except AdjudicatorError:
            return None

    def _suggestion(self, state: _State, verdict: Verdict) -> Suggestion:
        shown = shown_arguments(case_of(state.call, state.bundle.snapshot, self._limits))
        return Suggestion(state.made, state.call, shown, verdict, self._newly_failing(state))

    def _newly_failing(self, state: _State) -> tuple[BundleTest, ...]:
        if state.bundle is self._start.bundle:
            return ()
        snapshot, tests = state.bundle.snapshot, self._start.bundle.bundle.tests
        return tuple(
            test
            for test in tests
            if id(test) not in self._failing and failure_of(test, snapshot, self._limits)
        )

    def _is_enough(self, found: Sequence[Suggestion]) -> bool:
        return all(self._count(found, policy=policy) >= EXPLAINED_SUGGESTIONS for policy in (True, False))

    def _is_full(self, each: _Try, found: Sequence[Suggestion]) -> bool:
        """Whether there are enough of its kind already."""
        every = (*(made.change for made in each.state.made), *each.changes)
        policy = any(change.edits for change in every)
        return self._count(found, policy=policy) >= EXPLAINED_SUGGESTIONS

    def _count(self, found: Sequence[Suggestion], *, policy: bool) -> int:
        return sum(each.is_of_policy is policy for each in found)


def _is_more_than_found(each: _Try, found: Sequence[Suggestion]) -> bool:
    """Whether fewer of the same changes do it already."""
    every = (*(made.change for made in each.state.made), *each.changes)
    return any(all(made.change in every for made in other.changes) for other in found)
