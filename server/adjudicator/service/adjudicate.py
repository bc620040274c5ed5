"""Adjudicate: judge a call, record the verdict, answer. What is not recorded is not answered."""

from dataclasses import replace
from datetime import datetime, timedelta

from adjudicator.approvals.digest import Digester
from adjudicator.chain.call_fields import check_fields
from adjudicator.chain.case import Case
from adjudicator.chain.judge import fail, refuse
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import ApprovalState
from adjudicator.domain.arguments import read_arguments
from adjudicator.domain.call import ToolCall
from adjudicator.domain.clock import Clock
from adjudicator.domain.ids import Ids
from adjudicator.domain.verdict import Cause, Outcome, Verdict
from adjudicator.policy.snapshot import EvaluationError
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.first_record import FirstRecord, Taken
from adjudicator.service.granting import Granting
from adjudicator.service.held import Held
from adjudicator.service.judging import Judged, judged
from adjudicator.service.opening import Opening, key_of
from adjudicator.service.retry import Retry, plan
from adjudicator.service.showing import shown_arguments
from adjudicator.service.waits import Waits
from adjudicator.storage.contract import CallRecord, Store


class Adjudicate:
    """The use case behind `Adjudicate`."""

    def __init__(
        self,
        policy: ActivePolicy,
        store: Store,
        waits: Waits,
        digester: Digester,
        opening: Opening,
        clock: Clock,
        ids: Ids,
        limits: Limits,
    ) -> None:
        self._policy = policy
        self._store = store
        self._waits = waits
        self._digester = digester
        self._clock = clock
        self._ids = ids
        self._limits = limits
        self._opening = opening
        granting = Granting(store, digester)
        self._first = FirstRecord(store, self._opening, granting)
        self._retry = Retry(policy, store, granting, clock)
        self._held = Held(limits.held_calls, limits.held_calls_of_session)

    async def __call__(self, call: ToolCall, wait: timedelta, limit: timedelta) -> Verdict:
        """Judge the call, record the verdict and return it.

        A call_id that was judged before gets the recorded verdict, as far as its approval has come.
        An ASK is held for up to `wait`; its approval runs out after `limit` when that is set and
        sooner than the policy says. Raises MALFORMED_REQUEST, POLICY_INVALID, STORE_UNAVAILABLE, what
        `Store.open_trace` raises for a call that does not fit its flow, or, while it waits, DRAINING; none
        of them lets a call run.
        """
        one = self._judge(call)
        now = self._clock.now()
        first = await self._first(one, now, limit)
        verdict = await self._again(one, first) if isinstance(first, Taken) else first
        if verdict.outcome is not Outcome.DENY and self._policy.current() is not one.case.snapshot:
            verdict = await self._again_by_policy_of_now(one, verdict)
        if verdict.outcome is Outcome.ASK and wait:
            verdict = await self._hold(one, verdict, now + wait)
        return verdict

    async def dry_run(self, call: ToolCall) -> Verdict:
        """The verdict that the call would get now, with nothing recorded, opened or used."""
        one = self._judge(call)
        if call.flow is not None:
            await self._store.check_flow(call.flow, key_of(one.case.call))
        now = self._clock.now()
        record = await self._store.call(key_of(one.case.call)) if call.call_id else None
        if record is None:
            return replace(await self._first.seen(one, now), dry_run=True)
        verdict = self._refusal(one, record, now) or await self._first.closed(one, record.verdict)
        if verdict is None:
            grant = await self._retry.grant(one.case, record)
            verdict = plan(one.case, record, now, grant)[1]
        return replace(verdict, dry_run=True, trace_number=0)

    def _judge(self, call: ToolCall) -> Judged:
        snapshot = self._policy.current()
        check_fields(call, self._limits)
        arguments = read_arguments(
            call.arguments_json,
            max_bytes=self._limits.arguments_bytes,
            max_depth=self._limits.arguments_depth,
            max_values=self._limits.arguments_values,
            max_digits=self._limits.arguments_digits,
        )
        if not call.call_id:
            call = call.named(self._ids.call())
        case = Case(call, arguments, snapshot)
        digest = self._digester.of(call, arguments)
        try:
            return Judged(case, judged(case), shown_arguments(case), digest)
        except EvaluationError as error:
            # What cannot be redacted is neither shown nor stored, so nobody can be asked about it.
            return Judged(case, fail(case, error), None, digest)

    async def _again_by_policy_of_now(self, one: Judged, answered: Verdict) -> Verdict:
        """The answer to a call that was not denied while another policy became active."""
        record = await self._store.call(key_of(one.case.call))
        if record is None:
            raise TypeError("a call that was answered is on record")
        fresh = replace(one, case=replace(one.case, snapshot=self._policy.current()))
        answer = await self._again(fresh, Taken(record))
        # Whether this caller is the first to hear of it is known from the first answer.
        return replace(answer, replayed=answer.outcome is answered.outcome and answered.replayed)

    async def _again(self, one: Judged, taken: Taken) -> Verdict:
        """The answer to a call_id that has a record."""
        now = self._clock.now()
        refusal = self._refusal(one, taken.record, now)
        if refusal is None:
            return await self._retry(one.case, taken.record, taken.closed)
        # The record belongs to another call, or is closed: the refusal gets a trace of its own.
        new = self._opening.refused(one.case, refusal, one.shown, one.digest, now)
        opened = await self._store.open_trace(new)
        if isinstance(opened, CallRecord):
            raise TypeError("a trace without a key cannot meet another")
        return refusal.recorded(opened)

    async def _hold(self, one: Judged, asked: Verdict, until: datetime) -> Verdict:
        """Wait until the approval is decided or the time is up; then answer as a retry would be."""
        held = (one.case.call.tenant, one.case.call.session)
        with self._held.place(held) as free, self._waits.approval(asked.approval_id) as bell:
            if not free:
                return asked  # so many wait already that this caller has to come again by itself
            rung = False
            while True:
                record = await self._store.call(key_of(one.case.call))
                if record is None or record.approval is None:
                    return asked
                pending = record.approval.state is ApprovalState.PENDING
                if rung or not pending:
                    # What still waits may be covered by a grant by now.
                    answer = await self._woken(one, record)
                    if not pending or answer.outcome is not Outcome.ASK:
                        return answer
                left = (until - self._clock.now()).total_seconds()
                rung = left > 0 and await bell.wait(left)
                if not rung:
                    return asked

    async def _woken(self, one: Judged, record: CallRecord) -> Verdict:
        """The answer of now to a call that was held."""
        fresh = replace(one, case=replace(one.case, snapshot=self._policy.current()))
        answer = await self._again(fresh, Taken(record))
        # Of several that are held for one call only one is told to run it.
        return answer if answer.allowed else replace(answer, replayed=False)

    def _refusal(self, one: Judged, record: CallRecord, now: datetime) -> Verdict | None:
        """The denial of a call_id that cannot serve this call, or not any more; or None."""
        if record.digest != one.digest:
            reason = "this call_id was used for another call; a new call needs a new call_id"
            return refuse(one.case, Cause.CALL_ID_REUSED, reason)
        if record.trace.finished_at is not None and record.was_allowed:
            reason = "the outcome of this call was reported; to run the tool again, call with a new call_id"
            return refuse(one.case, Cause.CALL_FINISHED, reason)
        approval, window = record.approval, timedelta(seconds=self._limits.retry_seconds)
        consumed = approval is not None and approval.state is ApprovalState.CONSUMED
        if approval is not None and consumed and now >= approval.changed_at + window:
            reason = "the approval was used, and is repeated to its call for a short time only"
            return refuse(one.case, Cause.APPROVAL_CONSUMED, reason)
        if approval is None and record.verdict.grant_id and now >= record.trace.opened_at + window:
            reason = "a use of the grant was used, and is repeated to its call for a short time only"
            return refuse(one.case, Cause.APPROVAL_CONSUMED, reason)
        return None
