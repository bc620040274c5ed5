"""Callers that wait for an approval to change, and watchers that wait for whatever is recorded.

Holds no state of either.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from adjudicator.domain.errors import AdjudicatorError, ErrorReason


class Bell:
    """Rings when something that its holder waits for has changed."""

    def __init__(self) -> None:
        self._rung = False
        self._end: AdjudicatorError | None = None
        self._waiting: asyncio.Future[None] | None = None

    def ring(self) -> None:
        """Something changed."""
        self._rung = True
        self._wake()

    def end(self, error: AdjudicatorError) -> None:
        """It will never ring again: every wait from now on raises this."""
        self._end = error
        self._wake()

    async def wait(self, seconds: float) -> bool:
        """Wait for the next ring; False when none came in time. Raises what the bell was ended with.

        A ring that came before the wait counts, so nothing is missed between a look and a wait. Only its
        one holder waits.
        """
        if not self._rung and self._end is None:
            await self._sleep(seconds)
        if self._end is not None:
            # An error of each wait's own, since each adds to its traceback.
            raise AdjudicatorError(self._end.reason, self._end.message) from self._end
        rung, self._rung = self._rung, False
        return rung

    async def _sleep(self, seconds: float) -> None:
        """Until it rings, ends or the time is over. A timer of its own costs a third of asyncio.timeout."""
        loop = asyncio.get_running_loop()
        self._waiting = loop.create_future()
        timer = loop.call_later(max(seconds, 0), self._wake)
        try:
            await self._waiting
        finally:
            timer.cancel()
            self._waiting = None

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class Waits:
    """Whom to wake when something is recorded."""

    def __init__(self) -> None:
        self._by_approval: defaultdict[str, set[Bell]] = defaultdict(set)
        self._watchers: set[Bell] = set()
        self._trace_watchers: set[Bell] = set()
        self._draining = False

    @contextmanager
    def approval(self, approval_id: str) -> Iterator[Bell]:
        """A bell that rings when this approval changes; a question's id is as good."""
        try:
            with self._hung(self._by_approval[approval_id]) as bell:
                yield bell
        finally:
            if not self._by_approval[approval_id]:
                del self._by_approval[approval_id]

    @contextmanager
    def any_approval(self) -> Iterator[Bell]:
        """A bell that rings when any approval or question changes."""
        with self._hung(self._watchers) as bell:
            yield bell

    @contextmanager
    def any_record(self) -> Iterator[Bell]:
        """A bell that rings at each commit that this sidecar hears of."""
        with self._hung(self._trace_watchers) as bell:
            yield bell

    @property
    def trace_watchers(self) -> int:
        """How many watch traces."""
        return len(self._trace_watchers)

    def changed(self, approval_ids: frozenset[str] | None) -> None:
        """Something was recorded: ring for these approvals, None is for any, and for any record."""
        for bell in self._trace_watchers:
            bell.ring()
        known = self._by_approval.keys()
        rung = known if approval_ids is None else approval_ids & known
        for approval_id in rung:
            for bell in self._by_approval[approval_id]:
                bell.ring()
        if approval_ids is None or approval_ids:
            for bell in self._watchers:
                bell.ring()

    def drain(self) -> None:
        """End every wait with DRAINING, now and from now on."""
        self._draining = True
        for bells in (self._watchers, self._trace_watchers, *self._by_approval.values()):
            for bell in bells:
                bell.end(draining())

    def check(self) -> None:
        """Raise DRAINING when the sidecar is stopping."""
        if self._draining:
            raise draining()

    @contextmanager
    def _hung(self, bells: set[Bell]) -> Iterator[Bell]:
        self.check()
        bell = Bell()
        bells.add(bell)
        try:
            yield bell
        finally:
            bells.discard(bell)


def draining() -> AdjudicatorError:
    """The error for a request that meets a sidecar that is stopping."""
    return AdjudicatorError(
        ErrorReason.DRAINING, "the sidecar is stopping; what is pending stays pending: come again"
    )
