"""What is recorded when a call is first judged: its trace, and for an ask its approval."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from adjudicator.approvals.digest import Digester
from adjudicator.approvals.request import Asked
from adjudicator.approvals.view import view_of
from adjudicator.chain.case import Case
from adjudicator.chain.judge import refuse
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import Approval, ApprovalState
from adjudicator.domain.arguments import Arguments
from adjudicator.domain.call import ToolCall, printable
from adjudicator.domain.ids import Ids
from adjudicator.domain.trace import Element
from adjudicator.domain.verdict import Cause, Outcome, Verdict
from adjudicator.policy.snapshot import Unattended
from adjudicator.service.attendance import Attendance
from adjudicator.service.bounds import bounds_of
from adjudicator.service.recording import Recording
from adjudicator.service.showing import Shown, shown_call
from adjudicator.storage.contract import CallKey, InFlow, NewTrace
from adjudicator.tracing import elements
from adjudicator.tracing.flows import call_judged


def key_of(call: ToolCall) -> CallKey:
    """The call's idempotency key."""
    return CallKey(printable(call.tenant), call.session, call.call_id)


_NOBODY = "fewer people could approve the call than have to, and the policy lets no such call wait"


def asked_of(case: Case, arguments: Arguments, shown: dict[str, Any], cause: Cause) -> Asked:
    """What people are asked of a call that asks for that cause."""
    priorities = case.snapshot.approvals.priorities
    return Asked(shown_call(case), case.tool, arguments.value, shown, cause, priorities)


class Opening:
    """Makes the records; writes nothing."""

    def __init__(
        self, recording: Recording, digester: Digester, ids: Ids, attendance: Attendance, limits: Limits
    ) -> None:
        self._recording = recording
        self._attendance = attendance
        self._digester = digester
        self._ids = ids
        self._limits = limits

    def keyed(
        self, case: Case, verdict: Verdict, shown: Shown, digest: bytes, now: datetime, limit: timedelta
    ) -> NewTrace:
        """The trace that owns the call's key, for an ask with its approval.

        The approval runs out after `limit` when that is set and sooner than the policy says. An ask that
        too few people could approve says so, or is a denial where the policy lets no such call wait.
        """
        if verdict.outcome is not Outcome.ASK:
            return self._trace(case, verdict, shown, digest, now)
        approval = self._approval(case, verdict, shown, digest, now, limit)
        unattended = self._attendance.is_unattended(approval, case.snapshot)
        if unattended and case.snapshot.approvals.unattended is Unattended.DENY:
            refusal = refuse(case, Cause.NO_ELIGIBLE_APPROVER, _NOBODY)
            return self._trace(case, refusal, shown, digest, now)
        verdict = replace(
            verdict,
            approval_id=approval.id,
            approval_expires_at=approval.expires_at,
            unattended=unattended,
        )
        return replace(
            self._trace(case, verdict, shown, digest, now),
            closing=(elements.approval_opened(approval, now),),
            approval=approval,
            bounds=bounds_of(case.snapshot.approvals, now),
        )

    def refused(self, case: Case, verdict: Verdict, shown: Shown, digest: bytes, now: datetime) -> NewTrace:
        """The trace of a retry that its call_id's record refuses; the key stays with its owner."""
        return replace(self._trace(case, verdict, shown, digest, now), keyed=False)

    def _trace(self, case: Case, verdict: Verdict, shown: Shown, digest: bytes, now: datetime) -> NewTrace:
        denied = verdict.outcome is Outcome.DENY
        call = case.call
        arguments, paths = self._recording.arguments(case, shown), self._recording.paths(case)
        closing: tuple[Element, ...] = (elements.not_executed(verdict, now),) if denied else ()
        return NewTrace(
            key=key_of(case.call),
            keyed=True,
            agent=verdict.agent,
            tool=verdict.tool,
            digest=digest,
            opened_at=now,
            elements=(
                elements.input_context(call, now),
                elements.proposed_action(call, arguments, paths, now),
            ),
            verdict=verdict,
            closing=closing,
            finish=denied,
            approval=None,
            flow=InFlow(call.flow, call_judged(verdict, now)) if call.flow is not None else None,
        )

    def _approval(
        self, case: Case, verdict: Verdict, shown: Shown, digest: bytes, now: datetime, limit: timedelta
    ) -> Approval:
        if not isinstance(shown, dict) or not isinstance(case.arguments, Arguments):
            raise TypeError("a call whose arguments cannot be shown is never asked about")
        call, tool = shown_call(case), case.tool
        view = view_of(asked_of(case, case.arguments, shown, verdict.cause), self._limits.view_bytes)
        of_policy = timedelta(seconds=tool.approval_seconds or case.snapshot.approvals.seconds)
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
            request=view.request,
            likeness=self._digester.likeness(case.call, case.arguments),
        )
