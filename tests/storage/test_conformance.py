"""What the storage contract promises, on a real database of each engine."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from adjudicator.config.limits import VIEW_BYTES
from adjudicator.domain.approval import ApprovalState, Decision, Vote
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.trace import Element, ElementKind
from adjudicator.domain.verdict import Outcome
from adjudicator.storage.contract import (
    ApprovalFilter,
    CallKey,
    CallRecord,
    Change,
    GrantFilter,
    TraceFilter,
)
from records import NOW, VERDICT, a_trace, an_approval


async def test_what_was_opened_is_read_back_equal(store):
    """A trace, its verdict and its approval come back as they went in."""
    number = await store.open_trace(a_trace())
    trace = await store.trace(number)
    assert trace.verdict == replace(VERDICT, approval_id="apr-1", trace_number=number)
    assert [each.kind for each in trace.elements] == [
        ElementKind.INPUT_CONTEXT,
        ElementKind.VERDICT,
        ElementKind.APPROVAL,
    ]
    assert [each.sequence for each in trace.elements] == [1, 2, 3]
    assert await store.approval("apr-1") == an_approval(trace_number=number)
    assert await store.approval_of_trace(number) == an_approval(trace_number=number)


async def test_a_taken_call_key_changes_nothing_and_returns_its_record(store):
    """The second call under one key opens no trace and no approval."""
    number = await store.open_trace(a_trace())
    again = await store.open_trace(a_trace(approval=an_approval(99)))
    assert isinstance(again, CallRecord)
    assert again.trace.number == number
    assert again.approval.id == "apr-1"
    assert await store.approval("apr-99") is None
    assert len(await store.traces(TraceFilter(), None, 10)) == 1


async def test_a_hundred_concurrent_openings_of_one_key_open_one(store):
    """Whatever the interleaving, one call key has one trace."""
    results = await asyncio.gather(*(store.open_trace(a_trace()) for _ in range(100)))
    assert sum(isinstance(result, int) for result in results) == 1


async def test_a_trace_without_key_does_not_take_the_key(store):
    """The trace of a refused retry leaves the key to its owner."""
    owner = await store.open_trace(a_trace())
    refused = await store.open_trace(a_trace(keyed=False, approval=None))
    assert refused == owner + 1
    assert (await store.call(CallKey("studio", "s", "c1"))).trace.number == owner


async def test_a_change_is_all_or_nothing(store):
    """A change that breaks a promise of the database leaves no part of it behind."""
    number = await store.open_trace(a_trace())
    vote = Vote("user:ann", Decision.APPROVE, "", NOW)
    change = Change(NOW, ApprovalState.APPROVED, vote)
    await store.change_approval("apr-1", lambda _: (change, None))
    await store.change_approval("apr-1", lambda _: (Change(NOW, ApprovalState.CONSUMED), None))
    broken = Change(NOW, ApprovalState.APPROVED, verdict=replace(VERDICT, outcome=Outcome.ALLOW))
    with pytest.raises(AdjudicatorError) as caught:
        await store.change_approval("apr-1", lambda _: (broken, None))
    assert caught.value.reason is ErrorReason.INTERNAL
    assert (await store.approval("apr-1")).state is ApprovalState.CONSUMED
    assert (await store.trace(number)).verdict.outcome is Outcome.ASK


async def test_one_broken_unit_does_not_fail_the_units_committed_with_it(store):
    """Units that share a commit do not share an error."""

    def boom(_):
        raise RuntimeError("mine")

    number = await store.open_trace(a_trace())
    results = await asyncio.gather(
        *(store.open_trace(a_trace(each)) for each in range(2, 20)),
        store.change_call(number, boom),
        *(store.open_trace(a_trace(each)) for each in range(20, 40)),
        return_exceptions=True,
    )
    assert [str(each) for each in results if isinstance(each, Exception)] == ["mine"]
    assert sorted(each for each in results if isinstance(each, int)) == list(range(2, 40))


async def test_a_finished_trace_takes_no_more(store):
    """Frozen is frozen, for a change and for a change of state."""
    number = await store.open_trace(a_trace(finish=True, approval=None))
    for change in (Change(NOW, elements=(Element(ElementKind.RESULT, {}, NOW),)), Change(NOW, finish=True)):
        with pytest.raises(AdjudicatorError) as caught:
            await store.change_call(number, lambda _, change=change: (change, None))
        assert caught.value.reason is ErrorReason.TRACE_FROZEN
    assert len((await store.trace(number)).elements) == 3


ANYTHING = [
    "UPDATE records SET body = '[]'",
    "UPDATE records SET hash = state",
    "DELETE FROM records",
    "UPDATE writers SET name = 'x'",
    "DELETE FROM traces",
    "UPDATE traces SET tool = 'x'",
    "DELETE FROM approvals",
    "UPDATE approvals SET view = '{}'",
    "UPDATE approvals SET terms = '{}'",
    "UPDATE approvals SET expires_at = expires_at + 1",
    "UPDATE approvals SET votes = '[]'",
]
AFTER_THE_END = [
    "UPDATE traces SET outcome = 'ALLOW'",
    "UPDATE traces SET finished_at = NULL",
    "UPDATE approvals SET state = 'approved'",
]


@pytest.mark.parametrize("finished", [False, True])
@pytest.mark.parametrize("sql", ANYTHING + AFTER_THE_END)
async def test_the_database_itself_refuses_to_rewrite_history(store, place, sql, finished):
    """A statement that bypasses the store edits nothing, and nothing at all of what is finished."""
    if sql in AFTER_THE_END and not finished:
        return
    await store.open_trace(a_trace())
    vote = Vote("user:ann", Decision.DENY, "", NOW)
    state = ApprovalState.DENIED if finished else None
    number = (await store.traces(TraceFilter(), None, 1))[0].number
    await store.change_call(number, lambda _: (Change(NOW, state, vote, finish=finished), None))
    with pytest.raises(place.refused):
        place.tamper(sql)


async def test_what_was_changed_behind_the_store_is_decided_on_no_more(store, place):
    """An approval that somebody wrote into the table by hand is not used, voted on or repeated."""
    number = await store.open_trace(a_trace())
    place.tamper("UPDATE approvals SET state = 'approved'")
    for ask in (
        store.call(CallKey("studio", "s", "c1")),
        store.change_call(number, lambda _: (Change(NOW, ApprovalState.CONSUMED), None)),
        store.change_approval("apr-1", lambda _: (None, None)),
        store.open_trace(a_trace()),
    ):
        with pytest.raises(AdjudicatorError) as caught:
            await ask
        assert caught.value.reason is ErrorReason.RECORD_ALTERED


@pytest.mark.parametrize(
    ("event", "table"),
    [("INSERT", "records"), ("INSERT", "approvals"), ("UPDATE", "approvals"), ("UPDATE", "traces")],
)
async def test_nothing_is_answered_of_which_the_database_took_no_row(store, place, event, table):
    """A trigger of somebody's can pass over a row without an error."""
    number = await store.open_trace(a_trace(1))
    if place.engine == "sqlite":
        place.tamper(f"CREATE TRIGGER a BEFORE {event} ON {table} BEGIN SELECT RAISE(IGNORE); END")
    else:
        place.tamper("CREATE FUNCTION a() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'")
        place.tamper(f"CREATE TRIGGER a BEFORE {event} ON {table} FOR EACH ROW EXECUTE FUNCTION a()")
    consumed = Change(NOW, ApprovalState.CONSUMED, verdict=VERDICT, finish=True)
    ask = (
        store.open_trace(a_trace(2))
        if event == "INSERT"
        else store.change_call(number, lambda _: (consumed, None))
    )
    with pytest.raises(AdjudicatorError, match=f"0 of 1 rows of {table}"):
        await ask
    assert (await store.tail()).sequence == 1


