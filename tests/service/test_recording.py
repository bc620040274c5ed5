"""What traces keep of arguments and outputs: full, redacted or a digest, as the policy says."""

import hashlib
import hmac
import json
from dataclasses import replace

import pytest
from adjudicator.config.limits import Limits
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.strict_json import Json, canonical_json
from adjudicator.domain.trace import ElementKind, Recorded
from adjudicator.policy.registry import Registry
from adjudicator.policy.snapshot import Effect, EvaluationError
from adjudicator.service.report_outcome import Reporter
from adjudicator.tracing.elements import Execution, ExecutionStatus
from chain.bundle import AGENTS, ALLOW_ALL, TOOLS, Schema, Table, a_snapshot, a_tool
from policy.contracts import contract
from service.stage import ZERO, Stage

SECRET = {"type": "string", "x-secret": True}
ARGUMENTS = {"properties": {"path": {"type": "string"}, "token": SECRET, "count": {"type": "integer"}}}
OUTPUT = {"properties": {"lines": {"type": "integer"}, "cookie": SECRET}}
CALL = '{"path":"/VALUE","token":"HUNTER2"}'


def policy(tool=None, **changes):
    """A snapshot that allows everything, in which `read` has both contracts."""
    fields = {
        "rules": ALLOW_ALL,
        "contracts": {code: Schema() for code in TOOLS} | {"read": contract(**ARGUMENTS)},
        "output_contracts": {"read": contract(**OUTPUT)},
    }
    snapshot = a_snapshot(**(fields | changes))
    tools = TOOLS | {"read": a_tool("read", **(tool or {}))}
    return replace(snapshot, registry=Registry(snapshot.registry.tenants, AGENTS, tools))


@pytest.fixture
async def stage(tmp_path):
    """Everything between transport and disk, by that policy."""
    stage = await Stage.set_up(tmp_path, policy())
    yield stage
    await stage.store.close()


async def activate(stage, tool=None, **changes):
    """The same policy with something else in it, or in its tool."""
    stage.snapshot = policy(tool, **changes)
    await stage.policy.reload()


async def bodies(stage, number):
    """The bodies of a trace's elements, by kind."""
    trace = await stage.store.trace(number)
    return {each.kind: each.body for each in trace.elements}


async def action(stage, **fields):
    """What is kept of a call, and the whole trace as text."""
    verdict = await stage.judge(**({"arguments_json": CALL} | fields))
    trace = await stage.store.trace(verdict.trace_number)
    return (await bodies(stage, verdict.trace_number))[ElementKind.PROPOSED_ACTION], str(trace)


async def report(stage, output=None, final_output="", status=ExecutionStatus.SUCCEEDED, reporter=None):
    """An allowed call and the report of its outcome: what is answered, and the result and final output."""
    verdict = await stage.judge("r1", arguments_json=CALL)
    execution = an_execution(output, final_output, status)
    kept = await stage.report_outcome(
        verdict.trace_number, reporter or Reporter("studio", "coder", "r1"), execution
    )
    found = await bodies(stage, verdict.trace_number)
    return kept, found[ElementKind.RESULT], found[ElementKind.FINAL_OUTPUT]


def an_execution(output=None, final_output="", status=ExecutionStatus.SUCCEEDED):
    """What a runtime reports; the output as JSON text."""
    value = None if output is None else json.loads(output)
    read = None if output is None else Json(value, canonical_json(value))
    return Execution(status, read, "", ZERO, final_output)


def digest(value):
    """The digest of a value under the key of the stage."""
    parts = [b"value", json.dumps(value, sort_keys=True, separators=(",", ":")).encode()]
    framed = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    return f"hmac-sha256:{hmac.digest(b'k', framed, hashlib.sha256).hex()}"


