"""What is counted over traces, as values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from adjudicator.domain.approval import ApprovalState
from adjudicator.domain.verdict import Cause, Outcome, Step

Counts = Sequence[tuple[str, int]]
"""Names and how often each came, the most first."""
Width = Callable[[datetime, datetime], timedelta]
"""The width of buckets for the moments from the first to the last."""


@dataclass(frozen=True, slots=True)
class ApprovalCount:
    """How many approvals are in one state, and how long half of them, and nine in ten, took at most.

    That is from the ask to the last vote, or to the end of one that nobody decided; None if there is none.
    """

    state: ApprovalState
    count: int
    median: timedelta | None
    ninetieth: timedelta | None


@dataclass(frozen=True, slots=True)
class Bucket:
    """The calls that were opened within one span of time, by their latest outcome."""

    starts_at: datetime
    outcomes: Mapping[Outcome, int]


@dataclass(frozen=True, slots=True)
class TraceSummary:
    """Counts over calls; `flows` are counted apart. Buckets without calls are left out.

    Rules are those of the newest `denials_read` denials, fewer where records are large. Names are of what
    was denied most.
    """

    calls: int
    flows: int
    outcomes: Mapping[Outcome, int]
    steps: Mapping[Step, int]
    causes: Mapping[Cause, int]
    denied_tools: Counts
    denied_agents: Counts
    denying_rules: Counts
    denials_read: int
    approvals: Sequence[ApprovalCount]
    width: timedelta
    buckets: Sequence[Bucket]
