"""What the storage contract promises of grants, of their uses, and of bounds on what is asked."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from adjudicator.domain.approval import ApprovalState, Decision, Vote
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.grant import Grant, GrantScope, GrantState
from adjudicator.domain.request import Priority
from adjudicator.domain.trace import Element, ElementKind, TraceKind
from adjudicator.domain.verdict import Cause, Outcome
from adjudicator.storage.contract import (
    Barred,
    Bounds,
    CallKey,
    Change,
    GrantFilter,
    NewTrace,
    TraceFilter,
    Use,
)
from opened import OTHER_SIGNER
from records import NOW, VERDICT, a_trace, an_approval

LATER = NOW + timedelta(seconds=1)
USED = Element(ElementKind.TOOL_CALL, {"call_id": "c"}, NOW)
ALLOWED = replace(VERDICT, outcome=Outcome.ALLOW, cause=Cause.GRANTED, grant_id="grt-1")
MANY = Bounds(100, 100, 100, 100, NOW - timedelta(minutes=1))


def a_grant(number=1, **changes):
    """A live grant of two uses in the session of `a_trace`."""
    grant = Grant(
        id=f"grt-{number}",
        state=GrantState.LIVE,
        tenant="studio",
        session="s",
        agent="coder",
        on_behalf_of=("designer",),
        principal="user:ann",
        tool="bash",
        scope=GrantScope.TOOL,
        schema_json="",
        likeness="",
        highest_priority=Priority.MEDIUM,
        uses=2,
        used=0,
        granted_by="user:bob",
        approval_id="apr-1",
        reason="tests run often",
        granted_at=NOW,
        expires_at=NOW + timedelta(seconds=60),
        changed_at=NOW,
    )
    return replace(grant, **changes)


def granting(grant):
    """The trace that the grant is opened with."""
    return NewTrace(
        key=CallKey(grant.tenant, grant.session, grant.id, TraceKind.GRANT),
        keyed=True,
        agent=grant.agent,
        tool=grant.tool,
        digest=b"",
        opened_at=NOW,
        elements=(Element(ElementKind.INPUT_CONTEXT, {"grant_id": grant.id}, NOW),),
        verdict=None,
        closing=(),
        finish=False,
        approval=None,
        grant=grant,
    )


def using(number, call, **changes):
    """A call that a grant, by its trace, allows."""
    return a_trace(
        call, approval=None, closing=(), verdict=ALLOWED, uses=Use(number, USED), opened_at=LATER, **changes
    )


def released(number):
    """What waits is approved by a grant."""
    vote = Vote("user:bob", Decision.APPROVE, "", LATER, grant_id="grt-1")
    return Change(LATER, ApprovalState.APPROVED, vote, uses=Use(number, USED))


def count(results):
    """How many of the openings or changes went through; all others found the grant to be over."""
    assert all(each.cause is None for each in results if isinstance(each, Barred))
    assert not [each for each in results if isinstance(each, Exception) and not isinstance(each, Barred)]
    return sum(not isinstance(each, Exception) for each in results)


async def gathered(*jobs):
    """All of them at once."""
    return await asyncio.gather(*jobs, return_exceptions=True)


async def test_a_grant_is_read_back_equal_by_id_list_and_record(store):
    """And found by the calls that it is for, and by no others."""
    number = await store.open_trace(granting(a_grant()))
    grant = a_grant(trace_number=number)
    assert await store.grant("grt-1") == grant
    assert list(await store.grants(GrantFilter("studio", "s"), None, 9)) == [grant]
    assert (await store.call_of_trace(number)).grant == grant
    assert list(await store.live_grants("studio", "s", "coder", "bash")) == [grant]
    for others in (
        ("archive", "s", "coder", "bash"),
        ("studio", "t", "coder", "bash"),
        ("studio", "s", "critic", "bash"),
        ("studio", "s", "coder", "read"),
    ):
        assert not await store.live_grants(*others)
    trace = await store.trace(number)
    assert (trace.kind, trace.own_id, trace.verdict) == (TraceKind.GRANT, "grt-1", None)


async def test_the_last_use_is_had_by_one_of_many_in_one_transaction(store):
    """Openings and changes together take as many uses as there are; then the trace is finished."""
    number = await store.open_trace(granting(a_grant(uses=3)))
    for call in range(50, 55):
        await store.open_trace(a_trace(call))
    results = await gathered(
        *(store.open_trace(using(number, call)) for call in range(10, 30)),
        *(
            store.change_approval(f"apr-{call}", lambda _: (released(number), 1), number)
            for call in range(50, 55)
        ),
    )
    assert count(results) == 3
    grant = await store.grant("grt-1")
    assert (grant.state, grant.used) == (GrantState.SPENT, 3)
    trace = await store.trace(number)
    assert trace.finished_at == LATER
    uses = [each.body["trace"] for each in trace.elements if each.kind is ElementKind.TOOL_CALL]
    assert len(set(uses)) == 3
    approvals = [await store.approval(f"apr-{call}") for call in range(50, 55)]
    released_ones = {each.trace_number for each in approvals if each.state is ApprovalState.APPROVED}
    traces = await store.traces(TraceFilter(), None, 99)
    allowed = {each.number for each in traces if each.verdict and each.verdict.grant_id}
    assert released_ones | allowed == set(uses)


async def test_the_last_use_is_had_once_in_transactions_that_follow_each_other(store):
    """What is refused leaves no trace, so that the call may still ask."""
    number = await store.open_trace(granting(a_grant(uses=1)))
    assert isinstance(await store.open_trace(using(number, 10)), int)
    with pytest.raises(Barred) as caught:
        await store.open_trace(using(number, 11))
    assert caught.value.cause is None
    assert await store.call(CallKey("studio", "s", "c11")) is None
    assert isinstance(await store.open_trace(a_trace(11)), int)


async def test_two_sidecars_that_share_a_database_share_the_uses(place):
    """Whoever commits first has the last one."""
    if place.engine != "postgresql":
        pytest.skip("one process has a SQLite database to itself")
    first, _ = place.open()
    second, _ = place.open(OTHER_SIGNER)
    try:
        number = await first.open_trace(granting(a_grant(uses=5)))
        stores = (first, second)
        results = await gathered(
            *(stores[call % 2].open_trace(using(number, call)) for call in range(10, 50))
        )
        assert count(results) == 5
        assert (await second.grant("grt-1")).state is GrantState.SPENT
    finally:
        await first.close()
        await second.close()


async def test_a_retry_of_one_call_takes_one_use(store):
    """The key is taken, so the use is not."""
    number = await store.open_trace(granting(a_grant()))
    results = [await store.open_trace(using(number, 10)) for _ in range(3)]
    assert sum(isinstance(each, int) for each in results) == 1
    assert (await store.grant("grt-1")).used == 1


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        ({}, NOW - timedelta(microseconds=1)),
        ({}, NOW + timedelta(seconds=60)),
        ({"session": "t"}, LATER),
        ({"tenant": "archive"}, LATER),
        ({"uses": 0}, LATER),
        ({"state": GrantState.REVOKED}, LATER),
    ],
)
async def test_a_grant_covers_nothing_outside_of_its_time_its_session_and_its_uses(store, changes, at):
    """Nothing is used, and nothing opened or changed."""
    number = await store.open_trace(granting(a_grant(**changes)))
    await store.open_trace(a_trace(1))
    opening = store.open_trace(replace(using(number, 10), opened_at=at))
    change = store.change_approval("apr-1", lambda _: (replace(released(number), at=at), 1), number)
    assert count(await gathered(opening, change)) == 0
    assert (await store.grant("grt-1")).used == 0
    assert (await store.approval("apr-1")).state is ApprovalState.PENDING


async def test_what_is_no_grant_or_was_not_asked_for_is_not_used(store):
    """The trace of a call, a number that there is not, and a grant that the change did not name before."""
    number = await store.open_trace(granting(a_grant()))
    call = await store.open_trace(a_trace(1))
    results = await gathered(
        store.open_trace(using(call, 10)),
        store.open_trace(using(999, 11)),
        store.change_approval("apr-1", lambda _: (released(number), 1)),
    )
    assert count(results) == 0


async def test_a_grant_that_was_ended_is_over_for_good(store):
    """It is not live, takes no use, and is not ended twice."""
    number = await store.open_trace(granting(a_grant()))
    end = Change(LATER, grant_state=GrantState.REVOKED, finish=True)
    await store.change_call(number, lambda _: (end, None))
    assert count(await gathered(store.open_trace(using(number, 10)))) == 0
    assert not await store.live_grants("studio", "s", "coder", "bash")
    assert not await store.grants(GrantFilter(), None, 9)
    assert len(await store.grants(GrantFilter(ended=True), None, 9)) == 1
    with pytest.raises(AdjudicatorError) as caught:
        await store.change_call(number, lambda _: (end, None))
    assert caught.value.reason is ErrorReason.TRACE_FROZEN


@pytest.mark.parametrize(
    ("guard", "sql"),
    [
        ("grants_used", "UPDATE grants SET used = 0"),
        ("grants_never_update", "UPDATE grants SET expires_at = expires_at + 1000000"),
        ("grants_never_update", "UPDATE grants SET terms = replace(terms, '\"uses\":2', '\"uses\":9')"),
        ("grants_never_update", "UPDATE grants SET session = 't'"),
    ],
)
async def test_a_grant_that_somebody_changed_is_used_no_more(store, place, guard, sql):
    """Its row has to say what was recorded; the database itself refuses the change first."""
    number = await store.open_trace(granting(a_grant()))
    await store.open_trace(using(number, 10))
    with pytest.raises(place.refused):
        place.tamper(sql)
    place.drop_guard(guard, "grants")
    place.tamper(sql)
    for request in (
        store.open_trace(using(number, 11)),
        store.call_of_trace(number),
        store.change_call(number, lambda _: (Change(LATER, grant_state=GrantState.REVOKED), None)),
    ):
        with pytest.raises(AdjudicatorError) as caught:
            await request
        assert caught.value.reason is ErrorReason.RECORD_ALTERED


async def test_a_change_opens_a_grant_with_it_or_does_not_happen(store):
    """An approval for a session whose grant cannot be opened approves nothing."""
    await store.open_trace(granting(a_grant(7)))
    for call, grant in ((1, a_grant(1)), (2, a_grant(7))):
        await store.open_trace(a_trace(call))
        vote = Vote("user:bob", Decision.APPROVE_SESSION, "", NOW)
        change = Change(NOW, ApprovalState.APPROVED, vote, opens=granting(grant))
        request = store.change_approval(f"apr-{call}", lambda _, change=change: (change, None))
        if call == 1:
            await request
        else:
            with pytest.raises(AdjudicatorError) as caught:
                await request
            assert caught.value.reason is ErrorReason.INTERNAL
    assert (await store.grant("grt-1")).state is GrantState.LIVE
    assert (await store.approval("apr-1")).state is ApprovalState.APPROVED
    assert (await store.approval("apr-2")).state is ApprovalState.PENDING


async def test_a_live_grant_is_due_when_its_time_is_over(store):
    """And has a deadline until then."""
    number = await store.open_trace(granting(a_grant()))
    assert await store.next_deadline() == NOW + timedelta(seconds=60)
    assert list(await store.due(NOW + timedelta(seconds=59), 9)) == []
    assert list(await store.due(NOW + timedelta(seconds=60), 9)) == [number]


def bounded(call, bounds, **changes):
    """A call that asks within bounds."""
    approval = an_approval(call, **changes)
    key = CallKey("studio", approval.session, f"c{call}")
    return a_trace(call, key=key, approval=approval, bounds=bounds)


@pytest.mark.parametrize(
    ("bounds", "cause"),
    [
        (replace(MANY, pending_of_session=3), Cause.TOO_MANY_PENDING),
        (replace(MANY, pending_of_agent=3), Cause.TOO_MANY_PENDING),
        (replace(MANY, asked_of_session=3), Cause.ASKED_TOO_OFTEN),
        (replace(MANY, asked_of_agent=3), Cause.ASKED_TOO_OFTEN),
    ],
)
@pytest.mark.parametrize("at_once", [True, False])
async def test_no_more_is_asked_than_the_bounds_let(store, bounds, cause, at_once):
    """In one transaction or in several; what is barred has no trace."""
    openings = [store.open_trace(bounded(call, bounds)) for call in range(8)]
    if at_once:
        results = await gathered(*openings)
    else:
        results = [(await gathered(each))[0] for each in openings]
    barred = [each for each in results if isinstance(each, Barred)]
    assert [each.cause for each in barred] == [cause] * 5
    assert len(await store.traces(TraceFilter(), None, 99)) == 3


async def test_bounds_count_by_session_agent_and_time_and_only_what_has_a_session(store):
    """Another session has room, what was decided makes room, and so does a minute that is over."""
    bounds = replace(MANY, pending_of_session=1, asked_of_session=2)
    assert isinstance(await store.open_trace(bounded(1, bounds)), int)
    assert isinstance(await store.open_trace(bounded(2, bounds, session="t")), int)
    assert all([await store.open_trace(bounded(call, bounds, session="")) for call in (3, 4, 5)])
    vote = Vote("user:bob", Decision.DENY, "", NOW)
    await store.change_approval("apr-1", lambda _: (Change(NOW, ApprovalState.DENIED, vote), None))
    assert isinstance(await store.open_trace(bounded(6, bounds)), int)
    await store.change_approval("apr-6", lambda _: (Change(NOW, ApprovalState.DENIED, vote), None))
    with pytest.raises(Barred) as caught:
        await store.open_trace(bounded(7, bounds))
    assert caught.value.cause is Cause.ASKED_TOO_OFTEN
    assert isinstance(await store.open_trace(bounded(7, replace(bounds, since=NOW))), int)


async def test_calls_judged_by_two_policies_are_counted_to_the_bounds_of_each(store):
    """A lower bound that was met first hides nothing from a higher one in the same transaction."""
    for call in range(6):
        await store.open_trace(bounded(call, MANY))
    low, high = replace(MANY, pending_of_session=2), replace(MANY, pending_of_session=6)
    results = await gathered(
        store.open_trace(bounded(10, low)), *(store.open_trace(bounded(call, high)) for call in (11, 12))
    )
    assert [isinstance(each, Barred) for each in results] == [True, True, True]
