"""ClaimApproval: who says that they are on an approval, for a while. It keeps nobody from deciding."""

from datetime import datetime, timedelta

from adjudicator.approvals.states import current
from adjudicator.domain.approval import Approval, ApprovalState, Claim
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.service.sight import Sight
from adjudicator.storage.contract import CallRecord, Change, Store


class ClaimApproval:
    """The use case behind `ClaimApproval`."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(
        self, approval_id: str, actor: str, lease: timedelta, sight: Sight
    ) -> tuple[bool, Approval]:
        """Whether the actor has it now, or has let go of it with a lease of zero; and the approval.

        Somebody else's claim stands until it runs out. Raises NOT_FOUND for an approval that does not
        exist or that they may not see, in the same words. What is not pending is claimed by nobody.
        """
        try:
            at = await self._store.change_approval(
                approval_id, lambda record: self._decide(record, actor, lease, sight)
            )
        except AdjudicatorError as error:
            if error.reason is ErrorReason.NOT_FOUND:
                raise no_approval(approval_id) from error
            raise
        approval = await self._store.approval(approval_id)
        if approval is None:
            raise no_approval(approval_id)
        holder = approval.claim.actor if approval.claim and at and approval.claim.until > at else ""
        return at is not None and holder == (actor if lease else ""), approval

    def _decide(
        self, record: CallRecord, actor: str, lease: timedelta, sight: Sight
    ) -> tuple[Change | None, datetime | None]:
        approval = record.approval
        if approval is None or not sight(approval):
            raise no_approval(approval.id if approval else "")
        now = self._clock.now()
        if current(approval, now) is not ApprovalState.PENDING:
            return None, None
        return Change(now, claim=Claim(actor, now + lease)), now


def no_approval(approval_id: str) -> AdjudicatorError:
    """There is none, as far as whoever asks may know."""
    return AdjudicatorError(ErrorReason.NOT_FOUND, f"there is no approval {approval_id[:64]!a}")
