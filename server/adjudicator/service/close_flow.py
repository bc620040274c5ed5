"""CloseFlow: how a flow ended, in its trace. Only its opener closes it."""

from dataclasses import dataclass

from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.flow import FlowStatus
from adjudicator.domain.trace import TraceKind
from adjudicator.service.ending import FLOW_CLOSED, Ending
from adjudicator.storage.contract import CallRecord, Change, Store
from adjudicator.tracing import flows


@dataclass(frozen=True, slots=True)
class Opener:
    """Who closes, and which flow: it has to be the one that opened it."""

    tenant: str
    agent: str
    flow_id: str


class CloseFlow:
    """The use case behind `CloseFlow`."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._ending = Ending(store, clock)

    async def __call__(self, number: int, opener: Opener, status: FlowStatus, final_output: str) -> None:
        """Append how it ended and finish the trace, then cancel what still stands in the flow.

        From then on no call in the flow is judged. Raises NOT_FOUND for a flow that does not exist or is
        somebody else's, in the same words; TRACE_FROZEN when it was closed before.
        """

        def decide(record: CallRecord) -> tuple[Change, str]:
            if record.key.kind is not TraceKind.FLOW or opener != _opener(record):
                raise _not_found(number)
            now = self._clock.now()
            change = Change(now, elements=(flows.closed(status, final_output, now),), finish=True)
            return change, record.key.session

        try:
            session = await self._store.change_call(number, decide)
        except AdjudicatorError as error:
            if error.reason is ErrorReason.NOT_FOUND:
                raise _not_found(number) from error  # in the words that somebody else's gets
            raise
        await self._ending.of_approvals(
            lambda after, count: self._store.standing(opener.tenant, session, after, count, number),
            FLOW_CLOSED,
        )


def _not_found(number: int) -> AdjudicatorError:
    return AdjudicatorError(
        ErrorReason.NOT_FOUND, f"there is no flow {number} of this tenant, agent and flow_id"
    )


def _opener(record: CallRecord) -> Opener:
    return Opener(record.key.tenant, record.trace.agent, record.key.call_id)
