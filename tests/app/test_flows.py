"""Flows over gRPC: what callers of one sidecar can and cannot do with them."""

import json
import threading
import uuid
from dataclasses import replace

import grpc
import pytest
from adjudicator.api.v1 import adjudication_service_pb2 as pb
from adjudicator.api.v1 import trace_service_pb2 as trace_pb
from adjudicator.api.v1 import types_pb2
from adjudicator.client.connection import MAX_RECEIVE_BYTES
from adjudicator.config.limits import FLOW_RECORDS
from adjudicator.domain.verdict import Cause
from adjudicator.tracing.flows import call_judged
from adjudicator.transport import convert
from records import NOW, VERDICT
from running import Running, error_of

READ = {"tool": "read", "arguments": {"path": "a"}, "working_directory": "/w"}
ASK = {"tool": "bash", "arguments": {"command": "ls"}}
FLOW = {"tenant": "studio", "agent": "coder", "session": "s1"}


def open_flow(sidecar, flow_id="f1", **fields):
    """Open a flow; the number of its trace."""
    request = pb.OpenFlowRequest(**(FLOW | {"flow_id": flow_id} | fields))
    return sidecar.adjudication.OpenFlow(request, timeout=10).trace_number


def close_flow(sidecar, number, flow_id="f1", **fields):
    """Close it as its opener."""
    opener = {"tenant": "studio", "agent": "coder", "status": pb.FLOW_STATUS_SUCCEEDED}
    request = pb.CloseFlowRequest(trace_number=number, flow_id=flow_id, **(opener | fields))
    return sidecar.adjudication.CloseFlow(request, timeout=10).trace_number


def report(sidecar, verdict):
    """Report that the call ran."""
    sidecar.adjudication.ReportOutcome(
        pb.ReportOutcomeRequest(
            trace_number=verdict.trace_number,
            tenant="studio",
            agent=verdict.agent,
            call_id=verdict.call_id,
            status=pb.EXECUTION_STATUS_SUCCEEDED,
            output_json='{"token": "hunter2"}',
        )
    )


def calls_of(trace):
    """What a flow's trace says of its calls."""
    bodies = [json.loads(each.body_json) for each in trace.elements]
    return [(each["trace"], each.get("outcome") or each["status"]) for each in bodies if "trace" in each]


def refused(request, *args, **fields):
    """The status, the reason and the words of an error."""
    with pytest.raises(grpc.RpcError) as caught:
        request(*args, **fields)
    return caught.value.code(), error_of(caught)[0], caught.value.details()


def test_a_flow_from_its_opening_to_its_end(sidecar):
    """Two agents call in it, a person approves in it, and its trace has it all, and no more."""
    flow = open_flow(sidecar, description="release 1.2", input_json='{"ticket": 7}', principal="user:ann")
    assert (
        open_flow(sidecar, description="release 1.2", input_json=' {"ticket":7}', principal="user:ann")
        == flow
    )
    read = sidecar.judge(**READ, call_id="c1", flow_trace=flow)
    report(sidecar, read)
    asked = sidecar.judge(**ASK, call_id="c2", flow_trace=flow)
    sidecar.approve(asked.approval_id)
    assert sidecar.judge(**ASK, call_id="c2", flow_trace=flow).allowed
    denied = sidecar.judge(**(ASK | {"agent": "critic"}), call_id="c3", flow_trace=flow)
    assert close_flow(sidecar, flow, final_output="released") == flow
    trace = sidecar.trace(flow)
    assert trace.HasField("finished_at")
    assert not trace.HasField("verdict")
    assert (trace.kind, trace.flow_id, trace.tool) == (trace_pb.TRACE_KIND_FLOW, "f1", "")
    assert calls_of(trace) == [
        (read.trace_number, "ALLOW"),
        (read.trace_number, "succeeded"),
        (asked.trace_number, "ASK"),
        (asked.trace_number, "ALLOW"),
        (denied.trace_number, types_pb2.Outcome.Name(denied.outcome).removeprefix("OUTCOME_")),
    ]
    assert "hunter2" not in str(trace)
    assert json.loads(trace.elements[0].body_json)["input"] == {"ticket": 7}
    assert json.loads(trace.elements[-1].body_json) == {"status": "succeeded", "text": "released"}
    call = sidecar.trace(read.trace_number)
    assert (call.kind, call.flow_trace) == (trace_pb.TRACE_KIND_CALL, flow)
    report(sidecar, sidecar.judge(**READ, call_id="c9"))  # outside of it all goes on


