"""Retry: a call_id that has a record gets its verdict, or what its approval has come to since.

Before an approval is used the whole chain runs again on the snapshot of now; a chain that denies
closes the approval for good. Using an approval, or a grant, and recording the ALLOW are one transaction.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from adjudicator.approvals.electorate import Electorate
from adjudicator.approvals.states import TRANSITIONS, Event, after, current
from adjudicator.chain.case import Case
from adjudicator.chain.judge import close, refuse
from adjudicator.domain.approval import Approval, ApprovalState
from adjudicator.domain.clock import Clock
from adjudicator.domain.grant import Grant
from adjudicator.domain.verdict import Cause, Outcome, Verdict
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.granting import Granting, released_by, use_of, vote_by
from adjudicator.service.judging import judged
from adjudicator.storage.contract import Barred, CallRecord, Change, Store
from adjudicator.tracing import elements
from adjudicator.tracing.flows import call_judged

_UNGRANTED = "the grant that released this call lets it through no more; call with a new call_id"
Plan = tuple[Change | None, Verdict]


class Retry:
    """Answers calls whose call_id has a record with the same digest."""

    def __init__(self, policy: ActivePolicy, store: Store, granting: Granting, clock: Clock) -> None:
        self._policy = policy
        self._store = store
        self._granting = granting
        self._clock = clock

    async def __call__(self, case: Case, record: CallRecord, closed: Barred | None = None) -> Verdict:
        """The answer, recorded when it is a new one. `closed` says that the call's session is closed."""
        if closed is not None:
            return await self._withdraw(case, record, closed)
        over: set[str] = set()
        while True:
            grant = await self.grant(case, record, over)
            try:
                return await self._carry_out(case, record, grant)
            except Barred as barred:
                if barred.cause is not None or grant is None:
                    return await self._withdraw(case, record, barred)
                over.add(grant.id)

    async def grant(self, case: Case, record: CallRecord, over: Collection[str] = ()) -> Grant | None:
        """The grant by which the call was released, or that would release it now while it waits."""
        if record.verdict.outcome is Outcome.DENY:
            return None
        now = self._clock.now()
        if record.approval is None or current(record.approval, now) is not ApprovalState.PENDING:
            return await self._granting.behind(record, case)
        found = await self._granting.lifting(case, now, over, record.approval)
        return found[0] if found is not None else None

    async def _carry_out(self, case: Case, record: CallRecord, grant: Grant | None) -> Verdict:
        change, verdict = plan(case, record, self._clock.now(), grant)
        if change is None:
            return verdict

        def decide(latest: CallRecord) -> Plan:
            if latest != record:
                return None, _repeat(latest)  # somebody was quicker; what they recorded is the answer
            if verdict.allowed and self._policy.current() is not case.snapshot:
                return None, _repeat(latest)  # the policy has changed; the next retry is judged by it
            now = self._clock.now()
            if (
                verdict.allowed
                and latest.approval
                and current(latest.approval, now) is ApprovalState.EXPIRED
            ):
                return expiry(latest, latest.approval, now)  # it ran out since the plan was made
            return change, verdict

        uses = change.uses.number if change.uses else None
        return await self._store.change_call(record.trace.number, decide, uses)

    async def _withdraw(self, case: Case, record: CallRecord, barred: Barred) -> Verdict:
        """Deny what was asked or allowed, because of what else is on record."""
        if barred.cause is None:
            raise TypeError("only a grant is over without a cause")
        verdict = refuse(case, barred.cause, barred.reason)

        def decide(latest: CallRecord) -> Plan:
            now = self._clock.now()
            if latest.verdict.outcome is Outcome.DENY:
                return None, _repeat(latest)
            if latest.verdict.outcome is Outcome.ALLOW or latest.approval is None:
                return _withdrawal(verdict, latest, now)
            cancelled = after(latest.approval, Event.CANCEL, now)
            if cancelled is None:
                return expiry(latest, latest.approval, now)
            return _denial(verdict, latest, now, latest.approval, cancelled)

        return await self._store.change_call(record.trace.number, decide)


def plan(case: Case, record: CallRecord, now: datetime, grant: Grant | None = None) -> Plan:
    """The answer to the call, and what has to be recorded for it. None: the record stands as it is.

    `grant` is what `Retry.grant` finds.
    """
    recorded = record.verdict.outcome
    if recorded is Outcome.DENY:
        return None, _repeat(record)
    case = replace(case, grant=grant)
    if recorded is Outcome.ALLOW:
        return _plan_allowed(case, record, now)
    if record.approval is None:
        raise TypeError("an ASK is always recorded with its approval")
    return _plan_asked(case, record, record.approval, now)


