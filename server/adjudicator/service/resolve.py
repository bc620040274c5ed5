"""Resolve: one person's decision on one approval, and its receipt."""

from dataclasses import dataclass, replace

from adjudicator.approvals.electorate import Electorate
from adjudicator.approvals.grant_schema import Refusal
from adjudicator.approvals.states import Ballot, Counted, count
from adjudicator.chain.judge import close, end
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import Approval, ApprovalState, Decision, Receipt, ReceiptCode, Vote
from adjudicator.domain.call import is_identifier
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason, malformed
from adjudicator.domain.verdict import Cause, Verdict
from adjudicator.policy.snapshot import Snapshot
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.grants import PlanGrant
from adjudicator.service.release_siblings import ReleaseSiblings
from adjudicator.service.retry import cancellation, expiry
from adjudicator.service.seen_denial import seen_denial
from adjudicator.storage.contract import Barred, CallRecord, Change, GrantFilter, NewTrace, Store
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
    ReceiptCode.DELEGATED: "it was handed on; from now on only they approve it",
    ReceiptCode.NOT_ENTITLED: "the policy does not entitle you to decide this (approvers.csv)",
    ReceiptCode.NOT_A_PERSON: "you are named like an agent, and agents decide nothing, whatever rows say",
    ReceiptCode.NOT_THE_DELEGATE: "it was handed to somebody else, who alone approves it or hands it on",
    ReceiptCode.DELEGATE_NOT_ENTITLED: "there is nobody of that name or role who is entitled to decide it",
    ReceiptCode.DELEGATE_LOOP: "it was with them before; it cannot go round in a circle",
    ReceiptCode.QUORUM_UNREACHABLE: "fewer people could approve it than have to, so no approval counts yet",
    ReceiptCode.OPTION_UNKNOWN: "that is none of the options of the request",
    ReceiptCode.REQUEST_ID_REUSED: "you used this request_id for another decision on it",
    ReceiptCode.GRANT_FORBIDDEN: "this call lets nothing be granted to its session; approve it alone",
    ReceiptCode.GRANT_TOO_WIDE: "the schema lets through more than may be granted",
    ReceiptCode.GRANT_EXCLUDES_CALL: "the schema does not accept the very call that it would be given with",
    ReceiptCode.GRANT_SCHEMA_INVALID: "the schema is none that can be used here",
    ReceiptCode.NOW_DENIED: "the policy that is active now denies the call, so its approval was cancelled",
}
_HIDDEN = (ReceiptCode.UNKNOWN, ReceiptCode.NOT_ENTITLED, ReceiptCode.NOT_A_PERSON)


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What an approval comes to besides the vote: a denial of now, no grant, or a grant to open."""

    denied: Verdict | None = None
    refusal: Refusal | None = None
    opens: NewTrace | None = None


class Resolve:
    """The use case behind `Resolve`."""

    def __init__(
        self,
        policy: ActivePolicy,
        store: Store,
        clock: Clock,
        limits: Limits,
        plan_grant: PlanGrant,
        release: ReleaseSiblings,
    ) -> None:
        self._policy = policy
        self._store = store
        self._clock = clock
        self._limits = limits
        self._plan_grant = plan_grant
        self._release = release

    async def __call__(self, approval_id: str, ballot: Ballot) -> Receipt:
        """Count the ballot. The vote, the state and the trace change together or not at all.

        Raises MALFORMED_REQUEST, and POLICY_INVALID while nobody can be entitled.
        """
        self._check(ballot)
        while True:  # once more for each policy that becomes active meanwhile
            receipt = await self._counted(approval_id, ballot, Electorate(self._policy.current()))
            if receipt is not None:
                return receipt

    async def _counted(self, approval_id: str, ballot: Ballot, electorate: Electorate) -> Receipt | None:
        """The receipt; None when another policy is active than the electorate's, and nothing counted."""
        objection = electorate.objection_to_all(ballot.actor)
        if objection is not None:
            return _receipt(Counted(objection), None)
        prepared = await self._prepare(approval_id, ballot, electorate.snapshot)
        try:
            answer = await self._store.change_approval(
                approval_id, lambda record: self._decide(record, ballot, electorate, prepared)
            )
        except Barred:  # its session is being closed, and with it the approval
            return _receipt(Counted(ReceiptCode.ALREADY_RESOLVED), None)
        except AdjudicatorError as error:
            if error.reason is ErrorReason.NOT_FOUND:
                return _receipt(Counted(ReceiptCode.UNKNOWN), None)
            raise
        if answer is None:
            return None
        counted, approval = answer
        receipt = _receipt(counted, approval, prepared.refusal)
        if ballot.decision is Decision.APPROVE_SESSION and counted.code is ReceiptCode.ACCEPTED:
            return await self._with_grant(receipt, approval)
        return receipt

    def _check(self, ballot: Ballot) -> None:
        for name in ("reason", "selected_option"):
            if len(getattr(ballot, name)) > self._limits.reason_chars:
                raise malformed(name, f"is longer than {self._limits.reason_chars} characters")
        for name in ("request_id", "delegate_to"):
            value = getattr(ballot, name)
            if value and not is_identifier(value):
                raise malformed(name, "has to be 1 to 128 of the characters A-Z a-z 0-9 . _ : / -")
        if (ballot.decision is Decision.DELEGATE) != bool(ballot.delegate_to):
            raise malformed("delegate_to", "says to whom, with DELEGATE and with no other decision")

    async def _prepare(self, approval_id: str, ballot: Ballot, snapshot: Snapshot) -> _Prepared:
        """What takes longer than the writer may be held up, as far as the approval would be approved."""
        approval = await self._store.approval(approval_id) if ballot.decision.approves else None
        if approval is None or approval.state is not ApprovalState.PENDING:
            return _Prepared()
        denied = seen_denial(approval, snapshot)
        if ballot.decision is Decision.APPROVE or denied is not None:
            return _Prepared(denied)
        now = self._clock.now()
        planned = self._plan_grant(approval, ballot.wish, ballot.actor, ballot.reason, snapshot, now)
        if isinstance(planned, Refusal):
            return _Prepared(refusal=planned)
        return _Prepared(opens=planned[1])

    async def _with_grant(self, receipt: Receipt, approval: Approval) -> Receipt:
        """The receipt with the grant as it is stored, and what it releases at once."""
        wanted = GrantFilter(approval.tenant, approval.session, ended=True)
        recent = await self._store.grants(wanted, None, self._limits.page)
        grant = next((each for each in recent if each.approval_id == approval.id), None)
        if grant is None or receipt.replayed:
            return replace(receipt, grant=grant)
        return replace(receipt, grant=grant, released=await self._release(grant.id))

    def _decide(
        self, record: CallRecord, ballot: Ballot, electorate: Electorate, prepared: _Prepared
    ) -> tuple[Change | None, tuple[Counted, Approval] | None]:
        approval = record.approval
        if approval is None:
            raise TypeError("the call of an approval has that approval")
        if self._policy.current() is not electorate.snapshot:
            return None, None
        now = self._clock.now()
        counted = count(approval, ballot, now, electorate)
        if counted.vote is None:
            late = counted.code is ReceiptCode.EXPIRED
            change = expiry(record, approval, now)[0] if late else None
            return change, (counted, _after(approval, change))
        if prepared.denied is not None:
            change = cancellation(record, approval, now, prepared.denied)[0]
            return change, (Counted(ReceiptCode.NOW_DENIED), _after(approval, change))
        if prepared.refusal is not None:
            return None, (Counted(prepared.refusal.code), approval)
        if ballot.decision is Decision.APPROVE_SESSION and prepared.opens is None:
            raise TypeError("a grant is planned before it is given")
        change = _counted_change(record, approval, counted, counted.vote)
        if counted.state is ApprovalState.APPROVED:
            change = replace(change, opens=prepared.opens)
        return change, (counted, _after(approval, change))


