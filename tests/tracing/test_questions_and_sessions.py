"""Whoever changes a question, an answer or the end of a session in the database is found out."""

import asyncio

import pytest
from adjudicator.config.private_files import publish_key
from ledgers import attack, faults, sign, verified
from opened import SIGNER, open_sqlite
from storage.test_questions import ANSWERED, a_question, the_end


@pytest.fixture
def ledger(tmp_path):
    """A database with an open question, an answered one and a closed session."""
    path = tmp_path / "a.db"

    async def write():
        store, _ = open_sqlite(path)
        publish_key(tmp_path / "signing.pub", SIGNER.public_key)
        for number in (1, 2):
            await store.open_trace(a_question(number))
        await store.change_call(2, lambda _: (ANSWERED, None))
        await store.open_trace(the_end())
        await sign(store, path)
        await store.close()

    asyncio.run(write())
    return path


def test_what_nobody_touched_is_sound(ledger):
    """Questions and sessions are traces like all others."""
    report = verified(ledger)
    assert faults(report) == []
    assert (report["records"], report["traces"], report["approvals"]) == (4, 3, 0)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE questions SET answer = replace(answer, 'ann', 'eve') WHERE trace = 2",
        'UPDATE questions SET answer = \'["user:eve","a","",1]\', state = \'answered\' WHERE trace = 1',
        "UPDATE questions SET state = 'open' WHERE trace = 2",
        "UPDATE questions SET terms = replace(terms, 'Which', 'What')",
        "UPDATE questions SET agent = 'designer'",
        "UPDATE questions SET expires_at = expires_at + 1",
        "UPDATE questions SET trace = 3 WHERE trace = 1",
        "DELETE FROM questions WHERE trace = 1",
        "DELETE FROM traces WHERE keyed = 5",
        "UPDATE traces SET session = 't' WHERE keyed = 5",
        "UPDATE traces SET keyed = 2 WHERE keyed = 5",
        "UPDATE traces SET keyed = 1 WHERE keyed = 4",
        "UPDATE counters SET value = 0 WHERE name = 'approval_position'",
    ],
)
def test_tables_that_do_not_say_what_was_recorded_are_found(ledger, sql):
    """A session that somebody opened again, an answer that nobody gave."""
    with attack(ledger) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute(sql)
    assert {fault for fault, _ in faults(verified(ledger))} == {"row"}
