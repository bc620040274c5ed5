"""What the storage contract promises of flows and of the calls in them."""

import asyncio
from dataclasses import replace

import pytest
from adjudicator.domain.approval import ApprovalState
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.trace import Element, ElementKind, TraceKind
from adjudicator.domain.verdict import Outcome
from adjudicator.storage import flows
from adjudicator.storage.contract import CallKey, CallRecord, Change, InFlow, TraceFilter
from records import NOW, VERDICT, a_trace

CALLED = Element(ElementKind.TOOL_CALL, {"call_id": "c"}, NOW)
ALLOWED = replace(VERDICT, outcome=Outcome.ALLOW)
CLOSE = Change(NOW, finish=True)
KEY = CallKey("studio", "s", "c1")


def a_flow(number=1, **changes):
    """A flow in the session of `a_trace`, with a call_id that calls have too."""
    key = CallKey("studio", "s", f"c{number}", kind=TraceKind.FLOW)
    return replace(a_trace(number, approval=None, verdict=None, closing=(), tool="", key=key), **changes)


def in_flow(flow, number=1, **changes):
    """A call that belongs to the flow."""
    return a_trace(number, flow=InFlow(flow, CALLED), **changes)


async def reason_of(request):
    """Why the request is refused."""
    with pytest.raises(AdjudicatorError) as caught:
        await request
    return caught.value.reason


async def test_a_flow_has_a_trace_and_a_key_of_its_own(store):
    """A flow_id and a call_id of the same name never meet."""
    flow = await store.open_trace(a_flow())
    call = await store.open_trace(a_trace())
    assert isinstance(call, int)
    again = await store.open_trace(a_flow())
    assert isinstance(again, CallRecord)
    assert again.trace.number == flow
    trace = await store.trace(flow)
    assert (trace.kind, trace.flow_id, trace.verdict, trace.finished_at) == (
        TraceKind.FLOW,
        "c1",
        None,
        None,
    )
    assert (await store.trace(call)).kind is TraceKind.CALL


async def test_what_a_call_does_is_in_its_flow_and_what_it_says_stays_with_it(store):
    """The opening, a change that says so, and nothing of a change that does not."""
    flow = await store.open_trace(a_flow())
    call = await store.open_trace(in_flow(flow, 2))
    told = Element(ElementKind.RESULT, {"call_id": "c2"}, NOW)
    await store.change_call(call, lambda _: (Change(NOW, in_flow=told), None))
    await store.change_call(call, lambda _: (Change(NOW, elements=(CALLED,)), None))
    assert [(each.kind, each.body) for each in (await store.trace(flow)).elements[1:]] == [
        (ElementKind.TOOL_CALL, {"trace": call, "call_id": "c"}),
        (ElementKind.RESULT, {"trace": call, "call_id": "c2"}),
    ]
    assert [each.number for each in await store.traces(TraceFilter(flow=flow), None, 9)] == [call]
    assert (await store.trace(call)).flow == flow


async def test_a_call_finds_no_flow_of_another_tenant_or_session_and_no_call(store):
    """All of them in the words for a number that there is not; nothing is opened."""
    flow = await store.open_trace(a_flow())
    call = await store.open_trace(a_trace(9))
    words = set()
    for number, key in (
        (flow, CallKey("archive", "s", "c2")),
        (flow, CallKey("studio", "t", "c2")),
        (call, CallKey("studio", "s", "c2")),
        (77, CallKey("studio", "s", "c2")),
    ):
        for ask in (
            store.open_trace(in_flow(number, 2, key=key)),
            store.check_flow(number, key),
        ):
            with pytest.raises(AdjudicatorError) as caught:
                await ask
            assert caught.value.reason is ErrorReason.NOT_FOUND
            words.add(str(caught.value).replace(str(number), "N"))
    assert words == {"there is no flow N of this tenant and session"}
    assert len(await store.traces(TraceFilter(), None, 9)) == 2


