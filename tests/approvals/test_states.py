"""The state table of an approval, against a small model that knows only the words of the design."""

from dataclasses import replace
from datetime import timedelta

import pytest
from adjudicator.approvals.electorate import Electorate
from adjudicator.approvals.states import EVENTS, TRANSITIONS, Ballot, Event, after, count, current
from adjudicator.domain.approval import ApprovalState, Decision, ReceiptCode, Vote
from adjudicator.domain.request import Request
from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.snapshot import EvaluationError
from chain.bundle import a_snapshot
from hypothesis import given
from hypothesis import strategies as st
from records import NOW, an_approval

FINAL = {ApprovalState.DENIED, ApprovalState.EXPIRED, ApprovalState.CANCELLED, ApprovalState.CONSUMED}
OPEN = {ApprovalState.PENDING, ApprovalState.EXPIRED}
"""What may be decided, or has a receipt of its own."""
PEOPLE = ("ann", "bob", "cy", "dee")


class Rows:
    """Entitles the people that it was given, some of them elsewhere, and knows the role of leads."""

    version = "1"

    def __init__(self, entitled=PEOPLE, leads=("cy", "dee"), elsewhere=("zoe",), *, broken=False):
        self.entitled = {f"user:{name}" for name in entitled}
        self.leads = {f"user:{name}" for name in leads}
        self.elsewhere = {f"user:{name}" for name in elsewhere}
        self.broken = broken

    def may_decide(self, actor, tenant, _tool, _priority):
        """See ApproverRules."""
        if self.broken:
            raise EvaluationError("division by zero")
        entitled = actor in (self.entitled if tenant == "studio" else self.elsewhere)
        return RuleRef("approvers.csv", 1) if entitled else None

    def has_role(self, actor, role, _tenant):
        """See ApproverRules."""
        return role == "role:lead" and actor in self.leads

    def people(self):
        """See ApproverRules."""
        return frozenset(self.entitled | self.elsewhere)

    def tenants(self, actor):
        """See ApproverRules."""
        here = {"studio"} if actor in self.entitled else set()
        return frozenset(here | ({"archive"} if actor in self.elsewhere else set()))


def an_electorate(**rows):
    """The people of these rows."""
    return Electorate(a_snapshot(approvers=Rows(**rows)))


def a_pending(**changes):
    """A pending approval whose view has the digest `good` and whose principal may decide."""
    return an_approval(**({"view_digest": "good", "four_eyes": False} | changes))


def a_ballot(actor="user:bob", decision=Decision.APPROVE, view_digest="good", **fields):
    """A decision by somebody else, on the view as it is."""
    return Ballot(actor, decision, view_digest, "", **fields)


def code_of(approval, ballot, electorate=None, now=NOW):
    """The receipt's code."""
    return count(approval, ballot, now, electorate or an_electorate()).code


def a_vote(actor, decision=Decision.APPROVE, **fields):
    """A vote that counted."""
    return Vote(actor, decision, "", NOW, **fields)


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


def test_only_consume_follows_and_only_from_approved():
    """Nothing but an approval in time can ever be consumed."""
    sources = [state for (state, event) in TRANSITIONS if event is Event.CONSUME]
    assert sources == [ApprovalState.APPROVED]
    to_approved = [key for key, to in TRANSITIONS.items() if to is ApprovalState.APPROVED]
    assert to_approved == [
        (ApprovalState.PENDING, Event.APPROVE),
        (ApprovalState.PENDING, Event.RELEASE),
    ]


def test_every_decision_is_an_event_and_none_but_the_two_approves():
    """A decision that is added has to be given its place."""
    assert set(EVENTS) == set(Decision)
    approving = {decision for decision, event in EVENTS.items() if event is Event.APPROVE}
    assert approving == {each for each in Decision if each.approves}


@pytest.mark.parametrize("state", list(ApprovalState))
def test_a_limit_counts_at_its_moment(state):
    """At 60 seconds a limit of 60 seconds has run out, written down or not."""
    approval = a_pending(state=state)
    assert current(approval, NOW + timedelta(seconds=59.999)) is state
    expected = state if state in FINAL else ApprovalState.EXPIRED
    assert current(approval, NOW + timedelta(seconds=60)) is expected


@pytest.mark.parametrize("decision", list(Decision))
def test_an_answer_after_the_limit_does_not_count(decision):
    """Not even in the moment of the limit, and not even to deny."""
    late = NOW + timedelta(seconds=60)
    assert code_of(a_pending(), a_ballot(decision=decision), now=late) is ReceiptCode.EXPIRED
    assert code_of(a_pending(), a_ballot(decision=decision), now=late - timedelta(microseconds=1)) not in (
        ReceiptCode.EXPIRED,
        ReceiptCode.ALREADY_RESOLVED,
    )


