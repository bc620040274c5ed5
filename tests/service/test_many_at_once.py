"""Several approvals of one session that wait at once: each goes its own way."""

import asyncio
import random

import pytest
from adjudicator.domain.approval import ApprovalState, Decision, ReceiptCode
from adjudicator.domain.verdict import Cause, Outcome
from adjudicator.storage.contract import ApprovalFilter

S = {"session": "s"}


@pytest.mark.parametrize("seed", range(8))
async def test_decisions_in_any_order_meet_the_approval_they_name(stage, seed):
    """Not the latest, nor the oldest; and one that is denied takes no sibling with it."""
    chance = random.Random(seed)  # noqa: S311 - an order
    asked = {name: await stage.judge(name, **S) for name in "abcdef"}
    wanted = {name: chance.choice((Decision.APPROVE, Decision.DENY, None)) for name in asked}
    for name in chance.sample(sorted(asked), len(asked)):
        if wanted[name]:
            assert (await stage.vote(asked[name].approval_id, wanted[name])).code is ReceiptCode.ACCEPTED
    ends = {Decision.APPROVE: Outcome.ALLOW, Decision.DENY: Outcome.DENY, None: Outcome.ASK}
    for name in chance.sample(sorted(asked), len(asked)):
        assert (await stage.judge(name, **S)).outcome is ends[wanted[name]]


async def test_a_wrong_digest_loses_nothing_while_others_look_and_withdraw(stage):
    """It is refused, and what was pending is pending, unless its own runtime took it back."""
    for number in range(50):
        call_id, other = f"c{number}", f"d{number}"
        kept, gone = await stage.judge(call_id, **S), await stage.judge(other, **S)
        answers = await asyncio.gather(
            stage.vote(kept.approval_id, digest="0" * 64),
            stage.store.pending(ApprovalFilter(), 0, None, 99),
            stage.withdraw(other, **S),
            stage.vote(gone.approval_id, digest="0" * 64),
            stage.vote(kept.approval_id, digest="1" * 64),
        )
        assert {answers[0].code, answers[4].code} == {ReceiptCode.VIEW_MISMATCH}
        assert answers[3].code in (ReceiptCode.VIEW_MISMATCH, ReceiptCode.ALREADY_RESOLVED)
        assert (await stage.store.approval(kept.approval_id)).state is ApprovalState.PENDING
        assert (await stage.vote(kept.approval_id)).code is ReceiptCode.ACCEPTED
        assert (await stage.judge(call_id, **S)).allowed


async def test_a_late_withdrawal_ends_its_own_call_and_not_the_next_of_its_session(stage):
    """The next one is known by its own call_id, whatever the session has been through."""
    first = await stage.judge("first", **S)
    await stage.vote(first.approval_id)
    assert (await stage.judge("first", **S)).allowed
    second = await stage.judge("second", **S)
    verdict, withdrawn = await stage.withdraw("first", **S)
    assert (verdict.allowed, withdrawn) == (True, False)
    late = await stage.vote(first.approval_id, Decision.CANCEL)
    assert late.code is ReceiptCode.ALREADY_RESOLVED
    assert (await stage.store.approval(second.approval_id)).state is ApprovalState.PENDING
    assert (await stage.judge("second", **S)).cause is Cause.RULE_ASK
