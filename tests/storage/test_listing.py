"""Lists of traces: what each filter selects, and pages while others write."""

import asyncio
import contextlib
import itertools
import sqlite3
import tracemalloc
from dataclasses import replace
from datetime import timedelta

import pytest
from adjudicator.domain.trace import Element, ElementKind, TraceKind
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode, Step
from adjudicator.storage.contract import CallKey, Change, InFlow, TraceFilter
from adjudicator.storage.statements import select_traces
from records import NOW, VERDICT, a_trace

DENIED = replace(
    VERDICT,
    outcome=Outcome.DENY,
    step=Step.SCOPE,
    reason_code=ReasonCode.FORBIDDEN,
    cause=Cause.OUT_OF_SCOPE,
)
SECOND = timedelta(seconds=1)


async def fill(store):
    """Four calls and a flow, each with something of its own."""
    await store.open_trace(a_trace(1))
    key = CallKey("archive", "t", "c2")
    await store.open_trace(a_trace(2, key=key, agent="critic", tool="write", verdict=DENIED, approval=None))
    flow = replace(
        a_trace(3),
        key=CallKey("studio", "s", "f", kind=TraceKind.FLOW),
        approval=None,
        verdict=None,
        tool="",
    )
    await store.open_trace(flow)
    told = InFlow(3, Element(ElementKind.TOOL_CALL, {}, NOW))
    await store.open_trace(a_trace(4, flow=told, opened_at=NOW + 4 * SECOND, approval=None))
    await store.open_trace(a_trace(1, keyed=False, approval=None, opened_at=NOW + 5 * SECOND))


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (TraceFilter(), [5, 4, 3, 2, 1]),
        (TraceFilter(tenant="archive"), [2]),
        (TraceFilter(session="s"), [5, 4, 3, 1]),
        (TraceFilter(session="t", tenant="archive"), [2]),
        (TraceFilter(session="t", tenant="studio"), []),
        (TraceFilter(agent="critic"), [2]),
        (TraceFilter(tool="write"), [2]),
        (TraceFilter(outcome=Outcome.DENY), [2]),
        (TraceFilter(outcome=Outcome.ASK), [5, 4, 1]),
        (TraceFilter(step=Step.SCOPE), [2]),
        (TraceFilter(reason_code=ReasonCode.FORBIDDEN), [2]),
        (TraceFilter(cause=Cause.OUT_OF_SCOPE), [2]),
        (TraceFilter(approval_id="apr-1"), [1]),
        (TraceFilter(approval_id="apr-9"), []),
        (TraceFilter(flow=3), [4]),
        (TraceFilter(flow=1), []),
        (TraceFilter(since=NOW + 4 * SECOND), [5, 4]),
        (TraceFilter(until=NOW + 4 * SECOND), [3, 2, 1]),
        (TraceFilter(since=NOW + 4 * SECOND, until=NOW + 5 * SECOND), [4]),
        (TraceFilter(since=NOW, until=NOW), []),
    ],
)
async def test_a_filter_selects_what_it_says(store, wanted, numbers):
    """Every filter that is set has to match; since is included and until is not."""
    await fill(store)
    assert [each.number for each in await store.traces(wanted, None, 9)] == numbers


async def test_a_later_verdict_is_the_one_that_counts(store):
    """A call that was asked about and denied is found as denied only."""
    await store.open_trace(a_trace(1))
    await store.change_call(1, lambda _: (Change(NOW, verdict=DENIED), None))
    assert await store.traces(TraceFilter(outcome=Outcome.ASK), None, 9) == []
    assert [each.number for each in await store.traces(TraceFilter(cause=DENIED.cause), None, 9)] == [1]


async def test_pages_while_others_write_repeat_nothing_and_skip_nothing(store):
    """Every trace that was there at the beginning comes exactly once, in order."""
    await asyncio.gather(*(store.open_trace(a_trace(each, approval=None)) for each in range(1, 301)))
    stop, numbers = asyncio.Event(), itertools.count(1000)

    async def write():
        while not stop.is_set():
            await store.open_trace(a_trace(next(numbers), approval=None))

    writers = [asyncio.create_task(write()) for _ in range(4)]
    there = {each.number for each in await store.traces(TraceFilter(agent="coder"), None, 100_000)}
    seen, before = [], None
    while page := await store.traces(TraceFilter(agent="coder"), before, 7):
        seen += [each.number for each in page]
        before = page[-1].number
    stop.set()
    await asyncio.gather(*writers)
    assert seen == sorted(set(seen), reverse=True)
    assert there <= set(seen)
    assert next(numbers) > 1010


async def test_a_session_is_found_without_looking_at_every_trace(sqlite_store, tmp_path):
    """By two indexes, of which an ordinary call is in none that it is not in anyway."""
    await fill(sqlite_store)
    asked = []
    with contextlib.closing(sqlite3.connect(tmp_path / "a.db")) as db:
        db.set_trace_callback(asked.append)
        select_traces(db, TraceFilter(session="s"), None, 9)
        db.set_trace_callback(None)
        plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {asked[0]}").fetchall()]
    assert "MULTI-INDEX OR" in plan
    assert not any(step.startswith("SCAN") for step in plan)


async def test_a_page_of_large_records_takes_the_memory_of_one(sqlite_store):
    """An agent chooses how large its arguments are, and a person how many calls are on a page."""
    large = Element(ElementKind.PROPOSED_ACTION, {"arguments": "x" * 2**20}, NOW)
    for number in range(1, 41):
        await sqlite_store.open_trace(a_trace(number, approval=None, verdict=DENIED, elements=(large,)))
    tracemalloc.start()
    try:
        page = await sqlite_store.traces(TraceFilter(), None, 500)
        summary = await sqlite_store.summarize(TraceFilter(), lambda *_: timedelta(hours=1))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (len(page), summary.calls) == (40, 40)
    assert peak < 12 * 2**20
