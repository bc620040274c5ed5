"""Time limits, to the moment: nothing approves by time, and what has run out stays so."""

from datetime import timedelta

import pytest
from adjudicator.domain.approval import ApprovalState, Decision, ReceiptCode
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode


@pytest.mark.parametrize(("seconds", "counts"), [(0, True), (299.999, True), (300, False), (301, False)])
async def test_a_decision_counts_until_the_moment_of_the_limit(stage, seconds, counts):
    """Swept or not: the sweeper never ran here."""
    asked = await stage.judge()
    stage.clock.forward(seconds)
    receipt = await stage.vote(asked.approval_id)
    assert receipt.code is (ReceiptCode.ACCEPTED if counts else ReceiptCode.EXPIRED)
    assert (await stage.judge()).allowed is counts


@pytest.mark.parametrize(("seconds", "allowed"), [(299.999, True), (300, False)])
async def test_an_approval_is_used_in_time_or_not_at_all(stage, seconds, allowed):
    """Given in time and used too late is too late."""
    asked = await stage.judge()
    await stage.vote(asked.approval_id)
    stage.clock.forward(seconds)
    verdict = await stage.judge()
    assert verdict.allowed is allowed
    if not allowed:
        assert (verdict.reason_code, verdict.cause) == (
            ReasonCode.STATE_ILLEGAL,
            Cause.APPROVAL_EXPIRED,
        )
        assert (await stage.store.approval(asked.approval_id)).state is ApprovalState.EXPIRED


async def test_a_late_decision_closes_what_it_finds_run_out(stage):
    """The receipt says expired, and the record says so too, with the verdict that ends the trace."""
    asked = await stage.judge()
    stage.clock.forward(400)
    receipt = await stage.vote(asked.approval_id)
    assert receipt.code is ReceiptCode.EXPIRED
    assert receipt.approval.state is ApprovalState.EXPIRED
    trace = await stage.store.trace(asked.trace_number)
    assert trace.finished_at is not None
    assert trace.verdict.cause is Cause.APPROVAL_EXPIRED


async def test_the_sweeper_closes_all_that_is_due_and_nothing_else(stage):
    """Each with its final verdict; a second sweep finds nothing."""
    for number in range(3):
        await stage.judge(f"short-{number}", limit=timedelta(seconds=10))
    kept = await stage.judge("long")
    stage.clock.forward(10)
    assert await stage.expire.sweep() == 3
    assert await stage.expire.sweep() == 0
    assert (await stage.store.approval(kept.approval_id)).state is ApprovalState.PENDING
    verdict = await stage.judge("short-1")
    assert (verdict.outcome, verdict.replayed) == (Outcome.DENY, True)


async def test_one_approval_that_cannot_be_closed_stops_no_other(stage, monkeypatch):
    """A record that fails is passed over in the sweep."""
    first = await stage.judge("first", limit=timedelta(seconds=10))
    second = await stage.judge("second", limit=timedelta(seconds=10))
    change = stage.store.change_call

    async def broken(number, decide):
        return await change(99 if number == first.trace_number else number, decide)

    monkeypatch.setattr(stage.store, "change_call", broken)
    stage.clock.forward(10)
    assert await stage.expire.sweep() == 1
    assert (await stage.store.approval(second.approval_id)).state is ApprovalState.EXPIRED


async def test_a_limit_of_the_call_is_only_ever_shorter(stage):
    """A longer one is the policy's."""
    for seconds, expected in [(0, 300), (1, 1), (299, 299), (300, 300), (301, 300), (10**6, 300)]:
        asked = await stage.judge(f"c-{seconds}", limit=timedelta(seconds=seconds))
        approval = await stage.store.approval(asked.approval_id)
        assert approval.expires_at - approval.created_at == timedelta(seconds=expected)


async def test_a_denial_before_the_limit_stays_a_denial_after_it(stage):
    """A person's no is not turned into a time-out."""
    asked = await stage.judge()
    await stage.vote(asked.approval_id, Decision.DENY)
    stage.clock.forward(1000)
    await stage.expire.sweep()
    assert (await stage.judge()).cause is Cause.APPROVAL_DENIED


async def test_with_a_clock_that_was_set_back_every_open_approval_is_closed(stage):
    """How long it was open cannot be known, so pending and approved ones end, and final ones stay."""
    pending, approved, denied = [await stage.judge(name) for name in ("pending", "approved", "denied")]
    await stage.vote(approved.approval_id)
    await stage.vote(denied.approval_id, Decision.DENY)
    assert await stage.expire.close_all("the clock was set back") == 2
    for name in ("pending", "approved"):
        verdict = await stage.judge(name)
        assert (verdict.outcome, verdict.cause) == (Outcome.DENY, Cause.APPROVAL_CANCELLED)
        assert "clock" in verdict.reason
    assert (await stage.judge("denied")).cause is Cause.APPROVAL_DENIED
    assert not (await stage.vote(pending.approval_id)).code.accepted
