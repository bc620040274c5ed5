"""A collector of spans: OpenTelemetry's own service, with a memory and with faults to order."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc


class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    """Keeps each span with the attributes of its resource.

    While `held` is set it answers nobody; with a `refusal` it takes nothing and says that.
    """

    def __init__(self):
        self.received = []
        self.bytes = b""
        self.held = threading.Event()
        self.gone_on = threading.Event()
        self.asked = threading.Event()
        self.refusal = ""
        self.refused = 0

    def Export(self, request, context):  # noqa: N802 - gRPC names it
        """Take a batch."""
        self.asked.set()
        if self.held.is_set():
            self.gone_on.wait(60)
        if self.refusal:
            self.refused += 1
            context.abort(grpc.StatusCode.PERMISSION_DENIED, self.refusal)
        self.bytes += request.SerializeToString()
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                self.received += [(span, attributes(resource.resource)) for span in scope.spans]
        return trace_service_pb2.ExportTraceServiceResponse()

    def spans(self, name):
        """The spans of that name so far."""
        return [span for span, _ in self.received if span.name == name]


@contextmanager
def collecting(port=0):
    """A collector for the length of a block; `collector.url` is where it is."""
    collector = Collector()
    with ThreadPoolExecutor(4) as pool:
        server = grpc.server(pool, options=[("grpc.so_reuseport", 0)])
        trace_service_pb2_grpc.add_TraceServiceServicer_to_server(collector, server)
        collector.url = f"http://127.0.0.1:{server.add_insecure_port(f'127.0.0.1:{port}')}"
        server.start()
        try:
            yield collector
        finally:
            collector.gone_on.set()
            server.stop(None).wait()


def attributes(of):
    """The attributes of a span or a resource, as data."""
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in of.attributes}