def test_what_a_hostile_agent_does_to_the_flow_of_another(sidecar):
    """Closing, calling and reopening it fail in the words for a flow that there is not."""
    flow = open_flow(sidecar)
    unknown = refused(close_flow, sidecar, 999)
    for fields in ({"agent": "critic"}, {"tenant": "archive"}, {"flow_id": "f2"}, {"agent": ""}):
        code, reason, words = refused(close_flow, sidecar, flow, **fields)
        assert (code, reason, words.replace(str(flow), "999")) == unknown
    unknown = refused(sidecar.judge, **READ, flow_trace=999)
    assert unknown[:2] == (grpc.StatusCode.NOT_FOUND, "NOT_FOUND")
    for fields in ({"session": "s2"}, {"tenant": "archive", "agent": "librarian"}, {"tenant": ""}):
        for dry_run in (False, True):
            code, reason, words = refused(
                sidecar.judge, **(READ | fields), flow_trace=flow, dry_run=dry_run
            )
            assert (code, reason, words.replace(str(flow), "999")) == unknown
    assert refused(sidecar.judge, **READ, flow_trace=2**64 - 1)[1] == "NOT_FOUND"
    assert refused(close_flow, sidecar, 2**64 - 1)[1] == "NOT_FOUND"
    assert refused(open_flow, sidecar, agent="critic")[1] == "FLOW_ID_REUSED"
    assert refused(close_flow, sidecar, flow, status=pb.FLOW_STATUS_UNSPECIFIED)[1] == "MALFORMED_REQUEST"
    assert refused(close_flow, sidecar, flow, status=99)[1] == "MALFORMED_REQUEST"
    assert len(sidecar.trace(flow).elements) == 1


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"description": "x" * 5000}, "description"),
        ({"input_json": "{"}, "input_json"),
        ({"input_json": '{"a":1,"a":2}'}, "input_json"),
        ({"input_json": '"' + "x" * 70_000 + '"'}, "input_json"),
        ({"flow_id": ""}, "flow_id"),
    ],
)
def test_a_flow_that_is_out_of_bounds_is_refused(shared_sidecar, fields, field):
    """With the name of the field."""
    with pytest.raises(grpc.RpcError) as caught:
        open_flow(shared_sidecar, **fields)
    assert error_of(caught) == ("MALFORMED_REQUEST", [field])


def test_callers_that_race_the_close_are_answered_before_it_or_not_at_all(sidecar):
    """Whatever was answered is in the flow, and the flow's last word is its end."""
    for round_number in range(3):
        flow_id = f"f{round_number}"
        flow = open_flow(sidecar, flow_id)
        answered, errors, begin = [], [], threading.Barrier(5)

        def load(flow=flow, answered=answered, errors=errors, begin=begin):
            begin.wait()
            for _ in range(200):
                try:
                    answered.append(sidecar.judge(**READ, call_id=f"c-{uuid.uuid4().hex}", flow_trace=flow))
                except grpc.RpcError as error:
                    errors.append(error.code())
                    return

        callers = [threading.Thread(target=load) for _ in range(4)]
        for each in callers:
            each.start()
        begin.wait()
        while len(answered) < 20:
            pass
        close_flow(sidecar, flow, flow_id)
        for each in callers:
            each.join()
        assert errors == [grpc.StatusCode.FAILED_PRECONDITION] * 4
        trace = sidecar.trace(flow)
        named = [number for number, _ in calls_of(trace)]
        assert sorted(named) == sorted(each.trace_number for each in answered)
        assert trace.elements[-1].kind == trace_pb.ELEMENT_KIND_FINAL_OUTPUT


def test_a_flow_goes_on_after_kill_9(tmp_path):
    """It is open, has every call that was answered, and is closed by its opener."""
    sidecar = Running(tmp_path / "data").start()
    flow = open_flow(sidecar)
    numbers = [sidecar.judge(**READ, call_id=f"c{n}", flow_trace=flow).trace_number for n in range(5)]
    sidecar.kill()
    sidecar.start()
    assert open_flow(sidecar) == flow
    assert sidecar.judge(**READ, call_id="c0", flow_trace=flow).replayed
    numbers.append(sidecar.judge(**READ, call_id="c9", flow_trace=flow).trace_number)
    assert [number for number, _ in calls_of(sidecar.trace(flow))] == numbers
    close_flow(sidecar, flow)
    sidecar.kill()
    sidecar.start()
    assert refused(sidecar.judge, **READ, call_id="c0", flow_trace=flow)[1] == "TRACE_FROZEN"
    assert refused(close_flow, sidecar, flow)[1] == "TRACE_FROZEN"
    assert refused(open_flow, sidecar)[1] == "TRACE_FROZEN"
    sidecar.stop()


def test_the_trace_of_the_fullest_flow_fits_into_a_message():
    """With names as long as they may be, and every call asked about, allowed, withdrawn and reported."""
    name = "x" * 128
    verdict = replace(
        VERDICT,
        call_id=name,
        agent=name,
        tool=name,
        approval_id=f"apr-{'0' * 32}",
        cause=Cause.OPAQUE_PROGRAM_NAME,
    )
    told = call_judged(verdict, NOW)
    body = {"trace": 10**9, **told.body}
    message = convert.element(replace(told, body=body, sequence=10**5))
    assert 4 * FLOW_RECORDS * (message.ByteSize() + 8) < MAX_RECEIVE_BYTES
