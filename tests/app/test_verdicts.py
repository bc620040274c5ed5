"""What an agent runtime sees, from a running sidecar on the shipped policies."""

import json
import time

import grpc
import pytest
from adjudicator.api.v1 import adjudication_service_pb2 as adjudication_pb
from adjudicator.api.v1 import trace_service_pb2 as trace_pb
from adjudicator.api.v1 import types_pb2 as pb
from running import call, error_of

WORK = {"working_directory": "/srv/project"}

READ = {"tool": "read", "arguments": {"path": "src/a.py"}} | WORK


def test_an_allowed_call_says_why(shared_sidecar):
    """An ALLOW has step, check, codes, rule, policy version, trace and call_id."""
    verdict = shared_sidecar.judge(**READ)
    assert verdict.allowed
    assert verdict.outcome == pb.OUTCOME_ALLOW
    assert (verdict.step, verdict.step_reached, verdict.check) == (7, 8, "rule_chain")
    assert verdict.rule.file == "rules.csv"
    assert verdict.rule.line > 0
    assert verdict.policy_version.startswith("sha256:")
    assert verdict.trace_number > 0
    assert verdict.call_id.startswith("call-")
    assert (verdict.tool, verdict.agent, verdict.tool_status) == ("read", "coder", pb.TOOL_STATUS_ENABLED)


DENIED = [
    ({"tenant": ""}, 1, "TENANT_MISSING", "TENANT_BLANK"),
    ({"tenant": "  "}, 1, "TENANT_MISSING", "TENANT_BLANK"),
    ({"tenant": "nobody"}, 1, "TENANT_MISSING", "TENANT_UNKNOWN"),
    ({"agent": ""}, 2, "FORBIDDEN", "AGENT_BLANK"),
    ({"agent": "nobody"}, 2, "FORBIDDEN", "AGENT_UNKNOWN"),
    ({"agent": "designer", "tenant": "archive"}, 2, "FORBIDDEN", "AGENT_UNKNOWN"),
    ({"tool": ""}, 3, "FORBIDDEN", "TOOL_BLANK"),
    ({"tool": "nothing"}, 3, "FORBIDDEN", "TOOL_UNKNOWN"),
    ({"tool": "bash", "tenant": "archive"}, 3, "FORBIDDEN", "TOOL_NOT_LISTED"),
    ({"tool": "legacy_deploy"}, 4, "FORBIDDEN", "TOOL_DISABLED"),
    ({"tool": "write", "agent": "critic"}, 5, "FORBIDDEN", "PERMISSION_MISSING"),
    ({"tool": "write", "on_behalf_of": ["critic"]}, 6, "FORBIDDEN", "AGENT_READ_ONLY"),
    ({"arguments": {"path": "/etc/passwd"}}, 7, "FORBIDDEN", "RULE_DENY"),
    ({"arguments": {"path": "../outside"}}, 7, "FORBIDDEN", "DEFAULT"),
    ({"working_directory": ""}, 7, "FORBIDDEN", "OPAQUE_PATH"),
    ({"arguments": {"path": "a", "line": "x"}}, 8, "VALIDATION", "CONTRACT_VIOLATION"),
    ({"arguments": "[]"}, 8, "VALIDATION", "ARGUMENTS_MALFORMED"),
    ({"arguments": ""}, 8, "VALIDATION", "ARGUMENTS_MALFORMED"),
    ({"arguments": '{"path":"a","path":"b"}'}, 8, "VALIDATION", "ARGUMENTS_MALFORMED"),
    ({"arguments": '{"path":NaN}'}, 8, "VALIDATION", "ARGUMENTS_MALFORMED"),
    ({"arguments": '{"path":"\\ud800"}'}, 8, "VALIDATION", "ARGUMENTS_MALFORMED"),
    ({"arguments": '{"path":' + "[" * 10_000 + "]" * 10_000 + "}"}, 8, "VALIDATION", "ARGUMENTS_TOO_LARGE"),
    ({"arguments": json.dumps({"path": "x" * 5 * 1024 * 1024})}, 8, "VALIDATION", "ARGUMENTS_TOO_LARGE"),
]


@pytest.mark.parametrize(("fields", "step", "code", "cause"), DENIED, ids=lambda v: str(v)[:40])
def test_a_denied_call_says_where_and_why_and_is_traced(shared_sidecar, fields, step, code, cause):
    """The step, the code, the cause and a sentence, also in a finished trace."""
    verdict = shared_sidecar.judge(**(READ | fields))
    assert verdict.outcome == pb.OUTCOME_DENY
    assert not verdict.allowed
    assert verdict.step == step
    assert pb.ReasonCode.Name(verdict.reason_code) == f"REASON_CODE_{code}"
    assert pb.Cause.Name(verdict.cause) == f"CAUSE_{cause}"
    assert verdict.reason
    assert len(verdict.reason) < 1000
    trace = shared_sidecar.trace(verdict.trace_number)
    assert trace.verdict.reason == verdict.reason
    assert trace.HasField("finished_at")
    kinds = [each.kind for each in trace.elements]
    assert kinds == [
        trace_pb.ELEMENT_KIND_INPUT_CONTEXT,
        trace_pb.ELEMENT_KIND_PROPOSED_ACTION,
        trace_pb.ELEMENT_KIND_VERDICT,
        trace_pb.ELEMENT_KIND_FINAL_OUTPUT,
    ]


