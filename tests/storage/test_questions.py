"""What the storage contract promises of questions, and of sessions that are closed."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from adjudicator.domain.approval import ApprovalState, Decision, Vote
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.question import Answer, Question, QuestionState
from adjudicator.domain.request import Priority, Trigger
from adjudicator.domain.trace import Element, ElementKind, TraceKind
from adjudicator.domain.verdict import Cause, Outcome
from adjudicator.storage import sessions
from adjudicator.storage.contract import (
    Barred,
    Bounds,
    CallKey,
    CallRecord,
    Change,
    InFlow,
    NewTrace,
    Stranded,
    TraceFilter,
)
from records import NOW, VERDICT, a_trace, an_approval

ANSWER = Answer("user:ann", "a", "because\nof \x1b", NOW + timedelta(seconds=1))
ANSWERED = Change(NOW, question_state=QuestionState.ANSWERED, answer=ANSWER, finish=True)
ALLOWED = replace(VERDICT, outcome=Outcome.ALLOW)
DENIED = replace(VERDICT, outcome=Outcome.DENY)
ALLOW = Change(NOW, ApprovalState.CONSUMED, verdict=ALLOWED)


def a_question(number=1, **changes):
    """The trace of an open question of one minute, in the session of `a_trace`."""
    fields = {
        "id": f"qst-{number}",
        "state": QuestionState.OPEN,
        "tenant": "studio",
        "session": "s",
        "agent": "coder",
        "principal": "user:eve",
        "question_id": f"c{number}",
        "text": "Which?\n\u202e",
        "options": ("a", "b"),
        "recommended_option": "b",
        "free_text": True,
        "priority": Priority.HIGH,
        "trigger": Trigger.SEVERAL_OPTIONS,
        "asked_at": NOW,
        "expires_at": NOW + timedelta(seconds=60),
        "changed_at": NOW,
    }
    bounds = changes.pop("bounds", None)
    question = Question(**(fields | changes))
    key = CallKey(question.tenant, question.session, question.question_id, TraceKind.QUESTION)
    asked = (Element(ElementKind.INPUT_CONTEXT, {"agent": "coder"}, NOW),)
    return NewTrace(
        key=key,
        keyed=True,
        agent=question.agent,
        tool="",
        digest=b"d" * 32,
        opened_at=question.asked_at,
        elements=asked,
        verdict=None,
        closing=(),
        finish=False,
        approval=None,
        question=question,
        bounds=bounds,
    )


def the_end(session="s", tenant="studio"):
    """The trace by which a session is closed."""
    key = CallKey(tenant, session, "", TraceKind.SESSION)
    return replace(
        a_trace(), key=key, verdict=None, closing=(), approval=None, tool="", finish=True, digest=b""
    )


async def barred(request):
    """Why something is not recorded as it was asked for."""
    with pytest.raises(Barred) as caught:
        await request
    return caught.value.cause


async def answer(store, number, change=ANSWERED):
    """Record an answer."""
    await store.change_call(number, lambda _: (change, None))


async def test_a_question_is_read_as_it_was_asked_and_answered(store):
    """Every field of it, in every way to find it."""
    new = a_question()
    number = await store.open_trace(new)
    asked = replace(new.question, trace_number=number)
    assert await store.question("qst-1") == asked
    assert (await store.call(new.key)).question == asked
    assert (await store.call_of_trace(number)).question == asked
    assert await store.open_questions("", "", 0, None, 9) == [asked]
    await answer(store, number)
    state = QuestionState.ANSWERED
    assert await store.question("qst-1") == replace(asked, state=state, answer=ANSWER, changed_at=NOW)
    assert await store.question("qst-2") is None
    trace = await store.trace(number)
    assert (trace.kind, trace.own_id, trace.verdict, trace.finished_at) == (
        TraceKind.QUESTION,
        "c1",
        None,
        NOW,
    )


async def test_a_question_and_a_call_of_one_id_never_meet(store):
    """Neither does a question's id and an approval's."""
    question = await store.open_trace(a_question())
    call = await store.open_trace(a_trace())
    again = await store.open_trace(a_question())
    assert isinstance(again, CallRecord)
    assert (again.trace.number, again.approval) == (question, None)
    assert (await store.call(CallKey("studio", "s", "c1"))).trace.number == call
    assert await store.approval("qst-1") is None
    assert await store.question("apr-1") is None
    with pytest.raises(AdjudicatorError) as caught:
        await store.change_approval("qst-1", lambda _: (None, None))
    assert caught.value.reason is ErrorReason.NOT_FOUND
    assert await store.approval_of_trace(question) is None


async def test_a_question_that_is_over_never_changes(store, place):
    """Its trace is frozen; a statement behind the store's back is refused too."""
    number = await store.open_trace(a_question())
    await answer(store, number)
    for change in (ANSWERED, Change(NOW, question_state=QuestionState.OPEN)):
        with pytest.raises(AdjudicatorError) as caught:
            await answer(store, number, change)
        assert caught.value.reason is ErrorReason.TRACE_FROZEN
    for sql in (
        "UPDATE questions SET state = 'open'",
        "UPDATE questions SET answer = 'null'",
        "UPDATE questions SET terms = '{}'",
        "UPDATE questions SET agent = 'x'",
        "DELETE FROM questions",
    ):
        with pytest.raises(place.refused):
            place.tamper(sql)
    assert (await store.question("qst-1")).answer == ANSWER


