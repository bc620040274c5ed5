"""The state table of an approval: events, guards, next states. Pure; the store compares and sets."""

import hashlib
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from adjudicator.approvals.electorate import Electorate, is_own_call
from adjudicator.domain.approval import Approval, ApprovalState, Decision, ReceiptCode, Vote
from adjudicator.domain.grant import GrantWish
from adjudicator.domain.strict_json import canonical_json
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.trace_context import TraceContext
from adjudicator.policy.snapshot import ROLE, USER


class Event(Symbol):
    """What can happen to an approval."""

    APPROVE = "approve"
    """The last vote that it took."""
    DENY = "deny"
    """A person denied or skipped the call."""
    DELEGATE = "delegate"
    """A person handed it on."""
    RELEASE = "release"
    """A session grant covers the call."""
    EXPIRE = "expire"
    """Its time limit ran out."""
    CANCEL = "cancel"
    """A person, its runtime, the end of its session, or a new policy ended it."""
    CONSUME = "consume"
    """Its call was allowed by it."""


TRANSITIONS: dict[tuple[ApprovalState, Event], ApprovalState] = {
    (ApprovalState.PENDING, Event.APPROVE): ApprovalState.APPROVED,
    (ApprovalState.PENDING, Event.DENY): ApprovalState.DENIED,
    (ApprovalState.PENDING, Event.DELEGATE): ApprovalState.PENDING,
    (ApprovalState.PENDING, Event.RELEASE): ApprovalState.APPROVED,
    (ApprovalState.PENDING, Event.EXPIRE): ApprovalState.EXPIRED,
    (ApprovalState.PENDING, Event.CANCEL): ApprovalState.CANCELLED,
    (ApprovalState.APPROVED, Event.CONSUME): ApprovalState.CONSUMED,
    (ApprovalState.APPROVED, Event.EXPIRE): ApprovalState.EXPIRED,
    (ApprovalState.APPROVED, Event.CANCEL): ApprovalState.CANCELLED,
}
"""Every change that there is. What is not here does not happen: a state without a row is final."""

