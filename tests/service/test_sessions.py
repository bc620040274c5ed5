"""Closing a session: for good, all of what is pending in it, and nothing of any other."""

import asyncio
from datetime import timedelta

import pytest
from adjudicator.domain.approval import ApprovalState, Decision, ReceiptCode
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.grant import Grant, GrantScope, GrantState
from adjudicator.domain.request import Priority
from adjudicator.domain.trace import TraceKind
from adjudicator.domain.verdict import Cause, Outcome
from adjudicator.policy.snapshot import ApprovalTerms
from adjudicator.storage.contract import CallKey, NewTrace
from service.stage import refusal, state_of


def a_grant(stage, session="s", tenant="studio", name="grant-1"):
    """The trace of a live grant in a session."""
    now = stage.clock.now()
    grant = Grant(
        id=name,
        state=GrantState.LIVE,
        tenant=tenant,
        session=session,
        agent="coder",
        on_behalf_of=(),
        principal="",
        tool="read",
        scope=GrantScope.TOOL,
        schema_json="",
        likeness="",
        highest_priority=Priority.MEDIUM,
        uses=5,
        used=0,
        granted_by="user:ann",
        approval_id="apr-0",
        reason="",
        granted_at=now,
        expires_at=now + timedelta(hours=1),
        changed_at=now,
    )
    key = CallKey(tenant, session, name, TraceKind.GRANT)
    return NewTrace(key, True, "coder", "read", b"", now, (), None, (), False, None, grant=grant)  # noqa: FBT003


async def test_what_is_pending_in_a_session_ends_with_it(stage):
    """Pending and approved, grants too; each trace says so, and what is elsewhere goes on."""
    pending = await stage.judge("p", session="s")
    approved = await stage.judge("a", session="s")
    await stage.vote(approved.approval_id)
    others = [await stage.judge("p", session="t"), await stage.judge("p")]
    for each in (a_grant(stage), a_grant(stage, "t", name="grant-2")):
        await stage.store.open_trace(each)
    closed = await stage.end("s", reason="done")
    assert (closed.approvals, closed.grants, closed.questions) == (2, 1, 0)
    for asked in (pending, approved):
        assert await state_of(stage, asked) is ApprovalState.CANCELLED
        trace = await stage.store.trace(asked.trace_number)
        assert (trace.verdict.outcome, trace.verdict.cause) == (Outcome.DENY, Cause.SESSION_CLOSED)
        assert trace.finished_at is not None
    assert [await state_of(stage, asked) for asked in others] == [ApprovalState.PENDING] * 2
    assert (await stage.store.grant("grant-1")).state is GrantState.CLEARED
    assert (await stage.store.grant("grant-2")).state is GrantState.LIVE
    assert (await stage.vote(pending.approval_id)).code is ReceiptCode.ALREADY_RESOLVED
    trace = await stage.store.trace(closed.trace_number)
    assert (trace.kind, trace.session, trace.agent) == (TraceKind.SESSION, "s", "coder")
    assert trace.finished_at is not None
    assert trace.elements[0].body["reason"] == "done"


async def test_closing_again_finds_nothing_left_and_the_same_trace(stage):
    """Whoever closes it; the first reason stands."""
    await stage.judge("p", session="s")
    first = await stage.end("s", reason="a")
    again = await stage.end("s", reason="b", agent="designer")
    assert again.trace_number == first.trace_number
    assert (again.approvals, again.grants, again.questions) == (0, 0, 0)
    assert (await stage.store.trace(first.trace_number)).elements[0].body["reason"] == "a"


async def test_hundreds_of_approvals_end_together(stage):
    """More than are read at once; every one of them."""
    many = ApprovalTerms(300, pending_per_session=1000, asks_per_minute_per_session=1000)
    await stage.activate(approvals=many)
    asked = await asyncio.gather(*(stage.judge(f"c{n}", session="s") for n in range(450)))
    closed = await stage.end("s")
    assert closed.approvals == 450
    states = {await state_of(stage, each) for each in asked}
    assert states == {ApprovalState.CANCELLED}


async def test_whoever_is_held_in_the_session_is_denied_at_once(stage):
    """The wait ends with the session."""
    with stage.waits.any_approval() as bell:
        held = asyncio.create_task(stage.judge("c1", session="s", wait=timedelta(seconds=60)))
        assert await bell.wait(5)
    await stage.end("s")
    async with asyncio.timeout(5):
        verdict = await held
    assert (verdict.outcome, verdict.cause) == (Outcome.DENY, Cause.SESSION_CLOSED)


async def test_what_has_run_out_or_was_decided_is_not_counted(stage):
    """It ends as what it was."""
    late = await stage.judge("late", session="s", limit=timedelta(seconds=10))
    denied = await stage.judge("denied", session="s")
    await stage.vote(denied.approval_id, Decision.DENY)
    used = await stage.judge("used", session="s")
    await stage.vote(used.approval_id)
    assert (await stage.judge("used", session="s")).allowed
    stage.clock.forward(10)
    assert (await stage.end("s")).approvals == 0
    assert await state_of(stage, late) is ApprovalState.EXPIRED
    assert await state_of(stage, denied) is ApprovalState.DENIED
    assert await state_of(stage, used) is ApprovalState.CONSUMED


