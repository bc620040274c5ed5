"""OpenFlow: a trace of its own for several calls. It authorises nothing: each call is still judged."""

from adjudicator.approvals.digest import Digester
from adjudicator.chain.case import Case
from adjudicator.chain.identity import agent_registered, tenant_context
from adjudicator.domain.arguments import Fault
from adjudicator.domain.call import ToolCall
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.flow import Flow
from adjudicator.domain.trace import TraceKind
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.call_fields import check_flow_fields
from adjudicator.storage.contract import CallKey, CallRecord, NewTrace, Store
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
        FLOW_ID_REUSED for the flow_id of another flow, and TRACE_FROZEN for that of a closed one.
        """
        check_flow_fields(flow)
        self._check_registered(flow)
        digest = self._digester.of_flow(flow)
        opened = await self._store.open_trace(self._trace(flow, digest))
        if isinstance(opened, int):
            return opened
        return _same(opened, flow, digest)

    def _check_registered(self, flow: Flow) -> None:
        nothing = Fault("a flow has no arguments")
        call = ToolCall(flow.tenant, flow.agent, tool="", arguments_json="", session=flow.session)
        case = Case(call, nothing, self._policy.current())
        for name, check in (("tenant", tenant_context), ("agent", agent_registered)):
            if (finding := check(case, None)) is not None:
                raise AdjudicatorError(
                    ErrorReason.NOT_ALLOWED, f"no flow is opened: {finding.reason}", {name: finding.reason}
                )

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