class TestArguments:
    """`record_arguments`."""

    async def test_redacted_is_what_nobody_has_to_say(self, stage):
        """Secrets are hidden, and nothing says how much is kept."""
        body, _ = await action(stage)
        assert body == {
            "tool": "read",
            "arguments": {"path": "/VALUE", "token": "[redacted]"},
            "arguments_bytes": len(CALL),
        }

    async def test_full_keeps_what_came(self, stage):
        """Secrets and resolved paths too, and says so."""
        await activate(stage, record_arguments=Recorded.FULL)
        body, _ = await action(stage, resolved_paths=(("/token", "/HUNTER2"),))
        assert body["arguments"] == json.loads(CALL)
        assert body["resolved_paths"] == {"/token": "/HUNTER2"}
        assert body["arguments_recorded"] == "full"

    async def test_a_digest_keeps_no_value(self, stage):
        """Nor does the verdict; the digest is keyed, and the same for the same arguments in other order."""
        await activate(stage, {"record_arguments": Recorded.DIGEST})
        body, trace = await action(stage, resolved_paths=(("/path", "/VALUE"),))
        assert body == {
            "tool": "read",
            "arguments_recorded": "digest",
            "arguments_digest": digest(json.loads(CALL)),
            "arguments_bytes": len(CALL),
            "resolved_paths": {"/path": "[redacted]"},
        }
        assert "VALUE" not in trace
        assert "HUNTER2" not in trace
        other, _ = await action(stage, call_id="c2", arguments_json='{ "token":"HUNTER2", "path":"/VALUE"}')
        assert other["arguments_digest"] == body["arguments_digest"]

    @pytest.mark.parametrize(
        ("effect", "arguments"),
        [
            (Effect.DENY, CALL),
            (Effect.ASK, CALL),
            (None, CALL),
            (None, '{"path":"VALUE/$x"}'),
            (Effect.ALLOW, '{"path":"/VALUE","count":"VALUE"}'),
            (Effect.ALLOW, '{"path":"/VALUE","count":"VALUE","token":["VALUE"],"other":"VALUE"}'),
        ],
    )
    async def test_with_a_digest_no_verdict_quotes_a_value(self, stage, effect, arguments):
        """The reason of a rule, of the default, and the violations name the argument alone."""
        rules = Table((effect, "*", "*", None)) if effect else Table()
        await activate(stage, {"record_arguments": Recorded.DIGEST}, rules=rules)
        _, trace = await action(stage, arguments_json=arguments)
        assert "VALUE" not in trace
        assert "/path" in trace or "/count" in trace

    async def test_a_person_sees_what_they_decide_on_whatever_is_kept(self, stage):
        """The view is redacted: neither empty with a digest, nor with secrets in full."""
        for recorded in Recorded:
            rules = Table((Effect.ASK, "*", "*", None))
            await activate(stage, rules=rules, record_arguments=recorded)
            asked = await stage.judge(recorded.value, arguments_json=CALL)
            view = json.loads((await stage.store.approval(asked.approval_id)).view_json)
            assert view["arguments"] == {"path": "/VALUE", "token": "[redacted]"}

    @pytest.mark.parametrize("recorded", Recorded)
    async def test_what_nobody_can_read_or_redact_is_kept_under_no_policy(self, stage, recorded):
        """Not even in full: nobody knows what is in it."""
        await activate(stage, record_arguments=recorded)
        body, trace = await action(stage, arguments_json='{"token":"HUNTER2"')
        assert "unreadable" in body
        assert "HUNTER2" not in trace
        body, trace = await action(stage, call_id="c2", tool="unknown")
        assert "withheld" in body
        assert "HUNTER2" not in trace


class TestOutput:
    """`record_output`, and the output's contract."""

    async def test_an_output_is_redacted_by_its_contract(self, stage):
        """What satisfies it is kept without a mark."""
        kept, result, _ = await report(stage, '{"lines":3,"cookie":"HUNTER2"}')
        assert not kept.contract
        assert result == {"status": "succeeded", "output": {"lines": 3, "cookie": "[redacted]"}}

    async def test_an_output_that_violates_its_contract_is_recorded(self, stage):
        """The tool has run: the output is there, redacted, status as reported, and what is wrong."""
        output = '{"lines":"x","cookie":["HUNTER2"],"more":"HUNTER2"}'
        kept, result, _ = await report(stage, output)
        assert result["status"] == "succeeded"
        assert result["contract"] == "violated"
        assert result["output"] == {"lines": "x", "cookie": "[redacted]", "more": "[redacted]"}
        assert [each["path"] for each in result["violations"]] == ["", "/cookie", "/lines"]
        assert len(kept.violations) == len(result["violations"])
        assert "HUNTER2" not in str(result)

    @pytest.mark.parametrize("output", ["null", '"HUNTER2"', '["HUNTER2"]', "7"])
    async def test_an_output_of_another_form_is_hidden_whole(self, stage, output):
        """A tool that prints its error in place of an object prints whatever was in it."""
        _, result, _ = await report(stage, output)
        assert (result["output"], result["contract"]) == ("[redacted]", "violated")
        assert "HUNTER2" not in str(result)

    async def test_what_is_not_reported_is_not_checked(self, stage):
        """A call that failed, or did not run, has no output."""
        kept, result, final = await report(stage, status=ExecutionStatus.NOT_EXECUTED)
        assert not kept.contract
        assert result == {"status": "not_executed"}
        assert final == {"executed": False, "text": "execution not_executed"}

    async def test_without_a_contract_only_the_digest_is_kept(self, stage):
        """Nothing says what is secret; the result says why the output is not there."""
        await activate(stage, output_contracts={})
        kept, result, _ = await report(stage, '{"cookie":"HUNTER2"}')
        assert not kept.contract
        assert result == {
            "status": "succeeded",
            "output_recorded": "digest",
            "output_digest": digest({"cookie": "HUNTER2"}),
            "output_bytes": len('{"cookie":"HUNTER2"}'),
            "withheld": "no contract says which of the output is secret",
        }

    async def test_full_keeps_what_came_with_a_contract_or_without(self, stage):
        """It is the bundle's word for it; the violations still quote no secret."""
        await activate(stage, {"record_output": Recorded.FULL})
        _, result, final = await report(stage, '{"cookie":7}', "I have it.")
        assert (result["output"], result["output_recorded"]) == ({"cookie": 7}, "full")
        assert result["contract"] == "violated"
        assert "7" not in str(result["violations"])
        assert (final["final_output"], final["final_output_recorded"]) == ("I have it.", "full")

    async def test_a_digest_keeps_no_value_and_no_violation_quotes_one(self, stage):
        """Of an output that violates its contract there is what is wrong where."""
        await activate(stage, {"record_output": Recorded.DIGEST})
        _, result, _ = await report(stage, '{"lines":"VALUE"}')
        assert (result["contract"], result["violations"][0]["path"]) == ("violated", "/lines")
        assert "output" not in result
        assert "withheld" not in result
        assert "VALUE" not in str(result)

    @pytest.mark.parametrize("recorded", [Recorded.REDACTED, Recorded.DIGEST])
    async def test_what_the_agent_finally_said_is_kept_as_a_digest(self, stage, recorded):
        """It is free text, of which no schema says what is secret."""
        await activate(stage, record_output=recorded)
        _, _, final = await report(stage, final_output="The password is HUNTER2.")
        assert final == {
            "executed": True,
            "text": "execution succeeded",
            "final_output_recorded": "digest",
            "final_output_digest": digest("The password is HUNTER2."),
            "final_output_bytes": 26,
        }


