"""What is archived is gone from the database, and both can still be verified, each and together."""

import asyncio
import json
import shutil
from datetime import UTC, datetime, timedelta

import pytest
from adjudicator.app import archiving
from adjudicator.app.archiving import archive
from adjudicator.config.settings import Settings
from adjudicator.domain.approval import ApprovalState
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.domain.trace import Element, ElementKind, TraceKind
from adjudicator.storage.contract import CallKey, Change, InFlow, TraceFilter
from ledgers import attack, faults, rechain, verified, written
from opened import data_folder, open_sqlite
from records import NOW, a_trace

DAY = timedelta(days=1)
LATER = 40  # days between the two halves of a past


@pytest.fixture
def data(tmp_path):
    """A data folder whose database has calls of two moments, and the key that signs."""
    folder = data_folder(tmp_path / "data")
    written(folder / "adjudicator.db", 12)
    written(folder / "adjudicator.db", 12, start=13, days=LATER)
    return folder


def settings(data):
    """Those of a sidecar with that data folder."""
    return Settings(data=data)


def database(data):
    """Its database."""
    return settings(data).database_path


def archived(data, moment=NOW + LATER * DAY, to=None):
    """Archive what is older than the moment; what was moved."""
    age = datetime.now(UTC) - moment
    return archive(settings(data), age, to or data.parent / "archive", lambda *_: None)


def files(data):
    """The archives."""
    return tuple(sorted((data.parent / "archive").glob("*.jsonl")))


def test_what_is_old_and_over_goes_whole(data):
    """Both halves are sound, alone and joined; what is pending stays, and so do the younger ones."""
    moved = archived(data)
    assert moved["traces"] == 9
    assert faults(verified(database(data))) == []
    report = verified(database(data), archives=files(data))
    assert faults(report) == []
    assert report["writers"][0]["first"] == 22
    assert report["writers"][0]["kept"] == 3
    (file,) = files(data)
    archive_report = verified(file)
    assert faults(archive_report) == []
    assert (archive_report["records"], archive_report["traces"]) == (21, 9)
    assert archive_report["writers"][0]["signed_up_to"] == 21

    async def read():
        store, _ = open_sqlite(database(data))
        numbers = [trace.number for trace in await store.traces(TraceFilter(), None, 100)]
        waiting = await store.trace(3)
        opened = await store.open_trace(a_trace(99))
        await store.close()
        return numbers, waiting, opened

    numbers, waiting, opened = asyncio.run(read())
    assert numbers == [*range(24, 12, -1), 11, 7, 3]
    assert len(waiting.elements) == 3
    assert opened == 25
    assert faults(verified(database(data), archives=files(data))) == []


def test_an_archive_after_an_archive_takes_what_stayed_before(data):
    """Each goes on where the one before ended; nothing is left but what is open and the last record."""
    archived(data)

    async def resolve():
        store, _ = open_sqlite(database(data))
        at = NOW + LATER * DAY
        for number in (3, 7, 11):
            change = Change(at, ApprovalState.EXPIRED, finish=True)
            await store.change_call(number, lambda _, change=change: (change, None))
        await store.close()

    asyncio.run(resolve())
    moved = archived(data, NOW + (LATER + 1) * DAY)
    assert moved["traces"] == 11
    assert faults(verified(database(data), archives=files(data))) == []
    alone = verified(database(data), archives=files(data)[1:])
    assert alone["sound"]
    assert any("is in no archive given here" in note for note in alone["notes"])
    assert faults(verified(database(data), archives=files(data)[:1])) == [("archive", 44)]
    (second,) = files(data)[1:]
    assert faults(verified(second)) == []


def test_a_reader_of_positions_is_told_how_far_they_were_archived(data):
    """What changed up to there may be told by nothing any more."""
    archived(data)

    async def read():
        store, _ = open_sqlite(database(data))
        reached, last = await store.archived_position(), await store.last_position()
        left = {each.position for each in await store.events(0, 99)}
        await store.close()
        return reached, last, left

    reached, last, left = asyncio.run(read())
    assert 0 < reached <= last
    assert reached not in left


def test_numbers_of_archived_traces_are_given_to_nobody(data):
    """Also when the newest of them went."""
    with attack(database(data)) as db:
        db.execute(
            "DELETE FROM records WHERE sequence > 1"
        )  # so that trace 2 has to be next, or is archived
        db.execute("DELETE FROM approvals")
        db.execute("DELETE FROM traces")
        db.execute("UPDATE counters SET value = 24 WHERE name = 'archived_trace'")

    async def more():
        store, _ = open_sqlite(database(data))
        number = await store.open_trace(a_trace(99, approval=None))
        await store.close()
        return number

    assert asyncio.run(more()) == 25


def test_nothing_that_is_not_sound_is_archived(data):
    """Or what was done to it would be blessed by the signature."""
    with attack(database(data)) as db:
        db.execute("UPDATE records SET body = '[]' WHERE sequence = 4")
    with pytest.raises(AdjudicatorError, match="record 4 of writer"):
        archived(data)
    assert files(data) == ()
    with attack(database(data)) as db:
        assert db.execute("SELECT count(*) FROM records").fetchone()[0] == 42
        assert db.execute("SELECT count(*) FROM archives").fetchone()[0] == 0


def test_a_row_that_was_changed_keeps_everything_where_it_is(data):
    """The tables go into the archive too, so they have to say what was recorded."""
    with attack(database(data)) as db:
        db.execute("UPDATE traces SET cause = '' WHERE number = 4")
    with pytest.raises(AdjudicatorError, match="trace 4"):
        archived(data)
    assert files(data) == ()


