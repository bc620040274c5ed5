"""Approvals as messages, with what is known of them only now: how many people could approve each."""

from adjudicator.api.v1 import approval_service_pb2 as pb
from adjudicator.domain.approval import Approval, ApprovalState
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.attendance import Attendance
from adjudicator.transport import convert


class ApprovalMessages:
    """Makes messages of approvals."""

    def __init__(self, policy: ActivePolicy, attendance: Attendance) -> None:
        self._policy = policy
        self._attendance = attendance

    def __call__(self, approval: Approval, *, whole: bool = False) -> pb.Approval:
        """The message. Unless `whole`, a view too large to be approved is left out."""
        message = convert.approval(approval, whole=whole)
        message.eligible_approvers = self._eligible(approval)
        return message

    def _eligible(self, approval: Approval) -> int:
        snapshot = self._policy.status.snapshot
        if snapshot is None or approval.state is not ApprovalState.PENDING:
            return 0
        return self._attendance.eligible(approval, snapshot)
