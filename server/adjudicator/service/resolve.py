"""Resolve: one person's decision on one approval, and its receipt."""

from dataclasses import replace

from adjudicator.approvals.states import Ballot, Counted, count
from adjudicator.chain.judge import close
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import Approval, ApprovalState, Receipt, ReceiptCode, Vote
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason, malformed
from adjudicator.service.retry import expiry
from adjudicator.storage.contract import CallRecord, Change, Store
from adjudicator.tracing import elements
from adjudicator.tracing.flows import call_judged

_MESSAGES: dict[ReceiptCode, str] = {
    ReceiptCode.ACCEPTED: "the decision counts",
    ReceiptCode.MORE_VOTES_NEEDED: "the vote counts; more people have to approve",
    ReceiptCode.UNKNOWN: "there is no such approval",
    ReceiptCode.ALREADY_RESOLVED: "it was already decided; this decision does not count",
    ReceiptCode.EXPIRED: "its time limit ran out; this decision does not count and the call stays denied",
    ReceiptCode.ALREADY_VOTED: "you have already approved it; somebody else has to",
    ReceiptCode.OWN_CALL: "the call is your own or made for you; somebody else has to decide",
    ReceiptCode.VIEW_MISMATCH: "the view digest is not that of the view; decide on what you see",
    ReceiptCode.VIEW_TOO_LARGE: "the call is too large to be shown whole; it can only be denied",
}


class Resolve:
    """The use case behind `Resolve`."""

    def __init__(self, store: Store, clock: Clock, limits: Limits) -> None:
        self._store = store
        self._clock = clock
        self._limits = limits

    async def __call__(self, approval_id: str, ballot: Ballot) -> Receipt:
        """Count the ballot. The vote, the state and the trace change together or not at all."""
        if len(ballot.reason) > self._limits.reason_chars:
            raise malformed("reason", f"is longer than {self._limits.reason_chars} characters")
        try:
            counted, approval = await self._store.change_approval(
                approval_id, lambda record: self._decide(record, ballot)
            )
        except AdjudicatorError as error:
            if error.reason is ErrorReason.NOT_FOUND:
                return Receipt(ReceiptCode.UNKNOWN, _MESSAGES[ReceiptCode.UNKNOWN], None)
            raise
        return Receipt(counted.code, _MESSAGES[counted.code], approval)

    def _decide(self, record: CallRecord, ballot: Ballot) -> tuple[Change | None, tuple[Counted, Approval]]:
        approval = record.approval
        if approval is None:
            raise TypeError("the call of an approval has that approval")
        now = self._clock.now()
        counted = count(approval, ballot, now)
        if counted.vote is None:
            late = counted.code is ReceiptCode.EXPIRED
            change = expiry(record, approval, now)[0] if late else None
            return change, (counted, _after(approval, change))
        change = _counted_change(record, approval, counted, counted.vote)
        return change, (counted, _after(approval, change))


def _counted_change(record: CallRecord, approval: Approval, counted: Counted, vote: Vote) -> Change:
    appended = [elements.approval_voted(approval, vote, vote.voted_at)]
    if counted.state is not None:
        appended.append(elements.approval_changed(approval, counted.state, vote.voted_at))
    change = Change(vote.voted_at, counted.state, vote, tuple(appended))
    if counted.state is not ApprovalState.DENIED:
        return change
    verdict = close(record.verdict, ApprovalState.DENIED)
    if vote.reason:
        verdict = replace(verdict, reason=f"{verdict.reason}: {vote.reason}")
    closing = (elements.not_executed(verdict, vote.voted_at),)
    in_flow = call_judged(verdict, vote.voted_at)
    return replace(change, verdict=verdict, closing=closing, finish=True, in_flow=in_flow)


def _after(approval: Approval, change: Change | None) -> Approval:
    if change is None:
        return approval
    votes = approval.votes if change.vote is None else (*approval.votes, change.vote)
    return replace(approval, state=change.state or approval.state, votes=votes, changed_at=change.at)
