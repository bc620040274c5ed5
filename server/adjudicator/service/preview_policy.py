"""PreviewPolicy: load and test the folder as a reload would, and say what its bundle would change.

Nothing is activated, recorded or closed.
"""

import asyncio
from collections.abc import Callable

from adjudicator.approvals.states import Event, after
from adjudicator.chain.case import Case
from adjudicator.chain.judge import judge
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import Approval
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason, malformed
from adjudicator.domain.trace import Recorded, Trace, TraceKind
from adjudicator.domain.verdict import Verdict
from adjudicator.policy.snapshot import EvaluationError, Snapshot
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.preview import Ended, Flipped, Preview, empty_preview
from adjudicator.service.recorded_call import RecordedCall, recorded_call
from adjudicator.service.standing import grant_end_reason, standing_denial
from adjudicator.service.turns import Turns
from adjudicator.storage.contract import GrantFilter, Store, TraceFilter

_AT_ONCE = 32


class PreviewPolicy:
    """The use case behind `PreviewPolicy`. `retire` is given the snapshot, to take it apart after use."""

    def __init__(
        self,
        policy: ActivePolicy,
        store: Store,
        clock: Clock,
        limits: Limits,
        retire: Callable[[Snapshot], None] = lambda _: None,
    ) -> None:
        self._policy = policy
        self._store = store
        self._clock = clock
        self._limits = limits
        self._retire = retire
        self._running = False

    async def __call__(self, recent_calls: int) -> Preview:
        """What would change; 0 judges the usual number of recent calls.

        Raises MALFORMED_REQUEST for too many, LIMIT_EXCEEDED while another preview runs, and
        STORE_UNAVAILABLE. Goes on to its end when whoever waits goes away: see `ActivePolicy.try_out`.
        """
        most = self._limits.preview_calls
        if recent_calls > most:
            raise malformed("recent_calls", f"is over {most}")
        if self._running:
            raise AdjudicatorError(
                ErrorReason.LIMIT_EXCEEDED, "another preview runs: wait until it is done"
            )
        self._running = True
        recent_calls = recent_calls or self._limits.default_preview_calls
        return await asyncio.shield(asyncio.create_task(self._whole(recent_calls)))

    async def _whole(self, recent_calls: int) -> Preview:
        try:
            loaded = await self._policy.try_out()
            if isinstance(loaded, tuple):
                return empty_preview("", loaded, self._limits.preview_listed)
            self._retire(loaded.snapshot)
            return await self._judged(loaded.snapshot, recent_calls)
        finally:
            self._running = False

    async def _judged(self, new: Snapshot, recent_calls: int) -> Preview:
        preview = empty_preview(new.version, (), self._limits.preview_listed)
        turns = Turns()
        try:
            async with asyncio.timeout(self._limits.preview_seconds):
                await self._judge_approvals(new, preview, turns)
                await self._judge_grants(new, preview, turns)
                await self._judge_calls(new, preview, turns, recent_calls)
        except TimeoutError:
            return preview
        preview.complete = True
        return preview

    async def _judge_approvals(self, new: Snapshot, preview: Preview, turns: Turns) -> None:
        reached, more = 0, True
        while more:
            approvals = await self._store.all_standing(reached, _AT_ONCE)
            for approval in approvals:
                await turns()
                reached = approval.trace_number
                if after(approval, Event.CANCEL, self._clock.now()) is not None:
                    preview.approvals.add(_denied(approval, new))
            more = len(approvals) == _AT_ONCE

    async def _judge_grants(self, new: Snapshot, preview: Preview, turns: Turns) -> None:
        before, more = None, True
        while more:
            grants = await self._store.grants(GrantFilter(), before, _AT_ONCE)
            for grant in grants:
                await turns()
                before = grant.trace_number
                if self._clock.now() < grant.expires_at:
                    origin = await self._store.approval(grant.approval_id)
                    reason = grant_end_reason(grant, origin, new)
                    preview.grants.add(Ended(grant.id, grant.tool, reason) if reason else None)
            more = len(grants) == _AT_ONCE

    async def _judge_calls(self, new: Snapshot, preview: Preview, turns: Turns, recent_calls: int) -> None:
        """Judge the latest calls by both policies. Without one that decides now nothing can differ."""
        active = self._policy.status.snapshot
        if active is None:
            return
        before, more = None, True
        while more and recent_calls:
            traces = await self._store.traces(TraceFilter(), before, _AT_ONCE)
            calls = [each for each in traces if each.kind is TraceKind.CALL][:recent_calls]
            for each in calls:
                await turns()
                await self._judge_call(each, (active, new), preview)
            recent_calls -= len(calls)
            before = traces[-1].number if traces else None
            more = len(traces) == _AT_ONCE

    async def _judge_call(self, listed: Trace, by: tuple[Snapshot, Snapshot], preview: Preview) -> None:
        trace = await self._store.trace(listed.number)
        recorded = recorded_call(trace, self._limits) if trace else None
        if isinstance(recorded, RecordedCall):
            preview.calls.add(_flipped(listed.number, recorded, by))
        else:
            preview.unknown_calls += 1


def _denied(approval: Approval, new: Snapshot) -> Ended | None:
    verdict = standing_denial(approval, new)
    return Ended(approval.id, approval.tool, verdict.reason) if verdict else None


def _flipped(number: int, recorded: RecordedCall, by: tuple[Snapshot, Snapshot]) -> Flipped | None:
    was, would_be = (
        judge(Case(recorded.call, recorded.arguments, snapshot), lambda _check, _error: None)
        for snapshot in by
    )
    if was.outcome is would_be.outcome:
        return None
    shown = all(_may_be_quoted(recorded, snapshot) for snapshot in by)
    reason = would_be.reason if shown else _unquoted(would_be)
    return Flipped(number, would_be.tool, was.outcome, would_be.outcome, reason)


def _may_be_quoted(recorded: RecordedCall, snapshot: Snapshot) -> bool:
    """Whether there is nothing in the arguments that the snapshot hides."""
    tool, value = recorded.call.tool, recorded.arguments.value
    contract = snapshot.contracts.get(tool)
    if contract is None or snapshot.recorded_arguments(tool) is Recorded.DIGEST:
        return False
    try:
        return bool(contract.redact(value) == value)
    except EvaluationError:
        return False


def _unquoted(verdict: Verdict) -> str:
    """Why, without the sentence, which may repeat a part of the arguments."""
    by = f" by {verdict.rule}" if verdict.rule else ""
    where = f"{verdict.cause.value} at S{verdict.step.value} {verdict.check}{by}"
    return f"{where}; its arguments may hold a secret, so nothing of them is repeated"
