"""`adjudicator traces`, `trace`, `chain`, `outcome`: what was decided and what became of it."""

import json
import time

import pytest
from adjudicator.api.v1.adjudication_service_pb2 import (
    ChainCheck,
    ChainStep,
    ExecutionStatus,
    ExplainChainResponse,
    ReportOutcomeResponse,
)
from adjudicator.api.v1.trace_service_pb2 import (
    Element,
    ElementKind,
    GetTraceResponse,
    ListTracesResponse,
    Trace,
)
from adjudicator.api.v1.types_pb2 import Cause, Outcome, ReasonCode, Step, Verdict, Violation
from scripted import refusal

VERDICT = Verdict(
    outcome=Outcome.OUTCOME_DENY,
    step=Step.STEP_SCOPE,
    cause=Cause.CAUSE_AGENT_READ_ONLY,
    reason="It never writes.",
)


def trace(number: int, **fields) -> Trace:
    """A trace of a denied call."""
    return Trace(number=number, tenant="acme", agent="critic", tool="write", verdict=VERDICT, **fields)


def test_traces_are_listed_with_outcome_step_and_reason(run, script):
    """One row for each, and the filters go along."""
    script.answers["ListTraces"] = ListTracesResponse(traces=[trace(9), trace(8)])
    words = (
        "--tenant",
        "acme",
        "--session",
        "s",
        "--agent",
        "critic",
        "--tool",
        "write",
        "--outcome",
        "deny",
    )
    rows = [line.split() for line in run("traces", *words).stdout.splitlines()]
    assert [row[0] for row in rows] == ["TRACE", "9", "8"]
    assert rows[1][3:] == [
        "DENY",
        "S6",
        "scope",
        "acme",
        "critic",
        "write",
        "AGENT_READ_ONLY",
        "It",
        "never",
        "writes.",
    ]
    request = script.requests[0]
    assert (request.tenant, request.session, request.agent, request.tool) == (
        "acme",
        "s",
        "critic",
        "write",
    )
    assert request.outcome == Outcome.OUTCOME_DENY


def test_a_limit_spans_pages_and_asks_for_no_more(run, script):
    """Exactly so many, however they are paged."""
    script.answers["ListTraces"] = lambda request: ListTracesResponse(
        traces=[trace(int(request.page_token or 9) - place) for place in range(2)],
        next_page_token=str(int(request.page_token or 9) - 2),
    )
    lines = run("traces", "--limit", "3", "--json").stdout.splitlines()
    assert [json.loads(line)["number"] for line in lines] == ["9", "8", "7"]
    assert len(script.requests) == 2


def test_no_trace_is_said(run, script):
    """An empty list is an answer."""
    script.answers["ListTraces"] = ListTracesResponse()
    assert run("traces").stdout == "No trace matches.\n"


def test_a_trace_shows_seven_elements_and_which_are_absent(run, script):
    """In their order, each body unchanged, several of one kind one after the other."""
    kinds = [ElementKind.ELEMENT_KIND_PROPOSED_ACTION] + [ElementKind.ELEMENT_KIND_APPROVAL] * 2
    bodies = ['{"n":12345678901234567890}', '{"state":"pending"}', '{"state":"denied"}']
    elements = [
        Element(sequence=place, kind=kind, body_json=body)
        for place, (kind, body) in enumerate(zip(kinds, bodies, strict=True), start=1)
    ]
    script.answers["GetTrace"] = GetTraceResponse(trace=trace(12, elements=elements))
    output = run("trace", "12").stdout
    titles = [line for line in output.splitlines() if line[:1].isdigit()]
    assert [title.split("  ")[0] for title in titles] == [
        "1. input context",
        "2. proposed action",
        "3. verdict",
        "4. tool call",
        "5. approval",
        "5. approval",
        "6. result",
        "7. final output",
    ]
    assert [title.split("  ")[0][0] for title in titles if title.endswith("absent")] == list("13467")
    assert '"n": 12345678901234567890' in output
    assert script.requests[0].number == 12


def test_an_unknown_trace_is_an_error(run, script):
    """It is named and the exit code is 1."""
    script.answers["GetTrace"] = refusal("NOT_FOUND", "NOT_FOUND", "there is no trace 99")
    result = run("trace", "99")
    assert result.exit_code == 1
    assert "there is no trace 99" in result.stderr


def test_the_number_of_a_trace_is_one(run, script):
    """What the wire cannot carry is a wrong command line."""
    for number in ("0", "-1", "x", str(2**64)):
        assert run("trace", number).exit_code == 2
    assert script.requests == []


