"""`adjudicator call` with one call and with a file."""

import json
from pathlib import Path

import pytest
from adjudicator.api.v1.adjudication_service_pb2 import AdjudicateResponse
from adjudicator.api.v1.types_pb2 import Cause, Outcome, ReasonCode, RuleRef, Step, Verdict
from adjudicator.config.limits import Limits
from scripted import refusal

ALLOW, DENY, ASK = Outcome.OUTCOME_ALLOW, Outcome.OUTCOME_DENY, Outcome.OUTCOME_ASK
FLAGS = ("--tenant", "acme", "--agent", "coder")
APPROVAL_ID = "apr-" + "0123456789abcdef" * 2


def answer(outcome: Outcome = ALLOW, **fields) -> AdjudicateResponse:
    """A verdict of the rule chain."""
    return AdjudicateResponse(
        verdict=Verdict(
            outcome=outcome,
            allowed=outcome == ALLOW,
            step=Step.STEP_GATE,
            check="rule_chain",
            reason_code=ReasonCode.REASON_CODE_FORBIDDEN,
            cause=Cause.CAUSE_RULE_DENY,
            **fields,
        )
    )


@pytest.mark.parametrize(("outcome", "code"), [(ALLOW, 0), (DENY, 3), (ASK, 4), (0, 1), (99, 1)])
def test_the_exit_code_is_the_outcome(run, script, outcome, code):
    """A script can tell the outcomes apart, and an unknown one is never an allow."""
    script.answers["Adjudicate"] = answer(outcome)
    assert run("call", *FLAGS, "--tool", "ls", "--arguments", "{}").exit_code == code


def test_arguments_from_a_flag_are_sent_as_they_are_written(run, script):
    """No space, digit or duplicate is lost on the way."""
    script.answers["Adjudicate"] = answer()
    text = '{ "n":123456789012345678901234567890,  "n":1.10, "x":NaN }'
    run("call", *FLAGS, "--tool", "ls", "--arguments", text)
    assert script.requests[0].call.arguments_json == text


def test_a_call_may_come_as_json_or_on_standard_input(run, script):
    """Both are the same call, completed from the flags."""
    script.answers["Adjudicate"] = answer()
    call = '{"tool": "ls", "arguments": {"a":  1}, "agent": "critic"}'
    run("call", *FLAGS, "--wait", "1.5", "--dry-run", call)
    run("call", *FLAGS, "--wait", "1.5", "--dry-run", "-", input=call)
    first, second = script.requests
    assert first == second
    assert (first.call.tenant, first.call.agent, first.call.arguments_json) == (
        "acme",
        "critic",
        '{"a":  1}',
    )
    assert (first.wait.ToMilliseconds(), first.dry_run) == (1500, True)


def test_a_shorter_limit_for_the_approval_goes_along(run, script):
    """A runtime that will not wait long says so."""
    script.answers["Adjudicate"] = answer(ASK)
    run("call", *FLAGS, "--tool", "ls", "--arguments", "{}", "--approval-limit", "2.5")
    assert script.requests[0].approval_limit.ToMilliseconds() == 2500


def test_the_working_directory_is_the_current_one_unless_said(run, script):
    """Relative paths mean what they mean where the command runs."""
    script.answers["Adjudicate"] = answer()
    run("call", *FLAGS, "--tool", "ls", "--arguments", "{}")
    run("call", *FLAGS, "--tool", "ls", "--arguments", "{}", "--working-directory", "/w")
    assert [each.call.working_directory for each in script.requests] == [str(Path.cwd()), "/w"]


def test_blank_tenant_and_agent_are_sent_with_a_hint(run, script):
    """The sidecar is the one that denies; the hint is beside the answer."""
    script.answers["Adjudicate"] = answer(DENY)
    result = run("call", "--tool", "ls", "--arguments", "{}")
    assert result.exit_code == 3
    assert "ADJUDICATOR_TENANT" in result.stderr
    assert "ADJUDICATOR_AGENT" in result.stderr
    assert script.requests[0].call.tenant == ""


def test_json_is_the_verdict_with_short_names_in_a_fixed_order(run, script):
    """Every field is there under its name in the contract, also when it is empty."""
    script.answers["Adjudicate"] = answer(DENY, trace_number=7, rule=RuleRef(file="rules.csv", line=3))
    data = json.loads(run("call", *FLAGS, "--tool", "ls", "--arguments", "{}", "--json").stdout)
    assert list(data)[:4] == ["outcome", "allowed", "step", "check"]
    assert (data["outcome"], data["allowed"], data["step"]) == ("DENY", False, "GATE")
    assert (data["cause"], data["trace_number"]) == ("RULE_DENY", "7")
    assert data["rule"] == {"file": "rules.csv", "line": 3, "text": "", "reason": ""}
    assert data["violations"] == []


