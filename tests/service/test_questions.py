"""Questions: who asks, who answers, once, in time; and that an answer decides on nothing."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import ApprovalState, ReceiptCode
from adjudicator.domain.errors import ErrorReason
from adjudicator.domain.question import AnswerCode, QuestionState
from adjudicator.domain.request import Priority, Trigger
from adjudicator.domain.trace import ElementKind, TraceKind
from adjudicator.domain.verdict import Outcome
from adjudicator.policy.snapshot import ApprovalTerms
from adjudicator.storage.contract import TraceFilter
from chain.bundle import a_snapshot
from chain.people import People
from service.stage import ASK_ALL, ZERO, Stage, refusal

CRITICAL = Priority.CRITICAL
ANN = ("user:ann", "studio", "question", CRITICAL)
PEOPLE = People(
    ANN,
    ("user:bob", "archive", "question", CRITICAL),
    ("user:cid", "studio", "read", CRITICAL),
    ("user:dot", "studio", "question", Priority.LOW),
    ("user:coder", "studio", "question", CRITICAL),
    ("user:designer", "studio", "question", CRITICAL),
)
OPTIONS = {"text": "Which?", "options": ("a", "b")}


@pytest.fixture
async def stage(tmp_path):
    """A stage on which ann may answer questions of the studio, and others less."""
    made = await Stage.set_up(tmp_path, a_snapshot(rules=ASK_ALL, approvers=PEOPLE))
    yield made
    await made.store.close()


async def question_of(stage, number):
    """The question as it is on record."""
    return (await stage.store.call_of_trace(number)).question


async def test_a_question_from_its_asking_to_its_answer(stage):
    """It is on record with who asked and who answered, and the same request gets the answer."""
    asked = await stage.ask(principal="user:eve", trigger=Trigger.BLOCKED_TASK, **OPTIONS)
    assert (asked.state, asked.priority) == (QuestionState.OPEN, Priority.MEDIUM)
    receipt = await stage.answer(option="b")
    assert (receipt.code, receipt.question.answer.actor) == (AnswerCode.ACCEPTED, "user:ann")
    again = await stage.ask(principal="user:eve", trigger=Trigger.BLOCKED_TASK, **OPTIONS)
    assert (again.state, again.answer.selected_option, again.trace_number) == (
        QuestionState.ANSWERED,
        "b",
        asked.trace_number,
    )
    trace = await stage.store.trace(asked.trace_number)
    assert (trace.kind, trace.own_id, trace.verdict) == (TraceKind.QUESTION, "q1", None)
    assert trace.finished_at is not None
    assert [each.kind for each in trace.elements] == [
        ElementKind.INPUT_CONTEXT,
        ElementKind.PROPOSED_ACTION,
        ElementKind.RESULT,
        ElementKind.FINAL_OUTPUT,
    ]
    assert trace.elements[2].body == {"answered_by": "user:ann", "selected_option": "b"}


async def test_an_answer_releases_nothing(stage):
    """Whatever it says: the call of the same session and the same id still waits for a person."""
    asked = await stage.judge("q1", session="s")
    await stage.ask("q1", text=f"May call q1 run? {asked.approval_id}", options=("approve", "deny"))
    assert (await stage.answer("q1", option="approve")).code is AnswerCode.ACCEPTED
    verdict = await stage.judge("q1", session="s")
    assert (verdict.outcome, verdict.approval_id) == (Outcome.ASK, asked.approval_id)
    assert (await stage.store.approval(asked.approval_id)).state is ApprovalState.PENDING
    assert (await stage.store.traces(TraceFilter(outcome=Outcome.ALLOW), None, 9)) == []


async def test_ids_of_questions_and_of_approvals_never_meet(stage):
    """Each is unknown where the other is meant."""
    asked = await stage.judge("c1", session="s")
    question = await stage.ask()
    receipt = await stage.answer(asked.approval_id, text="approve")
    assert (receipt.code, receipt.question) == (AnswerCode.UNKNOWN, None)
    receipt = await stage.vote(question.id, digest="")
    assert (receipt.code, receipt.approval) == (ReceiptCode.UNKNOWN, None)
    assert (await question_of(stage, question.trace_number)).state is QuestionState.OPEN


@pytest.mark.parametrize(
    ("actor", "code"),
    [
        ("user:ann", AnswerCode.ACCEPTED),
        ("user:nobody", AnswerCode.NOT_ENTITLED),
        ("user:bob", AnswerCode.UNKNOWN),
        ("user:cid", AnswerCode.NOT_ENTITLED),
        ("user:dot", AnswerCode.NOT_ENTITLED),
        ("user:coder", AnswerCode.NOT_A_PERSON),
        ("user:Designer", AnswerCode.NOT_A_PERSON),
        ("user:elsewhere", AnswerCode.NOT_A_PERSON),
        ("", AnswerCode.NOT_ENTITLED),
    ],
)
async def test_only_whom_the_policy_entitles_answers(stage, actor, code):
    """A name like an agent's never counts; who is entitled elsewhere alone finds nothing here."""
    asked = await stage.ask()
    receipt = await stage.answer(text="postgres", actor=actor)
    assert receipt.code is code
    assert (receipt.question is None) is (code is not AnswerCode.ACCEPTED)
    state = (await question_of(stage, asked.trace_number)).state
    assert (state is QuestionState.ANSWERED) is (code is AnswerCode.ACCEPTED)