@pytest.mark.parametrize(
    ("guard", "sql"),
    [
        ("questions_final", "UPDATE questions SET expires_at = expires_at + 1"),
        ("questions_final", 'UPDATE questions SET answer = \'["user:eve","a","",1]\''),
        ("questions_final", "UPDATE questions SET terms = replace(terms, 'Which', 'What')"),
        ("questions_stay", "DELETE FROM questions"),
    ],
)
async def test_a_question_that_was_changed_behind_the_store_is_not_decided_on(store, place, guard, sql):
    """Nobody answers it, and its agent gets no answer of somebody who only wrote to the database."""
    number = await store.open_trace(a_question())
    for name in {guard, "questions_never_update"}:
        place.drop_guard(name, "questions")
    place.tamper(sql)
    for request in (answer(store, number), store.call(a_question().key), store.call_of_trace(number)):
        with pytest.raises(AdjudicatorError) as caught:
            await request
        assert caught.value.reason is ErrorReason.RECORD_ALTERED


async def test_of_many_answers_at_once_one_is_recorded(store):
    """Each sees all before it."""
    number = await store.open_trace(a_question())

    def decide(record):
        over = record.question.state is not QuestionState.OPEN
        return (None, False) if over else (ANSWERED, True)

    counted = await asyncio.gather(*(store.change_call(number, decide) for _ in range(20)))
    assert sum(counted) == 1


async def test_changes_of_questions_come_in_order_among_those_of_approvals(store):
    """Positions are of both, and neither is told of the other's."""
    first = await store.open_trace(a_question(1))
    await store.open_trace(a_trace(9))
    await store.open_trace(a_question(2))
    until = await store.last_position()
    await store.open_trace(a_question(3))
    await answer(store, first)
    events = await store.question_events(0, 9)
    assert [each.question.id for each in events] == ["qst-2", "qst-3", "qst-1"]
    assert events[-1].position == await store.last_position()
    assert [each.question.id for each in await store.question_events(events[0].position, 1)] == ["qst-3"]
    assert [each.approval.id for each in await store.events(0, 9)] == ["apr-9"]
    assert [each.id for each in await store.open_questions("", "", 0, until, 9)] == ["qst-2"]


async def test_open_questions_are_listed_by_tenant_and_session(store):
    """Oldest first, from a trace on."""
    for number, fields in enumerate(({}, {"session": "t"}, {"tenant": "archive"}, {}), 1):
        await store.open_trace(a_question(number, **fields))

    async def listed(*wanted):
        return [each.id for each in await store.open_questions(*wanted)]

    assert await listed("", "", 0, None, 9) == ["qst-1", "qst-2", "qst-3", "qst-4"]
    assert await listed("studio", "", 0, None, 9) == ["qst-1", "qst-2", "qst-4"]
    assert await listed("studio", "s", 0, None, 1) == ["qst-1"]
    after = (await store.question("qst-1")).trace_number
    assert await listed("studio", "s", after, None, 9) == ["qst-4"]


async def test_whoever_waits_for_a_question_is_told_of_it(store):
    """By its id, when it is asked and when it is answered."""
    told, rung = [], asyncio.Event()

    def heard(ids):
        told.append(ids)
        rung.set()

    store.subscribe(heard)
    number = await store.open_trace(a_question())
    await answer(store, number)
    async with asyncio.timeout(5):
        while told.count(frozenset({"qst-1"})) < 2:
            await rung.wait()
            rung.clear()


async def test_time_limits_of_questions_are_kept_with_those_of_approvals(store):
    """The earliest of both is next; what was answered has none."""
    number = await store.open_trace(a_question(expires_at=NOW + timedelta(seconds=5)))
    call = await store.open_trace(a_trace(9))
    assert await store.next_deadline() == NOW + timedelta(seconds=5)
    assert await store.due(NOW + timedelta(seconds=5), 9) == [number]
    assert sorted(await store.due(NOW + timedelta(days=1), 9)) == sorted([number, call])
    await answer(store, number)
    assert await store.next_deadline() == NOW + timedelta(seconds=60)


