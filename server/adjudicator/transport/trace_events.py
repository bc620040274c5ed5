"""The events of WatchTraces as messages."""

from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from adjudicator.api.v1 import trace_service_pb2 as pb
from adjudicator.domain.micros import from_micros
from adjudicator.service.watch import Heartbeat, Resync
from adjudicator.service.watch_traces import TraceEvent
from adjudicator.storage.contract import Appended
from adjudicator.transport import convert, enums


def watch_event(cursor: str, event: TraceEvent) -> pb.WatchTracesResponse:
    """The event, with the cursor that continues after it."""
    if isinstance(event, Heartbeat):
        heartbeat = approval_pb.Heartbeat(now=convert.timestamp(event.now))
        return pb.WatchTracesResponse(cursor=cursor, heartbeat=heartbeat)
    if isinstance(event, Resync):
        return pb.WatchTracesResponse(cursor=cursor, resync=approval_pb.Resync(reason=event.reason))
    return pb.WatchTracesResponse(cursor=cursor, record=_record(event))


def _record(event: Appended) -> pb.AppendedRecord:
    record, trace = event.record, event.trace
    return pb.AppendedRecord(
        writer=record.writer,
        sequence=record.sequence,
        trace_number=record.trace,
        place=record.place,
        kind=enums.TRACE_KIND.to_wire(trace.kind),
        tenant=trace.tenant,
        session=trace.session,
        agent=trace.agent,
        tool=trace.tool,
        flow_id=trace.flow_id,
        flow_trace=trace.flow or 0,
        recorded_at=convert.timestamp(from_micros(record.recorded_at)),
        elements=[convert.element(each) for each in trace.elements],
        finished=event.finished,
    )
