"""WatchPending: a snapshot, then every change, with a cursor that resumes without loss or repeat.

A watcher holds no backlog: it remembers one position and reads on from the feed that all share, so one
that never reads costs little more than its stream.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from adjudicator.config.limits import Limits
from adjudicator.domain.approval import Approval
from adjudicator.domain.clock import Clock
from adjudicator.service.approval_feed import ApprovalFeed
from adjudicator.service.encoded_approval import ApprovalChange, EncodedApproval
from adjudicator.service.paging import Cursor
from adjudicator.service.waits import Bell
from adjudicator.storage.contract import ApprovalFilter, Store

HEARTBEAT_SECONDS = 5.0
ARCHIVED = "some of what changed since the cursor was archived"
_OTHER_SIGHT = "the policy now says otherwise who may decide what"


class Shows(Protocol):
    """What one person may see."""

    def __call__(self, approval: Approval) -> bool:
        """Whether they may see the approval; asked for each before it is sent, so it has to be quick."""
        ...

    @property
    def version(self) -> str:
        """What changes whenever they may see others than before."""
        ...


@dataclass(frozen=True, slots=True)
class PendingSnapshot:
    """A part of what is pending; the last one is complete."""

    shown: Sequence[EncodedApproval]
    complete: bool

    @property
    def approvals(self) -> Sequence[Approval]:
        """The approvals of this part."""
        return [each.approval for each in self.shown]


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

    def __init__(self, store: Store, feed: ApprovalFeed, clock: Clock, limits: Limits) -> None:
        self._store = store
        self._feed = feed
        self._clock = clock
        self._limits = limits

    async def __call__(
        self, wanted: ApprovalFilter, cursor: str, shows: Shows
    ) -> AsyncGenerator[tuple[str, WatchEvent], None]:
        """Watch what is wanted and shown, until the caller goes away.

        Raises DRAINING when the sidecar stops, and STORE_UNAVAILABLE when what changes cannot be read.
        """
        with self._feed.place() as bell:
            position, reason = await self._continued(cursor, shows) if cursor else (None, "")
            while True:
                last = await self._store.last_position()
                self._feed.follow(last)
                if position is not None:
                    reason = reason or self._gap(position, last)
                if reason:
                    yield "", Resync(reason)
                if reason or position is None:
                    position = last
                    async for part in self._snapshot(wanted, shows, position):
                        # There is no going on from the middle of a snapshot, only starting over.
                        yield self._feed.cursor(position) if part.complete else "", part
                version, reason = shows.version, ""
                async for reached, event in self._changes(wanted, shows, position, bell):
                    position = reached
                    yield self._feed.cursor(reached), event
                if shows.version != version:
                    reason = _OTHER_SIGHT

    async def _continued(self, cursor: str, shows: Shows) -> tuple[int | None, str]:
        """The position of the cursor, and why there is no going on from it, if so."""
        read = Cursor.read(cursor)
        if read.database != self._store.identity:
            return None, "the cursor is of another database"
        if read.position < await self._store.archived_position():
            return None, ARCHIVED
        return read.position, "" if read.is_of(shows.version) else _OTHER_SIGHT

    def _gap(self, position: int, last: int) -> str:
        """Why there is no going on from the position, if so."""
        if position > last:
            return "the cursor is of a later state than the database's"
        return "the watch fell too far behind" if last - position > self._limits.watch_backlog else ""

    async def _snapshot(
        self, wanted: ApprovalFilter, shows: Shows, until: int
    ) -> AsyncGenerator[PendingSnapshot, None]:
        after: int | None = 0
        while after is not None:
            part = await self._feed.pending(wanted, until, after)
            after = part.following
            shown = [each for each in part.shown if shows(each.approval)]
            if shown or after is None:
                yield PendingSnapshot(shown, complete=after is None)

    async def _changes(
        self, wanted: ApprovalFilter, shows: Shows, position: int, bell: Bell
    ) -> AsyncGenerator[tuple[int, WatchEvent], None]:
        """Changes and heartbeats, until the watcher is too far behind, or sees others than before."""
        time = asyncio.get_running_loop().time
        beat, version = time() + HEARTBEAT_SECONDS, shows.version
        while self._feed.lag(position) <= self._limits.watch_backlog and shows.version == version:
            changes = await self._feed.after(position)
            for change in changes:
                position = change.position
                if wanted.matches(change.approval) and shows(change.approval):
                    yield position, change
                    beat = time() + HEARTBEAT_SECONDS
            if not changes:
                await bell.wait(beat - time())
            if time() >= beat:
                self._feed.check()
                yield position, Heartbeat(self._clock.now())
                beat = time() + HEARTBEAT_SECONDS
