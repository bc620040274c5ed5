"""Withdrawing a call: it alone ends, and nothing that was allowed is taken back."""

import asyncio
from datetime import timedelta

import pytest
from adjudicator.domain.approval import ApprovalState, Decision, ReceiptCode
from adjudicator.domain.errors import ErrorReason
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode
from chain.bundle import ALLOW_ALL
from service.stage import refusal


@pytest.mark.parametrize("approved", [False, True])
async def test_a_call_that_stands_is_withdrawn_for_good(stage, approved):
    """Pending or approved: its approval is cancelled, and no later decision or retry releases it."""
    asked = await stage.judge()
    if approved:
        await stage.vote(asked.approval_id)
    verdict, withdrawn = await stage.withdraw(reason="the user pressed escape")
    assert withdrawn
    assert (verdict.outcome, verdict.cause) == (Outcome.DENY, Cause.CALL_WITHDRAWN)
    assert verdict.reason_code is ReasonCode.STATE_ILLEGAL
    assert verdict.reason == "the call was withdrawn: the user pressed escape"
    assert (await stage.store.approval(asked.approval_id)).state is ApprovalState.CANCELLED
    assert (await stage.vote(asked.approval_id)).code is ReceiptCode.ALREADY_RESOLVED
    assert (await stage.judge()).cause is Cause.CALL_WITHDRAWN
    assert (await stage.store.trace(asked.trace_number)).finished_at is not None


async def test_a_second_withdrawal_answers_what_is_on_record(stage):
    """It withdrew nothing, and the first reason stands."""
    await stage.judge()
    first, _ = await stage.withdraw(reason="a")
    second, withdrawn = await stage.withdraw(reason="b")
    assert not withdrawn
    assert (second.cause, second.reason, second.replayed) == (first.cause, first.reason, True)


async def test_a_late_withdrawal_does_not_touch_the_next_call_of_the_session(stage):
    """The one after it is another call, whoever is slow."""
    first = await stage.judge("p1", session="s")
    await stage.vote(first.approval_id, Decision.DENY)
    second = await stage.judge("p2", session="s")
    verdict, withdrawn = await stage.withdraw("p1", session="s")
    assert (withdrawn, verdict.cause) == (False, Cause.APPROVAL_DENIED)
    assert (await stage.store.approval(second.approval_id)).state is ApprovalState.PENDING
    await stage.vote(second.approval_id)
    assert (await stage.judge("p2", session="s")).allowed


async def test_what_was_allowed_stays_allowed(stage):
    """By a rule, or by an approval that was used: it may have run."""
    asked = await stage.judge()
    await stage.vote(asked.approval_id)
    assert (await stage.judge()).allowed
    verdict, withdrawn = await stage.withdraw()
    assert (verdict.outcome, withdrawn, verdict.replayed) == (Outcome.ALLOW, False, True)
    await stage.activate(rules=ALLOW_ALL)
    await stage.judge("c2")
    verdict, withdrawn = await stage.withdraw("c2")
    assert (verdict.outcome, withdrawn) == (Outcome.ALLOW, False)


async def test_one_that_has_run_out_is_no_withdrawal(stage):
    """The time limit counted before, swept or not, and is recorded."""
    asked = await stage.judge()
    stage.clock.forward(300)
    verdict, withdrawn = await stage.withdraw()
    assert (verdict.cause, withdrawn) == (Cause.APPROVAL_EXPIRED, False)
    assert (await stage.store.approval(asked.approval_id)).state is ApprovalState.EXPIRED


async def test_whoever_is_held_for_the_call_hears_of_it_at_once(stage):
    """All of them are denied."""
    wait = timedelta(seconds=60)
    with stage.waits.any_approval() as bell:
        held = [asyncio.create_task(stage.judge(wait=wait)) for _ in range(3)]
        assert await bell.wait(5)
    await stage.withdraw()
    async with asyncio.timeout(5):
        verdicts = await asyncio.gather(*held)
    assert {each.cause for each in verdicts} == {Cause.CALL_WITHDRAWN}


async def test_calls_of_others_and_calls_that_are_not_there_are_unknown_in_the_same_words(stage):
    """Another tenant's, session's or agent's, a flow of that id, no call_id at all."""
    asked = await stage.judge("c1", session="s")
    await stage.flow("f1")
    words = set()
    for call_id, fields in (
        ("c1", {}),
        ("c1", {"session": "t"}),
        ("c1", {"session": "s", "tenant": "archive"}),
        ("c1", {"session": "s", "agent": "designer"}),
        ("f1", {}),
        ("c9", {"session": "s"}),
        ("", {"session": "s"}),
    ):
        error = await refusal(stage.withdraw(call_id, **fields))
        assert error.reason is ErrorReason.NOT_FOUND
        words.add(str(error).replace(repr(call_id), "C"))
    assert words == {"there is no call C of this tenant, session and agent"}
    assert (await stage.store.approval(asked.approval_id)).state is ApprovalState.PENDING


async def test_a_withdrawal_and_its_use_that_race_are_one_after_the_other(stage):
    """Either the call is allowed and not withdrawn, or withdrawn and denied."""
    for number in range(10):
        call_id = f"c{number}"
        asked = await stage.judge(call_id)
        await stage.vote(asked.approval_id)
        verdict, (_, withdrawn) = await asyncio.gather(stage.judge(call_id), stage.withdraw(call_id))
        assert verdict.allowed is not withdrawn


async def test_a_reason_without_end_is_refused(stage):
    """With the name of the field."""
    await stage.judge()
    error = await refusal(stage.withdraw(reason="x" * 501))
    assert (error.reason, list(error.fields)) == (ErrorReason.MALFORMED_REQUEST, ["reason"])
