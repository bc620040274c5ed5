"""Whether a snapshot lets an approval, or a grant, go on standing, told from what is kept of it. Pure."""

from adjudicator.approvals.electorate import Electorate
from adjudicator.approvals.grants import objection_to
from adjudicator.chain.case import Case
from adjudicator.chain.judge import judge, refuse
from adjudicator.domain.approval import Approval, ApprovalState
from adjudicator.domain.arguments import Arguments
from adjudicator.domain.call import ToolCall
from adjudicator.domain.grant import Grant
from adjudicator.domain.verdict import Cause, Outcome, Step, Verdict
from adjudicator.policy.snapshot import Snapshot
from adjudicator.service.seen_call import seen_case
from adjudicator.service.seen_denial import seen_denial


def standing_denial(approval: Approval, snapshot: Snapshot) -> Verdict | None:
    """The denial that closes it, or None; also where a rule would allow the call: a person was asked."""
    return seen_denial(approval, snapshot) or _votes_denial(approval, snapshot)


def grant_end_reason(grant: Grant, origin: Approval | None, snapshot: Snapshot) -> str:
    """Why the snapshot ends a live grant, or nothing. `origin` is the approval that it was given with.

    It ends where its terms are not allowed any more, where its agent may not call its tool at all, and
    where the very call that it was given with is denied.
    """
    if why := objection_to(grant, snapshot):
        return why
    if origin is None:
        return "the approval that it was given with is not on record"
    denied = _identity_denial(grant, snapshot) or seen_denial(origin, snapshot)
    return f"a call that it is for is denied: {denied.reason}" if denied else ""


def _identity_denial(grant: Grant, snapshot: Snapshot) -> Verdict | None:
    """What S1 to S6 deny, which look at no argument."""
    call = ToolCall(
        tenant=grant.tenant,
        agent=grant.agent,
        tool=grant.tool,
        arguments_json="{}",
        on_behalf_of=grant.on_behalf_of,
        principal=grant.principal,
        session=grant.session,
    )
    verdict = judge(Case(call, Arguments({}, b"{}"), snapshot), lambda _check, _error: None)
    return verdict if verdict.outcome is Outcome.DENY and verdict.step < Step.GATE else None


def _votes_denial(approval: Approval, snapshot: Snapshot) -> Verdict | None:
    """The denial of an approved call whose votes do not do any more. Its tool has to be registered."""
    if approval.state is not ApprovalState.APPROVED:
        return None
    reason = Electorate(snapshot).shortfall(approval)
    return refuse(seen_case(approval, snapshot).case, Cause.POLICY_CHANGED, reason) if reason else None
