"""One feed for all who watch approvals: read once, correct by cursor, and never silent about its end."""

import asyncio
from dataclasses import replace

import pytest
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import ApprovalState, Decision
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.service import approval_feed as feed_module
from adjudicator.service import watch as watch_module
from adjudicator.service.approval_feed import ApprovalFeed
from adjudicator.service.watch import Heartbeat, PendingSnapshot, Resync, Watch
from adjudicator.storage.contract import ApprovalFilter
from hypothesis import given, settings
from hypothesis import strategies as st
from service.stage import PLAIN, Stage

ALL = ApprovalFilter()
BROKEN = AdjudicatorError(ErrorReason.STORE_UNAVAILABLE, "the disk is gone")


class Sees:
    """Sees what it is told to, always by the same rules."""

    version = "everybody"

    def __init__(self, predicate):
        self.predicate = predicate

    def __call__(self, approval):
        """See Shows."""
        return self.predicate(approval)


EVERYTHING = Sees(lambda _: True)


async def a_stage(folder, **limits):
    """A stage with limits of its own."""
    return await Stage.set_up(folder, limits=replace(Limits(), **limits))


async def begun(stage, wanted=ALL, **more):
    """A watch whose snapshot, which is one part, has been read."""
    watching = stage.watch(wanted, "", **({"shows": EVERYTHING} | more))
    await anext(watching)
    return watching


async def changes(watching, count):
    """The ids of the next changes."""
    found = []
    for _ in range(count):
        _, event = await asyncio.wait_for(anext(watching), 5)
        found.append(event.approval.id)
    return found


async def asked(stage, count, **fields):
    """Ids of so many new approvals."""
    return [(await stage.judge(f"c-{stage.next_call()}", **fields)).approval_id for _ in range(count)]


@pytest.fixture(autouse=True)
def _numbered_calls(monkeypatch):
    """Stages number their calls."""
    numbers = iter(range(10**6))
    monkeypatch.setattr(Stage, "next_call", lambda _: next(numbers), raising=False)


def counted(monkeypatch, stage, method):
    """The first argument of each call of a method of the store."""
    asked_for, original = [], getattr(stage.store, method)

    async def counting(first, *rest):
        asked_for.append(first)
        return await original(first, *rest)

    monkeypatch.setattr(stage.store, method, counting)
    return asked_for


async def test_a_change_is_read_and_encoded_once_for_all_who_watch(tmp_path, monkeypatch):
    """Twenty watchers cost the store no more than one."""
    stage = await Stage.set_up(tmp_path)
    encoded = []
    stage.feed = ApprovalFeed(
        stage.store,
        stage.waits,
        replace(PLAIN, approval=lambda each: encoded.append(each.id) or b"x"),
        lambda: "everybody",
        Limits(),
    )
    stage.watch = Watch(stage.store, stage.feed, stage.clock, Limits())
    everybody = [await begun(stage) for _ in range(20)]
    reads = counted(monkeypatch, stage, "events")
    waiting = [asyncio.create_task(changes(each, 3)) for each in everybody]
    ids = await asked(stage, 3)
    assert await asyncio.gather(*waiting) == [ids] * 20
    assert encoded == ids
    assert len(reads) <= 6  # a look for each change, and one that finds nothing more
    for each in everybody:
        await each.aclose()
    await stage.store.close()


async def test_a_snapshot_is_read_once_for_those_who_begin_together(tmp_path, monkeypatch):
    """Each gets all of it."""
    stage = await Stage.set_up(tmp_path)
    ids = await asked(stage, 120)
    reads = counted(monkeypatch, stage, "pending")

    async def snapshot():
        watching, found = stage.watch(ALL, "", EVERYTHING), []
        async for _, part in watching:
            found += [each.id for each in part.approvals]
            if part.complete:
                break
        await watching.aclose()
        return found

    assert await asyncio.gather(*(snapshot() for _ in range(10))) == [ids] * 10
    assert len(reads) == 3
    await stage.store.close()


async def test_a_snapshot_by_other_rules_is_made_anew(tmp_path):
    """What is sent of an approval says how many could approve it, which the rules of now know."""
    stage = await Stage.set_up(tmp_path)
    await asked(stage, 1)
    rules, sent = ["1"], []
    encoding = replace(PLAIN, approval=lambda _: rules[0].encode())
    feed = ApprovalFeed(stage.store, stage.waits, encoding, lambda: rules[0], Limits())
    stage.watch = Watch(stage.store, feed, stage.clock, Limits())
    with feed.place():  # somebody watches all the while, so that parts are kept
        for rules[0] in ("1", "2"):
            watching = stage.watch(ALL, "", EVERYTHING)
            _, part = await anext(watching)
            sent += [each.message for each in part.shown]
            await watching.aclose()
    assert sent == [b"1", b"2"]
    await stage.store.close()