def test_nothing_old_makes_no_file(data):
    """An archive of nothing is none."""
    assert archived(data, NOW - DAY) == {"file": "", "records": 0, "traces": 0}
    assert files(data) == ()


def test_the_last_record_stays(data):
    """However old it is: the chain goes on behind it."""
    archived(data, NOW + 99 * DAY)
    report = verified(database(data), archives=files(data))
    assert faults(report) == []
    assert (report["writers"][0]["first"], report["writers"][0]["last"]) == (42, 42)


def test_a_sidecar_that_holds_the_database_is_named(data):
    """It is not archived under its feet."""

    async def attempt():
        store, _ = open_sqlite(database(data))
        try:
            with pytest.raises(AdjudicatorError, match="holds it"):
                archived(data)
        finally:
            await store.close()

    asyncio.run(attempt())


def test_without_the_key_nothing_is_archived(data):
    """A new key signs for no chain of the old one, and none is made here."""
    (data / "signing.key").unlink()
    with pytest.raises(AdjudicatorError, match="signing"):
        archived(data)
    assert not (data / "signing.key").exists()


def test_an_archive_is_written_again_when_it_was_interrupted(data, monkeypatch):
    """The file is on disk before anything goes; without the rest the next run does it all."""
    monkeypatch.setattr(archiving, "pieces", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        archived(data)
    monkeypatch.undo()
    assert len(files(data)) == 1
    assert faults(verified(database(data))) == []
    archived(data)
    assert len(files(data)) == 2
    for file in files(data):
        assert faults(verified(database(data), archives=(file,))) == []


def test_pieces_end_wherever_they_do(data, monkeypatch):
    """After each of them the database is sound, and the file has what it goes on behind."""
    seen = []

    def looked_at(plan, size):
        for ends in pieces(plan, size):
            yield ends
            copy = data.parent / f"{len(seen)}.db"
            shutil.copyfile(database(data), copy)
            wal = database(data).with_name("adjudicator.db-wal")
            if wal.exists():
                shutil.copyfile(wal, f"{copy}-wal")
            seen.append(copy)

    pieces = archiving.pieces
    monkeypatch.setattr(archiving, "pieces", looked_at)
    monkeypatch.setattr(archiving, "_PIECE", 2)
    assert archived(data)["traces"] == 9
    assert len(seen) == 11
    for copy in seen:
        assert faults(verified(copy, archives=files(data))) == []


ATTACKS = {
    "end": "UPDATE archives SET sequence = sequence - 1",
    "hash": "UPDATE archives SET hash = zeroblob(32)",
    "kept": "UPDATE archives SET kept = zeroblob(32)",
    "signature": "UPDATE archives SET signature = zeroblob(64)",
    "gone": "DELETE FROM archives",
    "kept record": "UPDATE records SET recorded_at = recorded_at + 1 WHERE trace = 3",
    "kept record gone": "DELETE FROM records WHERE trace = 3",
    "first": "DELETE FROM records WHERE sequence = 22",
}


@pytest.mark.parametrize("name", ATTACKS)
def test_what_is_done_to_the_joint_is_found(data, name):
    """To the end of the archive, to what stayed behind it, and to what follows."""
    archived(data)
    with attack(database(data)) as db:
        db.execute(ATTACKS[name])
    assert faults(verified(database(data)))


def test_another_archive_does_not_fit(data):
    """The joint is by hash, not by number."""
    archived(data)
    (file,) = files(data)
    other = data_folder(data.parent / "other")
    written(other / "adjudicator.db", 12)
    with attack(database(other)) as db:
        (name,) = db.execute("SELECT name FROM writers").fetchone()
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert lines[0]["writers"][0]["writer"] != name
    written(other / "adjudicator.db", 12, start=13, days=LATER)
    archived(other, to=data.parent / "others")
    (wrong,) = (data.parent / "others").glob("*.jsonl")
    assert faults(verified(database(data), archives=(wrong,))) == [("archive", 21)]


def test_a_flow_goes_with_all_its_calls_or_not_at_all(data):
    """One call that is young keeps the flow and every other call of it."""

    async def flows():
        store, _ = open_sqlite(database(data))
        element = Element(ElementKind.INPUT_CONTEXT, {}, NOW + 50 * DAY)
        numbers = []
        for flow, days in (("f1", 50), ("f2", 90)):
            key = CallKey("studio", "s", flow, kind=TraceKind.FLOW)
            at = NOW + 50 * DAY
            number = await store.open_trace(a_trace(0, key=key, opened_at=at, verdict=None, approval=None))
            numbers.append(number)
            for call, when in ((f"{flow}-a", 50), (f"{flow}-b", days)):
                new = a_trace(
                    0,
                    key=CallKey("studio", "s", call),
                    approval=None,
                    opened_at=NOW + when * DAY,
                    flow=InFlow(number, element),
                )
                numbers.append(await store.open_trace(new))
        await store.open_trace(a_trace(77, approval=None, opened_at=NOW + 95 * DAY))
        await store.close()
        return numbers

    numbers = asyncio.run(flows())
    archived(data, NOW + 60 * DAY)
    with attack(database(data)) as db:
        left = {row[0] for row in db.execute("SELECT number FROM traces").fetchall()}
    assert left & set(numbers) == set(numbers[3:])
    assert faults(verified(database(data), archives=files(data))) == []


def test_a_chain_that_was_rewritten_before_it_was_archived_is_not_the_one_of_the_heads(data):
    """The heads stay in the archive, each behind its record."""
    with attack(database(data)) as db:
        db.execute("UPDATE records SET recorded_at = recorded_at + 1 WHERE sequence = 4")
        rechain(db, 4)
    with pytest.raises(AdjudicatorError, match="not the record that its writer signed"):
        archived(data)
