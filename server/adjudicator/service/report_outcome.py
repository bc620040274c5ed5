"""ReportOutcome: what became of an allowed call, in the trace of its verdict."""

from dataclasses import dataclass, field

from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.trace import TraceKind
from adjudicator.domain.trace_context import TraceContext
from adjudicator.service.recording import Recording
from adjudicator.storage.contract import CallKey, CallRecord, Change, Store
from adjudicator.tracing.elements import Execution, KeptExecution, executed
from adjudicator.tracing.flows import call_executed


@dataclass(frozen=True, slots=True)
class Reporter:
    """Who reports, and for which call: it has to be the one that the verdict was given to.

    `trace_context` is that of the report, which makes nobody another reporter.
    """

    tenant: str
    agent: str
    call_id: str
    trace_context: TraceContext | None = field(default=None, compare=False)


class ReportOutcome:
    """The use case behind `ReportOutcome`."""

    def __init__(self, store: Store, clock: Clock, recording: Recording) -> None:
        self._store = store
        self._clock = clock
        self._recording = recording

    async def __call__(self, number: int, reporter: Reporter, execution: Execution) -> KeptExecution:
        """Append what happened and finish the trace; returns what is kept of it.

        Raises NOT_FOUND for a trace that does not exist or is another call's, in the same words;
        NOT_ALLOWED when the call was not allowed; TRACE_FROZEN when an outcome was reported before.
        """
        found = await self._store.call_of_trace(number)
        if found is None:
            raise _not_found(number)
        _check_reporter(found, reporter)  # before an output is looked at: that takes time
        tool = found.trace.tool
        # Here, and not below: to check an output takes long for the one thread that writes.
        kept = self._recording.execution(tool, execution, found.verdict.policy_version)

        def decide(record: CallRecord) -> tuple[Change, KeptExecution]:
            _check_reporter(record, reporter)
            now = self._clock.now()
            change = Change(
                now,
                elements=executed(tool, execution, kept, now),
                finish=True,
                in_flow=call_executed(record.key.call_id, tool, execution, now),
            )
            return change, kept

        try:
            return await self._store.change_call(number, decide)
        except AdjudicatorError as error:
            if error.reason is ErrorReason.NOT_FOUND:
                raise _not_found(number) from error  # in the words that somebody else's gets
            raise


def _check_reporter(record: CallRecord, reporter: Reporter) -> None:
    """Raise why the reporter has nothing to report of this call."""
    number = record.trace.number
    if record.key.kind is not TraceKind.CALL or reporter != _reporter(record.key, record.trace.agent):
        raise _not_found(number)
    if not record.was_allowed:
        raise AdjudicatorError(
            ErrorReason.NOT_ALLOWED,
            f"the call of trace {number} was not allowed, so it has no outcome to report",
        )


def _not_found(number: int) -> AdjudicatorError:
    return AdjudicatorError(
        ErrorReason.NOT_FOUND, f"there is no trace {number} of this tenant, agent and call_id"
    )


def _reporter(key: CallKey, agent: str) -> Reporter:
    return Reporter(key.tenant, agent, key.call_id)