async def test_who_is_behind_what_is_kept_reads_from_the_store_and_farther_behind_starts_over(
    tmp_path, monkeypatch
):
    """Kept, then stored, then an explicit resync; nothing is missed on the way."""
    stage = await a_stage(tmp_path, watch_recent=3, watch_backlog=10)
    slow, quick = await begun(stage), await begun(stage)
    ids = await asked(stage, 8)
    assert await changes(quick, 8) == ids
    reads = counted(monkeypatch, stage, "events")
    assert await changes(slow, 8) == ids
    assert reads[0] == 0
    more = []
    for _ in range(2):
        more += await asked(stage, 6)
        assert await changes(quick, 6) == more[-6:]
    _, resync = await anext(slow)
    assert isinstance(resync, Resync)
    _, snapshot = await anext(slow)
    assert [each.id for each in snapshot.approvals] == ids + more
    for each in (slow, quick):
        await each.aclose()
    await stage.store.close()


async def test_a_watcher_that_does_not_read_delays_nobody(stage):
    """Others hear of every change meanwhile."""
    sleeper, awake = await begun(stage), await begun(stage)
    for _ in range(5):
        ids = await asked(stage, 1)
        assert await changes(awake, 1) == ids
    assert len(await changes(sleeper, 5)) == 5
    for each in (sleeper, awake):
        await each.aclose()


async def test_each_watcher_sees_what_it_wants_and_may_see(stage):
    """A filter, and what a person is shown, in the snapshot and in the changes."""
    hidden = await asked(stage, 1)
    nobody = ApprovalFilter(tenant="archive")
    watching = {
        "all": stage.watch(ALL, "", EVERYTHING),
        "other tenant": stage.watch(nobody, "", EVERYTHING),
        "some": stage.watch(ALL, "", Sees(lambda each: each.id not in hidden)),
    }
    snapshots = {name: (await anext(each))[1] for name, each in watching.items()}
    assert {name: len(part.approvals) for name, part in snapshots.items()} == {
        "all": 1,
        "other tenant": 0,
        "some": 0,
    }
    assert all(part.complete for part in snapshots.values())
    await stage.vote(hidden[0], Decision.DENY)
    shown = await asked(stage, 1)
    assert await changes(watching["all"], 2) == hidden + shown
    assert await changes(watching["some"], 1) == shown
    for each in watching.values():
        await each.aclose()


async def test_a_store_that_fails_is_told_to_everybody_and_who_comes_later_finds_it_well(
    stage, monkeypatch
):
    """No watcher waits on in silence; the next reader is a new one."""
    everybody = [await begun(stage) for _ in range(3)]
    original = stage.store.events

    async def failing(*_):
        raise BROKEN

    monkeypatch.setattr(stage.store, "events", failing)
    waiting = [asyncio.create_task(anext(each)) for each in everybody]
    stage.waits.changed(None)
    for each in waiting:
        with pytest.raises(AdjudicatorError) as caught:
            await asyncio.wait_for(each, 5)
        assert caught.value.reason is ErrorReason.STORE_UNAVAILABLE
    assert stage.feed.watchers == 0
    monkeypatch.setattr(stage.store, "events", original)
    watching = await begun(stage)
    assert await changes(watching, 0) == []
    ids = await asked(stage, 1)
    assert await changes(watching, 1) == ids
    await watching.aclose()


async def test_a_fault_of_the_reader_is_told_too(stage, monkeypatch):
    """Whatever it is: it ends the watches with INTERNAL."""
    watching = await begun(stage)

    async def faulty(*_):
        raise ValueError("nobody thought of it")

    monkeypatch.setattr(stage.store, "events", faulty)
    stage.waits.changed(None)
    with pytest.raises(AdjudicatorError) as caught:
        await asyncio.wait_for(anext(watching), 5)
    assert caught.value.reason is ErrorReason.INTERNAL


async def test_a_store_that_answers_nothing_gets_no_heartbeats(stage, monkeypatch):
    """A stream is not called alive for long when nobody knows what has changed."""
    monkeypatch.setattr(watch_module, "HEARTBEAT_SECONDS", 0.02)
    monkeypatch.setattr(feed_module, "SILENT_SECONDS", 0.2)
    watching = await begun(stage)

    async def hanging(*_):
        await asyncio.sleep(3600)

    assert isinstance((await anext(watching))[1], Heartbeat)
    monkeypatch.setattr(stage.store, "events", hanging)
    stage.waits.changed(None)

    async def to_the_end():
        async for _, event in watching:
            assert isinstance(event, Heartbeat)

    with pytest.raises(AdjudicatorError) as caught:
        await asyncio.wait_for(to_the_end(), 5)
    assert caught.value.reason is ErrorReason.STORE_UNAVAILABLE


async def test_nothing_runs_when_nobody_watches(stage):
    """The last one to go takes the reader along, whatever the order."""
    before = asyncio.all_tasks()
    first, second = await begun(stage), await begun(stage)
    assert len(asyncio.all_tasks() - before) == 1
    await first.aclose()
    await asyncio.sleep(0.01)
    assert len(asyncio.all_tasks() - before) == 1
    await second.aclose()
    await asyncio.sleep(0.01)
    assert asyncio.all_tasks() - before == set()


