"""What a snapshot says of an approval that stands: whether it may, told from what is kept of it. Pure."""

from adjudicator.approvals.electorate import Electorate
from adjudicator.chain.judge import refuse
from adjudicator.domain.approval import Approval, ApprovalState
from adjudicator.domain.verdict import Cause, Verdict
from adjudicator.policy.snapshot import Snapshot
from adjudicator.service.seen_call import seen_case
from adjudicator.service.seen_denial import seen_denial


def standing_denial(approval: Approval, snapshot: Snapshot) -> Verdict | None:
    """The denial that closes it, or None; also where a rule would allow the call: a person was asked."""
    return seen_denial(approval, snapshot) or votes_denial(approval, snapshot)


def votes_denial(approval: Approval, snapshot: Snapshot) -> Verdict | None:
    """The denial of an approved call whose votes do not do any more. Its tool has to be registered."""
    if approval.state is not ApprovalState.APPROVED:
        return None
    reason = Electorate(snapshot).shortfall(approval)
    return refuse(seen_case(approval, snapshot).case, Cause.POLICY_CHANGED, reason) if reason else None
