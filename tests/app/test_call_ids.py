"""One call_id is one call: retries, dry runs, and what became of it."""

import json
import uuid

import grpc
import pytest
from adjudicator.api.v1 import adjudication_service_pb2 as adjudication_pb
from adjudicator.api.v1 import trace_service_pb2 as trace_pb
from adjudicator.api.v1 import types_pb2 as pb
from running import error_of

WORK = {"working_directory": "/srv/project"}

READ = {"tool": "read", "arguments": {"path": "src/a.py"}} | WORK


def fresh():
    """A call_id that nobody used."""
    return f"c-{uuid.uuid4().hex}"


class TestIdempotency:
    """One call_id is one call."""

    def test_a_retry_gets_the_same_verdict_and_the_same_trace(self, shared_sidecar):
        """Also when the keys of its arguments come in another order."""
        call_id = fresh()
        arguments = {"path": "drafts/a", "content": "x"}
        first = shared_sidecar.judge(tool="write", arguments=arguments, call_id=call_id, **WORK)
        swapped = dict(reversed(arguments.items()))
        again = shared_sidecar.judge(tool="write", arguments=swapped, call_id=call_id, **WORK)
        assert first.allowed
        assert not first.replayed
        assert again.replayed
        again.replayed = False
        assert again == first

    @pytest.mark.parametrize(
        "other",
        [
            {"arguments": {"path": "src/b.py"}},
            {"tool": "ls"},
            {"agent": "designer"},
            {"principal": "user:ann"},
            {"on_behalf_of": ["designer"]},
            {"working_directory": "/srv"},
            {"mode": pb.MODE_READ_ONLY},
            {"resolved_paths": [pb.ResolvedPath(argument="/path", path="/srv/project/src/a.py")]},
        ],
    )
    def test_the_same_call_id_with_anything_else_is_denied(self, shared_sidecar, other):
        """And the denial has a trace of its own; the first call keeps its own."""
        call_id = fresh()
        first = shared_sidecar.judge(**READ, call_id=call_id)
        reused = shared_sidecar.judge(**(READ | other), call_id=call_id)
        assert first.allowed
        assert reused.outcome == pb.OUTCOME_DENY
        assert reused.cause == pb.CAUSE_CALL_ID_REUSED
        assert reused.reason_code == pb.REASON_CODE_STATE_ILLEGAL
        assert reused.trace_number != first.trace_number
        assert shared_sidecar.judge(**READ, call_id=call_id).trace_number == first.trace_number

    def test_numbers_that_python_takes_for_equal_are_other_arguments(self, shared_sidecar):
        """1, 1.0, and integers beyond a double."""
        call_id = fresh()
        forms = ["9007199254740993", "9007199254740992", "1.0", "1", "true"]
        verdicts = [
            shared_sidecar.judge(**(READ | {"arguments": f'{{"path":"a","line":{form}}}'}), call_id=call_id)
            for form in forms
        ]
        assert [each.cause == pb.CAUSE_CALL_ID_REUSED for each in verdicts] == [False] + [True] * 4

    def test_the_same_call_id_in_another_session_or_tenant_is_another_call(self, shared_sidecar):
        """The key is tenant, session and call_id."""
        call_id = fresh()
        numbers = {
            shared_sidecar.judge(**READ, call_id=call_id).trace_number,
            shared_sidecar.judge(**READ, call_id=call_id, session="s2").trace_number,
            shared_sidecar.judge(**READ, call_id=call_id, tenant="archive").trace_number,
        }
        assert len(numbers) == 3


class TestDryRun:
    """A dry run is the same verdict without any effect."""

    @pytest.mark.parametrize(
        "fields", [READ, {"tool": "bash", "arguments": {"command": "ls"}}, READ | {"tenant": ""}]
    )
    def test_a_dry_run_gives_the_same_verdict_and_leaves_nothing(self, shared_sidecar, fields):
        """No trace, no approval, no use of the call_id."""
        call_id = fresh()
        pending = len(shared_sidecar.pending())
        dry = shared_sidecar.judge(**fields, call_id=call_id, dry_run=True)
        assert len(shared_sidecar.pending()) == pending
        real = shared_sidecar.judge(**fields, call_id=call_id)
        assert dry.dry_run
        assert not real.dry_run
        assert not real.replayed
        assert (dry.trace_number, dry.approval_id) == (0, "")
        for name in ("outcome", "step", "check", "reason_code", "cause", "reason"):
            assert getattr(dry, name) == getattr(real, name)

    def test_a_dry_run_of_an_approved_call_uses_nothing_up(self, shared_sidecar):
        """It says ALLOW, and the real call still gets its one ALLOW."""
        fields = {"tool": "bash", "arguments": {"command": "ls"}, "call_id": fresh()}
        asked = shared_sidecar.judge(**fields)
        shared_sidecar.approve(asked.approval_id)
        assert shared_sidecar.judge(**fields, dry_run=True).allowed
        assert shared_sidecar.judge(**fields, dry_run=True).allowed
        real = shared_sidecar.judge(**fields)
        assert real.allowed
        assert not real.replayed


