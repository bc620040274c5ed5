"""A PostgreSQL database with several writers: verified, exported and archived like a file."""

import asyncio
import contextlib
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from adjudicator.app.archiving import archive
from adjudicator.app.database import readable
from adjudicator.app.exporting import export
from adjudicator.app.verification import Inquiry, verify
from adjudicator.config.private_files import publish_key
from adjudicator.config.settings import Settings
from adjudicator.domain.approval import ApprovalState
from adjudicator.storage.contract import Change
from adjudicator.tracing.head_file import HeadFile
from ledgers import faults, verified
from opened import OTHER_SIGNER, SIGNER, data_folder, open_postgres
from records import NOW, a_trace


@pytest.fixture
def settings(tmp_path, postgres_url):
    """A sidecar's settings for a shared database with records of two writers, one call touched by both."""
    data = data_folder(tmp_path / "data")
    publish_key(data / "signing.pub", SIGNER.public_key)
    asyncio.run(_write(postgres_url, data))
    return Settings(data=data, database=postgres_url)


async def _write(url, data):
    one, _ = open_postgres(url)
    other, _ = open_postgres(url, OTHER_SIGNER)
    for number in range(1, 9):
        store = one if number % 2 else other
        await store.open_trace(a_trace(number, approval=None))
    await one.open_trace(a_trace(20))
    gone = Change(NOW, ApprovalState.EXPIRED, finish=True)
    await other.change_approval("apr-20", lambda _: (gone, None))
    await one.open_trace(a_trace(21))
    later = NOW + timedelta(days=40)
    for number in (30, 31):
        await one.open_trace(a_trace(number, approval=None, opened_at=later))
    for store, signer in ((one, SIGNER), (other, OTHER_SIGNER)):
        head = signer.head(store.writer, await store.tail(), 1)
        await store.add_head(head)
        if store is one:
            HeadFile(data, store.identity).append(head)
        await store.close()


def checked(settings, **options):
    """What verification says of the shared database."""
    return verify(Inquiry(readable(settings), settings.data, **options), lambda *_: None)


def tamper(settings, *statements):
    """As somebody who has the database's password; the guards are switched off meanwhile."""
    with contextlib.closing(psycopg.connect(settings.database, autocommit=True)) as db:
        db.execute("SET session_replication_role = replica")
        for each in statements:
            db.execute(each)


def test_both_chains_are_sound_and_each_says_whose_it_is(settings):
    """Only the key of this data folder is trusted; the other is known from the database."""
    report = checked(settings)
    assert faults(report) == []
    assert (report["records"], report["traces"]) == (13, 12)
    assert [each["trusted"] for each in report["writers"]] == [True, False]


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("UPDATE records SET body = '[]' WHERE writer = 2 AND sequence = 2", ("edited", 2)),
        ("DELETE FROM records WHERE writer = 1 AND sequence = 3", ("missing", 3)),
        ("DELETE FROM records WHERE writer = 1 AND sequence > 6", ("cut tail", 7)),
        ("DELETE FROM writers WHERE number = 2", ("missing", 0)),
        ("UPDATE traces SET outcome = 'ALLOW' WHERE number = 2", ("row", 0)),
        ("UPDATE approvals SET state = 'approved' WHERE id = 'apr-21'", ("row", 0)),
        ("DROP TRIGGER records_never_update ON records", ("schema", 0)),
        ("ALTER TABLE heads DISABLE TRIGGER heads_never_delete", ("schema", 0)),
    ],
)
def test_what_was_done_to_it_is_named(settings, statement, fault):
    """As in a file."""
    tamper(settings, statement)
    assert fault in faults(checked(settings))


def test_an_export_of_it_is_sound_by_itself(settings, tmp_path):
    """With both chains."""
    file = tmp_path / "all.jsonl"
    said = export(readable(settings), file, progress=lambda *_: None)
    assert (said["records"], said["heads"]) == (13, 2)
    report = verified(file)
    assert faults(report) == []
    assert len(report["writers"]) == 2


def test_a_sidecar_archives_its_own_chain(settings, tmp_path):
    """What another one wrote to stays, and so do the calls that both touched."""
    age = datetime.now(UTC) - (NOW + timedelta(days=20))
    moved = archive(settings, age, tmp_path / "archive", lambda *_: None)
    assert (moved["records"], moved["traces"]) == (4, 4)
    (file,) = (tmp_path / "archive").iterdir()
    assert faults(verified(file)) == []
    report = checked(settings, archives=(file,))
    assert faults(report) == []
    assert [(each["first"], each["kept"]) for each in report["writers"]] == [(7, 2), (1, 0)]
    tamper(settings, "UPDATE records SET recorded_at = 1 WHERE writer = 1 AND sequence = 5")
    assert ("edited", 6) in faults(checked(settings))


def test_an_empty_one_is_a_finding(tmp_path, postgres_url):
    """There is nothing in it to be sound."""
    report = checked(Settings(data=tmp_path, database=postgres_url))
    assert faults(report) == [("schema", 0)]