@pytest.mark.parametrize("decision", list(Decision))
@pytest.mark.parametrize("state", [each for each in ApprovalState if each not in OPEN])
def test_what_was_decided_nobody_decides_again(decision, state):
    """Nor cancels: of all who race one decides, and an approval that was given is ended by no person."""
    ballot = a_ballot(decision=decision, delegate_to="user:cy" if decision is Decision.DELEGATE else "")
    assert code_of(a_pending(state=state), ballot) is ReceiptCode.ALREADY_RESOLVED
    late = NOW + timedelta(days=1)
    expired = state is ApprovalState.APPROVED
    code = ReceiptCode.EXPIRED if expired else ReceiptCode.ALREADY_RESOLVED
    assert code_of(a_pending(state=state), ballot, now=late) is code


@pytest.mark.parametrize(
    ("actor", "four_eyes", "code"),
    [
        ("user:coder", False, ReceiptCode.NOT_A_PERSON),
        ("user:Coder", False, ReceiptCode.NOT_A_PERSON),
        ("user:ann", False, ReceiptCode.ACCEPTED),
        ("user:ann", True, ReceiptCode.OWN_CALL),
        ("user:bob", True, ReceiptCode.ACCEPTED),
        ("agent:coder", False, ReceiptCode.NOT_ENTITLED),
        ("role:lead", False, ReceiptCode.NOT_ENTITLED),
        ("", False, ReceiptCode.NOT_ENTITLED),
        ("ann", False, ReceiptCode.NOT_ENTITLED),
    ],
)
@pytest.mark.parametrize("decision", [Decision.APPROVE, Decision.DENY, Decision.SKIP, Decision.CANCEL])
def test_nobody_decides_their_own_call_and_no_agent_any(actor, four_eyes, code, decision):
    """Not from an agent, nor with four eyes from the principal, whatever the rows say."""
    electorate = an_electorate(entitled=(*PEOPLE, "coder"))
    assert code_of(a_pending(four_eyes=four_eyes), a_ballot(actor, decision), electorate) is code


def test_an_agent_that_the_call_names_and_nobody_registered_does_not_decide_it():
    """The call's own words are enough to bar them."""
    approval = a_pending(agent="bob", on_behalf_of=("cy",))
    for actor in ("user:bob", "user:cy"):
        assert code_of(approval, a_ballot(actor)) is ReceiptCode.OWN_CALL


def test_what_one_is_not_entitled_to_is_told_apart_only_as_far_as_one_may_know():
    """In another tenant it is as if it did not exist; entitled to nothing, one learns of no id."""
    narrow = an_electorate(entitled=("ann",), elsewhere=("zoe",))
    assert code_of(a_pending(), a_ballot("user:zoe"), narrow) is ReceiptCode.UNKNOWN
    assert code_of(a_pending(), a_ballot("user:nobody"), narrow) is ReceiptCode.NOT_ENTITLED
    assert narrow.objection_to_all("user:nobody") is ReceiptCode.NOT_ENTITLED
    assert narrow.objection_to_all("user:coder") is ReceiptCode.NOT_A_PERSON
    assert narrow.objection_to_all("user:zoe") is None


def test_rules_that_fail_entitle_nobody():
    """And nobody's vote does any more."""
    electorate = an_electorate(broken=True)
    assert code_of(a_pending(), a_ballot(), electorate) is ReceiptCode.NOT_ENTITLED
    voted = a_pending(tool="read", votes=(a_vote("user:bob"),))
    assert electorate.shortfall(voted)


def test_a_vote_of_somebody_who_lost_the_role_satisfies_nothing():
    """Between the vote and the use of the approval the policy may change."""
    voted = a_pending(tool="read", votes=(a_vote("user:bob"),))
    assert not an_electorate().shortfall(voted)
    assert "may still decide" in an_electorate(entitled=("cy",)).shortfall(voted)
    assert "asks for more" in an_electorate().shortfall(a_pending(tool="read"))


def test_a_quorum_that_nobody_can_reach_takes_no_vote():
    """It says so, and a denial counts all the same."""
    approval, two = a_pending(quorum=3), an_electorate(entitled=("ann", "bob"))
    assert code_of(approval, a_ballot(), two) is ReceiptCode.QUORUM_UNREACHABLE
    assert code_of(approval, a_ballot(decision=Decision.DENY), two) is ReceiptCode.ACCEPTED
    three = an_electorate(entitled=("ann", "bob", "cy"))
    assert code_of(approval, a_ballot(), three) is ReceiptCode.MORE_VOTES_NEEDED


