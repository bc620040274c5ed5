"""Watchers of traces: exactly once, in order, through restarts, slowness and other writers."""

import asyncio
import contextlib
import sqlite3
from dataclasses import replace

import pytest
from adjudicator.config.limits import Limits
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.verdict import Outcome
from adjudicator.service import watch_traces
from adjudicator.service.waits import Waits
from adjudicator.service.watch import Heartbeat, Resync
from adjudicator.service.watch_traces import WatchTraces
from adjudicator.storage.contract import Appended, TraceFilter
from opened import open_sqlite
from records import a_trace
from service.stage import Stage

ALL = TraceFilter()


async def first(watching):
    """The cursor of the heartbeat with which a watch begins."""
    cursor, event = await asyncio.wait_for(anext(watching), 5)
    assert isinstance(event, Heartbeat)
    return cursor


async def records(watching, count):
    """The next records, with the last cursor."""
    found, cursor = [], ""
    while len(found) < count:
        cursor, event = await asyncio.wait_for(anext(watching), 5)
        if not isinstance(event, Heartbeat):
            found.append(event)
    return found, cursor


def sequences(found):
    """The places in the chain."""
    return [each.record.sequence for each in found]


async def test_a_watch_begins_now_and_shows_each_record_as_it_comes(stage):
    """What was before is not shown; what comes is, with the trace that it went to."""
    await stage.judge("c-before")
    watching = stage.watch_traces(ALL, "")
    await first(watching)
    verdict = await stage.judge("c1")
    (event,), _ = await records(watching, 1)
    assert isinstance(event, Appended)
    assert (event.trace.number, event.trace.tool, event.finished) == (verdict.trace_number, "read", False)
    await stage.vote(verdict.approval_id)
    await stage.judge("c1")
    later, _ = await records(watching, 2)
    assert [each.record.place for each in later] == [2, 3]
    await watching.aclose()


async def test_a_cursor_goes_on_where_it_stands(stage):
    """From the middle of a part as well, and through a filter that hid what was between."""
    watching = stage.watch_traces(TraceFilter(tool="write"), "")
    await first(watching)
    for number in range(6):
        await stage.judge(f"c{number}", tool="write" if number % 2 else "read")
    seen, cursor = await records(watching, 2)
    await watching.aclose()
    again = stage.watch_traces(TraceFilter(tool="write"), cursor)
    rest, _ = await records(again, 1)
    assert sequences(seen + rest) == [2, 4, 6]
    await again.aclose()


async def test_of_many_commits_two_watchers_see_every_record_once_in_order(stage):
    """One that reads at once and one that reads late hold nothing up and miss nothing."""
    prompt, late = stage.watch_traces(ALL, ""), stage.watch_traces(ALL, "")
    await first(prompt)
    await first(late)
    load = asyncio.gather(*(stage.judge(f"c{number}") for number in range(250)))
    seen, _ = await records(prompt, 250)
    await load
    assert sequences(seen) == list(range(1, 251))
    assert sequences((await records(late, 250))[0]) == list(range(1, 251))
    await prompt.aclose()
    await late.aclose()


async def test_for_a_watcher_that_does_not_read_nothing_is_read_or_kept(stage, monkeypatch):
    """It remembers how far it is; what was recorded meanwhile is in the database only."""
    read, parts = stage.store.appended, []

    async def counted(*asked):
        parts.append(await read(*asked))
        return parts[-1]

    monkeypatch.setattr(stage.store, "appended", counted)
    watching = stage.watch_traces(ALL, "")
    await first(watching)
    await asyncio.gather(*(stage.judge(f"c{number}") for number in range(250)))
    assert [len(each.found) for each in parts] == [0]
    assert sequences((await records(watching, 250))[0]) == list(range(1, 251))
    assert max(len(each.found) for each in parts) <= 100
    await watching.aclose()


async def test_a_filter_that_hides_everything_still_beats_and_moves_on(stage, monkeypatch):
    """A quiet watcher does not read the same records again after a break."""
    monkeypatch.setattr(watch_traces, "HEARTBEAT_SECONDS", 0.1)
    watching = stage.watch_traces(TraceFilter(outcome=Outcome.DENY), "")
    begin = await first(watching)
    await stage.judge("c1")
    cursor = begin
    for _ in range(5):
        cursor, event = await asyncio.wait_for(anext(watching), 5)
        assert isinstance(event, Heartbeat)
    assert cursor.endswith("-1")
    await watching.aclose()


