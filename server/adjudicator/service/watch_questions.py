"""WatchQuestions: what is open, then every change, with a cursor that resumes without loss or repeat.

A watcher remembers one position and reads on from the store. What a person may see is asked of the policy
for each event; another policy starts the watch over, since it may show more than the one before.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from adjudicator.config.limits import Limits
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.question import Question
from adjudicator.domain.request import Priority
from adjudicator.service.paging import Cursor
from adjudicator.service.question_access import QuestionAccess
from adjudicator.service.question_view import shown
from adjudicator.service.waits import Bell, Waits
from adjudicator.service.watch import ARCHIVED, HEARTBEAT_SECONDS, Heartbeat, Resync
from adjudicator.storage.contract import Store

_PART = 50


@dataclass(frozen=True, slots=True)
class QuestionFilter:
    """Whose watch it is, and what of all that they may see they want; an empty tenant means all."""

    actor: str
    tenant: str = ""
    least: Priority = Priority.LOW


@dataclass(frozen=True, slots=True)
class QuestionSnapshot:
    """A part of what is open; the last one is complete."""

    questions: Sequence[Question]
    complete: bool


QuestionWatchEvent = QuestionSnapshot | Question | Heartbeat | Resync


class WatchQuestions:
    """The use case behind `WatchQuestions`. Events come with the cursor that continues after them."""

    def __init__(
        self, access: QuestionAccess, store: Store, waits: Waits, clock: Clock, limits: Limits
    ) -> None:
        self._access = access
        self._store = store
        self._waits = waits
        self._clock = clock
        self._limits = limits
        self._watching = 0

    async def __call__(
        self, wanted: QuestionFilter, cursor: str
    ) -> AsyncGenerator[tuple[str, QuestionWatchEvent], None]:
        """Watch until the caller goes away; raises DRAINING when the sidecar stops."""
        with self._place(), self._waits.any_approval() as bell:
            position, reason = await self._resumed(cursor)
            while True:
                if reason:
                    yield "", Resync(reason)
                version = self._access.version
                if position is None:
                    position = await self._store.last_position()
                    async for part in self._snapshot(wanted, position):
                        # There is no going on from the middle of a snapshot, only starting over.
                        yield self._cursor(position, version) if part.complete else "", part
                async for reached, event in self._changes(wanted, position, version, bell):
                    yield self._cursor(reached, version), event
                another = self._access.version != version
                reason = "the policy has changed" if another else "the watch fell too far behind"
                position = None

    @contextmanager
    def _place(self) -> Iterator[None]:
        most = self._limits.question_watchers
        if self._watching >= most:
            raise AdjudicatorError(ErrorReason.LIMIT_EXCEEDED, f"there are {most} watchers already")
        self._watching += 1
        try:
            yield
        finally:
            self._watching -= 1

    def _cursor(self, position: int, version: str) -> str:
        return str(Cursor.of(self._store.identity, position, version))

    async def _resumed(self, cursor: str) -> tuple[int | None, str]:
        """The position of a cursor, or None and why there is no going on from there."""
        if not cursor:
            return None, ""
        read = Cursor.read(cursor)
        if read.database != self._store.identity:
            return None, "the cursor is of another database"
        if not read.is_of(self._access.version):
            return None, "the policy has changed"
        if read.position < await self._store.archived_position():
            return None, ARCHIVED
        if read.position > await self._store.last_position():
            return None, "the cursor is of a later state than the database's"
        return read.position, ""

    async def _snapshot(self, wanted: QuestionFilter, until: int) -> AsyncGenerator[QuestionSnapshot, None]:
        after, part = 0, await self._store.open_questions(wanted.tenant, "", 0, until, _PART)
        while len(part) == _PART:
            yield QuestionSnapshot(self._seen(wanted, part), complete=False)
            after = part[-1].trace_number
            part = await self._store.open_questions(wanted.tenant, "", after, until, _PART)
        yield QuestionSnapshot(self._seen(wanted, part), complete=True)

    async def _changes(
        self, wanted: QuestionFilter, position: int, version: str, bell: Bell
    ) -> AsyncGenerator[tuple[int, Question | Heartbeat], None]:
        """Changes and heartbeats, until the watcher is too far behind, or the policy is another."""
        time = asyncio.get_running_loop().time
        beat = time() + HEARTBEAT_SECONDS
        while self._access.version == version:
            last = await self._store.last_position()
            changes = await self._store.question_events(position, _PART)
            if len(changes) == _PART and last - position > self._limits.watch_backlog:
                return
            for change in changes:
                position = change.position
                for question in self._seen(wanted, [change.question]):
                    yield position, question
                    beat = time() + HEARTBEAT_SECONDS
            if len(changes) < _PART:
                # Positions are those of approvals too: up to there no question is left.
                position = max(position, last)
                await bell.wait(beat - time())
            if time() >= beat:
                yield position, Heartbeat(self._clock.now())
                beat = time() + HEARTBEAT_SECONDS

    def _seen(self, wanted: QuestionFilter, found: Sequence[Question]) -> list[Question]:
        """Those that the person wants and may see at this moment, as they are shown."""
        return [
            shown(each)
            for each in found
            if wanted.tenant in ("", each.tenant)
            and each.priority.rank >= wanted.least.rank
            and self._access.may_answer(wanted.actor, each)
        ]
