"""What a bundle would change, as a message."""

from collections.abc import Iterable

from adjudicator.api.v1 import policy_service_pb2 as pb
from adjudicator.service.preview import Ended, Flipped, Preview
from adjudicator.transport.convert import problem


def preview(each: Preview) -> pb.PreviewPolicyResponse:
    """The whole preview."""
    return pb.PreviewPolicyResponse(
        valid=bool(each.version),
        problems=map(problem, each.problems),
        version=each.version,
        denied_approvals=_approvals(each.approvals.listed),
        revoked_grants=_grants(each.grants.listed),
        flipped_calls=map(_call, each.calls.listed),
        judged_calls=each.calls.judged,
        unknown_calls=each.unknown_calls,
        judged_approvals=each.approvals.judged,
        denied_approvals_total=each.approvals.total,
        judged_grants=each.grants.judged,
        revoked_grants_total=each.grants.total,
        flipped_calls_total=each.calls.total,
        complete=each.complete,
    )


def _approvals(ended: Iterable[Ended]) -> list[pb.DeniedApproval]:
    return [pb.DeniedApproval(approval_id=each.id, tool=each.tool, reason=each.reason) for each in ended]


def _grants(ended: Iterable[Ended]) -> list[pb.EndedGrant]:
    return [pb.EndedGrant(grant_id=each.id, tool=each.tool, reason=each.reason) for each in ended]


def _call(flipped: Flipped) -> pb.FlippedCall:
    return pb.FlippedCall(
        trace_number=flipped.trace_number,
        tool=flipped.tool,
        outcome=flipped.outcome.value,
        new_outcome=flipped.new_outcome.value,
        reason=flipped.reason,
    )
