"""Spans wait for a collector within bounds, and what does not arrive is counted."""

import json
import time
from datetime import timedelta

import pytest
import structlog
from adjudicator.domain.trace_context import TraceContext
from adjudicator.observability.span import Span
from adjudicator.observability.spans import OtlpSpans
from collector import attributes, collecting
from records import NOW
from running import until

CONTEXT = TraceContext("1" * 32, "2" * 16, "3" * 16)


def a_span(number, context=CONTEXT):
    """One of many."""
    return Span("adjudicate", context, NOW, NOW + timedelta(seconds=1), {"number": number})


@pytest.fixture
def log():
    """What is logged meanwhile."""
    with structlog.testing.capture_logs() as log:
        yield log


def test_a_full_queue_drops_the_oldest_and_the_stop_is_bounded(log):
    """A collector that never answers costs spans and a bounded wait; both are said at the end."""
    with collecting() as collector:
        collector.held.set()
        spans = OtlpSpans(collector.url, "1", "i", queue=100, batch=10)
        spans.add(a_span(0))
        assert collector.asked.wait(10)
        started = time.monotonic()
        for number in range(1, 1001):
            spans.add(a_span(number))
        assert time.monotonic() - started < 2
        collector.held.clear()
        collector.gone_on.set()
        spans.close(10)
        numbers = [attributes(each)["number"] for each in collector.spans("adjudicate")]
    assert numbers[0] == 0
    assert numbers[-100:] == list(range(901, 1001))
    assert [each for each in log if each["event"] == "spans were dropped"] == [
        {"event": "spans were dropped", "log_level": "warning", "dropped": 1001 - len(numbers)}
        | {"exported": len(numbers)}
    ]


def test_a_collector_that_never_answers_holds_no_stop(log):
    """The export that is on its way is ended when the time is up."""
    with collecting() as collector:
        collector.held.set()
        spans = OtlpSpans(collector.url, "1", "i", queue=100, batch=10)
        for number in range(50):
            spans.add(a_span(number))
        assert collector.asked.wait(10)
        started = time.monotonic()
        spans.close(0.5)
        assert time.monotonic() - started < 2
    assert log[-1]["dropped"] == 50


def test_a_span_that_cannot_be_made_is_counted_and_raises_nothing(log):
    """Whatever is wrong with it, its answer leaves."""
    with collecting() as collector:
        spans = OtlpSpans(collector.url, "1", "i", queue=100, batch=10)
        spans.add(a_span(0, TraceContext("no hexadecimal", "", "")))
        spans.add(a_span(1))
        spans.close(10)
        assert [attributes(each)["number"] for each in collector.spans("adjudicate")] == [1]
    assert [each["event"] for each in log] == ["a span could not be made", "spans were dropped"]


@pytest.mark.parametrize(
    ("state", "passed_on"),
    [("", ""), ("a=1, b@c=2,", "a=1,b@c=2"), ("A=1", ""), ("a=1,a=2", ""), ("a", ""), ("\u00e9=1", "")],
)
def test_a_tracestate_is_passed_on_whole_or_not_at_all(log, state, passed_on):
    """What the standard does not allow is left out; the span arrives all the same."""
    with collecting() as collector:
        spans = OtlpSpans(collector.url, "1", "i", queue=100, batch=10)
        spans.add(a_span(0, TraceContext("1" * 32, "2" * 16, "3" * 16, state=state)))
        spans.close(10)
        (span,) = collector.spans("adjudicate")
    assert span.trace_state == passed_on
    assert log == []


def test_a_collector_that_refuses_is_quoted_once(log, capsys):
    """Its reason is in the log; the SDK's own lines, and what a caller sent, are nowhere."""
    with collecting() as collector:
        collector.refusal = "no such customer"
        spans = OtlpSpans(collector.url, "1", "i", queue=100, batch=1)
        for number in range(3):
            spans.add(a_span(number, TraceContext("1" * 32, "2" * 16, state="MARKED")))
        until(lambda: collector.refused == 3)
        spans.close(10)
    assert [each["event"] for each in log] == ["spans cannot be exported", "spans were dropped"]
    assert "PERMISSION_DENIED" in log[0]["problem"]
    assert "MARKED" not in str(log)
    assert json.dumps(capsys.readouterr()) == '["", ""]'


def test_a_root_is_a_trace_of_its_own():
    """Each has ids that are its own, and no parent."""
    with collecting() as collector:
        spans = OtlpSpans(collector.url, "1", "i", queue=100, batch=10)
        roots = [spans.root() for _ in range(100)]
        spans.close(1)
    assert len({each.trace_id for each in roots}) == len({each.span_id for each in roots}) == 100
    assert {(len(each.trace_id), len(each.span_id), each.parent_span_id) for each in roots} == {
        (32, 16, "")
    }
