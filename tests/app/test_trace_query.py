"""Lists of traces over gRPC: filters, bounds, and what is refused."""

import uuid

import grpc
import pytest
from adjudicator.api.v1 import trace_service_pb2 as pb
from adjudicator.api.v1 import types_pb2
from google.protobuf.timestamp_pb2 import Timestamp
from running import error_of

READ = {"tool": "read", "arguments": {"path": "a"}, "working_directory": "/w"}
ASK = {"tool": "bash", "arguments": {"command": "ls"}}


def listed(sidecar, **fields):
    """The numbers of the traces on the first page."""
    page = sidecar.traces.ListTraces(pb.ListTracesRequest(**fields), metadata=sidecar.token())
    return [each.number for each in page.traces]


def test_a_call_is_found_by_everything_that_is_known_of_it(shared_sidecar):
    """Step, reason code, cause, approval and time, each alone and all together."""
    session = f"s-{uuid.uuid4().hex}"
    read = shared_sidecar.judge(**READ, session=session)
    asked = shared_sidecar.judge(**ASK, session=session)
    trace = shared_sidecar.trace(asked.trace_number)
    after = Timestamp(seconds=trace.opened_at.seconds + 1)
    wanted = {
        "step": asked.step,
        "reason_code": asked.reason_code,
        "cause": asked.cause,
        "outcome": types_pb2.OUTCOME_ASK,
        "approval_id": asked.approval_id,
        "since": trace.opened_at,
        "until": after,
    }
    assert listed(shared_sidecar, session=session) == [asked.trace_number, read.trace_number]
    for name, value in wanted.items():
        assert asked.trace_number in listed(shared_sidecar, session=session, **{name: value})
    assert listed(shared_sidecar, session=session, **wanted) == [asked.trace_number]
    assert listed(shared_sidecar, session=session, since=after) == []


@pytest.mark.parametrize("name", ["outcome", "step", "reason_code", "cause"])
def test_a_number_that_is_no_value_is_refused(shared_sidecar, name):
    """A filter that is not understood selects nothing by accident."""
    with pytest.raises(grpc.RpcError) as caught:
        listed(shared_sidecar, **{name: 999})
    assert error_of(caught) == ("MALFORMED_REQUEST", [name])
    assert "999" in caught.value.details()


def test_a_time_that_cannot_be_is_refused(shared_sidecar):
    """The wrong way round, or no moment at all; a flow that cannot be is not found."""
    for fields, names in (
        ({"since": Timestamp(seconds=2), "until": Timestamp(seconds=1)}, ["since"]),
        ({"since": Timestamp(seconds=10**15)}, ["since"]),
        ({"until": Timestamp(seconds=-(10**15))}, ["until"]),
    ):
        with pytest.raises(grpc.RpcError) as caught:
            listed(shared_sidecar, **fields)
        assert error_of(caught) == ("MALFORMED_REQUEST", names)
    with pytest.raises(grpc.RpcError) as caught:
        listed(shared_sidecar, flow_trace=2**64 - 1)
    assert error_of(caught)[0] == "NOT_FOUND"
    assert listed(shared_sidecar, flow_trace=2**62) == []


def test_a_filter_has_the_same_fields_wherever_it_is():
    """A list says them itself; what came later says them in a message of their own."""
    of_lists = {
        each.name: each.message_type or each.type for each in pb.ListTracesRequest.DESCRIPTOR.fields
    }
    filters = {each.name: each.message_type or each.type for each in pb.TraceFilter.DESCRIPTOR.fields}
    assert of_lists.keys() - filters.keys() == {"page_size", "page_token"}
    assert filters.items() <= of_lists.items()


def test_a_session_is_summed_up(shared_sidecar):
    """Over gRPC: counts, the rule that denied, the time a person took, and a bucket that holds them."""
    session = f"s-{uuid.uuid4().hex}"
    shared_sidecar.judge(**READ, session=session)
    asked = shared_sidecar.judge(**ASK, session=session)
    shared_sidecar.deny(asked.approval_id)
    request = pb.SummarizeTracesRequest(filter=pb.TraceFilter(session=session))
    found = shared_sidecar.traces.SummarizeTraces(request, metadata=shared_sidecar.token())
    assert found.calls == 2
    assert {each.name: each.count for each in found.outcomes} == {"ALLOW": 1, "DENY": 1}
    assert "APPROVAL_DENIED" in {each.name for each in found.causes}
    assert [each.name for each in found.denied_tools] == ["bash"]
    assert found.approvals[0].HasField("median")
    assert sum(each.count for bucket in found.buckets for each in bucket.outcomes) == 2


@pytest.mark.parametrize("seconds", [-1, 366 * 24 * 3600 + 1])
def test_a_bucket_that_cannot_be_is_refused(shared_sidecar, seconds):
    """With the name of the field."""
    request = pb.SummarizeTracesRequest()
    request.bucket.seconds = seconds
    with pytest.raises(grpc.RpcError) as caught:
        shared_sidecar.traces.SummarizeTraces(request, metadata=shared_sidecar.token())
    assert error_of(caught) == ("MALFORMED_REQUEST", ["bucket"])
