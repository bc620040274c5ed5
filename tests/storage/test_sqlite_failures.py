"""A database that cannot be used, at its opening and later: nothing is answered that is not kept."""

import asyncio
import sqlite3

import pytest
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.trace import Element, ElementKind
from adjudicator.storage.contract import CallKey
from opened import open_sqlite
from records import NOW, a_trace


async def test_a_writer_whose_listener_fails_goes_on(sqlite_store):
    """A listener on a loop that is gone takes nothing down with it."""
    loop = asyncio.new_event_loop()
    loop.close()
    sqlite_store.subscribe(lambda _: None)
    sqlite_store._listeners[0] = (loop, sqlite_store._listeners[0][1])  # noqa: SLF001 - as if its loop had ended
    assert await sqlite_store.open_trace(a_trace(1)) == 1
    assert await sqlite_store.open_trace(a_trace(2)) == 2


async def test_a_closed_store_refuses_instead_of_waiting_for_ever(tmp_path):
    """What is asked after the end is told so."""
    store, _ = open_sqlite(tmp_path / "a.db")
    await store.close()
    with pytest.raises(AdjudicatorError) as caught:
        await asyncio.wait_for(store.open_trace(a_trace()), 5)
    assert caught.value.reason is ErrorReason.STORE_UNAVAILABLE


def test_what_cannot_be_opened_is_named_and_leaves_nothing_held(tmp_path):
    """A dangling link is refused by name; once it is gone the database opens."""
    path = tmp_path / "a.db"
    path.symlink_to(tmp_path / "nowhere" / "b.db")
    for _ in range(2):
        with pytest.raises(AdjudicatorError, match=r"a\.db cannot be used"):
            open_sqlite(path)
    path.unlink()
    store, _ = open_sqlite(path)
    store.abandon()


async def test_a_second_sidecar_on_the_same_database_is_refused_by_name(sqlite_store, tmp_path):
    """Two sidecars never share one SQLite database."""
    with pytest.raises(AdjudicatorError, match=r"a\.db cannot be used: another sidecar \(process \d+\)"):
        open_sqlite(tmp_path / "a.db")
    assert isinstance(await sqlite_store.open_trace(a_trace()), int)


def test_a_file_that_is_no_database_is_refused_by_name(tmp_path):
    """What is not ours is not overwritten."""
    (tmp_path / "a.db").write_bytes(b"precious text, not a database" * 100)
    with pytest.raises(AdjudicatorError, match=r"a\.db cannot be used: file is not a database"):
        open_sqlite(tmp_path / "a.db")
    assert (tmp_path / "a.db").read_bytes().startswith(b"precious")


def test_a_database_of_a_newer_sidecar_is_refused(tmp_path):
    """An older sidecar does not write into a schema that it does not know."""
    db = sqlite3.connect(tmp_path / "a.db")
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(AdjudicatorError, match="schema 99"):
        open_sqlite(tmp_path / "a.db")


def test_a_folder_that_cannot_be_made_is_refused_by_name(tmp_path):
    """A path through a file is named."""
    (tmp_path / "file").write_text("")
    with pytest.raises(AdjudicatorError, match="cannot be used"):
        open_sqlite(tmp_path / "file" / "a.db")


async def test_a_locked_database_fails_the_write_and_is_well_again_afterwards(tmp_path, monkeypatch):
    """While another process holds the write lock nothing is decided; afterwards it goes on."""
    monkeypatch.setattr("adjudicator.storage.sqlite._BUSY_SECONDS", 0.1)
    store, _ = open_sqlite(tmp_path / "a.db")
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(AdjudicatorError) as caught:
        await store.open_trace(a_trace())
    assert caught.value.reason is ErrorReason.STORE_UNAVAILABLE
    assert store.failing
    other.execute("ROLLBACK")
    other.close()
    await store.probe()
    assert not store.failing
    assert await store.open_trace(a_trace()) == 1
    await store.close()


async def test_a_full_disk_fails_the_write_and_keeps_what_was_answered(sqlite_store):
    """A page limit of the database stands for a full disk: SQLite answers both with SQLITE_FULL."""
    number = await sqlite_store.open_trace(a_trace())

    def limit(db, _):
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        return db.execute(f"PRAGMA max_page_count = {pages}").fetchone()

    await sqlite_store._unit(limit)  # noqa: SLF001 - the limit belongs to the writer's connection
    big = Element(ElementKind.PROPOSED_ACTION, {"x": "y" * 200_000}, NOW)
    with pytest.raises(AdjudicatorError) as caught:
        await sqlite_store.open_trace(a_trace(2, elements=(big,)))
    assert caught.value.reason is ErrorReason.STORE_UNAVAILABLE
    assert (await sqlite_store.trace(number)).number == number
    assert await sqlite_store.call(CallKey("studio", "s", "c2")) is None
    assert isinstance(await sqlite_store.open_trace(a_trace(3)), int)


def remove(path):
    """Unlink the database."""
    path.unlink()


def remove_log(path):
    """Unlink its log."""
    path.with_name(f"{path.name}-wal").unlink()


def replace_file(path):
    """Put another file in its place."""
    other = path.with_name("other.db")
    other.write_bytes(path.read_bytes())
    other.rename(path)


def give_another_name(path):
    """Make a hard link to it."""
    path.with_name("link.db").hardlink_to(path)


def remove_lock(path):
    """Unlink the lock, so that a second sidecar would find a free one."""
    path.with_name(f"{path.name}.lock").unlink()


@pytest.mark.parametrize("damage", [remove, remove_log, remove_lock, replace_file, give_another_name])
async def test_a_database_that_is_not_in_its_place_takes_no_more(sqlite_store, tmp_path, damage):
    """What would be written where nobody finds it again is not answered."""
    await sqlite_store.open_trace(a_trace(1))
    damage(tmp_path / "a.db")
    assert sqlite_store.failing
    for number in (2, 3):
        with pytest.raises(AdjudicatorError) as caught:
            await sqlite_store.open_trace(a_trace(number))
        assert caught.value.reason is ErrorReason.STORE_UNAVAILABLE
    assert not (tmp_path / "a.db").exists() or damage is not remove


@pytest.mark.parametrize("link", ["symlink_to", "hardlink_to"])
async def test_a_second_sidecar_by_another_name_is_refused(sqlite_store, tmp_path, link):
    """A link to the database is the database."""
    assert not sqlite_store.failing
    getattr(tmp_path / "b.db", link)(tmp_path / "a.db")
    with pytest.raises(AdjudicatorError, match=r"cannot be used"):
        open_sqlite(tmp_path / "b.db")
