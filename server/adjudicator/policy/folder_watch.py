"""When to look at a bundle's folder again: at once where the system tells, and soon in any case."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from pathlib import Path

import structlog
from watchfiles import awatch

from adjudicator.policy.folder import folders, real_root

_log = structlog.get_logger("adjudicator.policy")
_STEP_MS = 100
_DEBOUNCE_MS = 200


async def looks(directory: Path, every_seconds: float) -> AsyncIterator[None]:
    """An item each time to look, for ever; the next is never later than the time given.

    Notifications are a hint and nothing depends on them: a mounted folder may send none, a queue may
    overflow, and a folder that was replaced is another one.
    """
    told = False
    while True:
        try:
            async with aclosing(_notified(directory, every_seconds)) as notified:
                async for _ in notified:
                    yield
        except (OSError, RuntimeError) as error:  # the library's own errors are of the second kind
            if not told:
                told = True
                _log.warning("the system does not tell of changes in the policy folder", cause=str(error))
            await asyncio.sleep(every_seconds)
            yield


async def _notified(directory: Path, every_seconds: float) -> AsyncGenerator[None, None]:
    """The same from one set of folders; it ends when they may be others now."""
    watched = await asyncio.to_thread(folders, directory)
    # Never recursive: a link in the folder, which the loader refuses, could lead to the whole disk.
    notifications = awatch(
        *watched,
        watch_filter=None,
        debounce=_DEBOUNCE_MS,
        step=_STEP_MS,
        rust_timeout=int(every_seconds * 1000),
        yield_on_timeout=True,
        recursive=False,
    )
    async with aclosing(notifications):
        async for changes in notifications:
            yield
            # What has changed may be the folders. A folder that was switched or is new tells nobody.
            root = real_root(directory)
            if changes or (root not in watched and root.is_dir()):
                return
