"""Who is there, who is on it, and what people are told: entitlement, claims, receipts on a real store."""

from dataclasses import replace
from datetime import timedelta

import pytest
from adjudicator.approvals.states import Ballot
from adjudicator.domain.approval import ApprovalState, Decision, ReceiptCode
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.verdict import Cause, Outcome
from adjudicator.policy.snapshot import ApprovalTerms, Unattended
from adjudicator.service.claim_approval import ClaimApproval
from chain.people import Only

MINUTE = timedelta(minutes=1)


async def decide(stage, approval_id, decision=Decision.APPROVE, actor="user:ann", **fields):
    """One decision on the view as it is, with whatever goes with it."""
    digest = (await stage.store.approval(approval_id)).view_digest
    return await stage.decide(approval_id, Ballot(actor, decision, digest, "", **fields))


async def state_of(stage, approval_id):
    """The state that is on record."""
    return (await stage.store.approval(approval_id)).state


class TestAttendance:
    """Whether anybody could approve."""

    async def test_an_ask_that_nobody_there_could_approve_says_so_and_waits(self, stage):
        """Somebody may come while it waits."""
        stage.people = frozenset({"user:zoe"})
        asked = await stage.judge("c1")
        assert (asked.outcome, asked.unattended) == (Outcome.ASK, True)
        assert (await stage.judge("c1")).unattended
        stage.people = frozenset({"user:ann"})
        assert not (await stage.judge("c2")).unattended

    async def test_the_policy_may_deny_such_a_call_at_once(self, stage):
        """With a cause of its own, and for good."""
        await stage.activate(approvals=ApprovalTerms(300, unattended=Unattended.DENY))
        stage.people = frozenset()
        verdict = await stage.judge("c1")
        assert (verdict.outcome, verdict.cause) == (Outcome.DENY, Cause.NO_ELIGIBLE_APPROVER)
        stage.people = frozenset({"user:ann"})
        assert (await stage.judge("c1")).cause is Cause.NO_ELIGIBLE_APPROVER
        assert (await stage.judge("c2")).outcome is Outcome.ASK

    async def test_the_person_for_whom_a_call_is_made_is_not_there_with_four_eyes(self, stage):
        """They could not approve it."""
        tools = stage.snapshot.registry.tools
        tools = {**tools, "read": replace(tools["read"], four_eyes=True)}
        await stage.activate(registry=replace(stage.snapshot.registry, tools=tools))
        stage.people = frozenset({"user:ann"})
        assert (await stage.judge("c1", principal="user:ann")).unattended
        assert not (await stage.judge("c2", principal="user:bob")).unattended


class TestEntitlement:
    """What somebody is told whom the policy does not entitle."""

    async def test_whoever_lost_the_role_decides_nothing_more(self, stage):
        """Their receipt says so, shows nothing, and the call still waits."""
        asked = await stage.judge("c1")
        await stage.activate(approvers=Only("bob"))
        for decision in Decision:
            more = {"delegate_to": "user:bob"} if decision is Decision.DELEGATE else {}
            receipt = await decide(stage, asked.approval_id, decision, **more)
            assert (receipt.code, receipt.approval) == (ReceiptCode.NOT_ENTITLED, None)
        assert await state_of(stage, asked.approval_id) is ApprovalState.PENDING

    async def test_one_entitled_to_nothing_learns_of_no_id(self, stage):
        """An id that exists and one that does not have one answer."""
        asked = await stage.judge("c1")
        await stage.activate(approvers=Only("bob"))
        real = await stage.decide(asked.approval_id, Ballot("user:ann", Decision.DENY, "", ""))
        made_up = await stage.decide("apr-none", Ballot("user:ann", Decision.DENY, "", ""))
        assert real == made_up
        unknown = await stage.decide("apr-none", Ballot("user:bob", Decision.DENY, "", ""))
        assert unknown.code is ReceiptCode.UNKNOWN

    async def test_a_delegate_alone_approves(self, stage):
        """It is recorded who handed it to whom."""
        asked = await stage.judge("c1")
        handed = await decide(stage, asked.approval_id, Decision.DELEGATE, delegate_to="user:bob")
        assert (handed.code, handed.approval.delegated_to) == (ReceiptCode.DELEGATED, "user:bob")
        assert (await decide(stage, asked.approval_id)).code is ReceiptCode.NOT_THE_DELEGATE
        back = await decide(
            stage, asked.approval_id, Decision.DELEGATE, actor="user:bob", delegate_to="user:ann"
        )
        assert back.code is ReceiptCode.DELEGATE_LOOP
        assert (await decide(stage, asked.approval_id, actor="user:bob")).code is ReceiptCode.ACCEPTED
        trace = await stage.store.trace(asked.trace_number)
        said = [each.body for each in trace.elements if each.body.get("delegate_to")]
        assert [(each["actor"], each["delegate_to"]) for each in said] == [("user:ann", "user:bob")]


