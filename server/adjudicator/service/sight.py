"""What one person may see of approvals: those on which the policy of the moment entitles them to decide."""

from adjudicator.approvals.electorate import Electorate
from adjudicator.domain.approval import Approval
from adjudicator.service.active_policy import ActivePolicy


class Sight:
    """One person's. Without a policy they see nothing."""

    def __init__(self, policy: ActivePolicy, actor: str) -> None:
        self._policy = policy
        self._actor = actor

    def __call__(self, approval: Approval) -> bool:
        """Whether they may see the approval; quick, since it is asked for each before it is sent."""
        snapshot = self._policy.status.snapshot
        return snapshot is not None and Electorate(snapshot).is_entitled(self._actor, approval)

    @property
    def is_blind(self) -> bool:
        """Whether they see nothing whatever there is."""
        snapshot = self._policy.status.snapshot
        return snapshot is None or Electorate(snapshot).objection_to_all(self._actor) is not None

    @property
    def version(self) -> str:
        """What changes whenever anybody may see others than before."""
        return sight_version(self._policy)


def sight_version(policy: ActivePolicy) -> str:
    """The version of the rules by which people see approvals."""
    snapshot = policy.status.snapshot
    return snapshot.approvers.version if snapshot is not None else ""
