"""A database of schema 1 opens with everything that it had, and what was open in it goes on."""

import asyncio
import contextlib
import json
import sqlite3
from pathlib import Path

import pytest
from adjudicator.domain.approval import ApprovalState
from adjudicator.domain.micros import from_micros
from adjudicator.domain.verdict import Cause, Outcome
from adjudicator.storage.contract import ApprovalFilter, CallKey, TraceFilter
from ledgers import faults, verified
from opened import open_sqlite
from service.stage import Stage

DUMP = (Path(__file__).parent / "schema_1.sql").read_text()


@pytest.fixture
def earlier():
    """The database as it was, in memory."""
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.row_factory = sqlite3.Row
        db.executescript(DUMP)
        yield db


@pytest.fixture
def database(tmp_path):
    """The database as it was, in a file."""
    path = tmp_path / "a.db"
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(DUMP)
    return path


@pytest.fixture
async def store(database):
    """The same, opened by today's code."""
    opened, _ = open_sqlite(database)
    yield opened
    await opened.close()


async def test_every_trace_has_the_elements_that_it_had(earlier, store):
    """In their order, each with its kind, its moment and its body; and everything else of a trace."""
    rows = earlier.execute("SELECT * FROM traces ORDER BY number").fetchall()
    assert len(rows) == 12
    for row in rows:
        trace = await store.trace(row["number"])
        for name in ("tenant", "session", "agent", "tool"):
            assert getattr(trace, name) == row[name]
        assert trace.opened_at == from_micros(row["opened_at"])
        finished = row["finished_at"]
        assert trace.finished_at == (from_micros(finished) if finished is not None else None)
        elements = earlier.execute(
            "SELECT kind, recorded_at, body FROM elements WHERE trace = ? ORDER BY sequence",
            (row["number"],),
        ).fetchall()
        assert [(each.kind.value, each.recorded_at, each.body) for each in trace.elements] == [
            (kind, from_micros(at), json.loads(body)) for kind, at, body in elements
        ]
    assert len(await store.traces(TraceFilter(), None, 100)) == 12


async def test_every_approval_has_its_terms_votes_and_positions(earlier, store):
    """A watcher that resumes from its cursor misses nothing and repeats nothing."""
    rows = earlier.execute("SELECT * FROM approvals ORDER BY position").fetchall()
    assert {row["state"] for row in rows} >= {"pending", "approved", "consumed", "denied", "expired"}
    events = await store.events(0, 100)
    assert [(each.position, each.approval.id) for each in events] == [
        (row["position"], row["id"]) for row in rows
    ]
    for row, approval in zip(rows, (each.approval for each in events), strict=True):
        assert approval.state.value == row["state"]
        assert (approval.view_json, approval.trace_number) == (row["view"], row["trace"])
        assert approval.digest.hex() == json.loads(row["terms"])["digest"]
        assert approval.expires_at == from_micros(row["expires_at"])
        votes = earlier.execute(
            "SELECT actor, decision, reason, voted_at FROM votes WHERE approval = ? ORDER BY voted_at",
            (row["id"],),
        ).fetchall()
        assert [
            (each.actor, each.decision.value, each.reason, each.voted_at) for each in approval.votes
        ] == [(actor, decision, reason, from_micros(at)) for actor, decision, reason, at in votes]
    counted = earlier.execute("SELECT value FROM counters").fetchone()[0]
    assert await store.last_position() == counted


async def test_every_call_key_is_still_taken(earlier, store):
    """By the trace that had it."""
    for row in earlier.execute("SELECT * FROM traces WHERE keyed = 1").fetchall():
        found = await store.call(CallKey(row["tenant"], row["session"], row["call_id"]))
        assert found.trace.number == row["number"]
        assert found.digest == row["digest"]


async def test_what_was_pending_is_decided_and_used_after_the_migration(database, tmp_path):
    """The same call under the same key, approved now, runs once; half a quorum is still half of it."""
    with contextlib.closing(sqlite3.connect(database)) as db:
        key = {
            row[0]: row[1]
            for row in db.execute("SELECT call_id, id FROM approvals JOIN traces ON trace = number")
        }
    stage = await Stage.set_up(tmp_path)
    stage.clock.forward(30)
    pending = {each.id: each for each in await stage.store.pending(ApprovalFilter(), 0, None, 10)}
    assert set(pending) == {key["pending"], key["half"]}
    call = {
        "arguments_json": '{"path":"/ü","n":[1,2.5,null]}',
        "session": "s1",
        "principal": "user:zoe",
        "on_behalf_of": ("designer",),
    }
    assert (await stage.judge("pending", **call)).outcome is Outcome.ASK
    await stage.vote(key["pending"])
    allowed = await stage.judge("pending", **call)
    assert (allowed.outcome, allowed.replayed) == (Outcome.ALLOW, False)
    assert (await stage.judge("pending", **call)).replayed
    receipt = await stage.vote(key["half"], actor="user:ann")
    assert not receipt.code.accepted
    await stage.vote(key["half"], actor="user:bob")
    assert (await stage.judge("half", tool="deploy")).outcome is Outcome.ALLOW
    assert (await stage.judge("ready")).outcome is Outcome.ALLOW
    assert (await stage.judge("expired")).cause is Cause.APPROVAL_EXPIRED
    assert (await stage.store.approval(key["refused"])).state is ApprovalState.DENIED
    assert (await stage.judge("used", arguments_json='{"path":"/c"}')).cause is Cause.CALL_ID_REUSED
    await stage.store.close()
    assert faults(verified(database)) == []


def test_verification_is_content_with_a_database_that_was_brought_forward(database):
    """Before, it says what there is to do."""
    assert "db migrate" in verified(database)["findings"][0]["text"]

    async def once():
        opened, _ = open_sqlite(database)
        await opened.close()

    asyncio.run(once())
    report = verified(database)
    assert faults(report) == []
    assert (report["records"], report["traces"]) == (12, 12)