class TestDecisions:
    """What the runtime is told of each."""

    @pytest.mark.parametrize(
        ("decision", "state", "cause"),
        [
            (Decision.DENY, ApprovalState.DENIED, Cause.APPROVAL_DENIED),
            (Decision.SKIP, ApprovalState.DENIED, Cause.APPROVAL_SKIPPED),
            (Decision.CANCEL, ApprovalState.CANCELLED, Cause.APPROVAL_CANCELLED),
        ],
    )
    async def test_each_way_to_say_no_has_a_cause_of_its_own(self, stage, decision, state, cause):
        """And none lets the call run, now or later."""
        asked = await stage.judge("c1")
        assert (await decide(stage, asked.approval_id, decision)).code is ReceiptCode.ACCEPTED
        assert await state_of(stage, asked.approval_id) is state
        for _ in range(2):
            verdict = await stage.judge("c1")
            assert (verdict.outcome, verdict.cause) == (Outcome.DENY, cause)
        assert (await decide(stage, asked.approval_id)).code is ReceiptCode.ALREADY_RESOLVED

    async def test_the_same_request_again_gets_the_receipt_that_the_first_got(self, stage):
        """After a restart too: it is kept with the vote. Another one under its id does not count."""
        asked = await stage.judge("c1")
        first = await decide(stage, asked.approval_id, request_id="r-1")
        assert (await stage.judge("c1")).allowed
        again = await decide(stage, asked.approval_id, request_id="r-1")
        assert (again.code, again.replayed) == (first.code, True)
        other = await decide(stage, asked.approval_id, Decision.DENY, request_id="r-1")
        assert other.code is ReceiptCode.REQUEST_ID_REUSED
        assert len((await stage.store.approval(asked.approval_id)).votes) == 1

    async def test_a_repeat_is_linked_to_the_call_before_it(self, stage):
        """What ran out, and is asked again at once, is shown as that; and each is decided by itself."""
        first = await stage.judge("c1", session="s")
        twin = await stage.judge("c2", session="s")
        other = await stage.judge("c3", session="t")
        before = (await stage.store.approval(twin.approval_id)).before
        assert (before.approval_id, before.state) == (first.approval_id, ApprovalState.PENDING)
        assert (await stage.store.approval(other.approval_id)).before is None
        await decide(stage, twin.approval_id)
        assert await state_of(stage, first.approval_id) is ApprovalState.PENDING
        stage.clock.forward(301)
        await stage.expire.sweep()
        later = await stage.judge("c4", session="s")
        before = (await stage.store.approval(later.approval_id)).before
        assert before.approval_id == twin.approval_id


class TestClaims:
    """Who is on it."""

    async def test_one_has_it_until_the_lease_is_over_and_anybody_decides(self, stage):
        """It is advice to people and no lock."""
        claim = ClaimApproval(stage.store, stage.clock)
        asked = await stage.judge("c1")

        async def claimed(name, lease=MINUTE):
            actor = f"user:{name}"
            return await claim(asked.approval_id, actor, lease, stage.sight(actor))

        assert (await claimed("ann"))[0]
        taken, approval = await claimed("bob")
        assert (taken, approval.claim.actor) == (False, "user:ann")
        stage.clock.forward(60)
        assert (await claimed("bob"))[0]
        assert not (await claimed("ann", timedelta(0)))[0]
        assert (await claimed("bob", timedelta(0)))[0]
        assert (await claimed("ann"))[1].claim.actor == "user:ann"
        assert (await decide(stage, asked.approval_id, actor="user:bob")).code is ReceiptCode.ACCEPTED
        assert not (await claimed("ann"))[0]

    async def test_a_claim_reaches_watchers_and_is_no_part_of_the_record(self, stage):
        """The trace does not grow by it."""
        asked = await stage.judge("c1")
        before = await stage.store.last_position()
        claim = ClaimApproval(stage.store, stage.clock)
        await claim(asked.approval_id, "user:ann", MINUTE, stage.sight())
        (event,) = await stage.store.events(before, 9)
        assert event.approval.claim.actor == "user:ann"
        trace = await stage.store.trace(asked.trace_number)
        assert all("claim" not in each.body for each in trace.elements)
        assert (await decide(stage, asked.approval_id)).code.accepted

    async def test_nobody_claims_what_they_may_not_see(self, stage):
        """It is to them as if there were none."""
        asked = await stage.judge("c1")
        claim = ClaimApproval(stage.store, stage.clock)
        await stage.activate(approvers=Only("bob"))
        with pytest.raises(AdjudicatorError) as caught:
            await claim(asked.approval_id, "user:ann", MINUTE, stage.sight("user:ann"))
        assert caught.value.reason is ErrorReason.NOT_FOUND
