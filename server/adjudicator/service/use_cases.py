"""What the transport asks of the use cases that change something. Whatever wraps one promises the same."""

from datetime import timedelta
from typing import Protocol

from adjudicator.approvals.states import Ballot
from adjudicator.domain.approval import Receipt
from adjudicator.domain.call import ToolCall
from adjudicator.domain.verdict import Verdict
from adjudicator.service.report_outcome import Reporter
from adjudicator.tracing.elements import Execution, KeptExecution


class Adjudicates(Protocol):
    """As `Adjudicate`."""

    async def __call__(self, call: ToolCall, wait: timedelta, limit: timedelta) -> Verdict:
        """Judge the call, record the verdict and return it."""
        ...

    async def dry_run(self, call: ToolCall) -> Verdict:
        """The verdict that the call would get now."""
        ...


class ReportsOutcome(Protocol):
    """As `ReportOutcome`."""

    async def __call__(self, number: int, reporter: Reporter, execution: Execution) -> KeptExecution:
        """Append what happened and finish the trace; returns what is kept of it."""
        ...


class Resolves(Protocol):
    """As `Resolve`."""

    async def __call__(self, approval_id: str, ballot: Ballot) -> Receipt:
        """Count the ballot."""
        ...