EVENTS: dict[Decision, Event] = {
    Decision.APPROVE: Event.APPROVE,
    Decision.APPROVE_SESSION: Event.APPROVE,
    Decision.DENY: Event.DENY,
    Decision.SKIP: Event.DENY,
    Decision.CANCEL: Event.CANCEL,
    Decision.DELEGATE: Event.DELEGATE,
}
"""What a person's decision is to the table."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """One person's decision on one approval, with the digest of the view that they saw.

    `request_id` is an id of their own, by which the same request is known again. `wish` is for
    APPROVE_SESSION, and `delegate_to` for DELEGATE. `trace_context` is that of the request.
    """

    actor: str
    decision: Decision
    view_digest: str
    reason: str
    trace_context: TraceContext | None = None
    request_id: str = ""
    selected_option: str = ""
    delegate_to: str = ""
    wish: GrantWish = field(default_factory=GrantWish)

    @property
    def fingerprint(self) -> str:
        """What the request says, as far as it makes another decision: its SHA-256 in hexadecimal."""
        said = [self.decision.value, self.view_digest, self.reason, self.selected_option, self.delegate_to]
        wish = [self.wish.schema_json, self.wish.uses, self.wish.lifetime // timedelta(microseconds=1)]
        return hashlib.sha256(canonical_json([*said, *wish])).hexdigest()

    def vote(self, now: datetime) -> Vote:
        """The vote that it is when it counts."""
        return Vote(
            actor=self.actor,
            decision=self.decision,
            reason=self.reason,
            voted_at=now,
            request_id=self.request_id,
            fingerprint=self.fingerprint if self.request_id else "",
            selected_option=self.selected_option if self.decision.approves else "",
            delegate_to=self.delegate_to if self.decision is Decision.DELEGATE else "",
        )


@dataclass(frozen=True, slots=True)
class Counted:
    """What a ballot comes to: the receipt's code, and the vote and next state when it counts.

    `replayed` says that it counted before, when the same request came first.
    """

    code: ReceiptCode
    vote: Vote | None = None
    state: ApprovalState | None = None
    replayed: bool = False


def current(approval: Approval, now: datetime) -> ApprovalState:
    """The state at `now`: a time limit that has run out counts before anyone has written it down."""
    expires = (approval.state, Event.EXPIRE) in TRANSITIONS and now >= approval.expires_at
    return ApprovalState.EXPIRED if expires else approval.state


def after(approval: Approval, event: Event, now: datetime) -> ApprovalState | None:
    """The state after the event, or None when the event is not possible now."""
    if event is Event.EXPIRE:
        due = (
            current(approval, now) is ApprovalState.EXPIRED and approval.state is not ApprovalState.EXPIRED
        )
        return ApprovalState.EXPIRED if due else None
    return TRANSITIONS.get((current(approval, now), event))


def count(approval: Approval, ballot: Ballot, now: datetime, electorate: Electorate) -> Counted:
    """Count a ballot. The order of the guards is the order in which a person wants to be told."""
    objection = electorate.objection(ballot.actor, approval)
    if objection is not None:
        return Counted(objection)
    if (again := _again(approval, ballot)) is not None:
        return again
    state, stands = after(approval, EVENTS[ballot.decision], now), current(approval, now)
    # A person decides what is pending only: the cancelling of what was approved is no person's decision.
    if state is None or stands is not ApprovalState.PENDING:
        expired = stands is ApprovalState.EXPIRED
        return Counted(ReceiptCode.EXPIRED if expired else ReceiptCode.ALREADY_RESOLVED)
    if is_own_call(approval, ballot.actor):
        return Counted(ReceiptCode.OWN_CALL)
    vote = ballot.vote(now)
    if ballot.decision is Decision.DELEGATE:
        code = _objection_to_delegate(approval, ballot, electorate)
        return Counted(code) if code else Counted(ReceiptCode.DELEGATED, vote)
    if not ballot.decision.approves:
        # A person who approved before may still stop the call; the denial replaces nothing, it ends it.
        return Counted(ReceiptCode.ACCEPTED, vote, state)
    code = _objection_to_approve(approval, ballot, electorate)
    if code is not None:
        return Counted(code)
    if len(approval.approvals) + 1 < approval.quorum:
        return Counted(ReceiptCode.MORE_VOTES_NEEDED, vote)
    return Counted(ReceiptCode.ACCEPTED, vote, state)


def _again(approval: Approval, ballot: Ballot) -> Counted | None:
    """What a request that counted before came to then; None for one that has not."""
    approved = 0
    for vote in approval.votes:
        approved += vote.decision.approves
        if ballot.request_id and (vote.actor, vote.request_id) == (ballot.actor, ballot.request_id):
            if vote.fingerprint != ballot.fingerprint:
                return Counted(ReceiptCode.REQUEST_ID_REUSED)
            return Counted(_code_then(vote, approved, approval.quorum), replayed=True)
    return None


def _code_then(vote: Vote, approved: int, quorum: int) -> ReceiptCode:
    if vote.decision is Decision.DELEGATE:
        return ReceiptCode.DELEGATED
    lacking = vote.decision.approves and approved < quorum
    return ReceiptCode.MORE_VOTES_NEEDED if lacking else ReceiptCode.ACCEPTED


def _objection_to_approve(approval: Approval, ballot: Ballot, electorate: Electorate) -> ReceiptCode | None:
    if any(vote.actor == ballot.actor for vote in approval.approvals):
        return ReceiptCode.ALREADY_VOTED
    delegate = approval.delegated_to
    if delegate and not electorate.names(delegate, ballot.actor, approval.tenant):
        return ReceiptCode.NOT_THE_DELEGATE
    if not approval.approvable:
        return ReceiptCode.VIEW_TOO_LARGE
    if ballot.view_digest != approval.view_digest:
        return ReceiptCode.VIEW_MISMATCH
    if ballot.selected_option and ballot.selected_option not in approval.request.options:
        return ReceiptCode.OPTION_UNKNOWN
    if not electorate.can_reach_quorum(approval):
        return ReceiptCode.QUORUM_UNREACHABLE
    return None


def _objection_to_delegate(
    approval: Approval, ballot: Ballot, electorate: Electorate
) -> ReceiptCode | None:
    holder, to = approval.delegated_to, ballot.delegate_to
    if holder and not electorate.names(holder, ballot.actor, approval.tenant):
        return ReceiptCode.NOT_THE_DELEGATE
    if not to.startswith((USER, ROLE)):
        return ReceiptCode.DELEGATE_NOT_ENTITLED
    handed = [vote for vote in approval.votes if vote.decision is Decision.DELEGATE]
    had = {ballot.actor, *(vote.actor for vote in handed), *(vote.delegate_to for vote in handed)}
    if to in had:
        return ReceiptCode.DELEGATE_LOOP
    handed_on = replace(approval, votes=(*approval.votes, ballot.vote(approval.changed_at)))
    if not electorate.eligible(handed_on):
        return ReceiptCode.DELEGATE_NOT_ENTITLED
    if not electorate.can_reach_quorum(handed_on):
        return ReceiptCode.QUORUM_UNREACHABLE
    return None