@pytest.mark.parametrize(
    ("actor", "code"),
    [
        ("user:nobody", AnswerCode.NOT_ENTITLED),
        ("user:bob", AnswerCode.UNKNOWN),
        ("user:ann", AnswerCode.UNKNOWN),
        ("user:coder", AnswerCode.NOT_A_PERSON),
    ],
)
async def test_an_id_that_there_is_not_tells_nothing(stage, actor, code):
    """Whoever may not know of a question hears the same of one that exists."""
    assert (await stage.answer("qst-none", text="x", actor=actor)).code is code


async def test_a_policy_that_fails_or_entitles_nobody_lets_nobody_answer(stage):
    """Also when the entitlement goes after the question was asked."""
    await stage.ask()
    await stage.activate(approvers=People(ANN, broken=True), version="sha256:broken")
    assert (await stage.answer(text="x")).code is AnswerCode.NOT_ENTITLED
    await stage.activate(approvers=People(), version="sha256:none")
    assert (await stage.answer(text="x")).code is AnswerCode.NOT_ENTITLED


async def test_of_many_who_answer_at_once_one_does(stage):
    """The others are told that it was answered, with the answer that counts."""
    await stage.ask()
    receipts = await asyncio.gather(*(stage.answer(text=f"t{n}") for n in range(20)))
    counted = [each for each in receipts if each.code is AnswerCode.ACCEPTED]
    assert len(counted) == 1
    assert {each.code for each in receipts if each not in counted} == {AnswerCode.ALREADY_ANSWERED}
    assert {each.question.answer.text for each in receipts} == {counted[0].question.answer.text}


@pytest.mark.parametrize(("seconds", "counts"), [(299.999, True), (300, False), (400, False)])
async def test_an_answer_counts_until_the_moment_of_the_limit(stage, seconds, counts):
    """Swept or not; what came too late is recorded as run out."""
    asked = await stage.ask()
    stage.clock.forward(seconds)
    receipt = await stage.answer(text="x")
    assert receipt.code is (AnswerCode.ACCEPTED if counts else AnswerCode.EXPIRED)
    state = QuestionState.ANSWERED if counts else QuestionState.EXPIRED
    assert (await question_of(stage, asked.trace_number)).state is state
    assert (await stage.ask()).state is state


async def test_what_has_run_out_is_seen_before_it_is_swept_and_swept_once(stage):
    """By the agent that comes again, and in no list; a limit is only ever shorter than the policy's."""
    short = await stage.ask("short", limit=timedelta(seconds=10))
    long = await stage.ask("long", limit=timedelta(days=9))
    assert long.expires_at - long.asked_at == timedelta(seconds=300)
    stage.clock.forward(10)
    assert (await stage.ask("short")).state is QuestionState.EXPIRED
    assert [each.question_id for each in (await stage.list_questions("user:ann", "", 0, ""))[0]] == ["long"]
    assert await stage.expire.sweep() == 1
    assert await stage.expire.sweep() == 0
    trace = await stage.store.trace(short.trace_number)
    assert trace.elements[-1].body == {"state": "expired", "text": "nobody answered in time"}


async def test_with_a_clock_that_was_set_back_open_questions_are_closed(stage):
    """How long they were open cannot be known."""
    asked = await stage.ask()
    await stage.judge("c1", session="s")
    assert await stage.expire.close_all("the clock was set back") == 2
    question = await question_of(stage, asked.trace_number)
    assert (question.state, question.answer) == (QuestionState.CANCELLED, None)
    assert (await stage.answer(text="x")).code is AnswerCode.ALREADY_ANSWERED