async def test_a_database_without_its_identity_is_refused_by_name(place):
    """Its heads could not be found by it."""
    opened, _ = place.open()
    await opened.close()
    place.tamper("DELETE FROM meta WHERE key = 'identity'")
    with pytest.raises(AdjudicatorError, match="has no identity") as caught:
        place.open()
    assert caught.value.reason is ErrorReason.STORE_UNAVAILABLE


async def test_every_commit_is_there_after_opening_again(place):
    """Closing and opening loses nothing, goes on with the chain, and says which moment came last."""
    first, latest = place.open()
    assert latest is None
    identity, writer = first.identity, first.writer
    await asyncio.gather(*(first.open_trace(a_trace(each)) for each in range(1, 51)))
    await first.close()
    second, latest = place.open()
    assert latest == NOW
    assert (second.identity, second.writer) == (identity, writer)
    assert (await second.tail()).sequence == 50
    assert len(await second.traces(TraceFilter(), None, 100)) == 50
    assert len(await second.pending(ApprovalFilter(), 0, None, 100)) == 50
    await second.close()


async def test_pages_of_pending_are_stable_and_filtered(store):
    """Oldest first, after a trace number, until a position, by tenant and tool."""
    for each in range(1, 8):
        tool = "bash" if each % 2 else "fetch"
        await store.open_trace(a_trace(each, tool=tool, approval=an_approval(each, tool=tool)))
    position = await store.last_position()
    await store.open_trace(a_trace(8))
    page = await store.pending(ApprovalFilter(), 0, position, 3)
    assert [each.id for each in page] == ["apr-1", "apr-2", "apr-3"]
    page = await store.pending(ApprovalFilter(tool="bash"), 3, position, 9)
    assert [each.id for each in page] == ["apr-5", "apr-7"]
    assert await store.pending(ApprovalFilter(tenant="archive"), 0, None, 9) == []


