"""Finishes closing sessions and flows where that broke off, and ends what was asked at the same moment.

Nothing depends on it: whatever stands in a closed session or flow is never released.
"""

import asyncio

from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.service.ending import Ending, end_of
from adjudicator.storage.contract import Store

_AT_ONCE = 200
_PAUSE_SECONDS = 30.0


class FinishClosings:
    """Looks for what was left, at the start and then every half minute."""

    def __init__(self, store: Store, ending: Ending) -> None:
        self._store = store
        self._ending = ending

    async def run(self) -> None:
        """Go on until cancelled. A store that fails is tried again."""
        while True:
            try:
                await self.sweep()
            except AdjudicatorError as error:
                if error.reason is not ErrorReason.STORE_UNAVAILABLE:
                    raise
            await asyncio.sleep(_PAUSE_SECONDS)

    async def sweep(self) -> int:
        """End all that was left; how many ended."""
        count = after = 0
        while left := await self._store.stranded(after, _AT_ONCE):
            for closed in {each.closed for each in left}:
                numbers = [each.trace for each in left if each.closed is closed]
                count += await self._ending.of_traces(numbers, end_of(closed))
            after = left[-1].trace
        return count
