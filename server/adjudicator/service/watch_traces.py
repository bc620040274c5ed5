"""WatchTraces: every record as it is appended, with a cursor that resumes without loss or repeat.

A watcher holds no backlog: it remembers how far it is in the chain of each writer and reads on from the
store, so one that never reads costs no more than one that does.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping

from adjudicator.config.limits import Limits
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason, malformed
from adjudicator.service.waits import Bell, Waits
from adjudicator.service.watch import HEARTBEAT_SECONDS, Heartbeat, Resync
from adjudicator.storage.contract import Appended, Store, TraceFilter

LOOK_SECONDS = 0.5
"""How often to look for what other sidecars recorded."""
PAUSE_SECONDS = 0.05
"""Between two looks while commits follow each other: a watch is not to slow down what it watches."""
_PART = 100
_CURSOR = re.compile("([0-9a-f]{16})((?:[.][0-9a-f]{16}-[0-9]{1,18})*)")
TraceEvent = Appended | Heartbeat | Resync
Position = dict[str, int]


class WatchTraces:
    """The use case behind `WatchTraces`. Events come with the cursor that continues after them."""

    def __init__(self, store: Store, waits: Waits, clock: Clock, limits: Limits) -> None:
        self._store = store
        self._waits = waits
        self._clock = clock
        self._limits = limits

    async def __call__(
        self, wanted: TraceFilter, cursor: str
    ) -> AsyncGenerator[tuple[str, TraceEvent], None]:
        """Watch until the caller goes away; raises DRAINING when the sidecar stops."""
        if self._waits.trace_watchers >= self._limits.trace_watchers:
            raise AdjudicatorError(
                ErrorReason.LIMIT_EXCEEDED,
                f"there are {self._limits.trace_watchers} watchers of traces already",
            )
        with self._waits.any_record() as bell:
            position = self._position(cursor) if cursor else await self._now()
            reason = "" if position is not None else "the cursor is of another database"
            while True:
                if position is None:
                    position = await self._now()
                    yield self._cursor(position), Resync(reason)
                async for event in self._appended(wanted, position, bell):
                    yield self._cursor(position), event
                position = None
                reason = "what is behind the cursor was archived, or the database is in an earlier state"

    async def _appended(
        self, wanted: TraceFilter, position: Position, bell: Bell
    ) -> AsyncGenerator[TraceEvent, None]:
        """Records and heartbeats, `position` moving on with them, until there is no going on."""
        time = asyncio.get_running_loop().time
        beat = time()  # at once, so that a watcher has a cursor before anything happens
        while (part := await self._store.appended(wanted, position, _PART)) is not None:
            for each in part.found:
                position[each.record.writer] = each.record.sequence
                yield each
                beat = time() + HEARTBEAT_SECONDS
            position.update(part.reached)
            if time() >= beat:
                yield Heartbeat(self._clock.now())
                beat = time() + HEARTBEAT_SECONDS
            if not part.more and await bell.wait(self._until_look(beat - time())):
                await asyncio.sleep(PAUSE_SECONDS)

    def _until_look(self, until_beat: float) -> float:
        return min(until_beat, LOOK_SECONDS) if self._store.shared else until_beat

    async def _now(self) -> Position:
        return dict(await self._store.tails())

    def _position(self, cursor: str) -> Position | None:
        """The position of a cursor of this database, or None for one of another."""
        found = _CURSOR.fullmatch(cursor) if len(cursor) <= self._limits.cursor_chars else None
        if found is None:
            raise malformed("cursor", "is not one that this service gave")
        pairs = [each.split("-") for each in found[2].split(".")[1:]]
        position = {writer: int(sequence) for writer, sequence in pairs}
        if len(position) < len(pairs):
            raise malformed("cursor", "is not one that this service gave")
        return position if found[1] == self._store.identity else None

    def _cursor(self, position: Mapping[str, int]) -> str:
        places = (f"{writer}-{sequence}" for writer, sequence in sorted(position.items()) if sequence)
        return ".".join((self._store.identity, *places))
