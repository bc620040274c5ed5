"""Takes apart the snapshots that decide no more, so that no decision has to wait for it."""

import asyncio
import sys

from adjudicator.policy.snapshot import Snapshot
from adjudicator.service.taking_apart import take_apart

_PAUSE_SECONDS = 0.1
# Python counts the place in the box and the argument of the question.
_OURS_ALONE = 2


class RetiredSnapshots:
    """Keeps each until the last call that it judged is answered, and drops it in a thread.

    Without that the call which happens to be the last would take a million rules apart on the event loop.
    """

    def __init__(self) -> None:
        self._boxes: list[list[Snapshot]] = []
        self._added = asyncio.Event()

    def add(self, snapshot: Snapshot) -> None:
        """Keep a snapshot that no new call gets."""
        self._boxes.append([snapshot])
        self._added.set()

    async def run(self) -> None:
        """Drop what nobody uses any more; go on until cancelled."""
        while True:
            await self._added.wait()
            await self.drop_unused()
            if not self._boxes:
                self._added.clear()
            await asyncio.sleep(_PAUSE_SECONDS)

    async def drop_unused(self) -> int:
        """Take those apart that nobody else holds; how many are still in use."""
        kept: list[list[Snapshot]] = []
        unused: list[list[Snapshot]] = []
        for box in self._boxes:
            # Nobody can come to hold one that nobody holds: the active policy gives out another.
            (unused if sys.getrefcount(box[0]) == _OURS_ALONE else kept).append(box)
        self._boxes = kept
        for box in unused:
            await asyncio.to_thread(take_apart, box)
        return len(kept)
