"""OpenFlow: a trace of its own for several calls. It authorises nothing: each call is still judged."""

from adjudicator.approvals.digest import Digester
from adjudicator.chain.call_fields import check_flow_fields
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.flow import Flow
from adjudicator.domain.trace import TraceKind
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.registered import check_registered
from adjudicator.storage.contract import Barred, CallKey, CallRecord, NewTrace, Store
from adjudicator.tracing import flows


class OpenFlow:
    """The use case behind `OpenFlow`."""

    def __init__(self, policy: ActivePolicy, store: Store, digester: Digester, clock: Clock) -> None:
        self._policy = policy
        self._store = store
        self._digester = digester
        self._clock = clock

    async def __call__(self, flow: Flow) -> int:
        """Open the flow and return the number of its trace; the same flow once more has the same number.

        Raises MALFORMED_REQUEST, NOT_ALLOWED for a tenant or an agent that S1 or S2 would deny,
        SESSION_CLOSED in a closed session, FLOW_ID_REUSED for the flow_id of another flow, and TRACE_FROZEN
        for that of a closed one.
        """
        check_flow_fields(flow)
        check_registered(self._policy.current(), flow.tenant, flow.agent, "no flow is opened")
        digest = self._digester.of_flow(flow)
        try:
            opened = await self._store.open_trace(self._trace(flow, digest))
        except Barred as barred:
            raise AdjudicatorError(
                ErrorReason.SESSION_CLOSED,
                f"no flow is opened: {barred.reason}",
                {"session": barred.reason},
            ) from barred
        if isinstance(opened, int):
            return opened
        return _same(opened, flow, digest)

    def _trace(self, flow: Flow, digest: bytes) -> NewTrace:
        now = self._clock.now()
        return NewTrace(
            key=CallKey(flow.tenant, flow.session, flow.flow_id, TraceKind.FLOW),
            keyed=True,
            agent=flow.agent,
            tool="",
            digest=digest,
            opened_at=now,
            elements=(flows.opened(flow, now),),
            verdict=None,
            closing=(),
            finish=False,
            approval=None,
        )


def _same(record: CallRecord, flow: Flow, digest: bytes) -> int:
    number = record.trace.number
    if record.digest != digest:
        reason = "was used for another flow; a new flow needs a new flow_id"
        raise AdjudicatorError(
            ErrorReason.FLOW_ID_REUSED, f"flow_id {flow.flow_id}: {reason}", {"flow_id": reason}
        )
    if record.trace.finished_at is not None:
        raise AdjudicatorError(
            ErrorReason.TRACE_FROZEN,
            f"flow {number} is finished and takes no more; open another with a new flow_id",
        )
    return number
