"""Between the messages of approvals and grants and domain values."""

from adjudicator.api.v1 import approval_service_pb2 as pb
from adjudicator.config.limits import GRANT_SCHEMA_BYTES, Limits
from adjudicator.domain.approval import Approval, ApprovalState, Claim, Vote
from adjudicator.domain.grant import Grant, GrantWish
from adjudicator.domain.request import Request
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.attendance import Attendance
from adjudicator.transport import enums
from adjudicator.transport.convert import rule, span, text, timestamp


class ApprovalMessages:
    """Makes messages of approvals, with what is known only now: how many people could approve each."""

    def __init__(self, policy: ActivePolicy, attendance: Attendance) -> None:
        self._policy = policy
        self._attendance = attendance

    def __call__(self, approval: Approval, *, whole: bool = False) -> pb.Approval:
        """The message. Unless `whole`, a view too large to be approved is left out."""
        message = approval_message(approval, whole=whole)
        message.eligible_approvers = self._eligible(approval)
        return message

    def _eligible(self, approval: Approval) -> int:
        snapshot = self._policy.status.snapshot
        if snapshot is None or approval.state is not ApprovalState.PENDING:
            return 0
        return self._attendance.eligible(approval, snapshot)


def vote_message(each: Vote) -> pb.Vote:
    """One vote."""
    return pb.Vote(
        actor=each.actor,
        decision=enums.DECISION.to_wire(each.decision),
        reason=each.reason,
        voted_at=timestamp(each.voted_at),
        selected_option=each.selected_option,
        delegate_to=each.delegate_to,
        grant_id=each.grant_id,
    )


def request_message(each: Request) -> pb.ApprovalRequest:
    """What stands over an approval."""
    context = each.context
    return pb.ApprovalRequest(
        type=enums.REQUEST_TYPE.to_wire(each.type),
        priority=enums.PRIORITY.to_wire(each.priority),
        title=each.title,
        description=each.description,
        options=each.options,
        recommended_option=each.recommended,
        risks=[pb.Risk(trigger=enums.TRIGGER.to_wire(risk.trigger), note=risk.note) for risk in each.risks],
        context=pb.Context(
            commands=context.commands, writes=context.writes, reads=context.reads, urls=context.urls
        ),
    )


def wish_of(message: pb.GrantWish, limits: Limits) -> GrantWish:
    """How far a grant is to reach. Raises MALFORMED_REQUEST."""
    return GrantWish(
        schema_json=text(message.arguments_schema_json, "grant", GRANT_SCHEMA_BYTES),
        uses=message.uses,
        lifetime=span(message, "lifetime", limits.limit_seconds),
    )


def approval_message(each: Approval, *, whole: bool = False) -> pb.Approval:
    """The approval. Unless `whole`, a view too large to be approved is left out."""
    return pb.Approval(
        id=each.id,
        state=enums.APPROVAL_STATE.to_wire(each.state),
        tenant=each.tenant,
        session=each.session,
        agent=each.agent,
        tool=each.tool,
        call_id=each.call_id,
        trace_number=each.trace_number,
        view_json=each.view_json if whole or each.approvable else "",
        view_digest=each.view_digest,
        approvable=each.approvable,
        ask_reason=each.ask_reason,
        rule=rule(each.rule),
        quorum=each.quorum,
        votes=[vote_message(one) for one in each.votes],
        created_at=timestamp(each.created_at),
        expires_at=timestamp(each.expires_at),
        changed_at=timestamp(each.changed_at),
        four_eyes=each.four_eyes,
        request=request_message(each.request),
        delegated_to=each.delegated_to,
        claim=claim_message(each.claim),
        same_as=each.before.approval_id if each.before else "",
        same_as_state=enums.APPROVAL_STATE.to_wire(each.before.state if each.before else None),
    )


def claim_message(each: Claim | None) -> pb.Claim | None:
    """Who is on it; None stays absent."""
    return pb.Claim(actor=each.actor, until=timestamp(each.until)) if each else None


def grant_message(each: Grant) -> pb.Grant:
    """The grant, exactly as it is stored, without what calls are compared by."""
    return pb.Grant(
        id=each.id,
        state=enums.GRANT_STATE.to_wire(each.state),
        tenant=each.tenant,
        session=each.session,
        agent=each.agent,
        on_behalf_of=each.on_behalf_of,
        principal=each.principal,
        tool=each.tool,
        scope=enums.GRANT_SCOPE.to_wire(each.scope),
        arguments_schema_json=each.schema_json,
        highest_priority=enums.PRIORITY.to_wire(each.highest_priority),
        uses=each.uses,
        used=each.used,
        granted_by=each.granted_by,
        approval_id=each.approval_id,
        reason=each.reason,
        granted_at=timestamp(each.granted_at),
        expires_at=timestamp(each.expires_at),
        changed_at=timestamp(each.changed_at),
        trace_number=each.trace_number,
    )
