"""A span tells what was answered, after it was recorded, and never stands in the way of the answer."""

import asyncio
from datetime import timedelta

import pytest
from adjudicator.approvals.states import Ballot
from adjudicator.domain.approval import Decision, ReceiptCode
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.trace_context import TraceContext
from adjudicator.service.report_outcome import Reporter
from adjudicator.service.spanned import SpannedAdjudicate, SpannedReportOutcome, SpannedResolve
from adjudicator.storage.contract import ApprovalFilter
from adjudicator.tracing.elements import Execution, ExecutionStatus
from service.stage import ZERO, a_call

CALLER = TraceContext("a" * 32, "b" * 16, "c" * 16)
QUIET = TraceContext("d" * 32, "e" * 16, "f" * 16, sampled=False)
ROOT = TraceContext("1" * 32, "2" * 16)
RAN = Execution(ExecutionStatus.SUCCEEDED, None, "", ZERO, "")


class Kept:
    """Spans in a list."""

    def __init__(self):
        self.all = []

    def root(self):
        """Always the same."""
        return ROOT

    def add(self, span):
        """Keep it."""
        self.all.append(span)


class Failing:
    """A use case that always raises."""

    def __init__(self, error):
        self.error = error

    async def __call__(self, *_):
        """Raise."""
        raise self.error

    dry_run = __call__


@pytest.fixture
def spans():
    """None yet."""
    return Kept()


@pytest.fixture
def adjudicate(stage, spans):
    """The stage's use case with spans."""
    return SpannedAdjudicate(stage.adjudicate, spans, stage.clock)


async def first_body(stage, verdict):
    """The first element of the verdict's trace."""
    return (await stage.store.trace(verdict.trace_number)).elements[0].body


async def test_the_answer_is_the_inner_one(stage, adjudicate, spans):
    """With and without a span, and a retry that goes past the wrapper finds the same record."""
    verdict = await adjudicate(a_call(trace_context=CALLER), ZERO, ZERO)
    again = await stage.adjudicate(a_call(), ZERO, ZERO)
    assert (again.trace_number, again.approval_id) == (verdict.trace_number, verdict.approval_id)
    (span,) = spans.all
    assert span.context == CALLER
    assert span.attributes["adjudicator.outcome"] == "ASK"
    assert span.attributes["adjudicator.approval_id"] == verdict.approval_id


async def test_a_call_without_a_caller_is_recorded_with_the_root(stage, adjudicate):
    """The record has the ids of the span."""
    body = await first_body(stage, await adjudicate(a_call(), ZERO, ZERO))
    assert (body["trace_id"], body["span_id"]) == (ROOT.trace_id, ROOT.span_id)
    assert "parent_span_id" not in body


async def test_an_unsampled_call_is_recorded_and_makes_no_span(stage, adjudicate, spans):
    """The caller decides what is kept of its trace."""
    body = await first_body(stage, await adjudicate(a_call(trace_context=QUIET), ZERO, ZERO))
    assert body["trace_id"] == QUIET.trace_id
    assert spans.all == []


async def test_a_span_lasts_as_long_as_its_call_was_held(stage, adjudicate, spans):
    """It begins with the request and ends with the answer."""
    held = asyncio.create_task(adjudicate(a_call(), timedelta(minutes=1), ZERO))
    while not (pending := await stage.store.pending(ApprovalFilter(), 0, None, 1)):  # noqa: ASYNC110 - nobody rings
        await asyncio.sleep(0)
    stage.clock.forward(30)
    await stage.vote(pending[0].id)
    assert (await held).allowed
    (span,) = spans.all
    assert span.ended_at - span.began_at == timedelta(seconds=30)


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (AdjudicatorError(ErrorReason.STORE_UNAVAILABLE, "SECRET"), "STORE_UNAVAILABLE"),
        (RuntimeError("SECRET"), "INTERNAL"),
        (asyncio.CancelledError(), "CANCELLED"),
    ],
)
async def test_an_error_leaves_as_it_came_and_its_span_claims_nothing(stage, spans, error, problem):
    """What was not recorded has no outcome, and the text of an error is no part of a span."""
    inner = Failing(error)
    requests = [
        SpannedAdjudicate(inner, spans, stage.clock)(a_call(), ZERO, ZERO),
        SpannedAdjudicate(inner, spans, stage.clock).dry_run(a_call()),
        SpannedReportOutcome(inner, spans, stage.clock)(7, Reporter("studio", "coder", "c1"), RAN),
        SpannedResolve(inner, spans, stage.clock)(
            "apr-1", Ballot("user:a", Decision.APPROVE, "", "SECRET")
        ),
    ]
    for request in requests:
        with pytest.raises(type(error)) as caught:
            await request
        assert caught.value is error
    assert {span.problem for span in spans.all} == {problem}
    assert len(spans.all) == len(requests)
    names = set().union(*(span.attributes for span in spans.all))
    assert names.isdisjoint({"adjudicator.outcome", "adjudicator.receipt", "adjudicator.approval_id"})
    assert "SECRET" not in str(spans.all)


async def test_a_decision_and_a_report_continue_the_trace_of_whoever_sends_them(stage, adjudicate, spans):
    """Each request has a parent of its own, and each counts as without a span."""
    asked = await adjudicate(a_call(), ZERO, ZERO)
    digest = (await stage.store.approval(asked.approval_id)).view_digest
    resolve = SpannedResolve(stage.decide, spans, stage.clock)
    ballot = Ballot("user:ann", Decision.APPROVE, digest, "", trace_context=CALLER)
    assert (await resolve(asked.approval_id, ballot)).code is ReceiptCode.ACCEPTED
    allowed = await adjudicate(a_call(), ZERO, ZERO)
    report = SpannedReportOutcome(stage.report_outcome, spans, stage.clock)
    await report(allowed.trace_number, Reporter("studio", "coder", "c1", CALLER), RAN)
    assert (await stage.store.trace(allowed.trace_number)).finished_at
    resolved, reported = spans.all[1], spans.all[3]
    assert resolved.context == reported.context == CALLER
    assert resolved.attributes["adjudicator.receipt"] == "ACCEPTED"
    assert reported.attributes["adjudicator.execution_status"] == "succeeded"
    assert "ann" not in str(resolved.attributes)


async def test_an_unknown_approval_is_not_repeated(stage, spans):
    """What was sent as an id may be anything."""
    resolve = SpannedResolve(stage.decide, spans, stage.clock)
    receipt = await resolve("SECRET", Ballot("user:ann", Decision.DENY, "", ""))
    assert receipt.code is ReceiptCode.UNKNOWN
    assert "SECRET" not in str(spans.all)
