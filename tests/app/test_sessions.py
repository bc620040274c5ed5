"""Withdrawing calls and closing sessions over gRPC."""

import json

import grpc
import pytest
from adjudicator.api.v1 import adjudication_service_pb2 as pb
from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from adjudicator.api.v1 import trace_service_pb2 as trace_pb
from adjudicator.api.v1 import types_pb2
from running import Running, error_of, until

ASK = {"tool": "bash", "arguments": {"command": "make release"}}
WHO = {"tenant": "studio", "agent": "coder", "session": "s1"}


def withdraw(sidecar, call_id, **fields):
    """Withdraw a call of the coder."""
    request = pb.WithdrawCallRequest(**(WHO | {"call_id": call_id} | fields))
    return sidecar.adjudication.WithdrawCall(request, timeout=10)


def close(sidecar, **fields):
    """Close the session."""
    return sidecar.adjudication.CloseSession(pb.CloseSessionRequest(**(WHO | fields)), timeout=30)


def state_of(sidecar, verdict):
    """The state of the approval that the verdict asked for."""
    return approval_pb.ApprovalState.Name(sidecar.approval(verdict.approval_id).state).rpartition("_")[2]


def test_a_withdrawn_call_is_denied_and_the_next_one_is_not_touched(sidecar):
    """Also when the withdrawal comes late, and when somebody is held for the call."""
    first = sidecar.judge(**ASK, call_id="p1")
    held = sidecar.judge_later(**ASK, call_id="p1", wait=30)
    second = sidecar.judge(**ASK, call_id="p2")
    response = withdraw(sidecar, "p1", reason="escape")
    assert response.withdrawn
    assert response.verdict.cause == types_pb2.CAUSE_CALL_WITHDRAWN
    assert response.verdict.outcome == types_pb2.OUTCOME_DENY
    assert held.result(10).verdict.cause == types_pb2.CAUSE_CALL_WITHDRAWN
    assert not withdraw(sidecar, "p1").withdrawn
    assert (state_of(sidecar, first), state_of(sidecar, second)) == ("CANCELLED", "PENDING")
    assert not sidecar.approve(first.approval_id).accepted
    unknown = []
    for call_id, fields in (("p9", {}), ("p2", {"agent": "critic"}), ("p2", {"session": "s2"})):
        with pytest.raises(grpc.RpcError) as caught:
            withdraw(sidecar, call_id, **fields)
        unknown.append((caught.value.code(), error_of(caught), caught.value.details().replace("p9", "p2")))
    assert unknown == [unknown[0]] * 3
    assert unknown[0][:2] == (grpc.StatusCode.NOT_FOUND, ("NOT_FOUND", []))
    assert sidecar.approve(second.approval_id).accepted
    assert sidecar.judge(**ASK, call_id="p2").allowed


def test_a_closed_session_lets_nothing_of_it_stand(sidecar):
    """What is pending, held and approved in it ends; its trace says who closed it, and others go on."""
    asked = [sidecar.judge(**ASK, call_id=f"c{number}") for number in range(20)]
    sidecar.approve(asked[0].approval_id)
    other = sidecar.judge(**ASK, call_id="c0", session="s2")
    held = sidecar.judge_later(**ASK, call_id="c1", wait=30)
    closed = close(sidecar, reason="over")
    assert (closed.approvals_cancelled, closed.grants_cleared, closed.questions_cancelled) == (20, 0, 0)
    assert {state_of(sidecar, each) for each in asked} == {"CANCELLED"}
    assert state_of(sidecar, other) == "PENDING"
    verdict = held.result(10).verdict
    assert (verdict.outcome, verdict.cause) == (types_pb2.OUTCOME_DENY, types_pb2.CAUSE_SESSION_CLOSED)
    again = close(sidecar)
    assert (again.approvals_cancelled, again.trace_number) == (0, closed.trace_number)
    trace = sidecar.trace(closed.trace_number)
    assert (trace.kind, trace.session) == (trace_pb.TRACE_KIND_SESSION, "s1")
    assert json.loads(trace.elements[0].body_json) == WHO | {"reason": "over"}
    with pytest.raises(grpc.RpcError) as caught:
        sidecar.adjudication.OpenFlow(pb.OpenFlowRequest(**WHO, flow_id="f1"))
    assert error_of(caught) == ("SESSION_CLOSED", ["session"])
    with pytest.raises(grpc.RpcError) as caught:
        close(sidecar, session="")
    assert error_of(caught) == ("MALFORMED_REQUEST", ["session"])


def test_a_closed_session_stays_closed_after_kill_9(tmp_path):
    """And what a kill left standing in it is ended at the next start."""
    sidecar = Running(tmp_path / "data").start()
    asked = [sidecar.judge(**ASK, call_id=f"c{number}") for number in range(180)]
    closing = sidecar.adjudication.CloseSession.future(pb.CloseSessionRequest(**WHO))
    until(lambda: any(each.kind == trace_pb.TRACE_KIND_SESSION for each in newest(sidecar)))
    sidecar.kill()
    closing.cancel()
    sidecar.start()
    until(lambda: not sidecar.pending())
    assert {state_of(sidecar, each) for each in asked} == {"CANCELLED"}
    with pytest.raises(grpc.RpcError) as caught:
        sidecar.adjudication.OpenFlow(pb.OpenFlowRequest(**WHO, flow_id="f1"))
    assert error_of(caught)[0] == "SESSION_CLOSED"
    sidecar.stop()


def newest(sidecar):
    """The newest traces."""
    request = trace_pb.ListTracesRequest(page_size=5)
    return sidecar.traces.ListTraces(request, metadata=sidecar.token()).traces
