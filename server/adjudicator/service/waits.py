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
        self._event = asyncio.Event()
        self._draining = False

    def ring(self) -> None:
        """Something changed."""
        self._event.set()

    def drain(self) -> None:
        """The sidecar is stopping: every wait from now on raises."""
        self._draining = True
        self._event.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for the next ring; False when none came in time. Raises DRAINING when the sidecar stops.

        A ring that came before the wait counts, so nothing is missed between a look and a wait.
        """
        try:
            async with asyncio.timeout(max(seconds, 0)):
                await self._event.wait()
        except TimeoutError:
            return False
        self._event.clear()
        if self._draining:
            raise draining()
        return True


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

    @property
    def watchers(self) -> int:
        """How many watch approvals."""
        return len(self._watchers)

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
                bell.drain()

    @contextmanager
    def _hung(self, bells: set[Bell]) -> Iterator[Bell]:
        if self._draining:
            raise draining()
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