def test_a_name_that_tries_to_forge_a_record_is_escaped(shared_sidecar):
    """What an agent calls itself reaches no line of its own, in a trace or in the log."""
    verdict = shared_sidecar.judge(**(READ | {"agent": 'x\n{"outcome":"ALLOW"}\x1b[2J'}))
    trace = shared_sidecar.trace(verdict.trace_number)
    text = verdict.reason + verdict.agent + trace.agent
    assert text.isprintable()
    assert len(shared_sidecar.judge(**(READ | {"agent": "x" * 1_000_000})).agent) < 200


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("session", " "),
        ("session", "x" * 129),
        ("call_id", "a b"),
        ("principal", "user:ann\n"),
        ("principal", "ann"),
        ("principal", "user:Ann"),
        ("working_directory", "relative"),
        ("working_directory", "/a\x00b"),
        ("on_behalf_of", ["coder"] * 17),
        ("resolved_paths", [pb.ResolvedPath(argument="/path", path="not/absolute")]),
        ("resolved_paths", [pb.ResolvedPath(argument="path", path="/a")]),
        ("resolved_paths", [pb.ResolvedPath(argument="/path", path="/a")] * 2),
        ("mode", 99),
    ],
)
def test_a_field_that_no_step_judges_is_refused_by_name(shared_sidecar, field, value):
    """A malformed request is an error that names the field, and nothing is recorded."""
    before = shared_sidecar.judge(**READ).trace_number
    with pytest.raises(grpc.RpcError) as caught:
        shared_sidecar.judge(**(READ | {field: value}))
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    reason, fields = error_of(caught)
    assert (reason, fields) == ("MALFORMED_REQUEST", [f"call.{field}"])
    assert shared_sidecar.judge(**READ).trace_number == before + 1


HEAVY = [
    ("apply_pattern_fix", {"pattern": "x", "paths": [1] * 300_000}),
    ("apply_pattern_fix", {"pattern": "x", "paths": [f"p{n}" for n in range(80_000)]}),
    ("apply_pattern_fix", {"pattern": "x", "paths": ["x" * 4000] * 100}),
    ("apply_pattern_fix", {"pattern": "x", "paths": ["a" + "\u0315\u0300" * 2000] * 16}),
    ("read", {"path": "a" + "\u0315\u0300" * 100_000}),
    ("read", {"path": "a/" * 450_000}),
    ("bash", {"command": "x" * 900_000}),
]


@pytest.mark.parametrize(("tool", "arguments"), HEAVY, ids=range(len(HEAVY)))
def test_a_heavy_call_is_denied_and_keeps_nobody_waiting(shared_sidecar, tool, arguments):
    """The sidecar answers others within a second while somebody sends the worst that fits."""
    text = json.dumps(arguments, ensure_ascii=False)
    heavy = shared_sidecar.judge_later(tool=tool, arguments=text, wait=0, **WORK)
    started = time.monotonic()
    assert shared_sidecar.judge(**READ).allowed
    assert time.monotonic() - started < 2
    verdict = heavy.result(timeout=10).verdict
    assert verdict.outcome == pb.OUTCOME_DENY
    assert verdict.cause in (pb.CAUSE_TOO_COMPLEX, pb.CAUSE_ARGUMENTS_TOO_LARGE)
    assert verdict.ByteSize() < 10_000


def test_a_value_of_the_wrong_form_is_repeated_nowhere(shared_sidecar):
    """Nobody knows what it is, so it may be a secret."""
    verdict = shared_sidecar.judge(**(READ | {"arguments": {"path": ["MARKED-3141"]}}))
    trace = shared_sidecar.trace(verdict.trace_number)
    assert verdict.outcome == pb.OUTCOME_DENY
    assert "MARKED-3141" not in str(verdict) + str(trace)


def test_a_call_with_thousands_of_violations_lists_some_and_is_denied(shared_sidecar):
    """The verdict stays small enough for every client to read."""
    extra = {f"x{n}": n for n in range(1_500)}
    verdict = shared_sidecar.judge(**(READ | {"arguments": {"path": "a"} | extra}))
    assert verdict.cause == pb.CAUSE_CONTRACT_VIOLATION
    assert verdict.ByteSize() < 100_000


