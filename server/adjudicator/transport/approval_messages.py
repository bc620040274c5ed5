"""Approvals as messages, with what is known of them only now: how many people could approve each."""

from collections.abc import Callable

from adjudicator.api.v1 import approval_service_pb2 as pb
from adjudicator.approvals.electorate import Electorate
from adjudicator.domain.approval import Approval, ApprovalState
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.transport import convert

People = Callable[[], frozenset[str] | None]
"""Who has a token now; None where nobody knows, as with several sidecars that share a database."""


class ApprovalMessages:
    """Makes messages of approvals."""

    def __init__(self, policy: ActivePolicy, people: People) -> None:
        self._policy = policy
        self._people = people

    def __call__(self, approval: Approval, *, whole: bool = False) -> pb.Approval:
        """The message. Unless `whole`, a view too large to be approved is left out."""
        message = convert.approval(approval, whole=whole)
        message.eligible_approvers = self._eligible(approval)
        return message

    def _eligible(self, approval: Approval) -> int:
        snapshot = self._policy.status.snapshot
        if snapshot is None or approval.state is not ApprovalState.PENDING:
            return 0
        eligible, people = Electorate(snapshot).eligible(approval), self._people()
        return len(eligible if people is None else eligible & people)
