"""Spans to a collector, over OTLP, by OpenTelemetry's SDK. Imported only where an endpoint is set."""

import logging
import re
import threading
from collections.abc import Sequence
from typing import Any

import structlog
from opentelemetry.exporter.otlp.proto.grpc.exporter import OTLPExporterMixin
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags, TraceState
from opentelemetry.trace import format_span_id as span_hex
from opentelemetry.trace import format_trace_id as trace_hex

from adjudicator.domain.errors import malformed
from adjudicator.domain.micros import to_micros
from adjudicator.domain.trace_context import TraceContext
from adjudicator.observability.span import Span

_ENDPOINT = re.compile(r"https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}/?")
_DELAY_MILLISECONDS = 1000
# A collector that comes back is found within seconds, and not after gRPC's usual two minutes.
_CHANNEL: Any = (("grpc.max_reconnect_backoff_ms", 5000),)
_SAMPLED = TraceFlags(TraceFlags.SAMPLED)
_UNSET = Status()
_log = structlog.get_logger("adjudicator.spans")


class OtlpSpans:
    """Takes spans and sends them in batches from a thread. A collector that is away costs spans alone.

    Up to `queue` spans wait for a collector; one export sends up to `batch` of them.
    """

    def __init__(self, endpoint: str, version: str, instance_id: str, *, queue: int, batch: int) -> None:
        """Begin; raises MALFORMED_REQUEST for an endpoint, or a variable of the SDK, that is not usable."""
        self._words = _LastWords()
        self._words.listen()
        _check(endpoint)
        try:
            exporter = OTLPSpanExporter(endpoint=endpoint, channel_options=_CHANNEL)
            self._resource = Resource.create(
                {
                    "service.name": "adjudicator",
                    "service.version": version,
                    "service.instance.id": instance_id,
                }
            )
        except Exception as error:
            raise malformed("otlp_endpoint", f"no exporter can be made for it: {error}") from error
        self._scope = InstrumentationScope("adjudicator", version)
        self._ids = RandomIdGenerator()
        self._delivery = _Delivery(exporter, endpoint, self._words)
        self._processor = BatchSpanProcessor(self._delivery, queue, _DELAY_MILLISECONDS, batch)
        self._taken = 0

    def root(self) -> TraceContext:
        """The context of a request whose caller named none: a trace of its own."""
        trace_id, span_id = self._ids.generate_trace_id(), self._ids.generate_span_id()
        return TraceContext(trace_hex(trace_id), span_hex(span_id))

    def add(self, span: Span) -> None:
        """Queue the span; when the queue is full the oldest one is dropped for it."""
        self._taken += 1
        try:
            self._processor.on_end(self._readable(span))
        except Exception as error:  # noqa: BLE001 - no span is worth the answer that it tells of
            _log.error("a span could not be made", span=span.name, exc_info=error)

    def close(self, within_seconds: float) -> None:
        """Send what waits, as far as the time allows; then say how many spans did not arrive, if any."""
        sending = threading.Thread(target=self._processor.shutdown, daemon=True)
        sending.start()
        sending.join(within_seconds)
        self._delivery.shutdown()  # ends an export that is still on its way
        lost = self._taken - self._delivery.delivered
        if lost:
            _log.warning("spans were dropped", dropped=lost, exported=self._delivery.delivered)

    def _readable(self, span: Span) -> ReadableSpan:
        # The SDK means these to come from its tracer. Made directly, one costs a tenth of the time, its ids
        # are those on record, and there is none before there is an answer for it to tell.
        context = span.context
        trace_id = int(context.trace_id, 16)
        state = TraceState.from_header([context.state]) if context.state else None
        parent = None
        if context.parent_span_id:
            caller = int(context.parent_span_id, 16)
            parent = SpanContext(trace_id, caller, is_remote=True, trace_flags=_SAMPLED, trace_state=state)
        attributes, status = span.attributes, _UNSET
        if span.problem:
            attributes = attributes | {"error.type": span.problem}
            status = Status(StatusCode.ERROR, span.problem)
        own = int(context.span_id, 16)
        return ReadableSpan(
            span.name,
            SpanContext(trace_id, own, is_remote=False, trace_flags=_SAMPLED, trace_state=state),
            parent,
            self._resource,
            attributes,
            kind=SpanKind.SERVER,
            status=status,
            start_time=to_micros(span.began_at) * 1000,
            end_time=to_micros(span.ended_at) * 1000,
            instrumentation_scope=self._scope,
        )


class _LastWords(logging.Handler):
    """Keeps the exporter's own log off standard error, and remembers the last line of it for ours."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.text = ""

    def listen(self) -> None:
        """Take over the exporter's log and silence the SDK's, for the whole process.

        The SDK would speak at every span that a full queue drops, and repeat what callers sent.
        """
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
        exporter = logging.getLogger(OTLPExporterMixin.__module__)
        exporter.setLevel(logging.WARNING)
        exporter.handlers = [self]
        exporter.propagate = False
        exporter.filters.clear()  # they drop a line that was there lately, which a new failure may need

    def emit(self, record: logging.LogRecord) -> None:
        """Remember the line."""
        self.text = record.getMessage()


class _Delivery(SpanExporter):
    """Counts what arrives, and logs when exporting begins to fail and when it is well again."""

    def __init__(self, exporter: SpanExporter, endpoint: str, words: _LastWords) -> None:
        self.delivered = 0
        self._exporter = exporter
        self._endpoint = endpoint
        self._words = words
        self._failing = False
        self._closed = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send a batch; the processor calls this from its thread, one batch at a time."""
        if self._closed:
            return SpanExportResult.FAILURE
        try:
            result = self._exporter.export(spans)
        except Exception as error:  # noqa: BLE001 - whatever it is, the next batch is tried
            self._words.text, result = repr(error), SpanExportResult.FAILURE
        if result is SpanExportResult.SUCCESS:
            self.delivered += len(spans)
        self._tell(failing=result is not SpanExportResult.SUCCESS)
        return result

    def shutdown(self) -> None:
        """Let go of the connection, once."""
        if not self._closed:
            self._closed = True
            self._exporter.shutdown()

    def _tell(self, *, failing: bool) -> None:
        if failing == self._failing or self._closed:
            return
        self._failing = failing
        if failing:
            _log.warning("spans cannot be exported", endpoint=self._endpoint, problem=self._words.text)
        else:
            _log.info("spans are exported again", endpoint=self._endpoint)


def _check(endpoint: str) -> None:
    # Not repeated in the message: what does not belong there may be a password.
    if _ENDPOINT.fullmatch(endpoint) is None:
        raise malformed(
            "otlp_endpoint", "has to be http://HOST:PORT, or https://HOST:PORT, and nothing more"
        )
