"""Whether a grant may take the place of the people for whom an approval waits already. Pure."""

from adjudicator.approvals.electorate import Electorate, is_own_call
from adjudicator.domain.approval import Approval, ApprovalState
from adjudicator.domain.grant import Grant
from adjudicator.policy.snapshot import Snapshot


def may_release(grant: Grant, approval: Approval, snapshot: Snapshot) -> bool:
    """Whether who gave the grant could approve it alone, on the terms that it was opened with.

    A policy that asks for less by now takes nothing from what waits. What nobody could approve, or was
    handed to somebody, is left to people. Whether the grant covers the call is asked elsewhere.
    """
    giver = grant.granted_by
    return (
        approval.state is ApprovalState.PENDING
        and approval.approvable
        and not approval.delegated_to
        and approval.quorum <= 1
        and approval.request.priority.rank <= grant.highest_priority.rank
        and not is_own_call(approval, giver)
        and Electorate(snapshot).is_entitled(giver, approval)
    )