def _receipt(counted: Counted, approval: Approval | None, refusal: Refusal | None = None) -> Receipt:
    """The receipt; who may not decide on the approval is not shown it either."""
    hidden = counted.code in _HIDDEN
    told = refusal is not None and refusal.code is counted.code
    message = refusal.message if refusal is not None and told else _MESSAGES[counted.code]
    return Receipt(counted.code, message, None if hidden else approval, counted.replayed)


def _counted_change(record: CallRecord, approval: Approval, counted: Counted, vote: Vote) -> Change:
    appended = [elements.approval_voted(approval, vote, vote.voted_at)]
    if counted.state is not None:
        appended.append(elements.approval_changed(approval, counted.state, vote.voted_at))
    change = Change(vote.voted_at, counted.state, vote, tuple(appended))
    if counted.state is None or counted.state is ApprovalState.APPROVED:
        return change
    verdict = _ended(record, counted.state, vote)
    closing = (elements.not_executed(verdict, vote.voted_at),)
    in_flow = call_judged(verdict, vote.voted_at)
    return replace(change, verdict=verdict, closing=closing, finish=True, in_flow=in_flow)


def _ended(record: CallRecord, state: ApprovalState, vote: Vote) -> Verdict:
    """The denial of a call that a person denied, skipped or cancelled, with their reason."""
    if vote.decision is Decision.SKIP:
        return end(record.verdict, Cause.APPROVAL_SKIPPED, vote.reason)
    verdict = close(record.verdict, state)
    return replace(verdict, reason=f"{verdict.reason}: {vote.reason}") if vote.reason else verdict


def _after(approval: Approval, change: Change | None) -> Approval:
    if change is None:
        return approval
    votes = approval.votes if change.vote is None else (*approval.votes, change.vote)
    return replace(approval, state=change.state or approval.state, votes=votes, changed_at=change.at)
