"""The state table of an approval, against a small model that knows only the words of the design."""

from dataclasses import replace
from datetime import timedelta

import pytest
from adjudicator.approvals.electorate import Electorate
from adjudicator.approvals.states import TRANSITIONS, Ballot, Event, after, count, current
from adjudicator.domain.approval import ApprovalState, Decision, ReceiptCode
from hypothesis import given
from hypothesis import strategies as st
from records import NOW, an_approval

FINAL = {ApprovalState.DENIED, ApprovalState.EXPIRED, ApprovalState.CANCELLED, ApprovalState.CONSUMED}


def a_pending(**changes):
    """A pending approval whose view has the digest `good` and whose principal may decide."""
    return an_approval(**({"view_digest": "good", "four_eyes": False} | changes))


def a_ballot(actor="user:bob", decision=Decision.APPROVE, view_digest="good"):
    """An approval by somebody else, on the view as it is."""
    return Ballot(actor, decision, view_digest, "")


@pytest.mark.parametrize("state", list(ApprovalState))
@pytest.mark.parametrize("event", list(Event))
@pytest.mark.parametrize("seconds", [0, 59, 60, 61])
def test_every_state_event_and_moment_has_its_answer(state, event, seconds):
    """A final state never changes; after the time limit the only way is EXPIRED."""
    approval, now = a_pending(state=state), NOW + timedelta(seconds=seconds)
    result = after(approval, event, now)
    if state in FINAL:
        assert result is None
    elif seconds >= 60:
        assert result is (ApprovalState.EXPIRED if event is Event.EXPIRE else None)
    elif event is Event.EXPIRE:
        assert result is None
    else:
        assert result is TRANSITIONS.get((state, event))


def test_only_consume_follows_approve_and_only_from_approved():
    """Nothing but an approval in time can ever be consumed."""
    sources = [state for (state, event) in TRANSITIONS if event is Event.CONSUME]
    assert sources == [ApprovalState.APPROVED]
    assert [state for (state, event), to in TRANSITIONS.items() if to is ApprovalState.APPROVED] == [
        ApprovalState.PENDING
    ]


@pytest.mark.parametrize("state", list(ApprovalState))
def test_a_limit_counts_at_its_moment(state):
    """At 60 seconds a limit of 60 seconds has run out, written down or not."""
    approval = a_pending(state=state)
    assert current(approval, NOW + timedelta(seconds=59.999)) is state
    expected = state if state in FINAL else ApprovalState.EXPIRED
    assert current(approval, NOW + timedelta(seconds=60)) is expected


@pytest.mark.parametrize(
    ("actor", "four_eyes", "own"),
    [
        ("user:coder", False, True),
        ("user:Coder", False, True),
        ("user:designer", False, True),
        ("user:ann", False, False),
        ("user:ann", True, True),
        ("user:ANN", True, True),
        ("user:bob", True, False),
    ],
)
def test_nobody_decides_their_own_call(actor, four_eyes, own):
    """Neither decision counts from the agent, one it acts for, or with four eyes the principal."""
    for decision in Decision:
        counted = count(a_pending(four_eyes=four_eyes), a_ballot(actor, decision), NOW, ELECTORATE)
        assert (counted.code is ReceiptCode.OWN_CALL) is own


_events = st.lists(
    st.one_of(
        st.tuples(
            st.just("vote"),
            st.sampled_from(["user:a", "user:b", "user:c", "user:coder"]),
            st.sampled_from(Decision),
            st.sampled_from(["good", "bad", ""]),
        ),
        st.tuples(st.sampled_from(["expire", "cancel", "consume"])),
        st.tuples(st.just("pass"), st.integers(0, 40)),
    ),
    max_size=25,
)


@given(_events, st.integers(1, 3), st.booleans())
def test_any_interleaving_keeps_the_promises(events, quorum, approvable):
    """Approved means a quorum of different people saw the view in time; final means final."""
    approval, now = a_pending(quorum=quorum, approvable=approvable), NOW
    approvers: set[str] = set()
    for kind, *rest in events:
        before = approval.state
        if kind == "pass":
            now += timedelta(seconds=rest[0])
        elif kind == "vote":
            counted = count(approval, a_ballot(*rest), now, ELECTORATE)
            if counted.vote is not None:
                assert counted.code.accepted
                assert now < approval.expires_at
                approval = replace(
                    approval,
                    votes=(*approval.votes, counted.vote),
                    state=counted.state or approval.state,
                )
                if counted.vote.decision is Decision.APPROVE:
                    assert rest[2] == "good"
                    approvers.add(counted.vote.actor)
        elif (to := after(approval, Event(kind), now)) is not None:
            approval = replace(approval, state=to)
        if before in FINAL:
            assert approval.state is before
        if approval.state is ApprovalState.APPROVED:
            assert approvable
            assert len(approvers) >= quorum
            assert "user:coder" not in approvers
        if approval.state is ApprovalState.CONSUMED and before is not ApprovalState.CONSUMED:
            assert before is ApprovalState.APPROVED