async def test_a_closed_session_takes_its_questions_along(stage):
    """They are cancelled, none is asked any more, and one that was asked is still found."""
    asked = await stage.ask("q1")
    other = await stage.ask("q1", session="t")
    answered = await stage.ask("q2")
    await stage.answer("q2", text="x")
    assert (await stage.end("s")).questions == 1
    assert (await question_of(stage, asked.trace_number)).state is QuestionState.CANCELLED
    assert (await question_of(stage, other.trace_number)).state is QuestionState.OPEN
    assert (await stage.answer("q1", text="x")).code is AnswerCode.ALREADY_ANSWERED
    error = await refusal(stage.ask("q3"))
    assert (error.reason, list(error.fields)) == (ErrorReason.SESSION_CLOSED, ["session"])
    assert (await stage.ask("q1")).state is QuestionState.CANCELLED
    assert (await stage.ask("q2")).trace_number == answered.trace_number


class TestHolding:
    """A response that waits for the answer."""

    async def test_it_comes_with_the_answer(self, stage):
        """To all who wait for it."""
        await stage.ask()
        held = [asyncio.create_task(stage.ask(wait=timedelta(seconds=60))) for _ in range(3)]
        await asyncio.sleep(0.05)
        await stage.answer(text="postgres")
        async with asyncio.timeout(5):
            answers = await asyncio.gather(*held)
        assert {each.answer.text for each in answers} == {"postgres"}

    async def test_it_comes_with_the_end_of_the_session(self, stage):
        """And says that there is no answer."""
        held = asyncio.create_task(stage.ask(wait=timedelta(seconds=60)))
        await asyncio.sleep(0.05)
        await stage.end("s")
        async with asyncio.timeout(5):
            assert (await held).state is QuestionState.CANCELLED

    async def test_it_comes_when_the_wait_is_over(self, stage):
        """With the question still open."""
        async with asyncio.timeout(5):
            asked = await stage.ask(wait=timedelta(seconds=0.05))
        assert (asked.state, asked.answer) == (QuestionState.OPEN, None)

    async def test_it_ends_when_the_sidecar_stops(self, stage):
        """The question stays, and the caller comes again."""
        held = asyncio.create_task(stage.ask(wait=timedelta(seconds=60)))
        await asyncio.sleep(0.05)
        stage.waits.drain()
        assert (await refusal(held)).reason is ErrorReason.DRAINING

    async def test_beyond_the_places_nobody_is_held(self, tmp_path):
        """They are answered at once."""
        snapshot = a_snapshot(approvers=PEOPLE)
        stage = await Stage.set_up(tmp_path, snapshot, Limits(held_calls_of_session=1))
        first = asyncio.create_task(stage.ask(wait=timedelta(seconds=60)))
        await asyncio.sleep(0.05)
        async with asyncio.timeout(5):
            assert (await stage.ask(wait=timedelta(seconds=60))).state is QuestionState.OPEN
        await stage.answer(text="x")
        assert (await first).state is QuestionState.ANSWERED
        await stage.store.close()


@pytest.mark.parametrize(
    "change",
    [
        {"text": "Which one?"},
        {"options": ("a",)},
        {"recommended_option": "a"},
        {"free_text": True},
        {"agent": "designer"},
        {"principal": "user:eve"},
        {"trigger": Trigger.BLOCKED_TASK},
    ],
)
async def test_a_question_id_serves_one_question(stage, change):
    """With anything else in the request it is refused; the limit is no part of it."""
    first = await stage.ask(**OPTIONS)
    error = await refusal(stage.ask(**(OPTIONS | change)))
    assert (error.reason, list(error.fields)) == (ErrorReason.QUESTION_ID_REUSED, ["question_id"])
    again = await stage.ask(limit=timedelta(seconds=5), **OPTIONS)
    assert (again.trace_number, again.expires_at) == (first.trace_number, first.expires_at)
    assert (await stage.ask(session="t", **(OPTIONS | change))).trace_number != first.trace_number