def _plan_allowed(case: Case, record: CallRecord, now: datetime) -> Plan:
    """An ALLOW is repeated while the policy of now still gives it; else it is withdrawn."""
    # The approval was used up for this very call: to its retry it is still an approval.
    by_people = record.approval is not None and not released_by(record.approval)
    verdict = judged(replace(case, approval=ApprovalState.APPROVED if by_people else None))
    electorate = Electorate(case.snapshot)
    if record.approval and verdict.allowed and (reason := electorate.shortfall(record.approval)):
        verdict = refuse(case, Cause.POLICY_CHANGED, reason)
    if verdict.outcome is Outcome.ALLOW:
        return None, _repeat(record)
    if verdict.outcome is Outcome.ASK:
        reason = "the policy has changed since this call was allowed; call with a new call_id"
        verdict = refuse(case, Cause.POLICY_CHANGED, _UNGRANTED if record.verdict.grant_id else reason)
    return _withdrawal(verdict, record, now)


def _plan_asked(case: Case, record: CallRecord, approval: Approval, now: datetime) -> Plan:
    """An ASK stands while nobody has decided; an approval is used; whatever denies now closes it."""
    state = current(approval, now)
    if state is ApprovalState.EXPIRED:
        return expiry(record, approval, now)
    released = state is ApprovalState.APPROVED and bool(released_by(approval))
    # What a grant released has no person's answer of its own: it is as good as the grant is now.
    verdict = judged(replace(case, approval=None if released else state))
    if released and verdict.outcome is Outcome.ASK:
        verdict = refuse(case, Cause.POLICY_CHANGED, _UNGRANTED)
    approved = state is ApprovalState.APPROVED and verdict.allowed
    if approved and (reason := Electorate(case.snapshot).shortfall(approval)):
        verdict = refuse(case, Cause.POLICY_CHANGED, reason)
    if verdict.outcome is Outcome.DENY:
        cancelled = after(approval, Event.CANCEL, now)
        return _denial(verdict, record, now, approval, cancelled)
    verdict = replace(verdict, approval_id=approval.id, trace_number=record.trace.number)
    if state is ApprovalState.PENDING and case.grant is not None and verdict.cause is Cause.GRANTED:
        return _release(record, approval, case.grant, verdict, now)
    consumed = after(approval, Event.CONSUME, now)
    if consumed is None or verdict.outcome is not Outcome.ALLOW:
        return None, _repeat(record)  # a person was asked, so a person decides, even if a rule would now
    option = next((vote.selected_option for vote in reversed(approval.approvals)), "")
    verdict = replace(verdict, selected_option=option)
    change = Change(
        at=now,
        state=consumed,
        elements=(elements.approval_changed(approval, consumed, now),),
        verdict=verdict,
        in_flow=call_judged(verdict, now),
    )
    return change, verdict


def _release(record: CallRecord, approval: Approval, grant: Grant, verdict: Verdict, now: datetime) -> Plan:
    """What waits is approved by a grant, and used by its call, all at once."""
    approved = TRANSITIONS[approval.state, Event.RELEASE]
    consumed = TRANSITIONS[approved, Event.CONSUME]
    vote = vote_by(grant, now)
    change = Change(
        at=now,
        state=consumed,
        vote=vote,
        elements=(
            elements.approval_voted(approval, vote, now),
            elements.approval_changed(approval, approved, now),
            elements.approval_changed(approval, consumed, now),
        ),
        verdict=verdict,
        in_flow=call_judged(verdict, now),
        uses=use_of(grant, record.key.call_id, now, approval.id),
    )
    return change, verdict


def expiry(record: CallRecord, approval: Approval, now: datetime) -> Plan:
    """The end of an approval whose time limit has run out, when nobody has written it down yet."""
    expired = after(approval, Event.EXPIRE, now)
    if expired is None:
        return None, _repeat(record)
    return _denial(close(record.verdict, expired), record, now, approval, expired)


def cancellation(record: CallRecord, approval: Approval, now: datetime, denied: Verdict) -> Plan:
    """The end of an approval by a denial of its call; one that is final stays as it is."""
    cancelled = after(approval, Event.CANCEL, now)
    if cancelled is None:
        return expiry(record, approval, now)
    return _denial(denied, record, now, approval, cancelled)


def _withdrawal(verdict: Verdict, record: CallRecord, now: datetime) -> Plan:
    """An ALLOW is no more. Its trace is not finished: the call may have run, and it has to be said so."""
    approval_id = record.approval.id if record.approval else ""
    verdict = replace(verdict, approval_id=approval_id, trace_number=record.trace.number)
    return Change(now, verdict=verdict, in_flow=call_judged(verdict, now)), verdict


def _denial(
    verdict: Verdict,
    record: CallRecord,
    now: datetime,
    approval: Approval | None = None,
    state: ApprovalState | None = None,
) -> Plan:
    approval_id = record.approval.id if record.approval else ""
    verdict = replace(verdict, approval_id=approval_id, trace_number=record.trace.number)
    changed = (elements.approval_changed(approval, state, now),) if approval and state else ()
    change = Change(
        now,
        state,
        elements=changed,
        verdict=verdict,
        closing=(elements.not_executed(verdict, now),),
        finish=True,
        in_flow=call_judged(verdict, now),
    )
    return change, verdict


def _repeat(record: CallRecord) -> Verdict:
    return replace(record.verdict, replayed=True)
