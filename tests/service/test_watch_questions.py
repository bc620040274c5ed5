"""Watching questions: all of what a person may see, in order, and nothing else."""

import asyncio
import contextlib

import pytest
from adjudicator.config.limits import Limits
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.question import Question, QuestionState
from adjudicator.domain.request import Priority, Trigger
from adjudicator.service import watch_questions
from adjudicator.service.watch import Heartbeat, Resync
from adjudicator.service.watch_questions import QuestionFilter, QuestionSnapshot
from chain.bundle import a_snapshot
from chain.people import People
from service.stage import ASK_ALL, Stage
from service.test_questions import ANN, PEOPLE

FORGET = People(("user:ann", "studio", "read", Priority.CRITICAL))


@pytest.fixture
async def stage(tmp_path):
    """A stage on which ann may answer questions of the studio."""
    made = await Stage.set_up(tmp_path, a_snapshot(rules=ASK_ALL, approvers=PEOPLE))
    yield made
    await made.store.close()


@contextlib.asynccontextmanager
async def watching(stage, actor="user:ann", cursor="", **wanted):
    """The next event of a watch, each time it is called."""
    watch = stage.watch_questions(QuestionFilter(actor, **wanted), cursor)
    async with contextlib.aclosing(watch) as events:

        async def event():
            async with asyncio.timeout(10):
                return await anext(events)

        yield event


def told(event):
    """What an event says, in short."""
    if isinstance(event, QuestionSnapshot):
        return [each.question_id for each in event.questions]
    return (event.question_id, event.state) if isinstance(event, Question) else type(event)


async def test_a_watch_begins_with_what_is_open_and_goes_on_with_every_change(stage):
    """Asked, answered, cancelled; in their order."""
    await stage.ask("q0")
    async with watching(stage) as event:
        assert told((await event())[1]) == ["q0"]
        await stage.ask("q1")
        assert told((await event())[1]) == ("q1", QuestionState.OPEN)
        await stage.answer("q0", text="x")
        assert told((await event())[1]) == ("q0", QuestionState.ANSWERED)
        await stage.end("s")
        assert told((await event())[1]) == ("q1", QuestionState.CANCELLED)


async def test_it_goes_on_from_its_cursor_without_loss_or_repeat(stage):
    """Also over more than is read at once, and over changes of approvals, which are none of it."""
    await stage.ask("q0")
    async with watching(stage) as event:
        cursor, _ = await event()
    for number in range(1, 121):
        await stage.ask(f"q{number}")
        await stage.judge(f"c{number}", session="t")
    seen = []
    async with watching(stage, cursor=cursor) as event:
        while len(seen) < 60:
            cursor, change = await event()
            seen.append(change.question_id)
    async with watching(stage, cursor=cursor) as event:
        while len(seen) < 120:
            seen.append((await event())[1].question_id)
    assert seen == [f"q{number}" for number in range(1, 121)]


async def test_a_snapshot_has_parts_and_no_cursor_before_the_last(stage):
    """There is no going on from its middle."""
    for number in range(60):
        await stage.ask(f"q{number}")
    async with watching(stage) as event:
        parts = [await event(), await event()]
    assert [bool(cursor) for cursor, _ in parts] == [False, True]
    assert [part.complete for _, part in parts] == [False, True]
    assert [len(part.questions) for _, part in parts] == [50, 10]


async def test_a_person_sees_what_they_may_answer(stage):
    """By tenant, priority and name; the filter only makes it less."""
    await stage.ask("high", trigger=Trigger.SECURITY_VIOLATION)
    await stage.ask("low", trigger=Trigger.EXTERNAL_NETWORK_CALL)
    for actor, wanted, expected in (
        ("user:ann", {}, ["high", "low"]),
        ("user:ann", {"least": Priority.HIGH}, ["high"]),
        ("user:ann", {"tenant": "archive"}, []),
        ("user:dot", {}, ["low"]),
        ("user:bob", {}, []),
        ("user:cid", {}, []),
        ("user:coder", {}, []),
    ):
        async with watching(stage, actor, **wanted) as event:
            assert told((await event())[1]) == expected


async def test_who_loses_the_entitlement_sees_nothing_more(stage):
    """Not even what was asked before; the watch starts over, with nothing in it."""
    async with watching(stage) as event:
        await event()
        await stage.activate(approvers=FORGET, version="sha256:other")
        await stage.ask("q1")
        assert told((await event())[1]) is Resync
        assert told((await event())[1]) == []


async def test_who_gains_it_sees_what_was_open_before(stage):
    """Also one that comes again with a cursor from before."""
    await stage.activate(approvers=FORGET, version="sha256:first")
    await stage.ask("q1")
    async with watching(stage) as event:
        cursor, part = await event()
        assert told(part) == []
        await stage.activate(approvers=People(ANN), version="sha256:second")
        stage.waits.changed(None)
        assert (await event())[1].reason == "the policy has changed"
        assert told((await event())[1]) == ["q1"]
    async with watching(stage, cursor=cursor) as event:
        assert told((await event())[1]) is Resync
        assert told((await event())[1]) == ["q1"]


async def test_a_cursor_of_another_database_or_a_later_state_starts_over(stage):
    """And says why; one that is none is an error."""
    async with watching(stage) as event:
        cursor, _ = await event()
    identity, _, policy = cursor.split(".")
    strangers = {f"f{identity}.1.{policy}": "another database", f"{identity}.99.{policy}": "later"}
    for other, why in strangers.items():
        async with watching(stage, cursor=other) as event:
            assert why in (await event())[1].reason
            assert told((await event())[1]) == []
    for number in ("", "-1", "9" * 30, "٣"):
        async with watching(stage, cursor=f"{identity}.{number}.{policy}") as event:
            with pytest.raises(AdjudicatorError) as caught:
                await event()
            assert caught.value.reason is ErrorReason.MALFORMED_REQUEST


async def test_a_watch_that_fell_behind_starts_over(tmp_path):
    """It is told so, and reads anew what is open."""
    snapshot = a_snapshot(approvers=PEOPLE)
    stage = await Stage.set_up(tmp_path, snapshot, Limits(watch_backlog=10))
    async with watching(stage) as event:
        cursor, _ = await event()
    for number in range(70):
        await stage.ask(f"q{number}")
    async with watching(stage, cursor=cursor) as event:
        assert (await event())[1].reason == "the watch fell too far behind"
        parts = [(await event())[1] for _ in range(2)]
    assert sum(len(part.questions) for part in parts) == 70
    await stage.store.close()


async def test_quiet_is_told_with_signs_of_life(stage, monkeypatch):
    """And changes of approvals are none."""
    monkeypatch.setattr(watch_questions, "HEARTBEAT_SECONDS", 0.05)
    async with watching(stage) as event:
        first, _ = await event()
        await stage.judge("c1")
        cursor, beat = await event()
    assert isinstance(beat, Heartbeat)
    assert cursor.startswith(first.split(".", maxsplit=1)[0])


async def test_there_are_only_so_many_watchers(tmp_path):
    """A place is free when one goes."""
    stage = await Stage.set_up(tmp_path, a_snapshot(approvers=PEOPLE), Limits(question_watchers=1))
    async with watching(stage) as event:
        await event()
        async with watching(stage) as another:
            with pytest.raises(AdjudicatorError) as caught:
                await another()
        assert caught.value.reason is ErrorReason.LIMIT_EXCEEDED
    async with watching(stage) as event:
        await event()
    await stage.store.close()