async def test_a_question_without_an_id_gets_one(stage):
    """Each another; it is in the response."""
    made = {(await stage.ask("")).question_id for _ in range(3)}
    assert len(made) == 3


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"text": ""}, "text"),
        ({"text": " \n\t"}, "text"),
        ({"text": "\u200b\u3164"}, "text"),
        ({"text": "é" * 2049}, "text"),
        ({"options": tuple("abcdefghijklmnopq")}, "options"),
        ({"options": ("a", "")}, "options"),
        ({"options": ("a", " ")}, "options"),
        ({"options": ("a", "\u200b")}, "options"),
        ({"options": ("a", "x" * 201)}, "options"),
        ({"options": ("a", "a")}, "options"),
        ({"options": ("a\u200b", "a\\u200b")}, "options"),
        ({"options": ("a",), "recommended_option": "b"}, "recommended_option"),
        ({"recommended_option": "b"}, "recommended_option"),
        ({"tenant": ""}, "tenant"),
        ({"agent": "a b"}, "agent"),
        ({"session": "a b"}, "session"),
        ({"principal": "eve"}, "principal"),
        ({"question_id": "a b"}, "question_id"),
    ],
)
async def test_a_malformed_question_is_refused_with_the_name_of_its_field(stage, fields, field):
    """Before anything is looked up or recorded."""
    error = await refusal(stage.ask(**fields))
    assert (error.reason, list(error.fields)) == (ErrorReason.MALFORMED_REQUEST, [field])
    assert await stage.store.traces(TraceFilter(), None, 9) == []


@pytest.mark.parametrize(
    ("fields", "field"),
    [({"tenant": "nowhere"}, "tenant"), ({"tenant": "shut"}, "tenant"), ({"agent": "off"}, "agent")],
)
async def test_a_question_is_asked_by_an_agent_of_the_tenant(stage, fields, field):
    """What S1 or S2 would deny asks nothing."""
    error = await refusal(stage.ask(**fields))
    assert (error.reason, list(error.fields)) == (ErrorReason.NOT_ALLOWED, [field])


@pytest.mark.parametrize(
    ("question", "reply", "code"),
    [
        (OPTIONS, {"option": "c"}, AnswerCode.OPTION_UNKNOWN),
        (OPTIONS, {"option": "A"}, AnswerCode.OPTION_UNKNOWN),
        (OPTIONS, {"text": "a"}, AnswerCode.NO_ANSWER),
        (OPTIONS, {"option": "a", "text": "but"}, AnswerCode.NO_ANSWER),
        (OPTIONS, {}, AnswerCode.NO_ANSWER),
        (OPTIONS | {"free_text": True}, {"text": "  "}, AnswerCode.NO_ANSWER),
        (OPTIONS | {"free_text": True}, {"text": "neither"}, AnswerCode.ACCEPTED),
        (OPTIONS | {"free_text": True}, {"option": "a", "text": "but"}, AnswerCode.ACCEPTED),
        ({}, {"option": "a"}, AnswerCode.OPTION_UNKNOWN),
        ({}, {"text": "postgres"}, AnswerCode.ACCEPTED),
        ({}, {}, AnswerCode.NO_ANSWER),
    ],
)
async def test_what_is_an_answer(stage, question, reply, code):
    """One of the options, or text where it is taken; anything else leaves it open."""
    asked = await stage.ask(**question)
    assert (await stage.answer(**reply)).code is code
    answered = (await question_of(stage, asked.trace_number)).state is QuestionState.ANSWERED
    assert answered is (code is AnswerCode.ACCEPTED)


async def test_an_answer_without_end_is_refused(stage):
    """With the name of the field."""
    await stage.ask()
    error = await refusal(stage.answer(text="é" * 2049))
    assert (error.reason, list(error.fields)) == (ErrorReason.MALFORMED_REQUEST, ["text"])


async def test_what_deceives_the_eye_is_written_out_and_chosen_as_it_is_shown(stage):
    """Lines stay lines. The person names the option as they see it; the agent gets its own words."""
    option = "no\u202eyes"
    await stage.ask(text="a\nb\u200b", options=(option, "b"), recommended_option=option)
    (view,), _ = await stage.list_questions("user:ann", "", 0, "")
    assert (view.text, view.options) == ("a\nb\\u200b", ("no\\u202eyes", "b"))
    assert view.recommended_option == view.options[0]
    assert (await stage.answer(option=option)).code is AnswerCode.OPTION_UNKNOWN
    receipt = await stage.answer(option=view.options[0])
    assert receipt.question.answer.selected_option == "no\\u202eyes"
    asked = await stage.ask(text="a\nb\u200b", options=(option, "b"), recommended_option=option)
    assert asked.answer.selected_option == option


