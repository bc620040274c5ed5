"""A watcher that falls behind, and one that only listens, without waiting for real seconds."""

import asyncio
from dataclasses import replace

import pytest
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import Decision
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.service import watch as watch_module
from adjudicator.service.watch import ApprovalChange, Heartbeat, PendingSnapshot, Resync
from adjudicator.storage.contract import ApprovalFilter
from service.stage import Stage


async def events(watching, count):
    """The next events, without their cursors."""
    return [(await anext(watching))[1] for _ in range(count)]


async def test_a_watcher_that_is_too_far_behind_is_told_to_start_over(tmp_path):
    """It gets an explicit resync, then a snapshot, and then goes on."""
    stage = await Stage.set_up(tmp_path, limits=replace(Limits(), watch_backlog=5))
    watching = stage.watch(ApprovalFilter(), "", stage.sight())
    assert isinstance((await events(watching, 1))[0], PendingSnapshot)
    for number in range(8):
        await stage.judge(f"c-{number}")
    resync, snapshot = await events(watching, 2)
    assert isinstance(resync, Resync)
    assert len(snapshot.approvals) == 8
    assert snapshot.complete
    await stage.vote(snapshot.approvals[3].id, Decision.DENY)
    change = (await events(watching, 1))[0]
    assert isinstance(change, ApprovalChange)
    assert change.approval.id == snapshot.approvals[3].id
    await watching.aclose()
    await stage.store.close()


async def test_a_watch_that_sees_only_what_others_asked_for_still_beats(stage, monkeypatch):
    """Changes that a filter hides do not silence the stream."""
    monkeypatch.setattr(watch_module, "HEARTBEAT_SECONDS", 0.05)
    watching = stage.watch(ApprovalFilter(tenant="archive"), "", stage.sight())
    await events(watching, 1)

    async def busy():
        for number in range(50):
            await stage.judge(f"c-{number}")
            await asyncio.sleep(0.005)

    load = asyncio.create_task(busy())
    beats = await asyncio.wait_for(events(watching, 3), 5)
    assert all(isinstance(each, Heartbeat) for each in beats)
    await load
    await watching.aclose()


async def test_a_place_is_given_back_however_the_watch_ends(stage):
    """Closed in the middle, or ended by a stop."""
    watching = stage.watch(ApprovalFilter(), "", stage.sight())
    await events(watching, 1)
    assert stage.feed.watchers == 1
    await watching.aclose()
    assert stage.feed.watchers == 0
    watching = stage.watch(ApprovalFilter(), "", stage.sight())
    await events(watching, 1)
    stage.waits.drain()
    with pytest.raises(AdjudicatorError) as caught:
        await asyncio.wait_for(anext(watching), 5)
    assert caught.value.reason is ErrorReason.DRAINING
    assert stage.feed.watchers == 0


async def test_nobody_waits_on_a_sidecar_that_stops(stage):
    """A wait that begins after the stop ends at once."""
    asked = await stage.judge()
    stage.waits.drain()
    with pytest.raises(AdjudicatorError) as caught, stage.waits.approval(asked.approval_id):
        pass
    assert caught.value.reason is ErrorReason.DRAINING


async def test_a_ring_between_a_look_and_a_wait_is_not_lost(stage):
    """The bell remembers; after the wait it is quiet again."""
    with stage.waits.approval("apr-1") as bell:
        stage.waits.changed(frozenset({"apr-1"}))
        assert await bell.wait(5)
        assert not await bell.wait(0.01)
        stage.waits.changed(frozenset({"apr-2"}))
        assert not await bell.wait(0.01)


async def test_a_watch_that_breaks_inside_a_snapshot_starts_over(stage):
    """Parts before the last have no cursor: going on from the middle would leave the rest unseen."""
    for number in range(120):
        await stage.judge(f"c-{number}")
    watching = stage.watch(ApprovalFilter(), "", stage.sight())
    parts = [await anext(watching) for _ in range(3)]
    assert [bool(cursor) for cursor, _ in parts] == [False, False, True]
    assert [part.complete for _, part in parts] == [False, False, True]
    assert sum(len(part.approvals) for _, part in parts) == 120
    await watching.aclose()


async def test_a_cursor_of_a_later_state_starts_over(stage):
    """As after a backup was put back: what the watcher knows is not what is here."""
    await stage.judge()
    watching = stage.watch(ApprovalFilter(), f"{stage.store.identity}.500", stage.sight())
    resync, snapshot = await events(watching, 2)
    assert isinstance(resync, Resync)
    assert len(snapshot.approvals) == 1
    await watching.aclose()


async def test_watchers_beyond_the_limit_are_refused_and_a_place_becomes_free(tmp_path):
    """The limit has an error of its own, and a watcher that goes away gives its place back."""
    stage = await Stage.set_up(tmp_path, limits=Limits(watchers=2))
    watchers = [stage.watch(ApprovalFilter(), "", stage.sight()) for _ in range(3)]
    for each in watchers[:2]:
        await anext(each)
    with pytest.raises(AdjudicatorError) as caught:
        await anext(watchers[2])
    assert caught.value.reason is ErrorReason.LIMIT_EXCEEDED
    await watchers[0].aclose()
    last = stage.watch(ApprovalFilter(), "", stage.sight())
    await anext(last)
    for each in (watchers[1], last):
        await each.aclose()
    await stage.store.close()
