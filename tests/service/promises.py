"""What docs/approvals.md promises, as a small and naive model that believes no verdict and no store.

It is told what people and runtimes did and what they were answered. Of each ALLOW it asks what entitles the
call to it, of the policy as the model knows it and of the votes, grants and ends that were answered before.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from adjudicator.domain.approval import ApprovalState, Decision
from adjudicator.domain.grant import GrantScope, GrantState
from adjudicator.domain.verdict import Outcome
from adjudicator.policy.registry import SessionGrants
from adjudicator.policy.snapshot import Effect

AGENTS = ("coder", "designer")
PRINCIPAL = "user:ann"
SECONDS = 300
RETRY = timedelta(seconds=60)
STANDING = (ApprovalState.PENDING, ApprovalState.APPROVED)
FOLLOWS = {
    ApprovalState.PENDING: set(ApprovalState),
    ApprovalState.APPROVED: set(ApprovalState) - {ApprovalState.PENDING, ApprovalState.DENIED},
}


@dataclass(frozen=True)
class Policy:
    """What the model knows of a policy. `deploy` always needs a person, with four eyes."""

    effects: dict = field(default_factory=lambda: dict.fromkeys(("read", "write", "deploy"), Effect.ASK))
    people: frozenset = frozenset({"user:ann", "user:bob", "user:cy", "user:coder"})
    quorum: dict = field(default_factory=lambda: {"read": 1, "write": 1, "deploy": 2})
    grants: dict = field(
        default_factory=lambda: {
            "read": SessionGrants.TOOL,
            "write": SessionGrants.NARROWED,
            "deploy": SessionGrants.NEVER,
        }
    )

    def may_approve(self, actor, tool):
        """Whether it is a person who is entitled, and to whom the call is not their own."""
        own = tool == "deploy" and actor == PRINCIPAL
        return actor in self.people and actor.removeprefix("user:") not in AGENTS and not own


@dataclass
class Waiting:
    """An approval: what it was opened with, and the votes that were answered as counted."""

    id: str
    quorum: int
    expires_at: datetime
    approvers: set = field(default_factory=set)
    votes: int = 0
    delegate: str = ""
    ended: ApprovalState | None = None
    requests: dict = field(default_factory=dict)

    @property
    def resolved(self):
        """Whether people have said what they say of it."""
        return self.ended is not None or len(self.approvers) >= self.quorum


@dataclass
class Known:
    """One call_id of one session: the call that it was first used for, and what became of that."""

    call: tuple
    approval: Waiting | None = None
    denied: bool = False
    reported: bool = False
    allowed_at: datetime | None = None


@dataclass
class Given:
    """A grant as the receipt showed it, the call it was given with, and what was ever allowed by it."""

    grant: object
    call: tuple
    ended: bool = False
    served: set = field(default_factory=set)


class Promises:
    """All that was done and answered so far. Its checks raise AssertionError."""

    def __init__(self):
        self.policy = Policy()
        self.calls = {}
        self.grants = {}
        self.closed = set()
        self.states = {}
        self.grant_states = {}
        self.allowed = 0

    def waiting(self):
        """Every approval that was ever opened, with its call."""
        return [(each.approval, each) for each in self.calls.values() if each.approval]

    def judged(self, key, call, verdict, now, released_by):
        """A call was answered. `released_by` is the grant that its approval's votes name."""
        known = self.calls.setdefault(key, Known(call))
        if verdict.outcome is Outcome.ALLOW:
            self._allowed(key, known, call, verdict, now, released_by)
        elif call == known.call:
            known.denied |= verdict.outcome is Outcome.DENY
        if call == known.call and verdict.approval_id and known.approval is None:
            self._opened(known, verdict, now)
        if verdict.outcome is Outcome.ASK:
            assert call == known.call
            assert not known.denied
            assert known.allowed_at is None
            assert verdict.approval_id == known.approval.id
            assert key[0] not in self.closed

    def _opened(self, known, verdict, now):
        tool = known.call[1]
        expires_at = now + timedelta(seconds=SECONDS)
        known.approval = Waiting(verdict.approval_id, self.policy.quorum[tool], expires_at)

    def _allowed(self, key, known, call, verdict, now, released_by):
        tool = call[1]
        assert call == known.call, "another call was allowed under its call_id"
        assert key[0] not in self.closed, "a call of a closed session was allowed"
        assert not known.denied, "a denial was taken back"
        assert not known.reported, "it was allowed again after it ran"
        assert self.policy.effects[tool] is not Effect.DENY
        first = known.allowed_at is None
        assert first is not verdict.replayed, "it was allowed twice, or as a repeat of nothing"
        by = released_by or verdict.grant_id
        if by:
            self._granted(key, by, call, now, at_once=first and not released_by)
        elif known.approval:
            self._approved(known, tool, now, first)
        else:
            assert self.policy.effects[tool] is Effect.ALLOW
            assert tool != "deploy"
        if (by or known.approval) and not first:
            assert now < known.allowed_at + RETRY, "an ALLOW was repeated for too long"
        if first:
            known.allowed_at = now
            self.allowed += 1

    def _approved(self, known, tool, now, first):
        approval = known.approval
        entitled = {each for each in approval.approvers if self.policy.may_approve(each, tool)}
        assert len(entitled) >= max(approval.quorum, self.policy.quorum[tool]), "without its quorum"
        assert approval.ended is None, "it was ended"
        assert not first or now < approval.expires_at, "its time was over"

    def _granted(self, key, grant_id, call, now, *, at_once):
        given = self.grants[grant_id]
        grant, tool = given.grant, call[1]
        given.served.add(key)
        assert not given.ended, "by a grant that was ended"
        assert key[0] == grant.session != ""
        assert call[:2] == (grant.agent, grant.tool)
        assert grant.scope is GrantScope.TOOL or call == given.call
        assert self.policy.may_approve(grant.granted_by, tool)
        assert self.policy.quorum[tool] == 1
        enough = (SessionGrants.TOOL, SessionGrants.NARROWED)[: 1 + (grant.scope is not GrantScope.TOOL)]
        assert self.policy.grants[tool] in enough
        assert not at_once or now < grant.expires_at, "by a grant whose time was over"

    def voted(self, known, ballot, receipt, digest, now):
        """A person decided, and got the receipt."""
        approval, tool = known.approval, known.call[1]
        request = (ballot.actor, ballot.request_id)
        if receipt.replayed:
            assert approval.requests[request] == (ballot.fingerprint, receipt.code)
            return
        if not receipt.code.accepted:
            return
        assert ballot.actor in self.policy.people
        assert ballot.actor.removeprefix("user:") not in AGENTS
        assert not approval.resolved, "two decisions resolved it"
        assert now < approval.expires_at
        assert not ballot.request_id or request not in approval.requests
        approval.requests[request] = (ballot.fingerprint, receipt.code)
        approval.votes += 1
        self._counted(approval, ballot, digest, tool)
        if receipt.grant:
            self.grants[receipt.grant.id] = Given(receipt.grant, known.call)

    def _counted(self, approval, ballot, digest, tool):
        if ballot.decision is Decision.DELEGATE:
            approval.delegate = ballot.delegate_to
        elif ballot.decision.approves:
            assert ballot.view_digest == digest, "what was not seen was approved"
            assert ballot.actor not in approval.approvers, "one person approved twice"
            assert self.policy.may_approve(ballot.actor, tool)
            assert approval.delegate in ("", ballot.actor)
            approval.approvers.add(ballot.actor)
        else:
            cancelled = ballot.decision is Decision.CANCEL
            approval.ended = ApprovalState.CANCELLED if cancelled else ApprovalState.DENIED

    def stands_as(self, approval, known, found):
        """What the store says of an approval fits what was answered of it."""
        before = self.states.get(approval.id, ApprovalState.PENDING)
        assert found.state is before or found.state in FOLLOWS.get(before, set()), "a final state changed"
        self.states[approval.id] = found.state
        votes = [each for each in found.votes if not each.grant_id]
        assert len(votes) == approval.votes, "a vote was lost, or made up"
        assert {each.actor for each in votes if each.decision.approves} == approval.approvers
        for each in found.votes:
            if each.grant_id:
                self.grants[each.grant_id].served.add((found.session, found.call_id))
        if approval.ended is not None:
            assert found.state is approval.ended
        if found.state is ApprovalState.APPROVED:
            assert len(votes) < len(found.votes) or len(approval.approvers) >= approval.quorum
        if found.session in self.closed:
            assert found.state not in STANDING
        assert found.state is not ApprovalState.CONSUMED or known.allowed_at is not None
        assert found.expires_at == approval.expires_at

    def grant_is(self, given, found):
        """What the store says of a grant fits what it served."""
        before = self.grant_states.get(found.id, GrantState.LIVE)
        assert before in (found.state, GrantState.LIVE), "the final state of a grant changed"
        self.grant_states[found.id] = found.state
        given.ended |= found.state in (GrantState.REVOKED, GrantState.CLEARED)
        assert found.used == len(given.served) <= found.uses
        assert replace(found, used=0, state=GrantState.LIVE, changed_at=found.granted_at) == replace(
            given.grant, used=0, state=GrantState.LIVE, changed_at=found.granted_at
        ), "the terms of a grant changed"
        if found.session in self.closed:
            assert found.state is not GrantState.LIVE
