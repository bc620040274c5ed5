"""Copies of a database, whole or torn: read without touching them, never taken for more than they are."""

import asyncio
import contextlib
import os
import shutil
import sqlite3
import struct
import subprocess
import threading

import pytest
from adjudicator.app.database_care import back_up, info
from adjudicator.config.settings import Settings
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.storage.sqlite_reading import reading
from ledgers import faults, sign, verified, written
from opened import open_sqlite
from records import a_trace
from running import running

READ = {"tool": "read", "arguments": {"path": "a"}, "working_directory": "/w"}


def photographed(folder):
    """Every file of a folder with its content and date."""
    return {
        each.name: (each.read_bytes(), each.stat().st_mtime_ns)
        for each in folder.iterdir()
        if each.is_file()
    }


@contextlib.contextmanager
def open_database(path):
    """A database that is open, with records that are in its log alone."""

    async def go_on():
        store, _ = open_sqlite(path)
        for number in range(100, 110):
            await store.open_trace(a_trace(number))
        await sign(store, path)
        return store

    store = asyncio.run(go_on())
    try:
        yield store
    finally:
        store.abandon()


def journal_that_names(victim, database):
    """A rollback journal of the database by which SQLite would remove the victim."""
    magic = bytes.fromhex("d9d505f920a163d7")
    size = int.from_bytes(database.read_bytes()[16:18], "big")
    pages = database.stat().st_size // size
    header = magic + struct.pack(">IIIII", 0, 1, pages, 512, size)
    name = str(victim).encode("ascii")
    end = struct.pack(">II", len(name), sum(name)) + magic
    return header.ljust(512, b"\0") + struct.pack(">I", (1 << 30) // size + 1) + name + end


@pytest.mark.parametrize("whose", ["wal", "none"])
def test_a_copy_from_anothers_hand_removes_no_file_of_ours(database, tmp_path, whose):
    """SQLite would remove what a journal names; a database of ours has none, so that it is refused."""
    victim = tmp_path / "victim"
    victim.write_text("ours")
    database.with_name("a.db-journal").write_bytes(journal_that_names(victim, database))
    if whose == "wal":
        database.with_name("a.db-wal").write_bytes(b"x")
    report = verified(database)
    assert faults(report) == [("unreadable", 0)]
    assert "a.db-journal" in report["findings"][0]["text"]
    with pytest.raises(AdjudicatorError, match="journal"):
        info(Settings(data=database.parent, database=str(database)))
    assert victim.read_text() == "ours"


def test_what_is_no_file_is_refused_at_once(database, tmp_path):
    """A pipe would be waited for, and a device may never end."""
    os.mkfifo(pipe := tmp_path / "pipe")
    assert faults(verified(pipe)) == [("unreadable", 0)]
    for given in ({"heads": (pipe,)}, {"keys": (pipe,)}, {"archives": (pipe,)}):
        with pytest.raises(OSError, match="not a regular file"):
            verified(database, **given)
    lock = database.with_name("a.db.lock")
    lock.unlink()
    os.mkfifo(lock)
    assert faults(verified(database)) == []


def test_a_huge_file_without_lines_does_not_fill_the_memory(database, tmp_path):
    """No line of an export, of a file of heads or of a key is as long."""
    huge = tmp_path / "huge"
    huge.write_text("{")
    os.truncate(huge, 1 << 36)
    assert faults(verified(huge)) == [("unreadable", 0)]
    for given in ({"heads": (huge,)}, {"keys": (huge,)}, {"archives": (huge,)}):
        with pytest.raises(OSError, match="huge"):
            verified(database, **given)


def test_a_database_in_use_is_read_beside_its_sidecar(database):
    """All that is committed is seen, and nothing in the folder changes by looking."""
    with open_database(database):
        before = photographed(database.parent)
        report = verified(database)
        after = photographed(database.parent)
    assert faults(report) == []
    assert report["records"] == 31
    assert after.keys() == before.keys()
    assert all(after[name] == before[name] for name in before if not name.endswith("-shm"))


def test_a_copy_with_its_log_is_read_whole_and_left_as_it_is(database, tmp_path):
    """No file appears beside it and none changes, although reading a log needs an index of it."""
    copy = tmp_path / "copy"
    copy.mkdir()
    with open_database(database):
        for file in (database, database.with_name("a.db-wal")):
            shutil.copy2(file, copy)
    before = photographed(copy)
    report = verified(copy / "a.db")
    assert faults(report) == []
    assert report["records"] == 31
    assert photographed(copy) == before


def test_a_copy_without_its_log_is_what_was_in_the_file(database, tmp_path):
    """It is sound and has less; the heads of the sidecar know how much less."""
    copy = tmp_path / "b.db"
    with open_database(database):
        shutil.copy2(database, copy)
    heads = tuple(database.parent.glob("heads-*.jsonl"))
    assert verified(copy)["records"] == 21
    assert faults(verified(copy)) == []
    assert faults(verified(copy, heads=heads)) == [("cut tail", 22)]


def test_a_folder_that_nobody_may_write_to_is_enough(database):
    """As a backup that is mounted to be read."""
    database.parent.chmod(0o500)
    database.chmod(0o400)
    try:
        assert faults(verified(database)) == []
    finally:
        database.parent.chmod(0o700)


def test_after_a_crash_the_log_is_read_too(database, tmp_path):
    """A database that nobody closed, in its own folder; a later start still finds its log."""
    crashed = tmp_path / "crashed"
    with open_database(database):
        shutil.copytree(database.parent, crashed)
    before = photographed(crashed)
    assert verified(crashed / "a.db")["records"] == 31
    assert photographed(crashed) == before


def test_a_file_that_changes_while_it_is_read_is_no_answer(database):
    """What was read might be of two moments."""
    with pytest.raises(AdjudicatorError, match="was changed"), reading(database):
        os.utime(database)


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "empty"), (b"hello" * 1000, "neither"), (b"SQLite format 3\x00" + b"\x00" * 4080, "")],
)
def test_a_file_that_is_no_database_is_a_finding(tmp_path, content, said):
    """In words, whatever it is."""
    file = tmp_path / "a.db"
    file.write_bytes(content)
    report = verified(file)
    assert faults(report)[0][0] in ("unreadable", "schema")
    assert said in report["findings"][0]["text"]


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.99])
def test_a_file_that_was_cut_off_is_a_finding(database, part):
    """A copy that did not come to its end."""
    whole = database.read_bytes()
    database.write_bytes(whole[: int(len(whole) * part)])
    assert faults(verified(database))