def test_an_option_has_to_be_one_of_those_that_were_shown():
    """Of an approval; what is denied takes none."""
    approval = a_pending(request=Request(options=("left", "right")))
    assert code_of(approval, a_ballot(selected_option="up")) is ReceiptCode.OPTION_UNKNOWN
    counted = count(approval, a_ballot(selected_option="left"), NOW, an_electorate())
    assert (counted.code, counted.vote.selected_option) == (ReceiptCode.ACCEPTED, "left")


@pytest.mark.parametrize(
    ("delegates", "actor", "to", "code"),
    [
        ((), "user:ann", "user:bob", ReceiptCode.DELEGATED),
        ((), "user:ann", "role:lead", ReceiptCode.DELEGATED),
        ((), "user:ann", "user:ann", ReceiptCode.DELEGATE_LOOP),
        ((), "user:ann", "user:zoe", ReceiptCode.DELEGATE_NOT_ENTITLED),
        ((), "user:ann", "user:coder", ReceiptCode.DELEGATE_NOT_ENTITLED),
        ((), "user:ann", "role:nobody", ReceiptCode.DELEGATE_NOT_ENTITLED),
        ((), "user:ann", "agent:coder", ReceiptCode.DELEGATE_NOT_ENTITLED),
        ((), "user:ann", "bob", ReceiptCode.DELEGATE_NOT_ENTITLED),
        ((("user:ann", "user:bob"),), "user:cy", "user:dee", ReceiptCode.NOT_THE_DELEGATE),
        ((("user:ann", "user:bob"),), "user:bob", "user:ann", ReceiptCode.DELEGATE_LOOP),
        ((("user:ann", "user:bob"),), "user:bob", "role:lead", ReceiptCode.DELEGATED),
        (
            (("user:ann", "role:lead"), ("user:cy", "user:bob")),
            "user:bob",
            "role:lead",
            ReceiptCode.DELEGATE_LOOP,
        ),
    ],
)
def test_an_approval_is_handed_on_to_who_may_decide_and_never_in_a_circle(delegates, actor, to, code):
    """By whoever has it; it stays pending."""
    votes = tuple(a_vote(by, Decision.DELEGATE, delegate_to=each) for by, each in delegates)
    counted = count(
        a_pending(votes=votes), a_ballot(actor, Decision.DELEGATE, delegate_to=to), NOW, an_electorate()
    )
    assert (counted.code, counted.state) == (code, None)


def test_only_the_delegate_approves_and_everybody_may_still_deny():
    """Handing on takes nothing away from those who stop things."""
    handed = a_pending(votes=(a_vote("user:ann", Decision.DELEGATE, delegate_to="role:lead"),))
    assert code_of(handed, a_ballot("user:bob")) is ReceiptCode.NOT_THE_DELEGATE
    assert code_of(handed, a_ballot("user:ann")) is ReceiptCode.NOT_THE_DELEGATE
    assert code_of(handed, a_ballot("user:cy")) is ReceiptCode.ACCEPTED
    assert code_of(handed, a_ballot("user:bob", Decision.DENY)) is ReceiptCode.ACCEPTED


def test_two_votes_are_not_handed_to_one_person():
    """They could never both come."""
    to_one = a_ballot("user:ann", Decision.DELEGATE, delegate_to="user:bob")
    assert code_of(a_pending(quorum=2), to_one) is ReceiptCode.QUORUM_UNREACHABLE
    voted = a_pending(quorum=2, votes=(a_vote("user:ann"),))
    assert code_of(voted, to_one) is ReceiptCode.DELEGATED


def test_the_same_request_gets_the_same_receipt_and_another_one_none():
    """Also when the approval is long decided, and only for whoever sent it."""
    first = a_ballot(request_id="r1")
    vote = count(a_pending(quorum=2), first, NOW, an_electorate()).vote
    decided = a_pending(quorum=2, state=ApprovalState.CONSUMED, votes=(vote, a_vote("user:cy")))
    again = count(decided, first, NOW + timedelta(hours=1), an_electorate())
    assert (again.code, again.replayed, again.vote) == (ReceiptCode.MORE_VOTES_NEEDED, True, None)
    other = a_ballot(decision=Decision.DENY, request_id="r1")
    assert code_of(decided, other) is ReceiptCode.REQUEST_ID_REUSED
    assert code_of(decided, a_ballot("user:cy", request_id="r1")) is ReceiptCode.ALREADY_RESOLVED


