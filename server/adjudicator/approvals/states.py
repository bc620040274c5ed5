"""The state table of an approval: events, guards, next states. Pure; the store compares and sets."""

from dataclasses import dataclass, replace
from datetime import datetime

from adjudicator.domain.approval import Approval, ApprovalState, Decision, ReceiptCode, Vote
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.trace_context import TraceContext

ACTOR_PREFIX = "user:"


class Event(Symbol):
    """What can happen to an approval."""

    APPROVE = "approve"
    DENY = "deny"
    EXPIRE = "expire"
    CANCEL = "cancel"
    CONSUME = "consume"


TRANSITIONS: dict[tuple[ApprovalState, Event], ApprovalState] = {
    (ApprovalState.PENDING, Event.APPROVE): ApprovalState.APPROVED,
    (ApprovalState.PENDING, Event.DENY): ApprovalState.DENIED,
    (ApprovalState.PENDING, Event.EXPIRE): ApprovalState.EXPIRED,
    (ApprovalState.PENDING, Event.CANCEL): ApprovalState.CANCELLED,
    (ApprovalState.APPROVED, Event.CONSUME): ApprovalState.CONSUMED,
    (ApprovalState.APPROVED, Event.EXPIRE): ApprovalState.EXPIRED,
    (ApprovalState.APPROVED, Event.CANCEL): ApprovalState.CANCELLED,
}


@dataclass(frozen=True, slots=True)
class Ballot:
    """One person's decision on one approval, with the digest of the view that they saw.

    `trace_context` is that of the request which brings it.
    """

    actor: str
    decision: Decision
    view_digest: str
    reason: str
    trace_context: TraceContext | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """What a ballot comes to: the receipt's code, and the vote and next state when it counts."""

    code: ReceiptCode
    vote: Vote | None = None
    state: ApprovalState | None = None


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


def count(approval: Approval, ballot: Ballot, now: datetime) -> Counted:
    """Count a ballot. The order of the guards is the order in which a person wants to be told."""
    state = current(approval, now)
    if state is ApprovalState.EXPIRED:
        return Counted(ReceiptCode.EXPIRED)
    if state is not ApprovalState.PENDING:
        return Counted(ReceiptCode.ALREADY_RESOLVED)
    if _own_call(approval, ballot.actor):
        return Counted(ReceiptCode.OWN_CALL)
    vote = Vote(ballot.actor, ballot.decision, ballot.reason, now)
    if ballot.decision is not Decision.APPROVE:
        # A person who approved before may still stop the call; the denial replaces nothing, it ends it.
        return Counted(ReceiptCode.ACCEPTED, vote, TRANSITIONS[state, Event.DENY])
    if any(vote.actor == ballot.actor for vote in approval.votes):
        return Counted(ReceiptCode.ALREADY_VOTED)
    if not approval.approvable:
        return Counted(ReceiptCode.VIEW_TOO_LARGE)
    if ballot.view_digest != approval.view_digest:
        return Counted(ReceiptCode.VIEW_MISMATCH)
    if len(approval.votes) + 1 < approval.quorum:
        return Counted(ReceiptCode.MORE_VOTES_NEEDED, vote)
    return Counted(ReceiptCode.ACCEPTED, vote, TRANSITIONS[state, Event.APPROVE])


def satisfies(approval: Approval, quorum: int, *, four_eyes: bool) -> bool:
    """Whether the votes would also do under these terms, which may be stricter than when it was opened."""
    terms = replace(approval, four_eyes=four_eyes)
    approvers = {vote.actor for vote in approval.approvals}
    return len(approvers) >= quorum and not any(_own_call(terms, actor) for actor in approvers)


def _own_call(approval: Approval, actor: str) -> bool:
    """Whether the actor is the agent, one that it acts for, or with four eyes the principal.

    With four eyes and no principal it is everybody's own call: nobody can say that it is not.
    """
    barred = [approval.agent, *approval.on_behalf_of]
    actor = actor.casefold()
    bare = actor.removeprefix(ACTOR_PREFIX)
    if bare in {name.casefold() for name in barred}:
        return True
    return approval.four_eyes and approval.principal.casefold() in (actor, "")
