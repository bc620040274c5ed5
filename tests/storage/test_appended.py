"""Reading on along the chains: each record once, with its trace, and no gap without a word."""

from dataclasses import replace

import pytest
from adjudicator.domain.approval import ApprovalState, Decision, Vote
from adjudicator.domain.record import Head
from adjudicator.domain.trace import Element, ElementKind, TraceKind
from adjudicator.domain.verdict import Cause, Outcome, Step
from adjudicator.storage.contract import CallKey, Change, InFlow, TraceFilter
from opened import open_sqlite
from records import NOW, VERDICT, a_trace

DENIED = replace(VERDICT, outcome=Outcome.DENY, step=Step.SCOPE, cause=Cause.OUT_OF_SCOPE)
ALL = TraceFilter()


async def fill(store):
    """A call that asks and is denied, a flow, and a call in it."""
    await store.open_trace(a_trace(1))
    flow = replace(
        a_trace(2),
        key=CallKey("studio", "s", "f", kind=TraceKind.FLOW),
        approval=None,
        verdict=None,
        tool="",
    )
    await store.open_trace(flow)
    told = InFlow(2, Element(ElementKind.TOOL_CALL, {}, NOW))
    await store.open_trace(
        a_trace(3, key=CallKey("studio", "s", "c3"), agent="critic", flow=told, approval=None)
    )
    vote = Vote("user:ann", Decision.DENY, "", NOW)
    change = Change(NOW, ApprovalState.DENIED, vote, verdict=DENIED, finish=True)
    await store.change_call(1, lambda _: (change, None))


async def places(store, wanted=ALL, after=None, count=100):
    """The sequences and traces of what is read."""
    part = await store.appended(wanted, after or {}, count)
    return [(each.record.sequence, each.record.trace) for each in part.found]


async def test_each_record_comes_with_its_trace_and_its_own_elements(store):
    """In their order; the trace is as it is now, the elements are the record's."""
    await fill(store)
    part = await store.appended(ALL, {}, 100)
    assert [(each.record.sequence, each.record.trace) for each in part.found] == [
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 2),
        (5, 1),
    ]
    assert [each.finished for each in part.found] == [False, False, False, False, True]
    whole = (await store.trace(1)).elements
    shown = [each for one in part.found if one.record.trace == 1 for each in one.trace.elements]
    assert [(each.kind, each.body, each.recorded_at) for each in shown] == [
        (each.kind, each.body, each.recorded_at) for each in whole
    ]
    assert part.reached == await store.tails()
    assert not part.more


async def test_going_on_in_parts_repeats_nothing_and_misses_nothing(store):
    """Whatever the size of a part is, and also when a filter hides most of it."""
    await fill(store)
    for count in (1, 2, 3):
        seen, after, more = [], {}, True
        while more:
            part = await store.appended(TraceFilter(agent="critic"), after, count)
            seen += [each.record.sequence for each in part.found]
            after, more = part.reached, part.more
        assert seen == [3]
        assert after == await store.tails()


async def test_large_records_come_a_few_at_a_time(store):
    """A watcher that reads slowly holds what it was given, so that is little; all of them come."""
    large = Element(ElementKind.PROPOSED_ACTION, {"arguments": "x" * 600_000}, NOW)
    for number in range(1, 8):
        await store.open_trace(a_trace(number, approval=None, elements=(large,)))
    parts, after, more = [], {}, True
    while more:
        part = await store.appended(ALL, after, 100)
        parts.append([each.record.sequence for each in part.found])
        after, more = part.reached, part.more
    assert parts == [[1, 2], [3, 4], [5, 6], [7]]


@pytest.mark.parametrize(
    ("wanted", "sequences"),
    [
        (TraceFilter(tenant="studio"), [1, 2, 3, 4, 5]),
        (TraceFilter(tenant="archive"), []),
        (TraceFilter(session="t"), []),
        (TraceFilter(tool="bash"), [1, 3, 5]),
        (TraceFilter(flow=2), [3]),
        (TraceFilter(approval_id="apr-1"), [1, 5]),
        (TraceFilter(approval_id="apr-9"), []),
        (TraceFilter(outcome=Outcome.ASK), [1, 3]),
        (TraceFilter(outcome=Outcome.DENY), [5]),
        (TraceFilter(outcome=Outcome.DENY, step=Step.GATE), []),
        (TraceFilter(cause=Cause.OUT_OF_SCOPE, step=Step.SCOPE), [5]),
        (TraceFilter(since=NOW), [1, 2, 3, 4, 5]),
        (TraceFilter(until=NOW), []),
    ],
)
async def test_a_filter_is_on_the_trace_and_on_the_verdict_of_the_record(store, wanted, sequences):
    """An outcome is that of the record, so a watcher gets it whenever it reads."""
    await fill(store)
    assert [sequence for sequence, _ in await places(store, wanted)] == sequences


async def test_several_writers_are_read_each_in_its_order(tmp_path):
    """One that is new since the last look is read from its beginning."""
    first, _ = open_sqlite(tmp_path / "a.db")
    await fill(first)
    reached = (await first.appended(ALL, {}, 9)).reached
    await first.close()
    forgotten = Head("0" * 16, 99, b"", 0, b"")  # of a database that was cut: the chain begins anew
    second, _ = open_sqlite(tmp_path / "a.db", known=lambda _: forgotten)
    await second.open_trace(a_trace(7, approval=None))
    assert second.writer.name != first.writer.name
    part = await second.appended(ALL, reached, 9)
    assert [(each.record.writer, each.record.sequence) for each in part.found] == [(second.writer.name, 1)]
    both = await second.appended(ALL, {}, 9)
    assert [each.record.sequence for each in both.found] == [1, 2, 3, 4, 5, 1]
    await second.close()


END = "INSERT INTO archives SELECT writer, sequence, hash, hash, 0, hash FROM records WHERE sequence = {}"


async def test_there_is_no_going_on_where_records_are_gone_or_never_were(store, place):
    """A sequence beyond the end, a writer that there is not, and records that were archived."""
    await fill(store)
    name = store.writer.name
    assert await store.appended(ALL, {name: 6}, 9) is None
    assert await store.appended(ALL, {name: 5, "0" * 16: 1}, 9) is None
    place.tamper(
        "INSERT INTO archives SELECT writer, sequence, hash, hash, 0, hash FROM records WHERE sequence = 3"
    )
    place.tamper("DELETE FROM records WHERE sequence <= 3")
    assert await store.appended(ALL, {}, 9) is None
    assert await store.appended(ALL, {name: 2}, 9) is None
    assert await places(store, after={name: 3}) == [(4, 2), (5, 1)]
    place.tamper(
        "INSERT INTO archives SELECT writer, sequence, hash, hash, 0, hash FROM records WHERE sequence = 5"
    )
    place.tamper("DELETE FROM records")
    assert await store.appended(ALL, {name: 4}, 9) is None
    assert await places(store, after={name: 5}) == []