async def test_a_closed_flow_takes_no_call_and_allows_none_that_it_has(store):
    """An opening and an ALLOW are refused; how the call ends is recorded with the call alone."""
    flow = await store.open_trace(a_flow())
    call = await store.open_trace(in_flow(flow, 2))
    await store.change_call(flow, lambda _: (CLOSE, None))
    length = len((await store.trace(flow)).elements)
    frozen = ErrorReason.TRACE_FROZEN
    assert await reason_of(store.open_trace(in_flow(flow, 3))) is frozen
    assert await reason_of(store.open_trace(in_flow(flow, 2))) is frozen  # the key is taken
    assert await reason_of(store.check_flow(flow, KEY)) is frozen
    allow = Change(NOW, ApprovalState.CONSUMED, verdict=ALLOWED, in_flow=CALLED)
    assert await reason_of(store.change_call(call, lambda _: (allow, None))) is frozen
    assert (await store.approval_of_trace(call)).state is ApprovalState.PENDING
    denied = Change(
        NOW, ApprovalState.DENIED, verdict=replace(VERDICT, outcome=Outcome.DENY), in_flow=CALLED
    )
    await store.change_call(call, lambda _: (denied, None))
    assert (await store.trace(call)).verdict.outcome is Outcome.DENY
    assert len((await store.trace(flow)).elements) == length
    assert (await store.trace(flow)).finished_at == NOW


async def test_of_a_close_and_many_calls_that_race_each_call_is_before_it_or_refused(store):
    """The flow's trace names exactly the calls that were opened, and ends with its end."""
    flow = await store.open_trace(a_flow())
    calls = [store.open_trace(in_flow(flow, number)) for number in range(2, 60)]
    close = store.change_call(flow, lambda _: (replace(CLOSE, elements=(CALLED,)), None))
    results = await asyncio.gather(*calls[:30], close, *calls[30:], return_exceptions=True)
    opened = {each for each in results if isinstance(each, int)}
    refused = [each.reason for each in results if isinstance(each, AdjudicatorError)]
    assert len(opened) + len(refused) == 58
    assert set(refused) <= {ErrorReason.TRACE_FROZEN}
    named = [each.body.get("trace") for each in (await store.trace(flow)).elements[1:]]
    assert named[-1] is None
    assert set(named[:-1]) == opened


async def test_a_full_flow_takes_no_new_call_and_its_calls_still_end(store, monkeypatch):
    """The bound is an error that says what to do."""
    monkeypatch.setattr(flows, "FLOW_RECORDS", 3)
    flow = await store.open_trace(a_flow())
    calls = [await store.open_trace(in_flow(flow, number)) for number in (2, 3)]
    assert await reason_of(store.open_trace(in_flow(flow, 4))) is ErrorReason.LIMIT_EXCEEDED
    allow = Change(NOW, verdict=ALLOWED, in_flow=CALLED)
    await store.change_call(calls[0], lambda _: (allow, None))
    await store.change_call(flow, lambda _: (CLOSE, None))


async def test_a_flow_that_was_changed_behind_the_store_is_gone_on_with_no_more(store, place):
    """A flow that somebody opened again by hand takes no call, and no record says that it was meant."""
    flow = await store.open_trace(a_flow())
    call = await store.open_trace(in_flow(flow, 2))
    place.tamper("UPDATE traces SET allowed = 1 WHERE keyed = 2")
    altered = ErrorReason.RECORD_ALTERED
    assert await reason_of(store.open_trace(in_flow(flow, 3))) is altered
    assert await reason_of(store.check_flow(flow, KEY)) is altered
    allow = Change(NOW, verdict=ALLOWED, in_flow=CALLED)
    assert await reason_of(store.change_call(call, lambda _: (allow, None))) is altered
    await store.change_call(call, lambda _: (Change(NOW, in_flow=CALLED), None))
    assert len((await store.trace(flow)).elements) == 2


async def test_a_call_whose_flow_is_not_there_any_more_is_not_allowed(store, place):
    """Only a closed flow can be archived."""
    flow = await store.open_trace(a_flow())
    call = await store.open_trace(in_flow(flow, 2))
    place.drop_guard("traces_stay", "traces")
    place.tamper("DELETE FROM traces WHERE keyed = 2")
    allow = Change(NOW, verdict=ALLOWED, in_flow=CALLED)
    assert await reason_of(store.change_call(call, lambda _: (allow, None))) is ErrorReason.TRACE_FROZEN
