"""The storage contract in SQL, the same for both engines: one thread that writes, and others that read."""

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from adjudicator.domain.approval import Approval
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.grant import Grant
from adjudicator.domain.micros import from_micros, to_micros
from adjudicator.domain.question import Question
from adjudicator.domain.record import Head, Record, Tail, Writer
from adjudicator.domain.trace import Trace
from adjudicator.storage import decided_statements as decided
from adjudicator.storage import statements
from adjudicator.storage.appended import select_appended
from adjudicator.storage.contract import (
    AppendedPart,
    ApprovalEvent,
    ApprovalFilter,
    CallKey,
    CallRecord,
    Decide,
    GrantFilter,
    Listener,
    NewTrace,
    QuestionEvent,
    Stranded,
    TraceFilter,
)
from adjudicator.storage.engine import Connection, Engine
from adjudicator.storage.flows import select_fit
from adjudicator.storage.jobs import ChangeCall, KeyTaken, OpenTrace
from adjudicator.storage.ledger import select_identity
from adjudicator.storage.migrations import migrate
from adjudicator.storage.readers import Readers
from adjudicator.storage.sessions import select_stranded
from adjudicator.storage.summary import select_summary
from adjudicator.storage.trace_summary import TraceSummary, Width
from adjudicator.storage.writer_thread import Unit, WriterThread
from adjudicator.storage.writers import OwnWriter, claim_key, claim_writer, insert_head, select_latest

