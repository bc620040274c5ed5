"""WithdrawCall: one call that its runtime does not want any more. It touches no other."""

from dataclasses import dataclass, replace

from adjudicator.chain.judge import end
from adjudicator.config.limits import Limits
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason, malformed
from adjudicator.domain.verdict import Cause, Verdict
from adjudicator.service.retry import cancellation
from adjudicator.storage.contract import CallKey, CallRecord, Change, Store


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Which call, and whose it has to be. `reason` is the runtime's own, and may be empty."""

    tenant: str
    agent: str
    session: str
    call_id: str
    reason: str = ""


class WithdrawCall:
    """The use case behind `WithdrawCall`."""

    def __init__(self, store: Store, clock: Clock, limits: Limits) -> None:
        self._store = store
        self._clock = clock
        self._limits = limits

    async def __call__(self, one: Withdrawal) -> tuple[Verdict, bool]:
        """Cancel the call's approval if it is pending or approved; the verdict on record, and whether.

        What was allowed stays allowed: it may have run. Raises MALFORMED_REQUEST, and NOT_FOUND for a call
        that does not exist or is somebody else's, in the same words.
        """
        if len(one.reason) > self._limits.reason_chars:
            raise malformed("reason", f"is longer than {self._limits.reason_chars} characters")
        key = CallKey(one.tenant, one.session, one.call_id)
        record = await self._store.call(key) if one.call_id else None
        if record is None or record.trace.agent != one.agent:
            raise AdjudicatorError(
                ErrorReason.NOT_FOUND,
                f"there is no call {one.call_id[:64]!a} of this tenant, session and agent",
            )
        return await self._store.change_call(
            record.trace.number, lambda latest: self._decide(latest, one.reason)
        )

    def _decide(self, record: CallRecord, reason: str) -> tuple[Change | None, tuple[Verdict, bool]]:
        if record.approval is None:
            return None, (replace(record.verdict, replayed=True), False)
        withdrawn = end(record.verdict, Cause.CALL_WITHDRAWN, reason)
        change, verdict = cancellation(record, record.approval, self._clock.now(), withdrawn)
        return change, (verdict, verdict.cause is Cause.CALL_WITHDRAWN and change is not None)
