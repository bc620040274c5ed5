"""Retry: a call_id that has a record gets its verdict, or what its approval has come to since.

Before an approval is used the whole chain runs again on the snapshot of now; a chain that denies
closes the approval for good. Using an approval and recording the ALLOW are one transaction.
"""

from dataclasses import replace
from datetime import datetime

from adjudicator.approvals.electorate import Electorate
from adjudicator.approvals.states import Event, after, current
from adjudicator.chain.case import Case
from adjudicator.chain.judge import close, refuse
from adjudicator.domain.approval import Approval, ApprovalState
from adjudicator.domain.clock import Clock
from adjudicator.domain.verdict import Cause, Outcome, Verdict
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.judging import judged
from adjudicator.storage.contract import CallRecord, Change, Store
from adjudicator.tracing import elements
from adjudicator.tracing.flows import call_judged

Plan = tuple[Change | None, Verdict]


class Retry:
    """Answers calls whose call_id has a record with the same digest."""

    def __init__(self, policy: ActivePolicy, store: Store, clock: Clock) -> None:
        self._policy = policy
        self._store = store
        self._clock = clock

    async def __call__(self, case: Case, record: CallRecord) -> Verdict:
        """The answer, recorded when it is a new one."""
        change, verdict = plan(case, record, self._clock.now())
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

        return await self._store.change_call(record.trace.number, decide)


def plan(case: Case, record: CallRecord, now: datetime) -> Plan:
    """The answer to the call, and what has to be recorded for it. None: the record stands as it is."""
    recorded = record.verdict.outcome
    if recorded is Outcome.DENY:
        return None, _repeat(record)
    if recorded is Outcome.ALLOW:
        return _plan_allowed(case, record, now)
    if record.approval is None:
        raise TypeError("an ASK is always recorded with its approval")
    return _plan_asked(case, record, record.approval, now)


def _plan_allowed(case: Case, record: CallRecord, now: datetime) -> Plan:
    """An ALLOW is repeated while the policy of now still gives it; else it is withdrawn."""
    # The approval was used up for this very call: to its retry it is still an approval.
    verdict = judged(replace(case, approval=ApprovalState.APPROVED if record.approval else None))
    electorate = Electorate(case.snapshot)
    if record.approval and verdict.allowed and (reason := electorate.shortfall(record.approval)):
        verdict = refuse(case, Cause.POLICY_CHANGED, reason)
    if verdict.outcome is Outcome.ALLOW:
        return None, _repeat(record)
    if verdict.outcome is Outcome.ASK:
        reason = "the policy has changed since this call was allowed; call with a new call_id"
        verdict = refuse(case, Cause.POLICY_CHANGED, reason)
    verdict = replace(verdict, trace_number=record.trace.number)
    # Not finished: the runtime may have run the call on the first answer, and has to be able to say so.
    return Change(now, verdict=verdict, in_flow=call_judged(verdict, now)), verdict


def _plan_asked(case: Case, record: CallRecord, approval: Approval, now: datetime) -> Plan:
    """An ASK stands while nobody has decided; an approval is used; whatever denies now closes it."""
    state = current(approval, now)
    if state is ApprovalState.EXPIRED:
        return expiry(record, approval, now)
    verdict = judged(replace(case, approval=state))
    approved = state is ApprovalState.APPROVED and verdict.allowed
    if approved and (reason := Electorate(case.snapshot).shortfall(approval)):
        verdict = refuse(case, Cause.POLICY_CHANGED, reason)
    if verdict.outcome is Outcome.DENY:
        cancelled = after(approval, Event.CANCEL, now)
        return _denial(verdict, record, now, approval, cancelled)
    consumed = after(approval, Event.CONSUME, now)
    if consumed is None or verdict.outcome is not Outcome.ALLOW:
        return None, _repeat(record)  # a person was asked, so a person decides, even if a rule would now
    verdict = replace(
        verdict,
        approval_id=approval.id,
        trace_number=record.trace.number,
        selected_option=next((vote.selected_option for vote in reversed(approval.approvals)), ""),
    )
    change = Change(
        at=now,
        state=consumed,
        elements=(elements.approval_changed(approval, consumed, now),),
        verdict=verdict,
        in_flow=call_judged(verdict, now),
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