T = TypeVar("T")
_READERS_OF_A_SERVER = 4  # a server takes a while for each answer
_PROBE = (
    "INSERT INTO meta (key, value) VALUES ('probe', ?)"
    " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)


class SqlStore:
    """Implements `storage.contract.Store`. Make it with `open_store`."""

    def __init__(self, engine: Engine, own: OwnWriter, identity: str, shared_key: bytes | None) -> None:
        self.identity = identity
        self.shared_key = shared_key
        """The key of the call digests that all who share the database use; None when nobody shares it."""
        self._engine = engine
        self._own = own
        self._listeners: list[tuple[asyncio.AbstractEventLoop, Listener]] = []
        threads = _READERS_OF_A_SERVER if engine.shared else 1
        self._readers = Readers(engine, threads)
        self._histories = Readers(engine)  # what people look through holds up no call
        self._watches = Readers(engine)  # nor does what they watch, which no search holds up
        self._writer = WriterThread(engine, own, self._changed)
        engine.listen(self._changed)

    @property
    def writer(self) -> Writer:
        """Whose chain this store appends to."""
        return self._own.writer

    async def open_trace(self, new: NewTrace) -> CallRecord | int:
        """See the contract."""
        opened: int | KeyTaken = await self._writer.run(OpenTrace(new))
        if isinstance(opened, int):
            return opened
        found = await self.call(new.key)
        if found is None:
            raise AdjudicatorError(ErrorReason.INTERNAL, "a call key is taken and has no trace")
        return found

    async def change_call(self, number: int, decide: Decide[T], uses: int | None = None) -> T:
        """See the contract."""
        answer: T = await self._writer.run(ChangeCall(number, decide, uses))
        return answer

    async def check_flow(self, number: int, key: CallKey) -> None:
        """See the contract."""
        await self._readers.run(lambda db: select_fit(db, number, key))

    async def change_approval(self, approval_id: str, decide: Decide[T], uses: int | None = None) -> T:
        """See the contract."""
        answer: T = await self._writer.run(ChangeCall(approval_id, decide, uses))
        return answer

    async def trace(self, number: int) -> Trace | None:
        """See the contract."""
        return await self._histories.run(lambda db: statements.select_trace(db, number))

    async def traces(self, wanted: TraceFilter, before: int | None, count: int) -> Sequence[Trace]:
        """See the contract."""
        return await self._histories.run(lambda db: statements.select_traces(db, wanted, before, count))

    async def summarize(self, wanted: TraceFilter, width: Width) -> TraceSummary:
        """See the contract."""
        return await self._histories.run(lambda db: select_summary(db, wanted, width))

    async def approval(self, approval_id: str) -> Approval | None:
        """See the contract."""
        return await self._readers.run(lambda db: decided.select_approval(db, "id", approval_id))

    async def approval_of_trace(self, number: int) -> Approval | None:
        """See the contract."""
        return await self._readers.run(lambda db: decided.select_approval(db, "trace", number))

    async def call(self, key: CallKey) -> CallRecord | None:
        """See the contract."""
        return await self._readers.run(
            lambda db: statements.select_call(db, statements.select_number(db, key))
        )

    async def call_of_trace(self, number: int) -> CallRecord | None:
        """See the contract."""
        return await self._readers.run(lambda db: statements.select_call(db, number))

    async def pending(
        self, wanted: ApprovalFilter, after: int, until: int | None, count: int
    ) -> Sequence[Approval]:
        """See the contract."""
        return await self._watches.run(lambda db: decided.select_pending(db, wanted, after, until, count))

    async def standing(
        self, tenant: str, session: str, after: int, count: int, flow: int | None = None
    ) -> Sequence[Approval]:
        """See the contract."""
        return await self._readers.run(
            lambda db: decided.select_standing(db, (tenant, session), after, count, flow)
        )

    async def all_standing(self, after: int, count: int) -> Sequence[Approval]:
        """See the contract."""
        return await self._readers.run(lambda db: decided.select_standing(db, None, after, count))

    async def stranded(self, after: int, count: int) -> Sequence[Stranded]:
        """See the contract."""
        return await self._readers.run(lambda db: select_stranded(db, after, count))

    async def grant(self, grant_id: str) -> Grant | None:
        """See the contract."""
        return await self._readers.run(lambda db: decided.select_grant(db, grant_id))

    async def grants(self, wanted: GrantFilter, before: int | None, count: int) -> Sequence[Grant]:
        """See the contract."""
        return await self._readers.run(lambda db: decided.select_grants(db, wanted, before, count))

    async def live_grants(self, tenant: str, session: str, agent: str, tool: str) -> Sequence[Grant]:
        """See the contract."""
        return await self._readers.run(
            lambda db: decided.select_live_grants(db, tenant, session, agent, tool)
        )

    async def question(self, question_id: str) -> Question | None:
        """See the contract."""
        return await self._readers.run(lambda db: decided.select_question(db, question_id))

    async def open_questions(
        self, tenant: str, session: str, after: int, until: int | None, count: int
    ) -> Sequence[Question]:
        """See the contract."""
        return await self._readers.run(
            lambda db: decided.select_open_questions(db, tenant, session, after, until, count)
        )

    async def question_events(self, after: int, count: int) -> Sequence[QuestionEvent]:
        """See the contract."""
        return await self._readers.run(lambda db: decided.select_question_events(db, after, count))

    async def due(self, now: datetime, count: int) -> Sequence[int]:
        """See the contract."""
        return await self._readers.run(lambda db: decided.select_due(db, to_micros(now), count))

    async def next_deadline(self) -> datetime | None:
        """See the contract."""
        deadline = await self._readers.run(decided.select_next_deadline)
        return from_micros(deadline) if deadline is not None else None

    async def events(self, after: int, count: int) -> Sequence[ApprovalEvent]:
        """See the contract."""
        return await self._watches.run(lambda db: decided.select_events(db, after, count))

    async def last_position(self) -> int:
        """See the contract."""
        return await self._watches.run(decided.select_last_position)

    async def archived_position(self) -> int:
        """See the contract."""
        return await self._watches.run(decided.select_archived_position)

    async def records(self, after: Mapping[str, int], count: int) -> Sequence[Record]:
        """See the contract."""
        return await self._histories.run(lambda db: statements.select_records(db, after, count))

    async def appended(
        self, wanted: TraceFilter, after: Mapping[str, int], count: int
    ) -> AppendedPart | None:
        """See the contract."""
        return await self._histories.run(lambda db: select_appended(db, wanted, after, count))

    async def tails(self) -> Mapping[str, int]:
        """See the contract."""
        return await self._histories.run(statements.select_tails)

    async def tail(self) -> Tail:
        """See the contract."""
        return await self._unit(lambda _, tail: tail)

    async def add_head(self, head: Head) -> None:
        """See the contract."""
        await self._unit(lambda db, _: insert_head(db, self._own, head))

    def subscribe(self, listener: Listener) -> None:
        """See the contract."""
        self._listeners.append((asyncio.get_running_loop(), listener))

    async def read_apart(self, work: Callable[[Connection], T]) -> T:
        """See the contract."""

        def snapshot(db: Connection) -> T:
            db.execute(self._engine.snapshot)
            return work(db)

        return await asyncio.to_thread(self._apart, snapshot)

    async def write_apart(self, work: Callable[[Connection], T]) -> T:
        """See the contract. Where nobody else writes, the writer's own transaction is as good as any."""

        def steady(db: Connection) -> T:
            self._engine.begin_steady(db)
            result = work(db)
            db.execute("COMMIT")
            return result

        if self._engine.shared:
            return await asyncio.to_thread(self._apart, steady)
        return await self._unit(lambda db, _: work(db))

    async def probe(self) -> None:
        """See the contract."""
        value = secrets.token_hex(4)
        await self._unit(lambda db, _: db.execute(_PROBE, (value,)).rowcount)

    async def close(self) -> None:
        """See the contract."""
        await asyncio.to_thread(self.abandon)

    def abandon(self) -> None:
        """What `close` does, for a store that nobody has used yet."""
        self._writer.close()
        self._readers.close()
        self._histories.close()
        self._watches.close()
        self._engine.close()

    @property
    def shared(self) -> bool:
        """See the contract."""
        return self._engine.shared

    @property
    def failing(self) -> bool:
        """See the contract."""
        if self._writer.failing:
            return True
        try:
            self._engine.check()
        except self._engine.failures:
            return True
        return False

    def _apart(self, work: Callable[[Connection], T]) -> T:
        try:
            with contextlib.closing(self._engine.connect()) as db:
                return work(db)
        except self._engine.failures as error:
            raise AdjudicatorError(
                ErrorReason.STORE_UNAVAILABLE, f"the database {self._engine.name} failed: {error}"
            ) from error

    async def _unit(self, work: Callable[[Connection, Tail], T]) -> T:
        result: T = await self._writer.run(Unit(work))
        return result

    def _changed(self, approval_ids: frozenset[str] | None) -> None:
        for loop, listener in self._listeners:
            # A loop that has ended has nobody who could be told.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(listener, approval_ids)


def open_store(
    engine: Engine, public_key: bytes, known: Callable[[str], Head | None], now: datetime
) -> tuple[SqlStore, datetime | None]:
    """Open the database and bring it forward; the store, and the latest moment known to be recorded.

    `known` gives the last head that the owner of the key remembers for the database with that identity.
    On a database that several sidecars share, only what this one recorded counts for the latest moment:
    their clocks differ. Raises STORE_UNAVAILABLE; then nothing is held.
    """
    try:
        with contextlib.closing(engine.connect()) as db:
            migrate(engine, db, public_key, to_micros(now))
            engine.begin_alone(db)
            identity = _identity(engine, db)
            own = claim_writer(db, public_key, known(identity), to_micros(now))
            shared_key = claim_key(db) if engine.shared else None
            db.execute("COMMIT")
            latest = select_latest(db, own if engine.shared else None)
            store = SqlStore(engine, own, identity, shared_key)
    except engine.failures as error:
        engine.close()
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE, f"the database {engine.name} cannot be used: {error}"
        ) from error
    except BaseException:
        engine.close()
        raise
    return store, from_micros(latest) if latest is not None else None


def _identity(engine: Engine, db: Connection) -> str:
    """The random id of the database, by which its heads are found. Raises STORE_UNAVAILABLE without one."""
    identity = select_identity(db)
    if not identity:
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE,
            f"{engine.name} has no identity: it is another program's, or was changed by somebody; "
            "see adjudicator trace verify",
        )
    return identity
