"""`adjudicator flow` and `call --flow`."""

import json

import pytest
from adjudicator.api.v1.adjudication_service_pb2 import (
    AdjudicateResponse,
    CloseFlowResponse,
    FlowStatus,
    OpenFlowResponse,
)
from adjudicator.api.v1.trace_service_pb2 import GetTraceResponse, ListTracesResponse, Trace, TraceKind
from scripted import refusal

WHO = ("--tenant", "acme", "--agent", "coder")


def test_a_flow_is_opened_as_it_is_said(run, script):
    """Every flag arrives in its field; the number and the id to close it with are printed."""
    script.answers["OpenFlow"] = OpenFlowResponse(trace_number=12)
    words = ("--session", "s", "--flow-id", "f", "--principal", "user:ann", "--description", "d")
    result = run("flow", "open", *WHO, *words, "--input", '{"a":  1}')
    assert result.stdout == "Flow 12 is open; close it with --flow-id f\n"
    request = script.requests[0]
    assert (request.tenant, request.agent, request.session, request.flow_id) == ("acme", "coder", "s", "f")
    assert (request.principal, request.description, request.input_json) == ("user:ann", "d", '{"a":  1}')


def test_a_flow_without_an_id_gets_a_new_one(run, script):
    """It is printed, since without it nobody closes the flow."""
    script.answers["OpenFlow"] = OpenFlowResponse(trace_number=12)
    made = {json.loads(run("flow", "open", *WHO, "--json").stdout)["flow_id"] for _ in range(2)}
    assert made == {each.flow_id for each in script.requests}
    assert len(made) == 2


def test_a_flow_is_closed_as_it_is_said(run, script):
    """How it ended has to be said."""
    script.answers["CloseFlow"] = CloseFlowResponse(trace_number=12)
    words = ("flow", "close", "12", *WHO, "--flow-id", "f", "--final-output", "gave up")
    assert run(*words).exit_code == 2
    assert run(*words, "--status", "cancelled").stdout == "Flow 12 is closed.\n"
    request = script.requests[0]
    assert (request.trace_number, request.status) == (12, FlowStatus.FLOW_STATUS_CANCELLED)
    assert (request.flow_id, request.final_output) == ("f", "gave up")


def test_a_flow_of_somebody_else_is_an_error(run, script):
    """The sidecar's words are printed."""
    script.answers["CloseFlow"] = refusal("NOT_FOUND", "NOT_FOUND", "there is no flow 12 of this tenant")
    result = run("flow", "close", "12", *WHO, "--flow-id", "f", "--status", "failed")
    assert result.exit_code == 1
    assert "there is no flow 12" in result.stderr


def test_a_call_names_its_flow(run, script):
    """By the flag, by a number in JSON, or by the string that --json prints of one."""
    script.answers["Adjudicate"] = AdjudicateResponse()
    run("call", "--flow", "7", *WHO, "--tool", "ls", "--arguments", "{}")
    for number in ("7", '"7"'):
        run("call", *WHO, f'{{"tool":"ls","arguments":{{}},"flow":{number}}}')
    assert [each.call.flow_trace for each in script.requests] == [7, 7, 7]


@pytest.mark.parametrize("number", ["0", "-1", "1.5", '"x"', "true", str(2**64), "1" + "0" * 30])
def test_a_flow_is_named_by_a_number(run, script, number):
    """Anything else is sent nowhere."""
    result = run("call", *WHO, f'{{"tool":"ls","arguments":{{}},"flow":{number}}}')
    assert result.exit_code == 1
    assert "flow" in result.stderr
    assert script.requests == []


def test_a_flow_is_shown_as_one(run, script):
    """It has no verdict, and whatever its id holds prints on one line."""
    flow = Trace(number=7, tenant="acme", agent="coder", flow_id="f\x1b[2J", kind=TraceKind.TRACE_KIND_FLOW)
    script.answers["ListTraces"] = ListTracesResponse(traces=[flow])
    script.answers["GetTrace"] = GetTraceResponse(trace=flow)
    row = run("traces").stdout.splitlines()[1].split()
    assert row[3:] == ["FLOW", "-", "acme", "coder", "-", "-", "f\\x1b[2J,", "open"]
    shown = run("trace", "7").stdout
    assert "FLOW  trace 7: f\\x1b[2J, open" in shown
    assert "adjudicator traces --flow 7" in shown
