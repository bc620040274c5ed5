"""TraceService, on the approver plane."""

from dataclasses import replace

from adjudicator.api.v1 import trace_service_pb2 as pb
from adjudicator.api.v1 import trace_service_pb2_grpc as pb_grpc
from adjudicator.domain.trace import Trace
from adjudicator.service.reading import Reading
from adjudicator.transport import convert
from adjudicator.transport.errors import Context, guarded
from adjudicator.transport.trace_filters import trace_filter


class TraceServicer(pb_grpc.TraceServiceServicer):
    """What was decided."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    @guarded
    async def GetTrace(self, request: pb.GetTraceRequest, context: Context) -> pb.GetTraceResponse:
        """Show one trace with its elements."""
        trace = await self._reading.trace(convert.trace_number(request.number))
        return pb.GetTraceResponse(trace=convert.trace(trace))

    @guarded
    async def ListTraces(self, request: pb.ListTracesRequest, context: Context) -> pb.ListTracesResponse:
        """List a page of traces."""
        wanted = trace_filter(request)
        page, following = await self._reading.traces(wanted, request.page_size, request.page_token)
        return pb.ListTracesResponse(
            traces=[convert.trace(_listed(each)) for each in page], next_page_token=following
        )


def _listed(trace: Trace) -> Trace:
    """The trace as a list shows it: how a call violates its contract is in the trace itself."""
    verdict = replace(trace.verdict, violations=()) if trace.verdict else None
    return replace(trace, verdict=verdict)
