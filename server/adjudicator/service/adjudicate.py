"""Adjudicate: judge a call, record the verdict, answer. What is not recorded is not answered."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from adjudicator.approvals.digest import Digester
from adjudicator.approvals.view import view_of
from adjudicator.chain.case import Case
from adjudicator.chain.judge import judge, refuse
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import Approval, ApprovalState
from adjudicator.domain.arguments import Fault, read_arguments
from adjudicator.domain.call import ToolCall, printable
from adjudicator.domain.clock import Clock
from adjudicator.domain.ids import Ids
from adjudicator.domain.trace import Element
from adjudicator.domain.verdict import Cause, Outcome, Verdict
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.call_fields import check_fields
from adjudicator.service.redeem import Redeemer, plan
from adjudicator.service.waits import Waits
from adjudicator.storage.contract import CallKey, CallRecord, NewTrace, Store
from adjudicator.tracing import elements


class Adjudicate:
    """The use case behind `Adjudicate`."""

    def __init__(
        self,
        policy: ActivePolicy,
        store: Store,
        waits: Waits,
        digester: Digester,
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
        self._redeemer = Redeemer(store, clock)

    async def __call__(self, call: ToolCall, wait: timedelta, limit: timedelta) -> Verdict:
        """Judge the call, record the verdict and return it.

        A call_id that was judged before gets the recorded verdict, as far as its approval has come.
        An ASK is held for up to `wait`; its approval runs out after `limit` when that is set and
        sooner than the policy says. Raises MALFORMED_REQUEST, POLICY_INVALID, STORE_UNAVAILABLE or,
        while it waits, DRAINING; none of them lets a call run.
        """
        case = self._case(call)
        digest = self._digester.of(case.call, case.arguments)
        verdict = judge(case)
        new = self._new_trace(case, verdict, digest, limit)
        opened = await self._store.open_trace(new)
        if isinstance(opened, CallRecord):
            verdict = await self._again(case, opened, digest)
        else:
            verdict = replace(new.verdict, trace_number=opened)
        if verdict.outcome is Outcome.ASK and wait:
            verdict = await self._hold(case, verdict, digest, self._clock.now() + wait)
        return verdict

    async def preview(self, call: ToolCall) -> Verdict:
        """The verdict that the call would get now, with nothing recorded, opened or used."""
        case = self._case(call)
        record = await self._store.call(_key(case.call)) if call.call_id else None
        if record is None:
            return replace(judge(case), dry_run=True)
        digest = self._digester.of(case.call, case.arguments)
        verdict = _refusal(case, record, digest) or plan(case, record, self._clock.now())[1]
        return replace(verdict, dry_run=True)

    def _case(self, call: ToolCall) -> Case:
        snapshot = self._policy.current()
        check_fields(call, self._limits)
        arguments = read_arguments(
            call.arguments_json,
            max_bytes=self._limits.arguments_bytes,
            max_depth=self._limits.arguments_depth,
        )
        return Case(replace(call, call_id=call.call_id or self._ids.call()), arguments, snapshot)

    async def _again(self, case: Case, record: CallRecord, digest: bytes) -> Verdict:
        """The answer to a call_id that has a record."""
        refusal = _refusal(case, record, digest)
        if refusal is None:
            return await self._redeemer.redeem(case, record)
        # The record belongs to another call, or is closed: the refusal gets a trace of its own.
        opened = await self._store.open_trace(self._new_trace(case, refusal, digest, keyed=False))
        if isinstance(opened, CallRecord):
            raise TypeError("a trace without a key cannot meet another")
        return replace(refusal, trace_number=opened)

    async def _hold(self, case: Case, verdict: Verdict, digest: bytes, until: datetime) -> Verdict:
        """Wait until the approval is decided or the time is up; then answer as a retry would be."""
        with self._waits.approval(verdict.approval_id) as bell:
            while verdict.outcome is Outcome.ASK:
                record = await self._store.call(_key(case.call))
                if record is None:
                    break
                state = record.approval.state if record.approval else None
                if state is not ApprovalState.PENDING:
                    fresh = replace(case, snapshot=self._policy.current())
                    return replace(await self._again(fresh, record, digest), replayed=False)
                left = (until - self._clock.now()).total_seconds()
                if left <= 0 or not await bell.wait(left):
                    break
        return verdict

    def _new_trace(
        self,
        case: Case,
        verdict: Verdict,
        digest: bytes,
        limit: timedelta = timedelta(0),
        *,
        keyed: bool = True,
    ) -> NewTrace:
        now = self._clock.now()
        redacted = _redacted(case)
        opening: list[Element] = [
            elements.input_context(case.call, now),
            elements.proposed_action(case.call, redacted, now),
        ]
        closing: tuple[Element, ...] = ()
        approval = None
        if verdict.outcome is Outcome.ASK:
            approval = self._new_approval(case, verdict, digest, now, limit)
            verdict = replace(verdict, approval_id=approval.id, approval_expires_at=approval.expires_at)
            closing = (elements.approval_opened(approval, now),)
        elif verdict.outcome is Outcome.DENY:
            closing = (elements.not_executed(verdict, now),)
        return NewTrace(
            key=CallKey(printable(case.call.tenant), case.call.session, case.call.call_id),
            keyed=keyed,
            agent=printable(case.call.agent),
            tool=printable(case.call.tool),
            digest=digest,
            opened_at=now,
            elements=tuple(opening),
            verdict=verdict,
            closing=closing,
            finish=verdict.outcome is Outcome.DENY,
            approval=approval,
        )

    def _new_approval(
        self, case: Case, verdict: Verdict, digest: bytes, now: datetime, limit: timedelta
    ) -> Approval:
        call, tool = case.call, case.tool
        redacted = _redacted(case)
        if not isinstance(redacted, dict):
            raise TypeError("a call whose arguments cannot be read is never asked about")
        view = view_of(call, redacted, self._limits.view_bytes)
        of_policy = timedelta(seconds=tool.approval_seconds or case.snapshot.approval_seconds)
        return Approval(
            id=self._ids.approval(),
            state=ApprovalState.PENDING,
            tenant=call.tenant,
            session=call.session,
            agent=call.agent,
            on_behalf_of=call.on_behalf_of,
            principal=call.principal,
            tool=call.tool,
            call_id=call.call_id,
            trace_number=0,
            digest=digest,
            view_json=view.text,
            view_digest=view.digest,
            approvable=view.approvable,
            ask_reason=verdict.reason,
            rule=verdict.rule,
            quorum=tool.quorum,
            four_eyes=tool.four_eyes,
            votes=(),
            created_at=now,
            expires_at=now + (min(limit, of_policy) if limit else of_policy),
            changed_at=now,
        )


def _refusal(case: Case, record: CallRecord, digest: bytes) -> Verdict | None:
    """The denial of a call_id that cannot serve this call, or None."""
    if record.digest != digest:
        reason = "this call_id was used for another call; a new call needs a new call_id"
        return refuse(case, Cause.CALL_ID_REUSED, reason)
    if record.trace.finished_at is not None and record.trace.verdict.allowed:
        reason = "the outcome of this call was reported; to run the tool again, call with a new call_id"
        return refuse(case, Cause.CALL_FINISHED, reason)
    return None


def _key(call: ToolCall) -> CallKey:
    return CallKey(printable(call.tenant), call.session, call.call_id)


def _redacted(case: Case) -> dict[str, Any] | Fault | None:
    if isinstance(case.arguments, Fault):
        return case.arguments
    contract = case.snapshot.contracts.get(case.call.tool)
    return contract.redact(case.arguments.value) if contract else None
