"""Long work on the event loop, in slices: between two of them everything else gets its turn."""

import asyncio
import time

_SLICE_SECONDS = 0.001
_REST_SECONDS = 0.002


class Turns:
    """Call it between pieces of the work; it rests when a slice is over."""

    def __init__(self) -> None:
        self._begun = time.perf_counter()

    async def __call__(self) -> None:
        """Let others go first, if it is their turn."""
        if time.perf_counter() - self._begun >= _SLICE_SECONDS:
            await asyncio.sleep(_REST_SECONDS)
            self._begun = time.perf_counter()
