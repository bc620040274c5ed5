"""TraceService, on the approver plane."""

import asyncio
import contextlib
from dataclasses import replace

from adjudicator.api.v1 import trace_service_pb2 as pb
from adjudicator.api.v1 import trace_service_pb2_grpc as pb_grpc
from adjudicator.config.limits import Limits
from adjudicator.domain.trace import Trace
from adjudicator.service.reading import Reading
from adjudicator.service.summarize_traces import SummarizeTraces
from adjudicator.service.watch_traces import WatchTraces
from adjudicator.transport import convert
from adjudicator.transport.authentication import Approvers, current_actor
from adjudicator.transport.errors import Context, guarded
from adjudicator.transport.summaries import summary
from adjudicator.transport.trace_events import watch_event
from adjudicator.transport.trace_filters import trace_filter
from adjudicator.transport.watch_places import WatchPlaces

_LONGEST_BUCKET_SECONDS = 366 * 24 * 3600
_ELEMENTS_AT_ONCE = 200


class TraceServicer(pb_grpc.TraceServiceServicer):
    """What was decided."""

    def __init__(
        self,
        reading: Reading,
        watch: WatchTraces,
        summarize: SummarizeTraces,
        approvers: Approvers,
        limits: Limits,
    ) -> None:
        self._reading = reading
        self._watch = watch
        self._summarize = summarize
        self._approvers = approvers
        self._places = WatchPlaces(limits.trace_watchers)

    @guarded
    async def GetTrace(self, request: pb.GetTraceRequest, context: Context) -> pb.GetTraceResponse:
        """Show one trace with its elements."""
        trace = await self._reading.trace(convert.trace_number(request.number))
        return pb.GetTraceResponse(trace=await whole(trace))

    @guarded
    async def ListTraces(self, request: pb.ListTracesRequest, context: Context) -> pb.ListTracesResponse:
        """List a page of traces."""
        wanted = trace_filter(request)
        page, following = await self._reading.traces(wanted, request.page_size, request.page_token)
        return pb.ListTracesResponse(
            traces=[convert.trace(_listed(each)) for each in page], next_page_token=following
        )

    @guarded
    async def WatchTraces(  # type: ignore[override]  # a coroutine that writes is as good to gRPC
        self,
        request: pb.WatchTracesRequest,
        context: Context,
    ) -> None:
        """Stream what is recorded."""
        wanted = trace_filter(request.filter, "filter.")
        admission = self._approvers.admission(context.invocation_metadata() or ())
        # Closed here and now when the caller goes away, so that its place becomes free.
        with self._places.of(current_actor()):
            async with contextlib.aclosing(self._watch(wanted, request.cursor)) as events:
                async for cursor, event in events:
                    admission.check()
                    await context.write(watch_event(cursor, event))

    @guarded
    async def SummarizeTraces(
        self, request: pb.SummarizeTracesRequest, context: Context
    ) -> pb.SummarizeTracesResponse:
        """Count."""
        wanted = trace_filter(request.filter, "filter.")
        width = convert.span(request, "bucket", _LONGEST_BUCKET_SECONDS)
        return summary(await self._summarize(wanted, width))


async def whole(trace: Trace) -> pb.Trace:
    """The trace with all elements. A flow's has thousands: other requests get their turn in between."""
    message = convert.trace(replace(trace, elements=()))
    for start in range(0, len(trace.elements), _ELEMENTS_AT_ONCE):
        message.elements.extend(map(convert.element, trace.elements[start : start + _ELEMENTS_AT_ONCE]))
        await asyncio.sleep(0)
    return message


def _listed(trace: Trace) -> Trace:
    """The trace as a list shows it: how a call violates its contract is in the trace itself."""
    verdict = replace(trace.verdict, violations=()) if trace.verdict else None
    return replace(trace, verdict=verdict)
