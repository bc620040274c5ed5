"""What changes of approvals, read from the store once for everybody who watches.

One reader follows the positions of the store, keeps the latest changes and wakes the watchers. A watcher
has a position of its own and nothing else, so one that does not read holds up nobody. There is a reader
only while somebody watches.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from adjudicator.config.limits import Limits
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.service.encoded_approval import ApprovalChange, Encoding, fitting
from adjudicator.service.paging import Cursor
from adjudicator.service.pending_parts import PendingParts
from adjudicator.service.recent_changes import RecentChanges
from adjudicator.service.waits import Bell, Waits
from adjudicator.storage.contract import ApprovalEvent, Store

LOOK_SECONDS = 1.0
"""How often to look for changes without being told of any: so a store that fails is noticed too."""
SILENT_SECONDS = 10.0
"""How long the store may be silent before watchers are told so."""
_PART = 50
_AT_ONCE = 16  # watchers, between which calls get their turn


class ApprovalFeed:
    """Changes by their positions, for any number of watchers. Whoever watches has a place."""

    def __init__(
        self, store: Store, waits: Waits, encoding: Encoding, version: Callable[[], str], limits: Limits
    ) -> None:
        """`version` is that of the rules by which people see approvals; a cursor holds it."""
        self._store = store
        self._waits = waits
        self._encoding = encoding
        self._version = version
        self._limits = limits
        self._bells: set[Bell] = set()
        self._reader: asyncio.Task[None] | None = None
        self._recent = self._nothing(0)
        self._read_at = 0.0
        self._parts = PendingParts(
            store, encoding.approval, version, limits.watch_part_bytes, limits.watch_shared_bytes
        )
        self.pending = self._parts.part

    @property
    def watchers(self) -> int:
        """How many watch."""
        return len(self._bells)

    @contextmanager
    def place(self) -> Iterator[Bell]:
        """A bell that rings when there are changes, and raises when no more will be told.

        Raises LIMIT_EXCEEDED when all places are taken, and DRAINING when the sidecar stops.
        """
        self._waits.check()
        if len(self._bells) >= self._limits.watchers:
            raise AdjudicatorError(
                ErrorReason.LIMIT_EXCEEDED, f"there are {self._limits.watchers} watchers already"
            )
        bell = Bell()
        self._bells.add(bell)
        try:
            yield bell
        finally:
            self._bells.discard(bell)
            if not self._bells:
                self._stop()

    def follow(self, last: int) -> None:
        """See that there is a reader. It begins a little before `last`, the store's last position.

        So those who come back after a restart, all at once, find in memory what they missed.
        """
        if self._reader is None:
            self._recent = self._nothing(max(last - self._limits.watch_recent, 0))
            self._read_at = asyncio.get_running_loop().time()
            self._reader = asyncio.create_task(self._read(self._recent), name="approval-feed")

    def cursor(self, position: int) -> str:
        """The cursor by which a watch goes on after the position."""
        return str(Cursor.of(self._store.identity, position, self._version()))

    def lag(self, position: int) -> int:
        """How many changes there are after the position, as far as was read."""
        return self._recent.end - position

    async def after(self, position: int) -> Sequence[ApprovalChange]:
        """The next changes after the position, as many as a watcher may hold; none if there are none."""
        if position >= self._recent.end:
            return ()
        if position >= self._recent.floor:
            return list(fitting(self._recent.after(position), self._limits.watch_part_bytes))
        events = await self._store.events(position, _PART)
        return list(fitting(map(self._change, events), self._limits.watch_part_bytes))

    def check(self) -> None:
        """Raise STORE_UNAVAILABLE when it is long ago that the store said what has changed."""
        silent = asyncio.get_running_loop().time() - self._read_at
        if silent > SILENT_SECONDS:
            raise AdjudicatorError(
                ErrorReason.STORE_UNAVAILABLE, f"the store has not said for {silent:.0f} s what has changed"
            )

    async def _read(self, recent: RecentChanges) -> None:
        """Follow the store until it fails or the sidecar stops, which everybody is told."""
        try:
            with self._waits.any_approval() as changed:
                while True:
                    if not await self._read_on(recent):
                        await changed.wait(LOOK_SECONDS)
        except AdjudicatorError as error:
            self._end(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, nobody may wait for a dead reader
            fault = AdjudicatorError(ErrorReason.INTERNAL, "the changes of approvals cannot be followed")
            fault.__cause__ = error
            self._end(fault)

    async def _read_on(self, recent: RecentChanges) -> bool:
        """Read a part; whether there is more."""
        events = await self._store.events(recent.end, _PART)
        self._read_at = asyncio.get_running_loop().time()
        if events:
            recent.add([self._change(each) for each in events])
            await self._wake()
        return len(events) == _PART

    async def _wake(self) -> None:
        """Wake a few at a time: all that they are sent takes a while, and calls wait meanwhile."""
        for number, bell in enumerate(list(self._bells), 1):
            bell.ring()
            if number % _AT_ONCE == 0:
                await asyncio.sleep(0)

    def _end(self, error: AdjudicatorError) -> None:
        """Tell everybody. Who comes from now on gets a new reader."""
        self._reader = None
        for bell in self._bells:
            bell.end(error)

    def _stop(self) -> None:
        """Read no more, and keep nothing."""
        if self._reader is not None:
            self._reader.cancel()
            self._reader = None
        self._recent = self._nothing(0)
        self._parts.forget()

    def _change(self, event: ApprovalEvent) -> ApprovalChange:
        cursor = self.cursor(event.position)
        message = self._encoding.change(cursor, self._encoding.approval(event.approval))
        return ApprovalChange(event.position, cursor, event.approval, message)

    def _nothing(self, position: int) -> RecentChanges:
        return RecentChanges(position, self._limits.watch_recent, self._limits.watch_shared_bytes)