@pytest.mark.parametrize(
    ("trigger", "priority"),
    [
        (None, Priority.MEDIUM),
        (Trigger.SECURITY_VIOLATION, Priority.HIGH),
        (Trigger.EXTERNAL_NETWORK_CALL, Priority.LOW),
        (Trigger.BLOCKED_TASK, Priority.MEDIUM),
        (Trigger.SIGNIFICANT_CHANGE, Priority.CRITICAL),
    ],
)
async def test_a_trigger_says_how_urgent_a_question_is(stage, trigger, priority):
    """As the policy says; one that is switched off brings it in its turn."""
    priorities = dict(stage.snapshot.approvals.priorities) | {Trigger.SIGNIFICANT_CHANGE: CRITICAL}
    del priorities[Trigger.BLOCKED_TASK]
    terms = replace(stage.snapshot.approvals, priorities=priorities)
    await stage.activate(approvals=terms, version="sha256:other")
    assert (await stage.ask(trigger=trigger)).priority is priority


BOUNDS = [
    ({"pending_per_session": 2}, {}, True),
    ({"pending_per_session": 2}, {"session": "t"}, False),
    ({"pending_per_agent": 2}, {"session": "t"}, True),
    ({"pending_per_agent": 2}, {"session": "t", "agent": "designer"}, False),
    ({"asks_per_minute_per_session": 2}, {}, True),
    ({"asks_per_minute_per_agent": 2}, {"session": "t"}, True),
]


@pytest.mark.parametrize(("bounds", "fields", "refused"), BOUNDS)
async def test_an_agent_asks_no_more_than_the_policy_lets_it(stage, bounds, fields, refused):
    """The error says what to raise; what was asked before is still found, and calls still ask."""
    await stage.activate(approvals=ApprovalTerms(300, **bounds), version="sha256:other")
    for number in range(2):
        await stage.ask(f"q{number}")
    if refused:
        error = await refusal(stage.ask("q2", **fields))
        assert error.reason is ErrorReason.LIMIT_EXCEEDED
        assert f"approvals.{next(iter(bounds))}" in str(error)
    else:
        await stage.ask("q2", **fields)
    assert (await stage.ask("q1")).state is QuestionState.OPEN
    assert (await stage.judge("c1", session="s")).outcome is Outcome.ASK


async def test_room_is_made_by_answers_and_by_time(stage):
    """Pending ones by the one, a minute's by the other."""
    terms = ApprovalTerms(300, pending_per_session=1, asks_per_minute_per_agent=2)
    await stage.activate(approvals=terms, version="sha256:other")
    await stage.ask("q0")
    await refusal(stage.ask("q1"))
    await stage.answer("q0", text="x")
    await stage.ask("q1")
    await stage.answer("q1", text="x")
    assert "within a minute" in str(await refusal(stage.ask("q2")))
    stage.clock.forward(61)
    await stage.ask("q2")


async def test_a_list_has_pages_and_no_more_than_the_person_may_see(stage):
    """Oldest first; whoever is entitled to nothing gets nothing, and no error."""
    for number in range(5):
        await stage.ask(f"q{number}", trigger=Trigger.EXTERNAL_NETWORK_CALL if number % 2 else None)
    seen, token = [], ""
    while True:
        page, token = await stage.list_questions("user:ann", "studio", 2, token)
        assert len(page) <= 2
        seen += [each.question_id for each in page]
        if not token:
            break
    assert seen == ["q0", "q1", "q2", "q3", "q4"]
    low, _ = await stage.list_questions("user:dot", "", 0, "")
    assert [each.question_id for each in low] == ["q1", "q3"]
    nothing = [("user:bob", ""), ("user:nobody", ""), ("user:coder", ""), ("user:ann", "archive")]
    for actor, tenant in nothing:
        page, token = await stage.list_questions(actor, tenant, 0, "")
        assert (list(page), token) == ([], "")
    for size, token in ((501, ""), (1, "x"), (1, "٣"), (1, "9" * 30)):
        error = await refusal(stage.list_questions("user:ann", "", size, token))
        assert error.reason is ErrorReason.MALFORMED_REQUEST


async def test_no_answer_waits_for_nobody(stage):
    """A question without a wait is answered at once, open."""
    assert (await stage.ask(wait=ZERO)).state is QuestionState.OPEN
