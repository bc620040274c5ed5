"""A call is on record with its place in the caller's own distributed trace."""

import json
import re
import uuid

import pytest
from adjudicator.api.v1 import adjudication_service_pb2 as adjudication_pb
from adjudicator.api.v1 import types_pb2 as pb
from running import call

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"
READ = {"tool": "read", "arguments": {"path": "src/a.py"}, "working_directory": "/srv/project"}
IDS = ("trace_id", "parent_span_id", "span_id")


def judge(sidecar, *metadata, **fields):
    """One call with the metadata; its verdict."""
    request = adjudication_pb.AdjudicateRequest(call=call(**(READ | fields)))
    return sidecar.adjudication.Adjudicate(request, metadata=metadata, timeout=30).verdict


def recorded(sidecar, verdict):
    """The ids in the first element of the verdict's trace."""
    body = json.loads(sidecar.trace(verdict.trace_number).elements[0].body_json)
    return {name: body[name] for name in IDS if name in body}


def test_the_ids_of_the_caller_and_our_own_are_recorded(shared_sidecar):
    """The record can be joined with the caller's telemetry although no spans are exported."""
    verdict = judge(shared_sidecar, ("traceparent", TRACEPARENT))
    ids = recorded(shared_sidecar, verdict)
    assert verdict.allowed
    assert (ids["trace_id"], ids["parent_span_id"]) == (TRACE, PARENT)
    assert re.fullmatch("[0-9a-f]{16}", ids["span_id"])
    assert ids["span_id"] not in (PARENT, "0" * 16)


def test_a_denied_call_has_them_too(shared_sidecar):
    """Whatever the verdict is, its caller can find it."""
    verdict = judge(shared_sidecar, ("traceparent", TRACEPARENT), agent="nobody")
    assert verdict.outcome == pb.OUTCOME_DENY
    assert recorded(shared_sidecar, verdict)["trace_id"] == TRACE


@pytest.mark.parametrize(
    "metadata",
    [
        (),
        (("traceparent", "nonsense"),),
        (("traceparent", TRACEPARENT.upper()),),
        (("traceparent", f"00-{'0' * 32}-{PARENT}-01"),),
        (("traceparent", f"{TRACEPARENT},{TRACEPARENT}"),),
        (("traceparent", "x" * 4000),),
        (("traceparent-bin", b"\xff\x00"),),
        (("tracestate", "a=1"),),
    ],
)
def test_without_a_good_traceparent_nothing_is_recorded_and_nothing_else_changes(shared_sidecar, metadata):
    """A malformed one is no error and no denial."""
    verdict = judge(shared_sidecar, *metadata)
    assert verdict.allowed
    assert recorded(shared_sidecar, verdict) == {}


@pytest.mark.parametrize("state", ["a=1,b=2", "=", "a=1" * 1000, ""])
def test_what_a_tracestate_says_costs_nothing(shared_sidecar, state):
    """The traceparent counts beside any tracestate."""
    verdict = judge(shared_sidecar, ("traceparent", TRACEPARENT), ("tracestate", state))
    assert verdict.allowed
    assert recorded(shared_sidecar, verdict)["trace_id"] == TRACE


def test_a_retry_from_another_trace_is_the_same_call(shared_sidecar):
    """The trace context is no part of what the call is; the record keeps the first one."""
    call_id = f"c-{uuid.uuid4().hex}"
    first = judge(shared_sidecar, ("traceparent", TRACEPARENT), call_id=call_id)
    before = recorded(shared_sidecar, first)
    for metadata in [(("traceparent", f"00-{'1' * 32}-{'2' * 16}-00"),), ()]:
        again = judge(shared_sidecar, *metadata, call_id=call_id)
        assert again.replayed
        again.replayed = False
        assert again == first
    assert recorded(shared_sidecar, first) == before


def test_an_approval_serves_its_call_from_another_trace(shared_sidecar):
    """What a person approved is the call, wherever its retry comes from; the view says nothing of it."""
    asking = {"tool": "bash", "arguments": {"command": "git push"}, "call_id": f"c-{uuid.uuid4().hex}"}
    asked = judge(shared_sidecar, ("traceparent", TRACEPARENT), **asking)
    assert asked.outcome == pb.OUTCOME_ASK
    assert TRACE not in shared_sidecar.approval(asked.approval_id).view_json
    assert shared_sidecar.approve(asked.approval_id).accepted
    assert judge(shared_sidecar, ("traceparent", f"00-{'1' * 32}-{'2' * 16}-01"), **asking).allowed
