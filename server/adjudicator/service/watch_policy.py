"""Watches the policy folder, so that what is saved goes live by itself."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from adjudicator.policy.folder_watch import looks
from adjudicator.service.active_policy import ActivePolicy

_LOOK_SECONDS = 1.0
_QUIET_SECONDS = 0.15
_LONGEST_QUIET_SECONDS = 5.0
_RETRY_SECONDS = 60.0


class WatchPolicy:
    """Reloads when the folder has changed and no writing goes on in it."""

    def __init__(self, policy: ActivePolicy, reload: Callable[[], Awaitable[bool]]) -> None:
        self._policy = policy
        self._reload = reload

    async def run(self) -> None:
        """Go on until cancelled.

        A folder with problems is read again from time to time though nothing changed: what could not be
        read for want of memory or handles is read then.
        """
        read_at = time.monotonic()
        async for _ in looks(self._policy.status.directory, _LOOK_SECONDS):
            due = self._policy.status.problems and time.monotonic() >= read_at + _RETRY_SECONDS
            if due or await self._policy.is_stale():
                await self._quiet()
                await self._reload()
                read_at = time.monotonic()

    async def _quiet(self) -> None:
        """Wait until nothing was written for a moment: files of one change come one after the other.

        A folder that never rests is read all the same; what is torn then is refused and read again.
        """
        end = time.monotonic() + _LONGEST_QUIET_SECONDS
        while time.monotonic() < end:
            before = await self._policy.fingerprint()
            await asyncio.sleep(_QUIET_SECONDS)
            if await self._policy.fingerprint() == before:
                return
