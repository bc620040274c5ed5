"""`adjudicator traces --follow`: what a person and a script are shown of records as they come."""

import json

import pytest
from adjudicator.api.v1.approval_service_pb2 import Heartbeat, Resync
from adjudicator.api.v1.trace_service_pb2 import (
    AppendedRecord,
    Element,
    ElementKind,
    WatchTracesResponse,
)
from adjudicator.api.v1.types_pb2 import Outcome, Step
from scripted import refusal

NO_TOKEN = refusal("UNAUTHENTICATED", "UNAUTHENTICATED", "no token")
ALIVE = WatchTracesResponse(cursor="0", heartbeat=Heartbeat())


def record(number, *elements, cursor="", **fields):
    """An event with a record of that trace."""
    bodies = [
        Element(kind=kind, body_json=body if isinstance(body, str) else json.dumps(body))
        for kind, body in elements
    ]
    defaults = {"tenant": "acme", "agent": "coder", "tool": "bash"}
    appended = AppendedRecord(trace_number=number, elements=bodies, **(defaults | fields))
    return WatchTracesResponse(cursor=cursor or str(number), record=appended)


def followed(run, script, *events, words=()):
    """What is printed of these events."""
    script.answers["WatchTraces"] = lambda _: iter([*events, NO_TOKEN])
    return run("traces", "--follow", *words)


def lines(result):
    """The lines for a person, without the time."""
    return [line.split(maxsplit=1)[1] for line in result.stdout.splitlines()]


def test_each_record_is_a_line_that_says_what_happened(run, script):
    """A verdict, a vote, an outcome, a flow; a sign of life is none."""
    kinds = ElementKind
    denied = {"outcome": "DENY", "step": 7, "cause": "RULE_DENY", "reason": "no"}
    voted = {"event": "voted", "actor": "user:ann", "decision": "approve", "reason": "ticket 7"}
    result = followed(
        run,
        script,
        ALIVE,
        record(
            1, (kinds.ELEMENT_KIND_PROPOSED_ACTION, {"arguments": {}}), (kinds.ELEMENT_KIND_VERDICT, denied)
        ),
        record(2, (kinds.ELEMENT_KIND_APPROVAL, voted)),
        record(
            3,
            (kinds.ELEMENT_KIND_TOOL_CALL, {"status": "succeeded"}),
            (kinds.ELEMENT_KIND_RESULT, {"output": {}}),
            (kinds.ELEMENT_KIND_FINAL_OUTPUT, {"executed": True, "text": "execution succeeded"}),
            finished=True,
        ),
        record(4, (kinds.ELEMENT_KIND_INPUT_CONTEXT, {"flow_id": "f"}), flow_id="f", tool=""),
        record(
            4,
            (kinds.ELEMENT_KIND_TOOL_CALL, {"trace": 5, "outcome": "ALLOW", "cause": "DEFAULT"}),
            flow_id="f",
            tool="",
        ),
    )
    assert [" ".join(line.split()) for line in lines(result)] == [
        "#1 DENY acme coder bash S7 RULE_DENY: no",
        "#2 - acme coder bash approval voted by user:ann: approve (ticket 7)",
        "#3 DONE acme coder bash the tool succeeded; execution succeeded",
        "#4 FLOW acme coder f opened",
        "#4 FLOW acme coder f call #5 ALLOW DEFAULT",
    ]


@pytest.mark.parametrize("kind", [kind for kind in ElementKind.values() if kind])
def test_what_callers_wrote_acts_on_no_terminal(run, script, kind):
    """Wherever it stands: every control and bidirectional character is written out."""
    evil = "\x1b]0;owned\x07\u202e\n"
    names = [
        "outcome",
        "step",
        "cause",
        "reason",
        "event",
        "actor",
        "decision",
        "status",
        "text",
        "description",
        "flow_id",
        "trace",
    ]
    result = followed(
        run,
        script,
        record(1, (kind, dict.fromkeys(names, evil)), tenant=evil, agent=evil, tool=evil, flow_id=evil),
        record(2, (kind, "no json \x1b"), (kind, "[]"), (99, "{}")),
    )
    assert not set(result.stdout) & set("\x1b\x07\u202e")
    assert len(result.stdout.splitlines()) == 2


def test_a_break_and_a_gap_are_said_and_it_goes_on_by_its_cursor(run, script):
    """What was shown is not asked for again."""
    streams = iter(
        [[ALIVE, record(1)], [WatchTracesResponse(cursor="9", resync=Resync(reason="archived")), NO_TOKEN]]
    )
    script.answers["WatchTraces"] = lambda _: iter(next(streams))
    result = run("traces", "--follow", "--outcome", "deny", "--step", "S7", "--flow", "3")
    assert result.exit_code == 1
    assert "stream closed" in result.stdout
    assert "stream is back" in result.stdout
    assert "archived; what follows is from now on" in result.stdout
    assert [each.cursor for each in script.requests] == ["", "1"]
    wanted = script.requests[1].filter
    assert (wanted.outcome, wanted.step, wanted.flow_trace) == (Outcome.OUTCOME_DENY, Step.STEP_GATE, 3)


def test_json_is_one_event_on_each_line(run, script):
    """With the cursor, from which another run goes on."""
    result = followed(run, script, ALIVE, record(7), words=("--json", "--cursor", "c"))
    printed = [json.loads(line) for line in result.stdout.splitlines()]
    assert [each["cursor"] for each in printed] == ["0", "7"]
    assert printed[1]["record"]["trace_number"] == "7"
    assert script.requests[0].cursor == "c"


@pytest.mark.parametrize(
    "words", [("--cursor", "c"), ("--follow", "--since", "2h"), ("--follow", "--until", "2h")]
)
def test_what_makes_no_sense_is_a_wrong_command_line(run, script, words):
    """A cursor without a watch, a watch of the past."""
    assert run("traces", *words).exit_code == 2
    assert script.requests == []
