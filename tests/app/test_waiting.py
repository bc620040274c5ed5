"""Waiting for a decision in two ways, and finding an approval in three."""

import time
import uuid

import grpc
import pytest
from adjudicator.api.v1 import approval_service_pb2 as pb
from adjudicator.api.v1 import types_pb2

ASK = {"tool": "bash", "arguments": {"command": "make release"}}


def fresh(**fields):
    """A call that asks, under a call_id that nobody used."""
    return ASK | {"call_id": f"c-{uuid.uuid4().hex}"} | fields


class TestWaiting:
    """Two ways to wait, and a time limit on both."""

    @pytest.mark.parametrize("decision", ["approve", "deny"])
    def test_a_held_call_is_answered_when_somebody_decides(self, shared_sidecar, decision):
        """The answer comes with the decision, not at the end of the wait."""
        fields = fresh()
        held = shared_sidecar.judge_later(**fields, wait=30)
        approval_id = wait_for_pending(shared_sidecar, fields["call_id"])
        started = time.monotonic()
        getattr(shared_sidecar, decision)(approval_id)
        verdict = held.result(timeout=10).verdict
        assert time.monotonic() - started < 5
        assert verdict.allowed is (decision == "approve")
        assert not verdict.replayed

    def test_a_wait_that_ends_undecided_answers_ask(self, shared_sidecar):
        """And the approval is still pending."""
        fields = fresh()
        verdict = shared_sidecar.judge(**fields, wait=0.3)
        assert verdict.outcome == types_pb2.OUTCOME_ASK
        assert shared_sidecar.approval(verdict.approval_id).state == pb.APPROVAL_STATE_PENDING

    def test_a_wait_answers_before_the_callers_deadline(self, shared_sidecar):
        """The caller hears ASK instead of a time-out of its own."""
        verdict = shared_sidecar.judge(**fresh(), wait=60, timeout=1.5)
        assert verdict.outcome == types_pb2.OUTCOME_ASK

    def test_a_caller_that_goes_away_loses_nothing(self, shared_sidecar):
        """Its approval can be decided, and its retry is answered."""
        fields = fresh()
        held = shared_sidecar.judge_later(**fields, wait=30)
        approval_id = wait_for_pending(shared_sidecar, fields["call_id"])
        held.cancel()
        assert shared_sidecar.approve(approval_id).accepted
        assert shared_sidecar.judge(**fields).allowed

    def test_two_who_wait_for_one_call_get_the_same_answer(self, shared_sidecar):
        """One of them records the ALLOW, the other repeats it."""
        fields = fresh()
        held = [shared_sidecar.judge_later(**fields, wait=30) for _ in range(8)]
        shared_sidecar.approve(wait_for_pending(shared_sidecar, fields["call_id"]))
        verdicts = [each.result(timeout=10).verdict for each in held]
        assert all(each.allowed for each in verdicts)
        trace = shared_sidecar.trace(verdicts[0].trace_number)
        allows = [each for each in trace.elements if '"outcome":"ALLOW"' in each.body_json]
        assert len(allows) == 1

    def test_nobody_decides_in_time(self, shared_sidecar):
        """The held call and every retry are denied, and a late decision does not count."""
        fields = fresh()
        started = time.monotonic()
        verdict = shared_sidecar.judge(**fields, wait=20, limit=0.6)
        assert 0.5 < time.monotonic() - started < 10
        assert verdict.outcome == types_pb2.OUTCOME_DENY
        assert verdict.cause == types_pb2.CAUSE_APPROVAL_EXPIRED
        assert verdict.reason_code == types_pb2.REASON_CODE_STATE_ILLEGAL
        assert "not consent" in verdict.reason
        late = shared_sidecar.approve(verdict.approval_id)
        assert not late.accepted
        assert late.code in (pb.RECEIPT_CODE_EXPIRED, pb.RECEIPT_CODE_ALREADY_RESOLVED)
        assert shared_sidecar.judge(**fields).outcome == types_pb2.OUTCOME_DENY

    def test_others_are_answered_while_some_wait(self, shared_sidecar):
        """A pending approval occupies nobody else's call."""
        held = [shared_sidecar.judge_later(**fresh(), wait=5) for _ in range(50)]
        verdict = shared_sidecar.judge(
            tool="read", arguments={"path": "a"}, working_directory="/w", timeout=5
        )
        assert verdict.allowed
        for each in held:
            each.cancel()


class TestLookUp:
    """By number, by trace, or by action and object."""

    def test_one_approval_is_found_in_each_of_the_three_ways(self, shared_sidecar):
        """All lead to the same one."""
        fields = fresh(session="look")
        asked = shared_sidecar.judge(**fields)
        action = pb.ActionRef(tenant="studio", session="look", tool="bash", call_id=fields["call_id"])
        for by in (
            {"approval_id": asked.approval_id},
            {"trace_number": asked.trace_number},
            {"action": action},
        ):
            found = shared_sidecar.approvals.GetApproval(
                pb.GetApprovalRequest(**by), metadata=shared_sidecar.token()
            )
            assert found.approval.id == asked.approval_id

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            ({"tool": "fetch"}, grpc.StatusCode.NOT_FOUND),
            ({"tenant": "archive"}, grpc.StatusCode.NOT_FOUND),
            ({"session": "other"}, grpc.StatusCode.NOT_FOUND),
            ({"call_id": "other"}, grpc.StatusCode.NOT_FOUND),
        ],
    )
    def test_an_approval_of_one_object_is_not_found_for_another(self, shared_sidecar, change, code):
        """Every part of the action and object has to fit."""
        fields = fresh(session="look")
        shared_sidecar.judge(**fields)
        parts = {"tenant": "studio", "session": "look", "tool": "bash", "call_id": fields["call_id"]}
        with pytest.raises(grpc.RpcError) as caught:
            shared_sidecar.approvals.GetApproval(
                pb.GetApprovalRequest(action=pb.ActionRef(**(parts | change))),
                metadata=shared_sidecar.token(),
            )
        assert caught.value.code() is code


def wait_for_pending(sidecar, call_id):
    """The id of the pending approval of a call that is being held."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for approval in sidecar.pending():
            if approval.call_id == call_id:
                return approval.id
        time.sleep(0.02)
    raise AssertionError("the call never asked")