def test_the_chain_is_printed_in_its_order(run, script):
    """Step, check, codes and what it requires; a second check leaves the step out."""
    checks = [
        ChainCheck(name="rule_chain", description="rules", denies_with=[ReasonCode.REASON_CODE_FORBIDDEN]),
        ChainCheck(name="approval_gate", description="approved", denies_with=[5, 7]),
    ]
    script.answers["ExplainChain"] = ExplainChainResponse(
        steps=[ChainStep(step=Step.STEP_GATE, checks=checks)]
    )
    lines = [line.split() for line in run("chain").stdout.splitlines()]
    assert lines[1] == ["S7", "gate", "rule_chain", "FORBIDDEN", "rules"]
    assert lines[2] == ["approval_gate", "STATE_ILLEGAL,", "EVALUATION_ERROR", "approved"]
    data = json.loads(run("chain", "--json").stdout)
    assert data["checks"][1]["denies_with"] == ["STATE_ILLEGAL", "EVALUATION_ERROR"]


def test_an_outcome_is_reported_as_it_is_said(run, script):
    """Every flag arrives in its field."""
    script.answers["ReportOutcome"] = ReportOutcomeResponse(trace_number=12, output_valid=True)
    words = (
        "--tenant acme --agent coder --call-id c --status failed --error-class TimeoutError --duration 1.5"
    )
    result = run("outcome", "12", *words.split(), "--output", '{"a":  1}', "--final-output", "gave up")
    assert result.stdout == "Trace 12 is finished.\n"
    report = script.requests[0]
    assert (report.trace_number, report.tenant, report.agent, report.call_id) == (12, "acme", "coder", "c")
    assert report.status == ExecutionStatus.EXECUTION_STATUS_FAILED
    assert (report.error_class, report.output_json) == ("TimeoutError", '{"a":  1}')
    assert (report.duration.ToMilliseconds(), report.final_output) == (1500, "gave up")


def test_an_outcome_without_a_duration_says_none(run, script):
    """Not said is not zero."""
    script.answers["ReportOutcome"] = ReportOutcomeResponse(trace_number=12)
    run(
        "outcome",
        "12",
        *["--tenant", "acme", "--agent", "coder", "--call-id", "c", "--status", "not_executed", "--json"],
    )
    assert not script.requests[0].HasField("duration")


def test_an_output_that_violates_its_contract_is_told(run, script):
    """The outcome is on record, so that the command has done what it was for."""
    violation = Violation(path="/lines", keyword="type", message="'x' is not of type \"integer\"")
    words = ["--tenant", "acme", "--agent", "coder", "--call-id", "c", "--status", "succeeded"]
    script.answers["ReportOutcome"] = ReportOutcomeResponse(trace_number=12, violations=[violation])
    result = run("outcome", "12", *words, "--output", "{}")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "Trace 12 is finished.",
        "The output violates the tool's contract, which is recorded with it:",
        "  violation   /lines: 'x' is not of type \"integer\"",
    ]
    script.answers["ReportOutcome"] = ReportOutcomeResponse(trace_number=12)
    assert "The output could not be checked" in run("outcome", "12", *words, "--output", "{}").stdout


def test_every_filter_arrives_in_its_field(run, script):
    """By the names that the sidecar prints, in any case; a step as people cite it."""
    script.answers["ListTraces"] = ListTracesResponse()
    words = "--step S7 --reason forbidden --cause RULE_DENY --approval apr-1 --flow 12"
    run("traces", *words.split(), "--since", "2026-01-01T00:00:00Z", "--until", "2026-01-01T01:00:00+01:00")
    request = script.requests[0]
    assert (request.step, request.reason_code) == (Step.STEP_GATE, ReasonCode.REASON_CODE_FORBIDDEN)
    assert (request.cause, request.approval_id) == (Cause.CAUSE_RULE_DENY, "apr-1")
    assert (request.flow_trace, request.since.seconds, request.until.seconds) == (
        12,
        1767225600,
        1767225600,
    )


def test_a_time_may_be_told_from_now(run, script):
    """Two hours ago is two hours ago."""
    script.answers["ListTraces"] = ListTracesResponse()
    for span in ("90s", "30m", "2h", "3d", "1w"):
        run("traces", "--since", span)
    seconds = [time.time() - each.since.seconds for each in script.requests]
    assert [round(each / 30) * 30 for each in seconds] == [90, 1800, 7200, 259200, 604800]


@pytest.mark.parametrize(
    "words",
    [
        ("--outcome", "maybe"),
        ("--step", "S9"),
        ("--step", "unspecified"),
        ("--cause", "RULE_DENIED"),
        ("--since", "yesterday"),
        ("--since", "999999999w"),
        ("--until", "\x1b[2J"),
        ("--flow", "0"),
    ],
)
def test_a_filter_that_is_none_is_a_wrong_command_line(run, script, words):
    """It is sent nowhere, and the terminal is told what would do."""
    result = run("traces", *words)
    assert result.exit_code == 2
    assert "\x1b" not in result.stderr
    assert script.requests == []
