"""The use cases with a span for each request: the same answers, and what came of them for a collector.

A span is made of names, codes and ids alone. Arguments, views, outputs and reasons stay out of it: what
they say is for those who may read the trace.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

from adjudicator.approvals.states import Ballot
from adjudicator.domain.approval import Approval, Receipt
from adjudicator.domain.call import ToolCall, printable
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.trace_context import TraceContext
from adjudicator.domain.verdict import Verdict
from adjudicator.observability.span import Attributes, Span, Spans
from adjudicator.service.report_outcome import Reporter
from adjudicator.service.use_cases import Adjudicates, ReportsOutcome, Resolves
from adjudicator.tracing.elements import Execution, KeptExecution

_CANCELLED = "CANCELLED"


class SpannedAdjudicate:
    """`Adjudicate`, with a span for each verdict."""

    def __init__(self, inner: Adjudicates, spans: Spans, clock: Clock) -> None:
        self._inner = inner
        self._spans = spans
        self._clock = clock

    async def __call__(self, call: ToolCall, wait: timedelta, limit: timedelta) -> Verdict:
        """As the inner one. A call whose caller named no trace is recorded with one that begins here."""
        context = call.trace_context
        if context is None:
            context = self._spans.root()
            call = replace(call, trace_context=context)
        with _span(self._spans, self._clock, "adjudicate", context, _of_call(call)) as attributes:
            verdict = await self._inner(call, wait, limit)
            attributes.update(_of_verdict(verdict))
        return verdict

    async def dry_run(self, call: ToolCall) -> Verdict:
        """As the inner one."""
        context = call.trace_context or self._spans.root()
        with _span(self._spans, self._clock, "adjudicate", context, _of_call(call)) as attributes:
            verdict = await self._inner.dry_run(call)
            attributes.update(_of_verdict(verdict))
        return verdict


class SpannedReportOutcome:
    """`ReportOutcome`, with a span for each report."""

    def __init__(self, inner: ReportsOutcome, spans: Spans, clock: Clock) -> None:
        self._inner = inner
        self._spans = spans
        self._clock = clock

    async def __call__(self, number: int, reporter: Reporter, execution: Execution) -> KeptExecution:
        """As the inner one."""
        context = reporter.trace_context or self._spans.root()
        attributes: Attributes = {
            "adjudicator.tenant": printable(reporter.tenant),
            "adjudicator.agent": printable(reporter.agent),
            "adjudicator.trace_number": number,
            "adjudicator.execution_status": execution.status.value,
        }
        with _span(self._spans, self._clock, "report_outcome", context, attributes):
            return await self._inner(number, reporter, execution)


class SpannedResolve:
    """`Resolve`, with a span for each decision. Who decided is in the trace, and not in a span."""

    def __init__(self, inner: Resolves, spans: Spans, clock: Clock) -> None:
        self._inner = inner
        self._spans = spans
        self._clock = clock

    async def __call__(self, approval_id: str, ballot: Ballot) -> Receipt:
        """As the inner one."""
        context = ballot.trace_context or self._spans.root()
        attributes: Attributes = {"adjudicator.decision": ballot.decision.value}
        with _span(self._spans, self._clock, "resolve", context, attributes):
            receipt = await self._inner(approval_id, ballot)
            attributes["adjudicator.receipt"] = receipt.code.value
            if receipt.approval is not None:
                attributes.update(_of_approval(receipt.approval))
        return receipt


@contextmanager
def _span(
    spans: Spans, clock: Clock, name: str, context: TraceContext, attributes: Attributes
) -> Iterator[Attributes]:
    """Add the span when the block ends, with what the block put into the attributes by then."""
    began, problem = clock.now(), ""
    try:
        yield attributes
    except AdjudicatorError as error:
        problem = error.reason.value
        raise
    except asyncio.CancelledError:
        problem = _CANCELLED
        raise
    except Exception:
        problem = ErrorReason.INTERNAL.value
        raise
    finally:
        if context.sampled:
            spans.add(Span(name, context, began, clock.now(), attributes, problem))


def _of_call(call: ToolCall) -> Attributes:
    return {
        "adjudicator.tenant": printable(call.tenant),
        "adjudicator.agent": printable(call.agent),
        "adjudicator.tool": printable(call.tool),
    }


def _of_verdict(verdict: Verdict) -> Attributes:
    attributes: Attributes = {
        "adjudicator.outcome": verdict.outcome.value,
        "adjudicator.step": verdict.step.value,
        "adjudicator.check": verdict.check,
        "adjudicator.reason_code": verdict.reason_code.value,
        "adjudicator.cause": verdict.cause.value,
        "adjudicator.policy_version": verdict.policy_version,
        "adjudicator.replayed": verdict.replayed,
        "adjudicator.dry_run": verdict.dry_run,
    }
    if verdict.trace_number:
        attributes["adjudicator.trace_number"] = verdict.trace_number
    if verdict.approval_id:
        attributes["adjudicator.approval_id"] = verdict.approval_id
    return attributes


def _of_approval(approval: Approval) -> Attributes:
    return {
        "adjudicator.tenant": approval.tenant,
        "adjudicator.agent": approval.agent,
        "adjudicator.tool": approval.tool,
        "adjudicator.approval_id": approval.id,
        "adjudicator.trace_number": approval.trace_number,
    }
