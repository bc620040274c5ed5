"""Databases with a past, changed as whoever can write to the files would, and what verification says."""

import asyncio
import contextlib
import sqlite3
from dataclasses import replace
from datetime import timedelta

from adjudicator.app.verification import Inquiry, verify
from adjudicator.config.private_files import publish_key
from adjudicator.domain.approval import ApprovalState, Decision, Vote
from adjudicator.domain.record import Writer, genesis, link
from adjudicator.domain.trace import Element, ElementKind
from adjudicator.domain.verdict import Outcome
from adjudicator.storage.contract import Change
from adjudicator.tracing.head_file import HeadFile
from opened import SIGNER, open_sqlite
from records import NOW, VERDICT, a_trace, an_approval

# Without what no record covers, because nothing is decided by it; docs/traces.md names it.
BOOKKEEPING = {"writers": "name, public_key", "counters": "name"}
TABLES = ("writers", "records", "heads", "archives", "traces", "approvals", "counters")
APPROVALS = "id, trace, tenant, tool, terms, view, created_at, expires_at, state, votes, changed_at"


async def write(path, traces=12, *, every=8, start=1, days=0, tail=True):
    """Record calls of all kinds, sign the head after so many of them, and at the end if `tail`."""
    store, _ = open_sqlite(path, lambda identity: HeadFile(path.parent, identity).last())
    publish_key(path.parent / "signing.pub", SIGNER.public_key)
    at = NOW + timedelta(days=days)
    for number in range(start, start + traces):
        await _call(store, number, at + timedelta(seconds=number))
        if number % every == 0:
            await sign(store, path)
    if tail:
        await sign(store, path)
    await store.close()
    return store.identity


async def _call(store, number, at):
    kind = number % 4
    if kind == 0:
        await store.open_trace(a_trace(number, opened_at=at, approval=None, finish=True))
        return
    asked = a_trace(number, opened_at=at, approval=an_approval(number, created_at=at, changed_at=at))
    trace = await store.open_trace(asked)
    decision, state = (
        (Decision.DENY, ApprovalState.DENIED) if kind == 1 else (Decision.APPROVE, ApprovalState.APPROVED)
    )
    if kind == 3:  # stays pending
        return
    vote = Vote("user:ann", decision, "because", at)
    voted = (Element(ElementKind.APPROVAL, {"event": "voted"}, at),)
    await store.change_call(trace, lambda _: (Change(at, state, vote, voted, finish=kind == 1), None))
    if kind == 2:
        allowed = replace(VERDICT, outcome=Outcome.ALLOW)
        ran = Element(ElementKind.RESULT, {"status": "succeeded"}, at)
        used = Change(at, ApprovalState.CONSUMED, verdict=allowed, closing=(ran,), finish=True)
        await store.change_call(trace, lambda _: (used, None))


async def sign(store, path):
    """As the sidecar does every few seconds."""
    head = SIGNER.head(store.writer, await store.tail(), 1)
    await store.add_head(head)
    HeadFile(path.parent, store.identity).append(head)


def written(path, *args, **options):
    """`write`, for tests that are not asynchronous; the path."""
    asyncio.run(write(path, *args, **options))
    return path


@contextlib.contextmanager
def attack(path):
    """A connection on which nothing is refused; the triggers are back afterwards."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        triggers = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        yield db
        for _, sql in triggers:
            db.execute(sql)


def rechain(db, first):
    """Make the hashes of the first writer's records right again from one record on."""
    (name, key) = db.execute("SELECT name, public_key FROM writers WHERE number = 1").fetchone()
    row = db.execute(
        "SELECT hash FROM records WHERE writer = 1 AND sequence < ? ORDER BY sequence DESC", (first,)
    )
    previous = (row.fetchone() or (genesis(Writer(name, key)),))[0]
    columns = "sequence, trace, place, recorded_at, body, state"
    sql = f"SELECT {columns} FROM records WHERE writer = 1 AND sequence >= ? ORDER BY sequence"  # noqa: S608 - ours
    for *numbers, body, state in db.execute(sql, (first,)).fetchall():
        previous = link(previous, state, name, tuple(numbers), body)
        db.execute("UPDATE records SET hash = ? WHERE writer = 1 AND sequence = ?", (previous, numbers[0]))


def verified(path, **options):
    """What verification says of a file."""
    return verify(Inquiry(path, **options), lambda *_: None)


def faults(report):
    """What is wrong, and with which record."""
    assert report["sound"] is not bool(report["findings"])
    return [(each["fault"], each["sequence"]) for each in report["findings"]]


def recorded(path):
    """Everything that readers see of what was recorded; an exception where it cannot be read."""
    uri = f"file:{path}?mode=ro&immutable=1"
    columns = BOOKKEEPING | {"approvals": APPROVALS}
    source = {"writers": "writers WHERE number IN (SELECT writer FROM records)"}  # others have said nothing
    with contextlib.closing(sqlite3.connect(uri, uri=True)) as db:
        db.text_factory = bytes
        return {
            table: sorted(_rows(db, columns.get(table, "*"), source.get(table, table))) for table in TABLES
        }


def _rows(db, columns, source):
    return db.execute(f"SELECT {columns} FROM {source}").fetchall()  # noqa: S608 - names of ours