def test_what_an_agent_or_tool_wrote_cannot_act_on_the_terminal(run, script):
    """Escapes, line ends and reversed text of a verdict are written out."""
    script.answers["Adjudicate"] = answer(DENY, reason="x\x1b[2J\nALLOW \u202e", tool="\x1b]0;t\x07")
    output = run("call", *FLAGS, "--tool", "ls", "--arguments", "{}").output
    assert "\x1b" not in output
    assert "\u202e" not in output
    assert "x\\x1b[2J\\nALLOW \\u202e" in output


def test_an_ask_says_how_to_go_on(run, script):
    """The whole approval id is there to be copied."""
    script.answers["Adjudicate"] = answer(ASK, approval_id=APPROVAL_ID, call_id="call-1")
    output = run("call", *FLAGS, "--tool", "ls", "--arguments", "{}").stdout
    assert f"adjudicator approve {APPROVAL_ID}" in output
    assert "call-1" in output


def test_a_verdict_says_what_people_chose_and_that_nobody_can(run, script):
    """The option and the grant of an ALLOW; that an ASK waits for people who are not there."""
    flags = (*FLAGS, "--tool", "ls", "--arguments", "{}")
    script.answers["Adjudicate"] = answer(ALLOW, selected_option="on\nce", grant_id="grt-1")
    output = run("call", *flags).stdout
    assert "  option      on\\nce\n" in output
    assert "  grant       grt-1\n" in output
    assert "unattended" not in output
    script.answers["Adjudicate"] = answer(ASK, approval_id=APPROVAL_ID, unattended=True)
    output = run("call", *flags).stdout
    assert "  unattended  nobody with a token can approve it now: " in output
    assert "option" not in output
    assert "grant" not in output


def test_an_error_names_its_reason_and_fields(run, script):
    """The sidecar's reason and the malformed field reach the person; the exit code is 1."""
    script.answers["Adjudicate"] = refusal(
        "INVALID_ARGUMENT", "MALFORMED_REQUEST", "call.tenant: too long", {"call.tenant": "too long"}
    )
    result = run("call", *FLAGS, "--tool", "ls", "--arguments", "{}")
    assert result.exit_code == 1
    assert "MALFORMED_REQUEST: call.tenant: too long" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), 2),
        (("--tool", "ls"), 2),
        (("{}", "--file", "-"), 2),
        (("--file", "/nowhere.jsonl"), 2),
        (("--wait", "nan", "{}"), 2),
        (("--mode", "lenient", "{}"), 2),
        (("{",), 1),
        (('{"tool": "ls"}',), 1),
        (("--tool", "\udcff", "--arguments", "{}"), 1),
    ],
)
def test_what_is_no_call_is_sent_nowhere(run, script, words, code):
    """A wrong command line is 2, a text that is no call is 1."""
    assert run("call", *words).exit_code == code
    assert script.requests == []


@pytest.mark.parametrize(
    ("option", "name", "most"),
    [
        ("--wait", "wait", Limits().wait_seconds),
        ("--approval-limit", "approval_limit", Limits().limit_seconds),
    ],
)
def test_a_span_may_be_as_long_as_the_sidecar_takes_it(run, script, option, name, most):
    """No more, so that no call is refused for it; and no less, so that nothing it takes is out of reach."""
    script.answers["Adjudicate"] = AdjudicateResponse()
    call = ("--tool", "ls", "--arguments", "{}")
    assert run("call", *FLAGS, *call, option, str(most + 1)).exit_code == 2
    assert script.requests == []
    run("call", *FLAGS, *call, option, str(most))
    assert getattr(script.requests[0], name).seconds == most
    assert f"at most {most:,}" in " ".join(run("call", "--help").stdout.split())


def calls_file(tmp_path: Path, *lines: bytes) -> str:
    """A file with these lines."""
    path = tmp_path / "calls.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    return str(path)


def by_tool(request) -> AdjudicateResponse:
    """The outcome that the call's tool is named for."""
    return answer(Outcome.Value(f"OUTCOME_{request.call.tool.upper()}"), trace_number=5)


@pytest.mark.parametrize(
    ("tools", "code"),
    [
        (["allow", "allow"], 0),
        (["allow", "ask"], 4),
        (["ask", "deny", "allow"], 3),
        (["deny", "error", "ask"], 1),
        ([], 0),
    ],
)
def test_the_exit_code_of_a_file_is_its_worst_line(run, script, tmp_path, tools, code):
    """An error outweighs a denial, a denial an ask, an ask an allow."""
    script.answers["Adjudicate"] = by_tool
    lines = [
        b"{" if tool == "error" else b'{"tool": "%s", "arguments": {}}' % tool.encode() for tool in tools
    ]
    assert run("call", *FLAGS, "--file", calls_file(tmp_path, *lines)).exit_code == code


