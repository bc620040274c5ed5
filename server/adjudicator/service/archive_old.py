"""Archives what is old, once a day, while the sidecar serves."""

import asyncio
import itertools
import threading
import time
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import structlog

from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.domain.micros import to_micros
from adjudicator.storage.contract import Store
from adjudicator.tracing.archive import Archive, Moved, pieces
from adjudicator.tracing.archive_file import ArchiveFile, check_archive, write_archive
from adjudicator.tracing.signing import Signer

INTERVAL = timedelta(days=1)
_PIECE = 100
"""Records that go in one transaction, behind which verdicts wait for some milliseconds."""
_PAUSE_SECONDS = 0.2
_LINES = 20
_BREATH_SECONDS = 0.001  # by which a thread lets the one that answers calls go first
_log = structlog.get_logger("adjudicator.archive")


class ArchiveOld:
    """Moves what is older than a span to files in a folder. Verdicts go first: it works in small pieces."""

    def __init__(
        self, store: Store, signer: Signer, clock: Clock, older_than: timedelta, folder: Path
    ) -> None:
        self._store = store
        self._signer = signer
        self._clock = clock
        self._older_than = older_than
        self._folder = folder

    async def run(self) -> None:
        """Go on until cancelled. What fails is logged, and tried again a day later."""
        while True:
            try:
                await self.archive()
            except (AdjudicatorError, OSError) as error:
                _log.error("what is old could not be archived", problem=str(error))
            await asyncio.sleep(INTERVAL.total_seconds())

    async def archive(self) -> Moved:
        """Archive once; what went. Raises AdjudicatorError and OSError."""
        now = self._clock.now()
        archive = Archive(self._signer, to_micros(now - self._older_than), to_micros(now))
        file = await self._written(archive, now)
        if file is None:
            return Moved(0, 0)
        await asyncio.to_thread(check_archive, file, lambda *_: time.sleep(_BREATH_SECONDS))
        records = traces = 0
        for ends in pieces(file.plan, _PIECE):
            moved = await self._store.write_apart(partial(archive.move, ends=ends))
            records, traces = records + moved.records, traces + moved.traces
            await asyncio.sleep(_PAUSE_SECONDS)
        _log.info("archived what is old", file=str(file.path), records=records, traces=traces)
        return Moved(records, traces)

    async def _written(self, archive: Archive, now: datetime) -> ArchiveFile | None:
        """The file, by a thread that gives way to others, and ends soon when this is cancelled."""
        stopped = threading.Event()
        lines = itertools.count(1)

        def go_on() -> None:
            if stopped.is_set():
                raise InterruptedError("the sidecar stops")
            if next(lines) % _LINES == 0:
                time.sleep(_BREATH_SECONDS)

        try:
            return await self._store.read_apart(
                lambda db: write_archive(db, archive, self._folder, now, go_on)
            )
        finally:
            stopped.set()
