"""WatchPending: a snapshot, then every change, with a cursor that resumes without loss or repeat.

A watcher holds no backlog: it remembers one position and reads on from the store, so one that never
reads costs no more than one that does.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime

from adjudicator.config.limits import Limits
from adjudicator.domain.approval import Approval
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason, malformed
from adjudicator.service.waits import Bell, Waits
from adjudicator.storage.contract import ApprovalFilter, Store

HEARTBEAT_SECONDS = 5.0
_PART = 50


@dataclass(frozen=True, slots=True)
class PendingSnapshot:
    """A part of what is pending; the last one is complete."""

    approvals: Sequence[Approval]
    complete: bool


@dataclass(frozen=True, slots=True)
class ApprovalChange:
    """One approval changed."""

    approval: Approval


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Nothing changed; the sidecar's time."""

    now: datetime


@dataclass(frozen=True, slots=True)
class Resync:
    """The watch cannot go on without a gap: what follows begins anew."""

    reason: str


WatchEvent = PendingSnapshot | ApprovalChange | Heartbeat | Resync


class Watch:
    """The use case behind `WatchPending`. Events come with the cursor that continues after them."""

    def __init__(self, store: Store, waits: Waits, clock: Clock, limits: Limits) -> None:
        self._store = store
        self._waits = waits
        self._clock = clock
        self._limits = limits

    async def __call__(
        self, wanted: ApprovalFilter, cursor: str
    ) -> AsyncGenerator[tuple[str, WatchEvent], None]:
        """Watch until the caller goes away; raises DRAINING when the sidecar stops."""
        if self._waits.watchers >= self._limits.watchers:
            raise AdjudicatorError(
                ErrorReason.LIMIT_EXCEEDED, f"there are {self._limits.watchers} watchers already"
            )
        with self._waits.any_approval() as bell:
            position = self._position(cursor) if cursor else None
            reason = "the cursor is of another database" if cursor and position is None else ""
            while True:
                if reason:
                    yield "", Resync(reason)
                    reason = ""
                last = await self._store.last_position()
                if position is not None and position > last:
                    reason, position = "the cursor is of a later state than the database's", None
                    continue
                if position is None:
                    position = last
                    async for part in self._snapshot(wanted, position):
                        # There is no going on from the middle of a snapshot, only starting over.
                        yield self._cursor(position) if part.complete else "", part
                async for reached, event in self._changes(wanted, position, bell):
                    yield self._cursor(reached), event
                reason, position = "the watch fell too far behind", None

    def _position(self, cursor: str) -> int | None:
        """The position of a cursor of this database, or None for one of another."""
        identity, _, number = cursor.partition(".")
        if not number.isascii() or not number.isdigit() or len(number) > 18:  # noqa: PLR2004 - fits 64 bits
            raise malformed("cursor", "is not one that this service gave")
        return int(number) if identity == self._store.identity else None

    def _cursor(self, position: int) -> str:
        return f"{self._store.identity}.{position}"

    async def _snapshot(self, wanted: ApprovalFilter, until: int) -> AsyncGenerator[PendingSnapshot, None]:
        after = 0
        while True:
            part = await self._store.pending(wanted, after, until, _PART)
            yield PendingSnapshot(part, complete=len(part) < _PART)
            if len(part) < _PART:
                return
            after = part[-1].trace_number

    async def _changes(
        self, wanted: ApprovalFilter, position: int, bell: Bell
    ) -> AsyncGenerator[tuple[int, WatchEvent], None]:
        """Changes and heartbeats, until the watcher is too far behind to go on."""
        time = asyncio.get_running_loop().time
        beat = time() + HEARTBEAT_SECONDS
        while await self._store.last_position() - position <= self._limits.watch_backlog:
            changes = await self._store.events(position, _PART)
            for change in changes:
                position = change.position
                if wanted.matches(change.approval):
                    yield position, ApprovalChange(change.approval)
                    beat = time() + HEARTBEAT_SECONDS
            if len(changes) < _PART:
                await bell.wait(beat - time())
            if time() >= beat:
                yield position, Heartbeat(self._clock.now())
                beat = time() + HEARTBEAT_SECONDS
