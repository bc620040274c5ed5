"""Who is there to approve: of the people whom the policy entitles, those who have a token."""

from collections.abc import Callable

from adjudicator.approvals.electorate import Electorate
from adjudicator.domain.approval import Approval
from adjudicator.policy.snapshot import Snapshot

People = Callable[[], frozenset[str] | None]
"""Who has a token now; None where nobody knows, as with several sidecars that share a database."""


class Attendance:
    """Counts people; lets nobody decide anything. Where nobody knows who has a token, everybody counts."""

    def __init__(self, people: People) -> None:
        self._people = people

    def eligible(self, approval: Approval, snapshot: Snapshot) -> int:
        """How many of those who are there could approve it now."""
        eligible, people = Electorate(snapshot).eligible(approval), self._people()
        return len(eligible if people is None else eligible & people)

    def is_unattended(self, approval: Approval, snapshot: Snapshot) -> bool:
        """Whether they are fewer than have to approve it."""
        return self.eligible(approval, snapshot) < approval.quorum
