"""Judges calls by two bundles and gathers those whose verdict differs. Holds no call once it is counted."""

from dataclasses import dataclass, field

from adjudicator.authoring.comparison.changes import Change, Kind, change_of, decided
from adjudicator.authoring.comparison.deciders import Deciders
from adjudicator.authoring.comparison.examples import Example
from adjudicator.authoring.comparison.groups import Groups
from adjudicator.authoring.judging import case_of
from adjudicator.authoring.shown_arguments import shown_arguments
from adjudicator.chain.case import Case
from adjudicator.config.limits import CONTEXT_CHARS, Limits
from adjudicator.domain.call import ToolCall, printable
from adjudicator.policy.snapshot import Snapshot


@dataclass(slots=True)
class Comparing:
    """Compares call by call; `compared` counts them."""

    was: Snapshot
    now: Snapshot
    groups: Groups
    limits: Limits
    compared: int = 0
    deciders: Deciders = field(default_factory=Deciders)

    def compare(self, call: ToolCall, source: str) -> None:
        """Judge a call by both. Raises AdjudicatorError for one that would not be judged at all."""
        before = case_of(call, self.was, self.limits)
        after = Case(before.call, before.arguments, self.now)
        change = change_of(before, after, self.deciders)
        self.compared += 1
        if change is not None:
            self.groups.add(change, lambda: _example(source, before, after, change))

    @property
    def unchanged(self) -> int:
        """How many of the calls get the same verdict for the same reason."""
        return self.compared - sum(self.groups.count(kind) for kind in Kind)


def _example(source: str, was: Case, now: Case, change: Change) -> Example:
    call = was.call
    return Example(
        source=source,
        tenant=printable(call.tenant),
        agent=printable(call.agent),
        tool=printable(call.tool),
        arguments=_cut(shown_arguments(was, now.snapshot)),
        was=decided(change.was),
        now=decided(change.now),
    )


def _cut(text: str) -> str:
    return text if len(text) <= CONTEXT_CHARS else f"{text[:CONTEXT_CHARS]}..."