async def test_a_list_holds_no_view_that_nobody_could_approve(store):
    """Whoever makes large calls does not choose how much memory a list takes."""
    large = "x" * (VIEW_BYTES + 1)
    await store.open_trace(a_trace(1, approval=an_approval(1, view_json=large, approvable=False)))
    await store.open_trace(a_trace(2))
    assert [each.view_json for each in await store.pending(ApprovalFilter(), 0, None, 9)] == [
        "",
        an_approval(2).view_json,
    ]
    assert [each.approval.view_json for each in await store.events(0, 9)] == ["", an_approval(2).view_json]
    assert (await store.approval("apr-1")).view_json == large


async def test_events_repeat_nothing_and_miss_nothing(store):
    """A reader that goes on from its last position sees each approval's latest state exactly once."""
    for each in range(1, 4):
        await store.open_trace(a_trace(each))
    seen = await store.events(0, 2)
    assert [each.approval.id for each in seen] == ["apr-1", "apr-2"]
    denied = Change(NOW, ApprovalState.DENIED)
    await store.change_approval("apr-1", lambda _: (denied, None))
    rest = await store.events(seen[-1].position, 10)
    assert [(each.approval.id, each.approval.state.value) for each in rest] == [
        ("apr-3", "pending"),
        ("apr-1", "denied"),
    ]
    assert await store.events(rest[-1].position, 10) == []


async def test_listeners_hear_of_changed_approvals_after_the_commit(store):
    """Whoever waits is told which approvals changed."""
    heard = []
    store.subscribe(heard.append)
    await store.open_trace(a_trace())
    await store.change_approval("apr-1", lambda _: (Change(NOW, ApprovalState.DENIED), None))
    await asyncio.sleep(0)
    # None says that something may have been missed before it.
    assert [each for each in heard if each is not None] == [frozenset({"apr-1"}), frozenset({"apr-1"})]


async def test_due_and_deadline_cover_pending_and_approved(store):
    """An approved and unused approval runs out like a pending one; a closed one does not."""
    for each in range(1, 4):
        expires = NOW + timedelta(seconds=each)
        await store.open_trace(a_trace(each, approval=an_approval(each, expires_at=expires)))
    await store.change_approval("apr-1", lambda _: (Change(NOW, ApprovalState.DENIED), None))
    await store.change_approval("apr-2", lambda _: (Change(NOW, ApprovalState.APPROVED), None))
    assert await store.next_deadline() == NOW + timedelta(seconds=2)
    assert await store.due(NOW + timedelta(seconds=2), 10) == [2]
    assert await store.due(NOW + timedelta(seconds=9), 10) == [2, 3]


async def test_trace_filters_and_paging(store):
    """Newest first, below a number, every filter that is set has to match."""
    for each in range(1, 6):
        await store.open_trace(a_trace(each, agent="coder" if each % 2 else "critic", approval=None))
    assert [t.number for t in await store.traces(TraceFilter(agent="coder"), None, 2)] == [5, 3]
    assert [t.number for t in await store.traces(TraceFilter(agent="coder"), 3, 2)] == [1]
    assert await store.traces(TraceFilter(outcome=Outcome.ALLOW), None, 9) == []
    assert await store.traces(TraceFilter(tool="bash", session="other"), None, 9) == []


async def test_unknown_names_are_not_found(store):
    """Nothing is made up for an id that nobody gave."""
    assert await store.approval("apr-0") is None
    assert await store.trace(7) is None
    for change in (
        store.change_call(7, lambda _: (None, 1)),
        store.change_approval("x", lambda _: (None, 1)),
    ):
        with pytest.raises(AdjudicatorError) as caught:
            await change
        assert caught.value.reason is ErrorReason.NOT_FOUND


async def test_no_name_has_a_nul_and_asking_for_one_is_no_failure(store):
    """A server that cannot hold such a text has none of it, and neither fails nor loses a connection."""
    await store.open_trace(a_trace())
    nul = "a\0b"
    assert await store.approval(nul) is None
    assert await store.grant(nul) is None
    assert await store.question(nul) is None
    assert await store.call(CallKey(nul, nul, nul)) is None
    assert not await store.pending(ApprovalFilter(nul, nul), 0, None, 9)
    assert not await store.grants(GrantFilter(nul, nul), None, 9)
    assert not await store.traces(TraceFilter(tenant=nul, session=nul), None, 9)
    with pytest.raises(AdjudicatorError) as caught:
        await store.change_approval(nul, lambda _: (None, 1))
    assert caught.value.reason is ErrorReason.NOT_FOUND