async def test_places_are_bounded_and_become_free(tmp_path):
    """One more than the limit is refused; who goes makes room."""
    stage = await a_stage(tmp_path, watchers=2)
    first, second = await begun(stage), await begun(stage)
    with pytest.raises(AdjudicatorError) as caught:
        await begun(stage)
    assert caught.value.reason is ErrorReason.LIMIT_EXCEEDED
    await first.aclose()
    third = await begun(stage)
    for each in (second, third):
        await each.aclose()
    await stage.store.close()


async def test_who_comes_back_to_a_new_feed_finds_what_was_missed_in_memory(stage, monkeypatch):
    """As after a restart, when all come back at once: one reads for all."""
    watching = stage.watch(ALL, "", EVERYTHING)
    cursor, _ = await anext(watching)
    await watching.aclose()
    ids = await asked(stage, 5)
    stage.watch = Watch(
        stage.store,
        ApprovalFeed(stage.store, stage.waits, PLAIN, lambda: "everybody", Limits()),
        stage.clock,
        Limits(),
    )
    reads = counted(monkeypatch, stage, "events")
    everybody = [stage.watch(ALL, cursor, EVERYTHING) for _ in range(5)]
    assert await asyncio.gather(*(changes(each, 5) for each in everybody)) == [ids] * 5
    assert len(reads) <= 2
    for each in everybody:
        await each.aclose()


async def test_parts_are_bounded_by_bytes(tmp_path):
    """What a watcher that does not read holds is one part: so many bytes, or one approval."""
    stage = await a_stage(tmp_path, watch_part_bytes=10_000)
    paths = ["/" + "a" * size for size in (10, 3500, 3500, 3500, 3900, 10, 10)]
    ids = [(await asked(stage, 1, arguments_json=f'{{"path":"{each}"}}'))[0] for each in paths]
    watching, parts = stage.watch(ALL, "", EVERYTHING), []
    async for _, part in watching:
        parts.append(part)
        if part.complete:
            break
    await watching.aclose()
    assert [each.id for part in parts for each in part.approvals] == ids
    assert [part.complete for part in parts] == [False] * (len(parts) - 1) + [True]
    assert len(parts) > 1
    assert all(sum(each.size for each in part.shown) <= 10_000 for part in parts)
    await stage.store.close()


class Mirror:
    """What a client knows that follows the protocol; it may stop reading, and come back."""

    def __init__(self, stage):
        self.stage = stage
        self.cursor, self.known, self.position = "", {}, 0
        self.watching = stage.watch(ALL, "", EVERYTHING)

    async def read(self):
        """The next event; whether it is a sign that there is nothing more."""
        cursor, event = await asyncio.wait_for(anext(self.watching), 5)
        if isinstance(event, Resync):
            self.known, self.position = {}, 0
        elif isinstance(event, PendingSnapshot):
            self.known |= {each.id: each.state for each in event.approvals}
        elif not isinstance(event, Heartbeat):
            assert event.position > self.position, "repeated, or out of order"
            self.position = event.position
            self.known[event.approval.id] = event.approval.state
        self.cursor = cursor
        last = await self.stage.store.last_position()
        return isinstance(event, Heartbeat) and cursor.split(".")[1] == str(last)

    async def come_back(self):
        """Break off and go on from the cursor."""
        await self.watching.aclose()
        if not self.cursor:
            self.known, self.position = {}, 0
        self.watching = self.stage.watch(ALL, self.cursor, EVERYTHING)

    def pending(self):
        """The ids of what is pending, as far as it knows."""
        return {each for each, state in self.known.items() if state is ApprovalState.PENDING}


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.integers(1, 6)),
        st.tuples(st.just("deny"), st.integers(0, 50)),
        st.tuples(st.just("read"), st.integers(1, 4)),
        st.tuples(st.just("come back"), st.just(0)),
    ),
    max_size=14,
)


@given(STEPS)
@settings(max_examples=25, deadline=None)
def test_whatever_happens_in_whatever_order_a_watcher_comes_to_know_what_is_pending(
    tmp_path_factory, steps
):
    """Changes, pauses, breaks: at the end the client's state is the store's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watch_module, "HEARTBEAT_SECONDS", 0.005)
        asyncio.run(_follow(tmp_path_factory.mktemp("stage"), steps))


async def _follow(folder, steps):
    stage = await a_stage(folder, watch_recent=3, watch_backlog=7, watch_part_bytes=500)
    mirror, ids = Mirror(stage), []
    for what, number in steps:
        if what == "ask":
            ids += await asked(stage, number)
        elif what == "deny" and ids:
            await stage.vote(ids[number % len(ids)], Decision.DENY)
        elif what == "read":
            for _ in range(number):
                await mirror.read()
        elif what == "come back":
            await mirror.come_back()
    while not await mirror.read():
        pass
    assert mirror.pending() == {each.id for each in await stage.store.pending(ALL, 0, None, 500)}
    await mirror.watching.aclose()
    await stage.store.close()