class TestOutcome:
    """What became of an allowed call."""

    def report(self, sidecar, verdict, **changes):
        """Report success of a call of the coder."""
        fields = {
            "trace_number": verdict.trace_number,
            "tenant": "studio",
            "agent": "coder",
            "call_id": verdict.call_id,
            "status": adjudication_pb.EXECUTION_STATUS_SUCCEEDED,
            "output_json": '{"lines":3}',
            "final_output": "done",
        }
        return sidecar.adjudication.ReportOutcome(
            adjudication_pb.ReportOutcomeRequest(**(fields | changes))
        )

    def test_the_outcome_finishes_the_trace_with_all_seven_elements(self, shared_sidecar):
        """Asked, approved, run and reported: every kind of element is there."""
        asked = shared_sidecar.judge(tool="bash", arguments={"command": "wc -l a"}, call_id=fresh())
        shared_sidecar.approve(asked.approval_id, reason="looks fine")
        verdict = shared_sidecar.judge(tool="bash", arguments={"command": "wc -l a"}, call_id=asked.call_id)
        self.report(shared_sidecar, verdict)
        trace = shared_sidecar.trace(verdict.trace_number)
        assert {each.kind for each in trace.elements} == set(range(1, 8))
        assert [each.sequence for each in trace.elements] == list(range(1, len(trace.elements) + 1))
        assert trace.HasField("finished_at")
        result = next(e for e in trace.elements if e.kind == trace_pb.ELEMENT_KIND_RESULT)
        assert json.loads(result.body_json)["status"] == "succeeded"
        assert "looks fine" in str(trace.elements)

    def test_a_second_report_is_refused(self, shared_sidecar):
        """A finished trace is frozen."""
        verdict = shared_sidecar.judge(**READ)
        self.report(shared_sidecar, verdict)
        with pytest.raises(grpc.RpcError) as caught:
            self.report(shared_sidecar, verdict)
        assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert error_of(caught)[0] == "TRACE_FROZEN"

    def test_a_call_whose_outcome_was_reported_cannot_run_again(self, shared_sidecar):
        """The same call_id after the report is denied: what ran once runs once."""
        call_id = fresh()
        verdict = shared_sidecar.judge(**READ, call_id=call_id)
        self.report(shared_sidecar, verdict)
        again = shared_sidecar.judge(**READ, call_id=call_id)
        assert again.outcome == pb.OUTCOME_DENY
        assert again.cause == pb.CAUSE_CALL_FINISHED

    def test_a_call_that_was_not_allowed_has_no_outcome(self, shared_sidecar):
        """Neither a denied one nor one that waits."""
        asked = shared_sidecar.judge(tool="bash", arguments={"command": "id"})
        with pytest.raises(grpc.RpcError) as caught:
            self.report(shared_sidecar, asked)
        assert error_of(caught)[0] == "NOT_ALLOWED"
        denied = shared_sidecar.judge(**(READ | {"arguments": {"path": "/etc/passwd"}}))
        with pytest.raises(grpc.RpcError) as caught:
            self.report(shared_sidecar, denied)
        assert error_of(caught)[0] == "NOT_ALLOWED"

    @pytest.mark.parametrize(
        "change", [{"agent": "designer"}, {"tenant": "archive"}, {"call_id": "x"}, {"trace_number": 10**15}]
    )
    def test_another_call_cannot_be_reported_on(self, shared_sidecar, change):
        """A foreign trace and a missing one look the same."""
        verdict = shared_sidecar.judge(**READ)
        with pytest.raises(grpc.RpcError) as caught:
            self.report(shared_sidecar, verdict, **change)
        assert caught.value.code() is grpc.StatusCode.NOT_FOUND
        number = change.get("trace_number", verdict.trace_number)
        assert caught.value.details() == f"there is no trace {number} of this tenant, agent and call_id"

    @pytest.mark.parametrize(
        "change", [{"status": 0}, {"status": 99}, {"output_json": "{"}, {"output_json": "[" * 100_000}]
    )
    def test_a_malformed_report_is_refused(self, shared_sidecar, change):
        """And the trace stays open for a good one."""
        verdict = shared_sidecar.judge(**READ)
        with pytest.raises(grpc.RpcError) as caught:
            self.report(shared_sidecar, verdict, **change)
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert self.report(shared_sidecar, verdict).trace_number == verdict.trace_number

    @pytest.mark.parametrize(
        ("field", "value"),
        [("error_class", "Oops: the password is x"), ("final_output", "x" * (1024 * 1024 + 1))],
    )
    def test_a_message_for_a_class_and_a_text_over_the_limit_are_refused(
        self, shared_sidecar, field, value
    ):
        """Nothing is cut in silence, and no error message lands in a trace."""
        verdict = shared_sidecar.judge(**READ)
        with pytest.raises(grpc.RpcError) as caught:
            self.report(shared_sidecar, verdict, **{field: value})
        assert error_of(caught) == ("MALFORMED_REQUEST", [field])