@pytest.mark.parametrize("decision", [each for each in Decision if each is not Decision.DELEGATE])
def test_a_person_decides_nothing_that_is_decided(decision):
    """Of those who race one decides: what is approved is not cancelled by a late ballot."""
    approved = a_pending(state=ApprovalState.APPROVED, votes=(a_vote("user:cy"),))
    assert code_of(approved, a_ballot(decision=decision)) is ReceiptCode.ALREADY_RESOLVED


def test_a_vote_of_who_may_not_decide_any_more_makes_no_quorum():
    """It takes another one, and each vote is told the same when it is sent again."""
    electorate = an_electorate(entitled=("bob", "cy"))
    pending = a_pending(quorum=2, votes=(a_vote("user:ann"),))
    bob, cy = a_ballot("user:bob", request_id="r1"), a_ballot("user:cy", request_id="r2")
    second = count(pending, bob, NOW, electorate)
    assert (second.code, second.state) == (ReceiptCode.MORE_VOTES_NEEDED, None)
    pending = replace(pending, votes=(*pending.votes, second.vote))
    assert count(pending, bob, NOW, electorate).code is ReceiptCode.MORE_VOTES_NEEDED
    last = count(pending, cy, NOW, electorate)
    assert (last.code, last.state) == (ReceiptCode.ACCEPTED, ApprovalState.APPROVED)
    approved = replace(pending, state=last.state, votes=(*pending.votes, last.vote))
    assert electorate.shortfall(replace(approved, tool="deploy")) == ""
    again = [count(approved, each, NOW, electorate).code for each in (bob, cy)]
    assert again == [ReceiptCode.MORE_VOTES_NEEDED, ReceiptCode.ACCEPTED]


def test_votes_that_count_no_more_make_no_quorum_reachable():
    """Two of them are one too few where only one person is left."""
    pending = a_pending(quorum=2, votes=(a_vote("user:ann"),))
    electorate = an_electorate(entitled=("bob",))
    assert code_of(pending, a_ballot("user:bob"), electorate) is ReceiptCode.QUORUM_UNREACHABLE


_votes = st.tuples(
    st.just("vote"),
    st.sampled_from(["user:ann", "user:bob", "user:cy", "user:coder", "user:zoe"]),
    st.sampled_from(Decision),
    st.sampled_from(["good", "bad", ""]),
    st.sampled_from(["", "user:bob", "user:cy", "role:lead", "user:coder"]),
    st.sampled_from(["", "r1", "r2"]),
)
_others = [Event.RELEASE, Event.EXPIRE, Event.CANCEL, Event.CONSUME]
_events = st.lists(
    st.one_of(
        _votes,
        st.tuples(st.sampled_from(_others)),
        st.tuples(st.just("pass"), st.integers(0, 40)),
        st.tuples(st.just("rows"), st.sets(st.sampled_from(PEOPLE))),
    ),
    max_size=25,
)


@given(_events, st.integers(1, 3), st.booleans())
def test_any_interleaving_keeps_the_promises(events, quorum, approvable):
    """Approved means a quorum of different entitled people saw the view in time; final means final."""
    approval, now, electorate = a_pending(quorum=quorum, approvable=approvable), NOW, an_electorate()
    approvers: set[str] = set()
    for kind, *rest in events:
        before = approval
        if kind == "pass":
            now += timedelta(seconds=rest[0])
        elif kind == "rows":
            electorate = an_electorate(entitled=sorted(rest[0]))
        elif kind == "vote":
            actor, decision, digest, to, request = rest
            counted = count(
                approval,
                a_ballot(actor, decision, digest, delegate_to=to, request_id=request),
                now,
                electorate,
            )
            if counted.vote is None:
                assert counted.state is None
                continue
            assert counted.code.accepted
            assert now < approval.expires_at
            assert electorate.is_entitled(actor, approval)
            votes = (*approval.votes, counted.vote)
            approval = replace(approval, votes=votes, state=counted.state or approval.state)
            if counted.vote.decision.approves:
                assert digest == "good"
                assert approvable
                assert not before.delegated_to or electorate.names(before.delegated_to, actor, "studio")
                approvers.add(actor)
            if approval.state is ApprovalState.APPROVED:
                assert len(approvers) >= quorum
        elif (to := after(approval, kind, now)) is not None:
            approval = replace(approval, state=to)
        if before.state in FINAL:
            assert approval == before
