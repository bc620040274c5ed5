"""ReportOutcome: what became of an allowed call, in the trace of its verdict."""

from dataclasses import dataclass

from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.storage.contract import CallKey, CallRecord, Change, Store
from adjudicator.tracing.elements import Execution, executed
from adjudicator.tracing.flows import call_executed


@dataclass(frozen=True, slots=True)
class Reporter:
    """Who reports, and for which call: it has to be the one that the verdict was given to."""

    tenant: str
    agent: str
    call_id: str


class ReportOutcome:
    """The use case behind `ReportOutcome`."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(self, number: int, reporter: Reporter, execution: Execution) -> None:
        """Append what happened and finish the trace.

        Raises NOT_FOUND for a trace that does not exist or is another call's, in the same words;
        NOT_ALLOWED when the call was not allowed; TRACE_FROZEN when an outcome was reported before.
        """

        def decide(record: CallRecord) -> tuple[Change, None]:
            if record.key.flow or reporter != _reporter(record.key, record.trace.agent):
                raise _not_found(number)
            if not record.was_allowed:
                raise AdjudicatorError(
                    ErrorReason.NOT_ALLOWED,
                    f"the call of trace {number} was not allowed, so it has no outcome to report",
                )
            now = self._clock.now()
            tool = record.trace.tool
            return Change(
                now,
                elements=executed(tool, execution, now),
                finish=True,
                in_flow=call_executed(record.key.call_id, tool, execution, now),
            ), None

        try:
            await self._store.change_call(number, decide)
        except AdjudicatorError as error:
            raise _not_found(number) if error.reason is ErrorReason.NOT_FOUND else error from error


def _not_found(number: int) -> AdjudicatorError:
    return AdjudicatorError(
        ErrorReason.NOT_FOUND, f"there is no trace {number} of this tenant, agent and call_id"
    )


def _reporter(key: CallKey, agent: str) -> Reporter:
    return Reporter(key.tenant, agent, key.call_id)
