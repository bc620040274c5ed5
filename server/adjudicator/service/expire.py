"""Writes down, in time, what has run out. Nothing depends on it: a time limit counts anyway."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import structlog

from adjudicator.chain.judge import close
from adjudicator.domain.approval import ApprovalState
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.service.grants import grant_end
from adjudicator.service.question_end import question_end
from adjudicator.service.retry import cancellation, expiry
from adjudicator.storage.contract import CallRecord, Change, Store

_log = structlog.get_logger("adjudicator.expire")
_AT_ONCE = 200
_END_OF_TIME = datetime(9999, 1, 1, tzinfo=UTC)
_LONGEST_PAUSE = timedelta(seconds=1)
_SHORTEST_PAUSE = timedelta(milliseconds=5)


class Expire:
    """Closes approvals, grants and questions whose time limit has run out."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def run(self) -> None:
        """Go on until cancelled. A store that fails is tried again."""
        while True:
            try:
                await self.sweep()
                pause = await self._pause()
            except AdjudicatorError as error:
                if error.reason is not ErrorReason.STORE_UNAVAILABLE:
                    raise
                pause = _LONGEST_PAUSE
            await asyncio.sleep(pause.total_seconds())

    async def sweep(self) -> int:
        """Close up to a batch of what is due; the number closed. One that cannot be stops no other."""
        closed = 0
        for number in await self._store.due(self._clock.now(), _AT_ONCE):
            try:
                closed += await self._store.change_call(number, self._decide)
            except AdjudicatorError as error:
                if error.reason is ErrorReason.STORE_UNAVAILABLE:
                    raise
                _log.error("what has run out could not be closed", trace=number, exc_info=error)
        return closed

    async def close_all(self, reason: str) -> int:
        """Close all that is open, and end every grant, whatever time it has left; the number closed."""
        closed, before = 0, -1
        while closed > before:  # a round that closes nothing is the last, whatever is left
            before = closed
            for number in await self._store.due(_END_OF_TIME, _AT_ONCE):
                closed += await self._store.change_call(number, lambda record: self._decide(record, reason))
        return closed

    async def _pause(self) -> timedelta:
        deadline = await self._store.next_deadline()
        if deadline is None:
            return _LONGEST_PAUSE
        return min(_LONGEST_PAUSE, max(_SHORTEST_PAUSE, deadline - self._clock.now()))

    def _decide(self, record: CallRecord, reason: str = "") -> tuple[Change | None, int]:
        """Close what the trace is of if it has run out, or in any case for a reason."""
        now = self._clock.now()
        if record.question is not None:
            change = question_end(record.question, now, reason)
        elif record.grant is not None:
            change = grant_end(record, now, reason)
        elif record.approval is None:
            raise TypeError("what is due is an approval, a grant or a question")
        elif reason:
            closed = replace(close(record.verdict, ApprovalState.CANCELLED), reason=reason)
            change = cancellation(record, record.approval, now, closed)[0]
        else:
            change = expiry(record, record.approval, now)[0]
        return change, int(change is not None)
