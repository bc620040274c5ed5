"""Ends what nothing can come of any more, since its session or its flow is closed."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import structlog

from adjudicator.chain import judge
from adjudicator.domain.approval import Approval
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.grant import GrantState
from adjudicator.domain.question import QuestionState
from adjudicator.domain.trace import TraceKind
from adjudicator.domain.verdict import Cause
from adjudicator.service.question_end import question_end
from adjudicator.service.retry import cancellation
from adjudicator.storage.contract import CallRecord, Change, GrantFilter, Store
from adjudicator.tracing import sessions

_log = structlog.get_logger("adjudicator.ending")
_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class End:
    """Why something ends: the cause of the calls' denials, and the same in words."""

    cause: Cause
    because: str


SESSION_CLOSED = End(Cause.SESSION_CLOSED, "")
FLOW_CLOSED = End(Cause.CALL_WITHDRAWN, "its flow was closed")


class _Traced(Protocol):
    @property
    def trace_number(self) -> int: ...


T = TypeVar("T", bound=_Traced)
Page = Callable[[int, int], Awaitable[Sequence[T]]]
"""Gives up to so many behind a trace, oldest first."""


class Ending:
    """Each end is a change of its own, and those of one page are committed together."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def of_approvals(self, page: Page[Approval], end: End) -> int:
        """Cancel all that stand there; how many were cancelled."""
        return await self._of_pages(page, end)

    async def of_grants(self, tenant: str, session: str) -> int:
        """Clear all that are live in the session; how many were cleared."""
        count, before = 0, None
        wanted = GrantFilter(tenant, session)
        while page := await self._store.grants(wanted, before, _AT_ONCE):
            count += await self.of_traces([each.trace_number for each in page], SESSION_CLOSED)
            before = page[-1].trace_number
        return count

    async def of_questions(self, tenant: str, session: str) -> int:
        """Cancel all that are open in the session; how many were cancelled."""
        return await self._of_pages(
            lambda after, count: self._store.open_questions(tenant, session, after, None, count),
            SESSION_CLOSED,
        )

    async def of_traces(self, numbers: Sequence[int], end: End) -> int:
        """End what hangs on these traces; how many ended by this. One that cannot be stops no other."""
        return sum(await asyncio.gather(*(self._one(number, end) for number in numbers)))

    async def _of_pages(self, page: Page[T], end: End) -> int:
        count = after = 0
        while found := await page(after, _AT_ONCE):
            count += await self.of_traces([each.trace_number for each in found], end)
            after = found[-1].trace_number
        return count

    async def _one(self, number: int, end: End) -> int:
        try:
            return await self._store.change_call(number, lambda record: self._decide(record, end))
        except AdjudicatorError as error:
            if error.reason is ErrorReason.STORE_UNAVAILABLE:
                raise
            _log.error(
                "what ended with its session or flow could not be closed", trace=number, exc_info=error
            )
            return 0

    def _decide(self, record: CallRecord, end: End) -> tuple[Change | None, int]:
        """The end of it, and 1 if it is this one: what had run out before ends as that."""
        now = self._clock.now()
        if record.approval is not None:
            ended = judge.end(record.verdict, end.cause, end.because)
            change, verdict = cancellation(record, record.approval, now, ended)
            return change, int(change is not None and verdict.cause is end.cause)
        if record.grant is not None:
            if record.grant.state is not GrantState.LIVE:
                return None, 0
            cleared = sessions.grant_cleared(record.grant.id, now)
            return Change(now, elements=(cleared,), grant_state=GrantState.CLEARED, finish=True), 1
        if record.question is not None:
            change = question_end(record.question, now, "its session was closed")
            return change, int(change is not None and change.question_state is QuestionState.CANCELLED)
        raise TypeError("only approvals, grants and questions end with a session")


def end_of(closed: TraceKind) -> End:
    """Why what was left in a closed session or flow ends."""
    return FLOW_CLOSED if closed is TraceKind.FLOW else SESSION_CLOSED