class TestReport:
    """Which policy counts, and that something is recorded whatever it is."""

    async def test_the_contract_of_the_moment_counts(self, stage):
        """A report after a reload is judged by what is active then, and says so."""
        verdict = await stage.judge("r1", arguments_json=CALL)
        await activate(stage, output_contracts={"read": contract(properties={})}, version="sha256:new")
        kept, result, _ = await report(stage, '{"lines":3}')
        assert kept.contract == "violated"
        assert result["policy_version"] == "sha256:new" != verdict.policy_version

    async def test_without_a_policy_the_outcome_is_recorded_and_the_output_withheld(self, stage):
        """As after a restart on a bundle with a problem."""
        verdict = await stage.judge("r1", arguments_json=CALL)
        stage.policy.status = replace(stage.policy.status, snapshot=None)
        execution = an_execution('"HUNTER2"', "HUNTER2")
        reporter = Reporter("studio", "coder", "r1")
        kept = await stage.report_outcome(verdict.trace_number, reporter, execution)
        trace = await stage.store.trace(verdict.trace_number)
        assert trace.finished_at is not None
        assert kept.contract == "unjudged"
        result = (await bodies(stage, verdict.trace_number))[ElementKind.RESULT]
        assert result["output_digest"] == digest("HUNTER2")
        assert result["withheld"] == "the policy that is active now does not know the tool"
        assert "HUNTER2" not in str(trace)

    @pytest.mark.parametrize("recorded", Recorded)
    async def test_the_output_of_a_tool_that_is_gone_is_withheld(self, stage, recorded):
        """Even where the bundle keeps outputs in full: that tool is none of them."""
        verdict = await stage.judge("r1", arguments_json=CALL)
        gone = policy(record_output=recorded)
        tools = {code: tool for code, tool in gone.registry.tools.items() if code != "read"}
        stage.snapshot = replace(gone, registry=replace(gone.registry, tools=tools))
        await stage.policy.reload()
        execution = an_execution('{"lines":3}')
        kept = stage.recording.execution("read", execution, verdict.policy_version)
        assert kept.contract == "unjudged"
        assert kept.output.recorded is Recorded.DIGEST

    async def test_a_contract_that_fails_does_not_lose_the_outcome(self, stage):
        """Whatever it raises: the digest is kept, and nobody is told that the output is in order."""

        class Broken(Schema):
            def violations(self, _, **_how):
                raise EvaluationError("HUNTER2")

        class BrokenOtherwise(Schema):
            def redact(self, _):
                raise KeyError("HUNTER2")

        for broken in (Broken(), BrokenOtherwise()):
            await activate(stage, output_contracts={"read": broken})
            execution = an_execution('{"a":1}')
            kept = stage.recording.execution("read", execution, "")
            assert (kept.contract, kept.output.recorded) == ("unjudged", Recorded.DIGEST)
            assert kept.output.withheld == "the contract failed on the output"

    @pytest.mark.parametrize("output", [[0] * (Limits().arguments_values + 1), [10**5000] * 2])
    async def test_an_output_that_is_too_much_to_check_is_kept_as_a_digest(self, stage, output):
        """Others wait while one is checked."""
        execution = Execution(ExecutionStatus.SUCCEEDED, Json({"lines": output}, b"{}"), "", ZERO, "")
        kept = stage.recording.execution("read", execution, "")
        assert (kept.contract, kept.output.recorded) == ("unjudged", Recorded.DIGEST)
        assert kept.output.withheld.startswith("outputs hold")

    async def test_a_stranger_learns_nothing_of_the_contract(self, stage, monkeypatch):
        """The report of another call is refused as ever, before its output is looked at."""
        monkeypatch.setattr(stage.recording, "execution", pytest.fail)
        with pytest.raises(AdjudicatorError) as caught:
            await report(stage, '{"lines":"x"}', reporter=Reporter("studio", "designer", "r1"))
        assert caught.value.reason is ErrorReason.NOT_FOUND
        assert "lines" not in str(caught.value)
