"""The client's errors: each is a no, with what a program needs to tell them apart."""

import threading
import time

import grpc
import pytest
from adjudicator.api.v1.adjudication_service_pb2 import AdjudicateResponse
from adjudicator.api.v1.approval_service_pb2 import (
    ActionRef,
    GetApprovalResponse,
    ListPendingResponse,
    WatchPendingResponse,
)
from adjudicator.api.v1.types_pb2 import Outcome, ToolCall
from adjudicator.client.agent import AgentClient, Ask
from adjudicator.client.approver import SILENCE_SECONDS, ApproverClient
from adjudicator.client.errors import ClientError
from adjudicator.service.watch import HEARTBEAT_SECONDS
from scripted import refusal


def test_an_error_carries_code_reason_and_fields(script):
    """They come from the status details, not from the text."""
    script.answers["Adjudicate"] = refusal(
        "INVALID_ARGUMENT", "MALFORMED_REQUEST", "no", {"call.agent": "long"}
    )
    with AgentClient(script.address) as client, pytest.raises(ClientError) as caught:
        client.adjudicate(ToolCall())
    error = caught.value
    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_REQUEST")
    assert (error.message, error.fields) == ("no", {"call.agent": "long"})
    assert not error.unreachable


def test_a_sidecar_that_is_unavailable_is_not_one_that_is_absent(script):
    """Unreachable is only where nobody answered."""
    script.answers["Adjudicate"] = refusal("UNAVAILABLE", "DRAINING", "stopping")
    with AgentClient(script.address) as client, pytest.raises(ClientError) as caught:
        client.adjudicate(ToolCall())
    assert not caught.value.unreachable
    with AgentClient("unix:/nowhere/socket") as client, pytest.raises(ClientError) as caught:
        client.adjudicate(ToolCall())
    assert caught.value.unreachable
    assert caught.value.address == "unix:/nowhere/socket"


def test_a_wait_prolongs_the_time_limit(script):
    """The time limit is for the answer after the wait; a watch has none."""
    script.answers["Adjudicate"] = AdjudicateResponse()
    script.answers["WatchPending"] = lambda _: iter([])
    with AgentClient(script.address, timeout=100) as client:
        client.adjudicate(ToolCall(), Ask(wait_seconds=300))
        client.adjudicate(ToolCall())
    with ApproverClient(script.address, timeout=100) as client:
        list(client.watch())
    waited, at_once, watched = script.seconds
    assert 300 < waited < 410
    assert 0 < at_once < 110
    assert watched is None or watched > 1e6


def test_an_answer_without_a_verdict_is_no(script):
    """An empty response is not an allow."""
    script.answers["Adjudicate"] = AdjudicateResponse()
    with AgentClient(script.address) as client:
        assert client.adjudicate(ToolCall()).outcome == Outcome.OUTCOME_UNSPECIFIED


def test_a_stream_ends_with_the_same_error(script):
    """A watch raises what a single request would."""
    script.answers["WatchPending"] = lambda _: iter([refusal("UNAVAILABLE", "DRAINING", "stopping")])
    with ApproverClient(script.address) as client, pytest.raises(ClientError) as caught:
        list(client.watch())
    assert caught.value.reason == "DRAINING"


def silent_after(*answers):
    """A stream that stays open after its last answer; a function that ends it."""
    end = threading.Event()

    def stream(_):
        yield from answers
        end.wait(30)

    return stream, end.set


def test_a_silent_sidecar_is_an_error_although_the_stream_stays_open(script):
    """A process that hangs closes nothing; what was heard before is handed out first."""
    alive = WatchPendingResponse(cursor="1", heartbeat={})
    script.answers["WatchPending"], end = silent_after(alive)
    with ApproverClient(script.address) as client:
        events = client.watch(silence_seconds=0.3)
        assert next(events).cursor == "1"
        with pytest.raises(ClientError) as caught:
            next(events)
    end()
    assert caught.value.code is grpc.StatusCode.DEADLINE_EXCEEDED
    assert "silent for 0.3 seconds" in caught.value.message
    assert not caught.value.unreachable


def test_silence_is_three_missing_signs_of_life():
    """The client's patience fits what the sidecar does."""
    assert SILENCE_SECONDS == 3 * HEARTBEAT_SECONDS


def test_a_slow_listener_is_no_silence(script):
    """What counts is how long nothing comes, not how long the program takes over what came."""
    script.answers["WatchPending"] = lambda _: iter([WatchPendingResponse(cursor=each) for each in "12"])
    with ApproverClient(script.address) as client:
        events = client.watch(silence_seconds=0.3)
        assert next(events).cursor == "1"
        time.sleep(0.5)
        assert [event.cursor for event in events] == ["2"]


def test_an_approval_is_found_by_id_trace_or_action(script):
    """Each way of asking is its own field of the request."""
    script.answers["GetApproval"] = GetApprovalResponse()
    with ApproverClient(script.address) as client:
        client.approval("apr-1")
        client.approval_of_trace(7)
        client.approval_of_action(ActionRef(tenant="t", tool="x", call_id="c"))
    assert [each.WhichOneof("by") for each in script.requests] == ["approval_id", "trace_number", "action"]


def test_a_message_of_eight_mebibytes_is_received(script):
    """Views and traces may be larger than gRPC's own limit."""
    page = ListPendingResponse()
    page.approvals.add(view_json="a" * (8 << 20))
    script.answers["ListPending"] = page
    with ApproverClient(script.address) as client:
        assert len(next(client.pending()).view_json) == 8 << 20


def test_a_proxy_for_the_web_is_no_way_to_a_sidecar(script, monkeypatch):
    """The loopback is reached directly, whatever the environment says."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    script.answers["Adjudicate"] = AdjudicateResponse()
    with AgentClient(script.address) as client:
        client.adjudicate(ToolCall())
    assert len(script.requests) == 1
