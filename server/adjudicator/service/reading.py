"""Reading what is recorded. Four use cases of one shape and no decision, so they share a file."""

from collections.abc import Sequence
from typing import TypeVar

from adjudicator.config.limits import Limits
from adjudicator.domain.approval import Approval
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.trace import Trace
from adjudicator.service.paging import page_number, page_size_of
from adjudicator.service.sight import Sight
from adjudicator.storage.contract import ApprovalFilter, CallKey, Store, TraceFilter

T = TypeVar("T")
_PART = 100


class Reading:
    """The use cases behind `GetApproval`, `ListPending`, `GetTrace` and `ListTraces`.

    A page token is the number of the last trace of the page before, so pages are stable while
    calls are recorded.
    """

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store = store
        self._limits = limits

    async def approval(self, approval_id: str, sight: Sight) -> Approval:
        """The approval; raises NOT_FOUND, also for what whoever asks may not see."""
        found = await self._store.approval(approval_id)
        return _seen(found, sight, f"approval {approval_id[:64]!a}")

    async def approval_of_trace(self, number: int, sight: Sight) -> Approval:
        """The approval that the trace's call opened; raises NOT_FOUND."""
        return _seen(await self._store.approval_of_trace(number), sight, f"approval of trace {number}")

    async def approval_of_action(self, key: CallKey, tool: str, sight: Sight) -> Approval:
        """The approval of exactly this action (the tool) and object (the call_id); raises NOT_FOUND."""
        record = await self._store.call(key)
        approval = record.approval if record else None
        matching = approval if approval and approval.tool == tool else None
        return _seen(matching, sight, f"approval of tool {tool[:64]!a} for call_id {key.call_id[:64]!a}")

    async def pending(
        self, wanted: ApprovalFilter, sight: Sight, page_size: int, page_token: str
    ) -> tuple[Sequence[Approval], str]:
        """A page of what is pending and may be seen, oldest first, and the next page's token or nothing."""
        size, after = page_size_of(page_size, self._limits), page_number(page_token) or 0
        seen: list[Approval] = []
        more = not sight.is_blind  # whose question takes as long, however much is pending
        while more and len(seen) <= size:
            part = await self._store.pending(wanted, after, None, _PART)
            seen += filter(sight, part)
            more = len(part) == _PART
            after = part[-1].trace_number if part else after
        page = self._fitting(seen[:size])
        return page, str(page[-1].trace_number) if len(seen) > len(page) else ""

    async def trace(self, number: int) -> Trace:
        """The trace with its elements; raises NOT_FOUND."""
        return _found(await self._store.trace(number), f"trace {number}")

    async def traces(
        self, wanted: TraceFilter, page_size: int, page_token: str
    ) -> tuple[Sequence[Trace], str]:
        """A page of traces, newest first, and the token of the next page or nothing."""
        size = page_size_of(page_size, self._limits)
        page = await self._store.traces(wanted, page_number(page_token), size + 1)
        return page[:size], str(page[size - 1].number) if len(page) > size else ""

    def _fitting(self, approvals: Sequence[Approval]) -> Sequence[Approval]:
        """As many as fit into one message, and at least one."""
        total = 0
        for count, approval in enumerate(approvals):
            total += len(approval.view_json) if approval.approvable else 0
            total += sum(len(vote.reason.encode()) for vote in approval.votes)
            if total > self._limits.page_bytes and count:
                return approvals[:count]
        return approvals


def _seen(approval: Approval | None, sight: Sight, what: str) -> Approval:
    return _found(approval if approval is not None and sight(approval) else None, what)


def _found(value: T | None, what: str) -> T:
    if value is None:
        raise AdjudicatorError(ErrorReason.NOT_FOUND, f"there is no {what}")
    return value