async def test_a_closing_that_broke_off_is_finished_by_coming_again(stage, monkeypatch):
    """A crash after any number of changes: what was left is what the second request counts."""
    for number in range(5):
        await stage.judge(f"c{number}", session="s")
    change, done = stage.store.change_call, []

    async def breaks(number, decide):
        if len(done) == 2:
            raise AdjudicatorError(ErrorReason.STORE_UNAVAILABLE, "gone")
        done.append(number)
        return await change(number, decide)

    with monkeypatch.context() as patched:
        patched.setattr(stage.store, "change_call", breaks)
        assert (await refusal(stage.end("s"))).reason is ErrorReason.STORE_UNAVAILABLE
    assert (await stage.end("s")).approvals == 3


async def test_what_a_crash_left_is_found_and_ended(stage, monkeypatch):
    """In sessions and in flows; what stands elsewhere is not touched, and a second look finds nothing."""
    flow = await stage.flow("f1", session="t")
    left = [
        await stage.judge("c1", session="s"),
        await stage.judge("c1", session="t", flow=flow),
    ]
    await stage.store.open_trace(a_grant(stage))
    kept = [await stage.judge("c2", session="t"), await stage.judge("c1", session="u")]

    async def nothing(*_):
        raise AdjudicatorError(ErrorReason.STORE_UNAVAILABLE, "gone")

    with monkeypatch.context() as patched:
        patched.setattr(stage.store, "standing", nothing)
        await refusal(stage.end("s"))
        await refusal(stage.close(flow))
    assert await stage.finish.sweep() == 3
    assert [await state_of(stage, each) for each in left] == [ApprovalState.CANCELLED] * 2
    causes = [(await stage.store.trace(each.trace_number)).verdict.cause for each in left]
    assert causes == [Cause.SESSION_CLOSED, Cause.CALL_WITHDRAWN]
    assert (await stage.store.grant("grant-1")).state is GrantState.CLEARED
    assert [await state_of(stage, each) for each in kept] == [ApprovalState.PENDING] * 2
    assert await stage.finish.sweep() == 0


async def test_one_that_cannot_be_ended_stops_no_other(stage, monkeypatch):
    """A record that somebody changed is left to whoever verifies; it is never released."""
    first, second = await stage.judge("c1", session="s"), await stage.judge("c2", session="s")
    change = stage.store.change_call

    async def broken(number, decide):
        if number == first.trace_number:
            raise AdjudicatorError(ErrorReason.RECORD_ALTERED, "changed")
        return await change(number, decide)

    monkeypatch.setattr(stage.store, "change_call", broken)
    assert (await stage.end("s")).approvals == 1
    assert await state_of(stage, second) is ApprovalState.CANCELLED


async def test_no_flow_is_opened_in_a_closed_session(stage):
    """The error says which field it is about."""
    await stage.end("s")
    error = await refusal(stage.flow("f1", session="s"))
    assert (error.reason, list(error.fields)) == (ErrorReason.SESSION_CLOSED, ["session"])


@pytest.mark.parametrize(
    ("fields", "reason", "field"),
    [
        ({"session": ""}, ErrorReason.MALFORMED_REQUEST, "session"),
        ({"session": "a b"}, ErrorReason.MALFORMED_REQUEST, "session"),
        ({"tenant": ""}, ErrorReason.MALFORMED_REQUEST, "tenant"),
        ({"agent": "\x1b"}, ErrorReason.MALFORMED_REQUEST, "agent"),
        ({"reason": "x" * 501}, ErrorReason.MALFORMED_REQUEST, "reason"),
        ({"tenant": "nowhere"}, ErrorReason.NOT_ALLOWED, "tenant"),
        ({"agent": "off"}, ErrorReason.NOT_ALLOWED, "agent"),
        ({"agent": "elsewhere"}, ErrorReason.NOT_ALLOWED, "agent"),
    ],
)
async def test_who_may_not_close_a_session_closes_none(stage, fields, reason, field):
    """Nor does a malformed request, and the error names the field."""
    asked = await stage.judge("c1", session="s")
    error = await refusal(stage.end(**fields))
    assert (error.reason, list(error.fields)) == (reason, [field])
    assert await state_of(stage, asked) is ApprovalState.PENDING
    assert await stage.flow("f1", session="s")


async def test_a_session_of_the_same_name_in_another_tenant_is_another(stage):
    """Closing one closes one."""
    await stage.store.open_trace(a_grant(stage, tenant="archive"))
    await stage.end("s")
    assert (await stage.store.grant("grant-1")).state is GrantState.LIVE


async def test_a_closed_flow_takes_what_stands_in_it_along(stage):
    """And nothing else of its session."""
    flow = await stage.flow("f1", session="s")
    inside = await stage.judge("c1", session="s", flow=flow)
    approved = await stage.judge("c2", session="s", flow=flow)
    await stage.vote(approved.approval_id)
    outside = await stage.judge("c3", session="s")
    await stage.close(flow)
    for asked in (inside, approved):
        trace = await stage.store.trace(asked.trace_number)
        assert await state_of(stage, asked) is ApprovalState.CANCELLED
        assert trace.verdict.cause is Cause.CALL_WITHDRAWN
        assert trace.verdict.reason == "the call was withdrawn: its flow was closed"
    assert await state_of(stage, outside) is ApprovalState.PENDING