def test_a_number_that_cannot_be_read_is_not_repeated(shared_sidecar):
    """It may be a secret: no schema can be asked about arguments that cannot be read."""
    text = '{"environment":"staging","version":"1.0.0","token":7733.99887766554433221100}'
    verdict = shared_sidecar.judge(tool="deploy", arguments=text)
    assert verdict.cause == pb.CAUSE_ARGUMENTS_MALFORMED
    assert "7733" not in str(verdict) + str(shared_sidecar.trace(verdict.trace_number))


def test_a_search_without_a_folder_is_judged_by_where_it_searches(shared_sidecar):
    """Leaving an argument out opens nothing."""
    search = {"tool": "find_file", "arguments": {"name": "id"}}
    assert shared_sidecar.judge(**search, working_directory="/srv/project").allowed
    for secret in ("/etc", "/home/u/.ssh"):
        verdict = shared_sidecar.judge(**search, working_directory=secret)
        assert (verdict.outcome, verdict.cause) == (pb.OUTCOME_DENY, pb.CAUSE_RULE_DENY)


def test_a_request_without_a_call_is_denied(shared_sidecar):
    """The empty request is a call without a tenant."""
    response = shared_sidecar.adjudication.Adjudicate(adjudication_pb.AdjudicateRequest())
    assert response.verdict.outcome == pb.OUTCOME_DENY
    assert response.verdict.step == pb.STEP_TENANT


def test_explain_chain_prints_what_runs(shared_sidecar):
    """Every check that verdicts name is in the explanation, under its step."""
    steps = shared_sidecar.adjudication.ExplainChain(adjudication_pb.ExplainChainRequest()).steps
    assert [each.step for each in steps] == list(range(1, 9))
    checks = {(each.step, check.name) for each in steps for check in each.checks}
    for fields, _, _, _ in DENIED:
        verdict = shared_sidecar.judge(**(READ | fields))
        assert (verdict.step, verdict.check) in checks
    codes = {name for each in steps for check in each.checks for name in check.denies_with}
    assert codes >= {pb.REASON_CODE_TENANT_MISSING, pb.REASON_CODE_FORBIDDEN, pb.REASON_CODE_VALIDATION}


def test_shipped_defaults_of_action_types(shared_sidecar):
    """Queries pass; fixes and commands ask."""
    passing = [
        ("codegraph_query", {"query": "x"}),
        ("codegraph_find_callers", {"symbol": "x"}),
        ("codegraph_find_callees", {"symbol": "x"}),
        ("codegraph_explain", {"symbol": "x"}),
    ]
    for tool, arguments in passing:
        assert shared_sidecar.judge(tool=tool, arguments=arguments).allowed, tool
    asking = [
        ("command_execution", {"command": "ls"}),
        ("apply_autofix", {"path": "a.py", "fix": "remove the import"}),
        ("apply_pattern_fix", {"paths": ["a.py"], "pattern": "x"}),
    ]
    for tool, arguments in asking:
        asked = shared_sidecar.judge(tool=tool, arguments=arguments, **WORK)
        assert asked.outcome == pb.OUTCOME_ASK, (tool, asked.reason)


def test_the_agent_plane_has_no_other_service(shared_sidecar):
    """An agent that reaches its socket cannot approve itself, list, read or reload anything."""
    methods = [
        "ApprovalService/Resolve",
        "ApprovalService/ListPending",
        "ApprovalService/WatchPending",
        "TraceService/ListTraces",
        "PolicyService/ReloadPolicy",
        "QuestionService/AnswerQuestion",
        "QuestionService/WatchQuestions",
    ]
    for method in methods:
        stub = shared_sidecar.agent_channel.unary_unary(f"/adjudicator.api.v1.{method}")
        with pytest.raises(grpc.RpcError) as caught:
            stub(b"", metadata=shared_sidecar.token())
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
    stub = shared_sidecar.approver_channel.unary_unary("/adjudicator.api.v1.AdjudicationService/Adjudicate")
    with pytest.raises(grpc.RpcError) as caught:
        stub(b"", metadata=shared_sidecar.token())
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_bytes_that_are_no_message_are_an_error_and_the_sidecar_serves_on(shared_sidecar):
    """Garbage, and a message over the limit, do not stop the next call."""
    stub = shared_sidecar.agent_channel.unary_unary("/adjudicator.api.v1.AdjudicationService/Adjudicate")
    for garbage, code in [
        (b"\xff" * 100, grpc.StatusCode.UNKNOWN),  # gRPC's own answer, before any of ours
        (b"x" * (9 * 1024 * 1024), grpc.StatusCode.RESOURCE_EXHAUSTED),
    ]:
        with pytest.raises(grpc.RpcError) as caught:
            stub(garbage)
        assert caught.value.code() is code
    assert shared_sidecar.judge(**READ).allowed


def test_lone_surrogates_cannot_even_be_sent():
    """Protobuf refuses them on the way out; as an escape in the JSON text they are judged above."""
    with pytest.raises((UnicodeEncodeError, ValueError)):
        call(arguments='{"path":"\ud800"}').SerializeToString()
