"""What is recorded when a call is first judged: its trace, and for an ask its approval."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from adjudicator.approvals.view import view_of
from adjudicator.chain.case import Case
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import Approval, ApprovalState
from adjudicator.domain.arguments import Fault
from adjudicator.domain.call import ToolCall, printable
from adjudicator.domain.facet import ArgumentKind
from adjudicator.domain.ids import Ids
from adjudicator.domain.json_pointer import parts_of
from adjudicator.domain.trace import Element
from adjudicator.domain.verdict import Outcome, Verdict
from adjudicator.storage.contract import CallKey, InFlow, NewTrace
from adjudicator.tracing import elements
from adjudicator.tracing.flows import call_judged

_PATH = ArgumentKind.PATH
_HIDDEN = "[redacted]"
Shown = dict[str, Any] | Fault | None


def key_of(call: ToolCall) -> CallKey:
    """The call's idempotency key."""
    return CallKey(printable(call.tenant), call.session, call.call_id)


def shown_arguments(case: Case) -> Shown:
    """The arguments as they may be shown and stored: secrets redacted; why they cannot be read; or None.

    None is for a tool without a contract, which nobody can redact. Raises EvaluationError.
    """
    if isinstance(case.arguments, Fault):
        return case.arguments
    contract = case.snapshot.contracts.get(case.call.tool)
    return contract.redact(case.arguments.value) if contract else None


def shown_call(case: Case) -> ToolCall:
    """The call with only those resolved paths whose arguments are declared to be paths.

    Any other may stand for an argument that is secret.
    """
    tool = case.snapshot.registry.tools.get(case.call.tool)
    declared = [parts_of(spec.pointer) for spec in (tool.arguments if tool else ()) if spec.kind is _PATH]
    shown = tuple(
        (pointer, path if any(_is_at(pointer, parts) for parts in declared) else _HIDDEN)
        for pointer, path in case.call.resolved_paths
    )
    return replace(case.call, resolved_paths=shown)


def _is_at(pointer: str, declared: list[str]) -> bool:
    parts = parts_of(pointer)
    return len(parts) == len(declared) and all(
        want in ("*", have) for want, have in zip(declared, parts, strict=True)
    )


class Opening:
    """Makes the records; writes nothing."""

    def __init__(self, ids: Ids, limits: Limits) -> None:
        self._ids = ids
        self._limits = limits

    def keyed(
        self, case: Case, verdict: Verdict, shown: Shown, digest: bytes, now: datetime, limit: timedelta
    ) -> NewTrace:
        """The trace that owns the call's key, for an ask with its approval.

        The approval runs out after `limit` when that is set and sooner than the policy says.
        """
        if verdict.outcome is not Outcome.ASK:
            return self._trace(case, verdict, shown, digest, now)
        approval = self._approval(case, verdict, shown, digest, now, limit)
        verdict = replace(verdict, approval_id=approval.id, approval_expires_at=approval.expires_at)
        return replace(
            self._trace(case, verdict, shown, digest, now),
            closing=(elements.approval_opened(approval, now),),
            approval=approval,
        )

    def refused(self, case: Case, verdict: Verdict, shown: Shown, digest: bytes, now: datetime) -> NewTrace:
        """The trace of a retry that its call_id's record refuses; the key stays with its owner."""
        return replace(self._trace(case, verdict, shown, digest, now), keyed=False)

    def _trace(self, case: Case, verdict: Verdict, shown: Shown, digest: bytes, now: datetime) -> NewTrace:
        denied = verdict.outcome is Outcome.DENY
        call = shown_call(case)
        closing: tuple[Element, ...] = (elements.not_executed(verdict, now),) if denied else ()
        return NewTrace(
            key=key_of(case.call),
            keyed=True,
            agent=printable(case.call.agent),
            tool=printable(case.call.tool),
            digest=digest,
            opened_at=now,
            elements=(
                elements.input_context(call, now),
                elements.proposed_action(call, shown, now),
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
        if not isinstance(shown, dict):
            raise TypeError("a call whose arguments cannot be shown is never asked about")
        call, tool = shown_call(case), case.tool
        view = view_of(call, shown, self._limits.view_bytes)
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