async def test_questions_are_bounded_apart_from_approvals(store):
    """Openings of one transaction count too; a denied one leaves nothing."""
    bounds = Bounds(2, 3, 99, 99, NOW - timedelta(minutes=1))
    asks = [store.open_trace(a_question(number, bounds=bounds)) for number in range(5)]
    results = await asyncio.gather(*asks, return_exceptions=True)
    assert [each.cause for each in results if isinstance(each, Barred)] == [Cause.TOO_MANY_PENDING] * 3
    await store.open_trace(a_trace(9, bounds=bounds))
    await store.open_trace(a_question(10, session="t", bounds=bounds))
    assert await barred(store.open_trace(a_question(11, session="u", bounds=bounds))) is (
        Cause.TOO_MANY_PENDING
    )
    often = replace(bounds, pending_of_session=99, pending_of_agent=99, asked_of_agent=3)
    assert (
        await barred(store.open_trace(a_question(12, session="u", bounds=often))) is Cause.ASKED_TOO_OFTEN
    )
    await store.open_trace(a_question(12, session="u", agent="designer", bounds=often))
    assert len(await store.open_questions("", "", 0, None, 99)) == 4


async def test_in_a_closed_session_nothing_but_denials_is_recorded(store):
    """No ask, no allow, no flow, no question; other sessions and tenants, and no session, go on."""
    pending = await store.open_trace(a_trace(1))
    end = await store.open_trace(the_end())
    flow = replace(the_end(), key=CallKey("studio", "s", "f", TraceKind.FLOW), finish=False)
    allowed = a_trace(2, approval=None, verdict=ALLOWED)
    for new in (a_trace(3), allowed, flow, a_question(4), a_trace(1)):
        assert await barred(store.open_trace(new)) is Cause.SESSION_CLOSED
    approve = Change(NOW, ApprovalState.APPROVED, Vote("user:ann", Decision.APPROVE, "", NOW))
    await store.change_call(pending, lambda _: (approve, None))
    assert await barred(store.change_call(pending, lambda _: (ALLOW, None))) is Cause.SESSION_CLOSED
    opens = Change(NOW, opens=a_question(5))
    assert await barred(store.change_call(pending, lambda _: (opens, None))) is Cause.SESSION_CLOSED
    assert (await store.approval("apr-1")).state is ApprovalState.APPROVED
    await store.open_trace(a_trace(6, approval=None, verdict=DENIED, finish=True))
    for key in (CallKey("studio", "t", "c7"), CallKey("archive", "s", "c7"), CallKey("studio", "", "c7")):
        await store.open_trace(a_trace(7, key=key, approval=None, verdict=ALLOWED))
    again = await store.open_trace(the_end())
    assert isinstance(again, CallRecord)
    assert (again.trace.number, again.trace.kind) == (end, TraceKind.SESSION)
    assert await store.traces(TraceFilter(session="s", outcome=Outcome.ALLOW), None, 9) == (
        await store.traces(TraceFilter(tenant="archive"), None, 9)
    )


async def test_what_is_left_in_closed_sessions_and_flows_is_found(store):
    """Approvals and questions that stand there, in the order of their traces, and nothing else."""
    flow_key = CallKey("studio", "f", "f1", TraceKind.FLOW)
    flow = await store.open_trace(replace(the_end(), key=flow_key, finish=False))
    told = InFlow(flow, Element(ElementKind.TOOL_CALL, {}, NOW))
    key = CallKey("studio", "f", "c1")
    in_flow = await store.open_trace(a_trace(1, key=key, flow=told, approval=an_approval(1, session="f")))
    beside = CallKey("studio", "f", "c2")
    await store.open_trace(a_trace(2, key=beside, approval=an_approval(2, session="f")))
    pending, question = await store.open_trace(a_trace(3)), await store.open_trace(a_question(4))
    over = await store.open_trace(a_question(5))
    await answer(store, over)
    other = CallKey("archive", "s", "c6")
    await store.open_trace(a_trace(6, key=other, approval=an_approval(6, tenant="archive")))
    assert await store.stranded(0, 9) == []
    await store.open_trace(the_end())
    await store.change_call(flow, lambda _: (Change(NOW, finish=True), None))
    left = [
        Stranded(in_flow, TraceKind.FLOW),
        Stranded(pending, TraceKind.SESSION),
        Stranded(question, TraceKind.SESSION),
    ]
    assert await store.stranded(0, 9) == left
    assert await store.stranded(in_flow, 1) == left[1:2]
    assert [each.id for each in await store.standing("studio", "f", 0, 9, flow)] == ["apr-1"]
    assert [each.id for each in await store.standing("studio", "f", 0, 9)] == ["apr-1", "apr-2"]
    await store.open_trace(the_end("f"))
    assert (await store.stranded(0, 1))[0] == Stranded(in_flow, TraceKind.SESSION)


async def test_looking_for_what_is_left_reads_what_stands_and_no_history(sqlite_store):
    """It is done every half minute, however much there ever was."""

    def plan(db):
        return [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sessions.STRANDED}", (0, 9)).fetchall()]

    steps = await sqlite_store.read_apart(plan)
    scanned = [step for step in steps if step.startswith("SCAN") and step != "SCAN o"]
    assert len(scanned) == 4
    assert all("INDEX" in step for step in scanned)
    assert not any("rowid>?" in step or "trace>?" in step for step in steps)