async def test_what_another_sidecar_records_is_found_by_looking(tmp_path, monkeypatch):
    """Nobody rings for it."""
    monkeypatch.setattr(watch_traces, "LOOK_SECONDS", 0.05)
    stage = await Stage.set_up(tmp_path)
    monkeypatch.setattr(type(stage.store), "shared", True)
    unrung = WatchTraces(stage.store, Waits(), stage.clock, Limits())
    watching = unrung(ALL, "")
    await first(watching)
    await stage.judge("c1")
    assert sequences((await records(watching, 1))[0]) == [1]
    await watching.aclose()
    await stage.store.close()


async def test_a_cursor_of_another_database_goes_on_from_now_and_says_so(stage):
    """So does one that is ahead of what is here, as after a backup was put back."""
    await stage.judge("c1")
    writer = stage.store.writer.name
    for cursor in (f"{'0' * 16}.{writer}-1", f"{stage.store.identity}.{writer}-9"):
        watching = stage.watch_traces(ALL, cursor)
        reached, event = await anext(watching)
        assert isinstance(event, Resync)
        assert reached == f"{stage.store.identity}.{writer}-1"
        await watching.aclose()


async def test_a_cursor_behind_an_archive_goes_on_from_now_and_says_so(stage, tmp_path):
    """Also when the records go while somebody watches."""
    await stage.judge("c1")
    await stage.judge("c2")
    watching = stage.watch_traces(ALL, stage.store.identity)
    assert sequences((await records(watching, 1))[0]) == [1]
    with contextlib.closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as other:
        other.execute(
            "INSERT INTO archives SELECT writer, sequence, hash, hash, 0, hash FROM records"
            " WHERE sequence = 2"
        )
        other.execute("DELETE FROM records")
    await records(watching, 1)  # of the part that was read before
    again = stage.watch_traces(ALL, stage.store.identity)
    assert isinstance((await anext(again))[1], Resync)
    await stage.judge("c3")
    assert sequences((await records(again, 1))[0]) == [3]
    await again.aclose()
    await watching.aclose()


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "0" * 15,
        "{i}.",
        "{i}.{w}",
        "{i}.{w}--1",
        "{i}.{w}-1e3",
        "{i}.{w}-1.{w}-2",
        "{i} ",
        "{i}.{w}-{n}",
    ],
)
async def test_a_cursor_that_nobody_gave_is_refused(stage, cursor):
    """With the name of the field, before anything is read."""
    text = cursor.format(i=stage.store.identity, w=stage.store.writer.name, n="9" * 19)
    with pytest.raises(AdjudicatorError) as caught:
        await anext(stage.watch_traces(ALL, text))
    assert list(caught.value.fields) == ["cursor"]
    assert stage.waits.trace_watchers == 0


async def test_a_cursor_is_bounded(stage):
    """However many writers it names."""
    text = stage.store.identity + "".join(f".{number:016x}-1" for number in range(4000))
    with pytest.raises(AdjudicatorError) as caught:
        await anext(stage.watch_traces(ALL, text))
    assert caught.value.reason is ErrorReason.MALFORMED_REQUEST


async def test_places_are_bounded_and_given_back_however_a_watch_ends(tmp_path):
    """Closed in the middle, or ended by a stop."""
    stage = await Stage.set_up(tmp_path, limits=replace(Limits(), trace_watchers=1))
    watching = stage.watch_traces(ALL, "")
    await first(watching)
    with pytest.raises(AdjudicatorError) as caught:
        await anext(stage.watch_traces(ALL, ""))
    assert caught.value.reason is ErrorReason.LIMIT_EXCEEDED
    await watching.aclose()
    watching = stage.watch_traces(ALL, "")
    await first(watching)
    stage.waits.drain()
    with pytest.raises(AdjudicatorError) as caught:
        await asyncio.wait_for(anext(watching), 5)
    assert caught.value.reason is ErrorReason.DRAINING
    assert stage.waits.trace_watchers == 0
    await stage.store.close()


async def test_a_cursor_outlives_the_sidecar(tmp_path):
    """It is a place in the database; a writer that is new is followed from its first record."""
    stage = await Stage.set_up(tmp_path)
    watching = stage.watch_traces(ALL, "")
    await first(watching)
    await stage.judge("c1")
    _, cursor = await records(watching, 1)
    await watching.aclose()
    await stage.judge("c2")
    await stage.store.close()
    store, _ = open_sqlite(tmp_path / "a.db")
    await store.open_trace(a_trace(7, approval=None))
    await store.close()
    stage = await Stage.set_up(tmp_path)
    again = stage.watch_traces(ALL, cursor)
    assert sequences((await records(again, 2))[0]) == [2, 3]
    await again.aclose()
    await stage.store.close()
