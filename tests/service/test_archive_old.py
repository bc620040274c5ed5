"""What is old goes to a file while the sidecar serves, and nobody who asks notices."""

import asyncio
import contextlib
import threading
from datetime import timedelta

import pytest
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.service.archive_old import ArchiveOld
from adjudicator.tracing.archive import Archive
from ledgers import attack, faults, verified, write
from opened import SIGNER, open_sqlite
from records import NOW, a_trace
from running import Running, until
from service.stage import HandClock

READ = {"tool": "read", "arguments": {"path": "a"}, "working_directory": "/w"}


@pytest.fixture
async def store(tmp_path):
    """A store with records of two moments, forty days apart."""
    await write(tmp_path / "a.db", 12)
    await write(tmp_path / "a.db", 12, start=13, days=40)
    opened, _ = open_sqlite(tmp_path / "a.db")
    yield opened
    await opened.close()


def duty(store, tmp_path):
    """What archives, at a moment thirty days after the later half."""
    clock = HandClock()
    clock.time = NOW + timedelta(days=70)
    (tmp_path / "archive").mkdir(mode=0o700, exist_ok=True)
    return ArchiveOld(store, SIGNER, clock, timedelta(days=45), tmp_path / "archive")


async def test_what_is_old_goes_while_calls_come(store, tmp_path):
    """Calls that are opened meanwhile are on record, and everything is sound beside the running store."""
    opened = [store.open_trace(a_trace(number, approval=None)) for number in range(100, 150)]
    moved, *numbers = await asyncio.gather(duty(store, tmp_path).archive(), *opened)
    assert moved.traces == 9
    assert sorted(numbers) == list(range(25, 75))
    files = tuple((tmp_path / "archive").iterdir())
    report = verified(tmp_path / "a.db", archives=files)
    assert faults(report) == []
    assert report["writers"][0]["kept"] == 3
    assert (await duty(store, tmp_path).archive()).traces == 0


async def test_what_is_not_sound_stays_and_the_duty_goes_on(store, tmp_path):
    """It is an error in the log, and no end of the duty."""
    with attack(tmp_path / "a.db") as db:
        db.execute("UPDATE records SET body = '[]' WHERE sequence = 4")
    archiving = duty(store, tmp_path)
    with pytest.raises(AdjudicatorError, match="record 4"):
        await archiving.archive()
    task = asyncio.create_task(archiving.run())
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(asyncio.shield(task), 1)
    task.cancel()
    assert list((tmp_path / "archive").iterdir()) == []


async def test_a_folder_that_cannot_be_written_is_named(store, tmp_path):
    """Nothing is removed."""
    archiving = duty(store, tmp_path)
    (tmp_path / "archive").rmdir()
    with pytest.raises(AdjudicatorError, match=r"archive-.* cannot be written"):
        await archiving.archive()
    assert (await store.trace(1)) is not None


async def test_a_stop_ends_the_writing_of_an_archive(store, tmp_path, monkeypatch):
    """The thread does not go on for long behind it, and leaves no file."""
    reached, go = threading.Event(), threading.Event()
    whole = Archive.lines

    def slow(self, db, plan):
        for line in whole(self, db, plan):
            reached.set()
            go.wait(10)
            yield line

    monkeypatch.setattr(Archive, "lines", slow)
    task = asyncio.create_task(duty(store, tmp_path).archive())
    await asyncio.to_thread(reached.wait)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    go.set()
    await asyncio.to_thread(until, lambda: list((tmp_path / "archive").iterdir()) == [])


def test_a_sidecar_archives_by_itself(tmp_path):
    """From its start on, for as long as it is told to; both parts are sound together."""
    sidecar = Running(tmp_path / "data").start()
    for number in range(20):
        sidecar.judge(**READ, call_id=f"c{number}")
    sidecar.stop()
    sidecar.extra = ("--archive-after", "1s", "--archive-to", str(tmp_path / "archive"))
    threading.Event().wait(1.2)
    sidecar.start()
    until(lambda: any(each["event"] == "archived what is old" for each in sidecar.records()))
    assert sidecar.judge(**READ, call_id="later").trace_number == 21
    sidecar.stop()
    (file,) = (tmp_path / "archive").iterdir()
    report = verified(sidecar.data / "adjudicator.db", archives=(file,))
    assert faults(report) == []
    assert report["writers"][0]["first"] > 1