def test_a_bad_line_is_named_and_the_rest_goes_on(run, script, tmp_path):
    """Each bad line is reported as FILE:LINE and sent nowhere."""
    script.answers["Adjudicate"] = by_tool
    path = calls_file(
        tmp_path,
        b'{"tool": "allow", "arguments": {"n": 12345678901234567890}}',
        b"not json",
        b"",
        b"[1]",
        b'{"tool": "allow"}',
        b'{"tool": "allow", "arguments": {"s": "\xff"}}',
        b'{"tool": "allow", "arguments": "\\ud800"}',
        b'{"tool": "deny", "arguments": {"s": "\\ud800"}}',
    )
    result = run("call", *FLAGS, "--file", path)
    assert result.exit_code == 1
    for line in (2, 4, 5, 6, 7):
        assert f"{path}:{line}: " in result.stderr
    assert [each.call.arguments_json for each in script.requests] == [
        '{"n": 12345678901234567890}',
        '{"s": "\\ud800"}',
    ]


def test_hostile_arguments_reach_the_sidecar(run, script, tmp_path):
    """Ten thousand levels, NaN and five mebibytes are the sidecar's to judge."""
    script.answers["Adjudicate"] = by_tool
    arguments = [
        b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
        b'{"x": NaN}',
        b'{"c": "%s"}' % (b"a" * (5 << 20)),
    ]
    lines = [b'{"tool": "deny", "arguments": ' + each + b"}" for each in arguments]
    assert run("call", *FLAGS, "--file", calls_file(tmp_path, *lines)).exit_code == 3
    assert [each.call.arguments_json.encode() for each in script.requests] == arguments


def test_a_file_ends_with_a_summary_by_outcome_step_and_code(run, script, tmp_path):
    """Each answer is a line, and the counts are at the end."""
    script.answers["Adjudicate"] = by_tool
    lines = [b'{"tool": "deny", "arguments": {}}'] * 3 + [b'{"tool": "allow", "arguments": {}}']
    output = run("call", *FLAGS, "--file", calls_file(tmp_path, *lines)).stdout
    rows = [line.split() for line in output.splitlines()]
    assert ["DENY", "3", "S7", "gate", "FORBIDDEN/RULE_DENY"] in rows
    assert ["total", "4"] in rows
    assert ["4", "ALLOW", "S7", "gate", "allow", "#5"] in rows


def test_json_of_a_file_is_one_object_per_line(run, script, tmp_path):
    """A verdict or an error for each call, then the summary."""
    script.answers["Adjudicate"] = by_tool
    path = calls_file(tmp_path, b'{"tool": "deny", "arguments": {}}', b"{")
    lines = [json.loads(line) for line in run("call", *FLAGS, "--json", "-f", path).stdout.splitlines()]
    assert [
        (each.get("line"), *(key for key in each if key not in ("file", "line"))) for each in lines
    ] == [
        (1, "verdict"),
        (2, "error"),
        (None, "summary", "calls"),
    ]
    assert lines[2]["calls"] == 2


def test_quiet_prints_the_summary_alone(run, script, tmp_path):
    """With -q a long file does not fill the screen."""
    script.answers["Adjudicate"] = by_tool
    output = run("call", *FLAGS, "-qf", calls_file(tmp_path, b'{"tool": "deny", "arguments": {}}')).stdout
    assert output.splitlines()[0].split() == ["OUTCOME", "CALLS", "STEP", "CODE"]


def test_an_error_of_one_call_does_not_end_the_file(run, script, tmp_path):
    """A call that the sidecar could not judge counts as an error; the next one is still asked about."""
    script.answers["Adjudicate"] = lambda request: (
        refusal("RESOURCE_EXHAUSTED", "LIMIT_EXCEEDED", "too much")
        if request.call.tool == "ask"
        else by_tool(request)
    )
    path = calls_file(tmp_path, b'{"tool": "ask", "arguments": {}}', b'{"tool": "allow", "arguments": {}}')
    result = run("call", *FLAGS, "--file", path)
    assert result.exit_code == 1
    assert f"{path}:1: too much" in result.stderr
    assert len(script.requests) == 2


def test_a_file_may_come_on_standard_input(run, script):
    """A dash stands for it."""
    script.answers["Adjudicate"] = by_tool
    assert run("call", *FLAGS, "-f", "-", input='{"tool": "deny", "arguments": {}}\n').exit_code == 3
