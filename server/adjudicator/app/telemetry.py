"""What is told to the outside of the requests that are answered: spans, where an endpoint is set."""

import asyncio
import uuid
from importlib import metadata
from typing import TYPE_CHECKING

from adjudicator.config.limits import SPAN_BATCH, SPAN_FLUSH_SECONDS, SPAN_QUEUE
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import malformed
from adjudicator.service.spanned import SpannedAdjudicate, SpannedReportOutcome, SpannedResolve
from adjudicator.service.use_cases import Adjudicates, ReportsOutcome, Resolves

if TYPE_CHECKING:
    from adjudicator.observability.spans import OtlpSpans


class Telemetry:
    """Wraps use cases. Without an endpoint it leaves each as it is, and nothing of the SDK is imported."""

    def __init__(self, endpoint: str, clock: Clock) -> None:
        """Begin to export; raises AdjudicatorError for an endpoint that cannot be used."""
        self._spans = _otlp(endpoint) if endpoint else None
        self._clock = clock

    def adjudicate(self, inner: Adjudicates) -> Adjudicates:
        """The use case, with spans if they are exported."""
        return SpannedAdjudicate(inner, self._spans, self._clock) if self._spans else inner

    def report_outcome(self, inner: ReportsOutcome) -> ReportsOutcome:
        """The use case, with spans if they are exported."""
        return SpannedReportOutcome(inner, self._spans, self._clock) if self._spans else inner

    def resolve(self, inner: Resolves) -> Resolves:
        """The use case, with spans if they are exported."""
        return SpannedResolve(inner, self._spans, self._clock) if self._spans else inner

    async def close(self) -> None:
        """Send what waits, within a bounded time."""
        if self._spans:
            await asyncio.to_thread(self._spans.close, SPAN_FLUSH_SECONDS)


def _otlp(endpoint: str) -> "OtlpSpans":
    try:
        from adjudicator.observability.spans import OtlpSpans  # noqa: PLC0415 - an extra, see the error
    except ImportError as error:
        problem = (
            f"spans need the extra 'otel' ({error}): pip install 'adjudicator-sidecar[otel]', "
            "or set neither --otlp-endpoint nor OTEL_EXPORTER_OTLP_ENDPOINT"
        )
        raise malformed("otlp_endpoint", problem) from error
    version, instance_id = metadata.version("adjudicator-sidecar"), str(uuid.uuid4())
    return OtlpSpans(endpoint, version, instance_id, queue=SPAN_QUEUE, batch=SPAN_BATCH)