def test_another_program_s_database_and_a_newer_one_are_findings(database, tmp_path):
    """They say what they are."""
    other = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(other)) as db:
        db.execute("CREATE TABLE t (a)")
    assert "another program's" in verified(other)["findings"][0]["text"]
    with contextlib.closing(sqlite3.connect(database)) as db:
        db.execute("PRAGMA user_version = 99")
    assert "a newer version" in verified(database)["findings"][0]["text"]


def test_copies_of_a_database_under_load_are_sound_or_say_that_they_are_not(tmp_path):
    """File by file, in either order, with and without the log; the live one is sound at every moment."""
    with running(tmp_path / "data") as sidecar:
        stop = threading.Event()

        def load():
            while not stop.is_set():
                sidecar.judge(**READ)

        callers = [threading.Thread(target=load) for _ in range(4)]
        for each in callers:
            each.start()
        reports = []
        try:
            for number in range(12):
                copy = tmp_path / f"{number}.db"
                suffixes = [("",), ("", "-wal"), ("-wal", "")][number % 3]
                for suffix in suffixes:
                    shutil.copyfile(f"{sidecar.data / 'adjudicator.db'}{suffix}", f"{copy}{suffix}")
                reports.append(verified(copy))
                live = verified(sidecar.data / "adjudicator.db")
                assert faults(live) == []
                assert live["writers"][0]["trusted"]
            told = info(Settings(data=sidecar.data))
            report = back_up(Settings(data=sidecar.data), tmp_path / "backup.db", lambda *_: None)
        finally:
            stop.set()
            for each in callers:
                each.join()
    assert told["in_use"]
    assert report["sound"]
    assert report["records"] >= told["traces"]
    assert all(each["sound"] or each["findings"] for each in reports)
    assert faults(verified(tmp_path / "backup.db")) == []


def test_a_backup_is_a_database_to_go_on_with(tmp_path):
    """It opens, has everything, and a new chain begins in it beside the one that went on without it."""
    database = written(tmp_path / "adjudicator.db")
    backup = tmp_path / "elsewhere" / "adjudicator.db"
    backup.parent.mkdir(mode=0o700)
    back_up(Settings(data=tmp_path, database=str(database)), backup, lambda *_: None)
    written(database, 4, start=13)
    heads = tuple(tmp_path.glob("heads-*.jsonl"))
    assert faults(verified(backup, heads=heads)) == [("cut tail", 22)]
    shutil.copy(backup, database)
    for each in tmp_path.glob("adjudicator.db-*"):
        each.unlink()
    written(database, 4, start=13)
    found = verified(database)
    assert len(found["writers"]) == 2
    assert faults(found) == [("cut tail", 22)]
    assert faults(verified(database, look_for_heads=False)) == []


def test_a_backup_replaces_nothing_and_leaves_nothing_behind(tmp_path):
    """Not a file that is there, and not what is not sound."""
    database = written(tmp_path / "adjudicator.db")
    settings = Settings(data=tmp_path, database=str(database))
    (tmp_path / "there").write_text("mine")
    with pytest.raises(AdjudicatorError, match="there already"):
        back_up(settings, tmp_path / "there", lambda *_: None)
    assert (tmp_path / "there").read_text() == "mine"
    subprocess.run(["sqlite3", database, "DROP TRIGGER heads_never_delete; DELETE FROM heads"], check=True)
    with pytest.raises(AdjudicatorError, match="not sound"):
        back_up(settings, tmp_path / "new.db", lambda *_: None)
    assert not (tmp_path / "new.db").exists()
    assert list(tmp_path.glob(".new*")) == []
