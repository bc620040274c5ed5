"""What one should know of an approval beside its view: who has it, who is on it, who else could decide."""

from collections.abc import Iterator
from datetime import datetime

from adjudicator.api.v1.approval_service_pb2 import Approval, ApprovalState, Decision, Vote
from adjudicator.cli.message_json import enum_name
from adjudicator.cli.moments import local, moment

APPROVING = frozenset({Decision.DECISION_APPROVE, Decision.DECISION_APPROVE_SESSION})
_ENDING = {
    ApprovalState.APPROVAL_STATE_APPROVED: APPROVING,
    ApprovalState.APPROVAL_STATE_CONSUMED: APPROVING,
    ApprovalState.APPROVAL_STATE_DENIED: frozenset({Decision.DECISION_DENY, Decision.DECISION_SKIP}),
    ApprovalState.APPROVAL_STATE_CANCELLED: frozenset({Decision.DECISION_CANCEL}),
}


def is_pending(approval: Approval) -> bool:
    """Whether a decision on it can still count."""
    return approval.state == ApprovalState.APPROVAL_STATE_PENDING


def approved_by(approval: Approval) -> list[str]:
    """Who has approved it, each once."""
    return list(dict.fromkeys(vote.actor for vote in approval.votes if vote.decision in APPROVING))


def notes(approval: Approval, now: datetime) -> Iterator[str]:
    """What holds of it now, in sentences; of most approvals there are none."""
    if is_pending(approval):
        yield from _who(approval, now)
    if approval.same_as:
        pending = approval.same_as_state == ApprovalState.APPROVAL_STATE_PENDING
        said = "duplicate of" if pending else "asked before:"
        yield f"{said} {approval.same_as} ({enum_name(approval, 'same_as_state')})"


def _who(approval: Approval, now: datetime) -> Iterator[str]:
    if approval.delegated_to:
        yield f"handed to {approval.delegated_to}, who alone approves it"
    if approval.claim.actor and moment(approval.claim.until) > now:
        yield f"{approval.claim.actor} is on it until {local(approval.claim.until)}"
    if lacking := shortfall(approval):
        yield lacking


def shortfall(approval: Approval) -> str:
    """That too few people could approve it now, in a sentence; empty when there are enough."""
    if not is_pending(approval):
        return ""
    could = approval.eligible_approvers
    if not could:
        return "nobody with a token can approve it now"
    # Those who approved it before it was handed on are not counted among those who could, but they count.
    could += len(approved_by(approval)) if approval.delegated_to else 0
    return f"only {could} of {approval.quorum} could approve it now" if could < approval.quorum else ""


def fate(approval: Approval) -> str:
    """The state, and whose decision that was where it was a person's."""
    name = enum_name(approval, "state")
    deciding = [vote for vote in approval.votes if vote.decision in _ENDING.get(approval.state, ())]
    if not deciding:
        return name
    last = deciding[-1]
    actors = ", ".join(dict.fromkeys(vote.actor for vote in deciding))
    reason = f": {last.reason}" if last.reason else ""
    return f"{name} by {actors} at {local(last.voted_at)}{reason}"


def vote_line(vote: Vote) -> str:
    """Who decided what, with all that went along."""
    to = f" to {vote.delegate_to}" if vote.delegate_to else ""
    option = f", option {vote.selected_option}" if vote.selected_option else ""
    grant = f", by the grant {vote.grant_id}" if vote.grant_id else ""
    reason = f": {vote.reason}" if vote.reason else ""
    what = f"{enum_name(vote, 'decision')} by {vote.actor}{to}{option}{grant}"
    return f"{what} at {local(vote.voted_at)}{reason}"
