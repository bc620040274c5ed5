"""Asks and the people who decide them, over gRPC against a running sidecar."""

import hashlib
import json
import uuid

import grpc
import pytest
from adjudicator.api.v1 import approval_service_pb2 as pb
from adjudicator.api.v1 import types_pb2

ASK = {"tool": "bash", "arguments": {"command": "make release"}}

FETCH = {"tool": "fetch", "arguments": {"url": "https://example.test/"}}

DEPLOY = {
    "tool": "deploy",
    "arguments": {"environment": "staging", "version": "1.2.3"},
    "principal": "user:dana",
}


def fresh(**fields):
    """A call that asks, under a call_id that nobody used."""
    return ASK | {"call_id": f"c-{uuid.uuid4().hex}"} | fields


class TestBinding:
    """An approval serves exactly one call, once."""

    def test_the_view_shows_the_exact_call_and_its_digest_is_of_the_view(self, shared_sidecar):
        """Session, tool, its own id, the actual arguments."""
        fields = fresh(**FETCH, session="s9", on_behalf_of=["designer"], principal="user:ann")
        asked = shared_sidecar.judge(**fields)
        approval = shared_sidecar.approval(asked.approval_id)
        view = json.loads(approval.view_json)
        assert view["arguments"] == fields["arguments"]
        assert (view["session"], view["tool"], view["agent"]) == ("s9", "fetch", "coder")
        assert (view["on_behalf_of"], view["principal"]) == (["designer"], "user:ann")
        assert approval.view_digest == hashlib.sha256(approval.view_json.encode()).hexdigest()
        assert len(approval.id.removeprefix("apr-")) == 32
        assert approval.state == pb.APPROVAL_STATE_PENDING

    def test_an_approved_call_is_allowed_once_and_its_retry_repeats_that(self, shared_sidecar):
        """The approval is used up by the ALLOW; a lost response is answered again."""
        fields = fresh()
        asked = shared_sidecar.judge(**fields)
        assert asked.outcome == types_pb2.OUTCOME_ASK
        assert shared_sidecar.approve(asked.approval_id).code == pb.RECEIPT_CODE_ACCEPTED
        allowed = shared_sidecar.judge(**fields)
        assert (allowed.allowed, allowed.cause) == (True, types_pb2.CAUSE_APPROVED)
        assert allowed.approval_id == asked.approval_id
        assert shared_sidecar.approval(asked.approval_id).state == pb.APPROVAL_STATE_CONSUMED
        retry = shared_sidecar.judge(**fields)
        assert (retry.allowed, retry.replayed) == (True, True)
        other = shared_sidecar.judge(**(fields | {"call_id": f"{fields['call_id']}-2"}))
        assert other.outcome == types_pb2.OUTCOME_ASK
        assert other.approval_id != asked.approval_id

    @pytest.mark.parametrize(
        "change",
        [
            {"arguments": {"command": "make release; rm -rf /"}},
            {"arguments": {"command": "make release", "timeout": 1}},
            {"agent": "designer"},
            {"principal": "user:eve"},
            {"working_directory": "/etc"},
            {"tool": "command_execution"},
        ],
    )
    def test_an_approval_never_serves_another_call(self, shared_sidecar, change):
        """With anything else in the call the same call_id is denied, approved or not."""
        fields = fresh()
        asked = shared_sidecar.judge(**fields)
        shared_sidecar.approve(asked.approval_id)
        verdict = shared_sidecar.judge(**(fields | change))
        assert verdict.outcome == types_pb2.OUTCOME_DENY
        assert shared_sidecar.approval(asked.approval_id).state == pb.APPROVAL_STATE_APPROVED
        assert shared_sidecar.judge(**fields).allowed

    def test_a_retry_while_pending_gets_the_same_approval(self, shared_sidecar):
        """A second look does not ask twice."""
        fields = fresh()
        ids = {shared_sidecar.judge(**fields).approval_id for _ in range(5)}
        assert len(ids) == 1

    def test_approving_one_releases_only_that_one(self, shared_sidecar):
        """Three that wait, decided out of order."""
        calls = [fresh() for _ in range(3)]
        asked = [shared_sidecar.judge(**each) for each in calls]
        shared_sidecar.approve(asked[1].approval_id)
        shared_sidecar.deny(asked[0].approval_id)
        outcomes = [shared_sidecar.judge(**each).outcome for each in calls]
        assert outcomes == [types_pb2.OUTCOME_DENY, types_pb2.OUTCOME_ALLOW, types_pb2.OUTCOME_ASK]

    def test_what_the_arguments_say_about_approval_counts_for_nothing(self, shared_sidecar):
        """An undeclared property fails the contract instead of lowering the gate."""
        arguments = {"command": "rm -rf d", "requires_approval": False, "approved": True}
        verdict = shared_sidecar.judge(tool="bash", arguments=arguments)
        assert verdict.outcome == types_pb2.OUTCOME_DENY
        assert verdict.step == types_pb2.STEP_CONTRACT

    def test_secrets_are_in_no_view_and_no_trace(self, shared_sidecar):
        """What the schema marks writeOnly is redacted, and still part of what is bound."""
        secret = "MARKED-SECRET-8361"  # noqa: S105
        arguments = DEPLOY["arguments"] | {"token": secret}
        fields = DEPLOY | {"arguments": arguments, "call_id": f"c-{uuid.uuid4().hex}"}
        asked = shared_sidecar.judge(**fields)
        shown = str(shared_sidecar.approval(asked.approval_id)) + str(
            shared_sidecar.trace(asked.trace_number)
        )
        assert "redacted" in shown
        assert secret not in shown
        other = fields | {"arguments": arguments | {"token": "another"}}
        assert shared_sidecar.judge(**other).cause == types_pb2.CAUSE_CALL_ID_REUSED
        files = [each for each in shared_sidecar.data.rglob("*") if each.is_file()]
        assert not [each for each in [*files, shared_sidecar.log] if secret.encode() in each.read_bytes()]


class TestReceipts:
    """Every decision has a receipt, and only an accepted one counts."""

    def test_a_second_decision_does_not_count(self, shared_sidecar):
        """Whoever comes second is told."""
        for first, second in [("approve", "deny"), ("deny", "approve")]:
            asked = shared_sidecar.judge(**fresh())
            assert getattr(shared_sidecar, first)(asked.approval_id).accepted
            late = getattr(shared_sidecar, second)(asked.approval_id)
            assert (late.accepted, late.code) == (False, pb.RECEIPT_CODE_ALREADY_RESOLVED)

    def test_an_unknown_id_is_refused(self, shared_sidecar):
        """Nothing is made up."""
        receipt = shared_sidecar.resolve("apr-0", pb.DECISION_APPROVE, digest="0" * 64)
        assert (receipt.accepted, receipt.code) == (False, pb.RECEIPT_CODE_UNKNOWN)
        assert not receipt.HasField("approval")

    @pytest.mark.parametrize("digest", ["", "0" * 64])
    def test_what_was_not_seen_cannot_be_approved(self, shared_sidecar, digest):
        """An approval without the digest of the view does not count; the approval stays pending."""
        fields = fresh()
        asked = shared_sidecar.judge(**fields)
        receipt = shared_sidecar.approve(asked.approval_id, digest=digest)
        assert (receipt.accepted, receipt.code) == (False, pb.RECEIPT_CODE_VIEW_MISMATCH)
        assert shared_sidecar.judge(**fields).outcome == types_pb2.OUTCOME_ASK
        assert shared_sidecar.approve(asked.approval_id).accepted

    def test_a_denial_needs_no_digest(self, shared_sidecar):
        """Whoever is in doubt can always say no."""
        asked = shared_sidecar.judge(**fresh())
        assert shared_sidecar.deny(asked.approval_id, digest="").accepted

    @pytest.mark.parametrize("decision", [0, 77])
    def test_a_decision_that_is_not_said_or_not_known_denies(self, shared_sidecar, decision):
        """The zero value declines, and so does what this version does not know."""
        fields = fresh()
        asked = shared_sidecar.judge(**fields)
        assert shared_sidecar.resolve(asked.approval_id, decision).accepted
        assert shared_sidecar.judge(**fields).cause == types_pb2.CAUSE_APPROVAL_DENIED

    def test_what_cannot_be_shown_whole_can_only_be_denied(self, shared_sidecar):
        """Over 32 KiB of view."""
        fields = fresh(
            tool="write",
            arguments={"path": "big.txt", "content": "x" * 33_000},
            working_directory="/srv/project",
        )
        asked = shared_sidecar.judge(**fields)
        assert asked.outcome == types_pb2.OUTCOME_ASK
        approval = shared_sidecar.approval(asked.approval_id)
        assert not approval.approvable
        assert len(approval.view_json) > 33_000
        receipt = shared_sidecar.approve(asked.approval_id)
        assert (receipt.accepted, receipt.code) == (False, pb.RECEIPT_CODE_VIEW_TOO_LARGE)
        assert shared_sidecar.deny(asked.approval_id).accepted

    def test_a_reason_that_is_too_long_is_refused(self, shared_sidecar):
        """The decision does not count and can be given again."""
        asked = shared_sidecar.judge(**fresh())
        with pytest.raises(grpc.RpcError) as caught:
            shared_sidecar.deny(asked.approval_id, reason="x" * 2001)
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert shared_sidecar.deny(asked.approval_id, reason="no").accepted

    def test_a_denial_carries_the_persons_reason_to_the_agent(self, shared_sidecar):
        """An agent that knows why does not guess."""
        fields = fresh()
        asked = shared_sidecar.judge(**fields)
        shared_sidecar.deny(asked.approval_id, reason="use the staging target")
        verdict = shared_sidecar.judge(**fields)
        assert verdict.reason_code == types_pb2.REASON_CODE_STATE_ILLEGAL
        assert "use the staging target" in verdict.reason


class TestPeople:
    """Only people decide, and only those whom the token names."""

    @pytest.mark.parametrize(
        "metadata",
        [
            (),
            (("authorization", "Bearer "),),
            (("authorization", "Bearer wrong" + "x" * 40),),
            (("authorization", "Basic abc"),),
            (("authorization", "x"), ("authorization", "y")),
        ],
    )
    def test_without_a_token_nothing_on_the_approver_plane_answers(self, shared_sidecar, metadata):
        """Unary and streaming alike."""
        asked = shared_sidecar.judge(**fresh())
        request = pb.ResolveRequest(approval_id=asked.approval_id, decision=pb.DECISION_APPROVE)
        for attempt in (
            lambda: shared_sidecar.approvals.Resolve(request, metadata=metadata),
            lambda: next(
                shared_sidecar.approvals.WatchPending(pb.WatchPendingRequest(), metadata=metadata)
            ),
            lambda: shared_sidecar.approvals.ListPending(pb.ListPendingRequest(), metadata=metadata),
        ):
            with pytest.raises(grpc.RpcError) as caught:
                attempt()
            assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
        assert shared_sidecar.approval(asked.approval_id).state == pb.APPROVAL_STATE_PENDING

    def test_a_token_that_others_can_read_is_no_token(self, shared_sidecar):
        """A leaked file does not approve."""
        shared_sidecar.token("leaky")
        file = shared_sidecar.data / "approvers" / "leaky.token"
        file.chmod(0o644)
        with pytest.raises(grpc.RpcError) as caught:
            shared_sidecar.approvals.ListPending(
                pb.ListPendingRequest(), metadata=shared_sidecar.token("leaky")
            )
        assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED

    def test_a_person_who_is_removed_decides_nothing_more(self, shared_sidecar):
        """Removing the file is enough."""
        metadata = shared_sidecar.token("leaver")
        shared_sidecar.approvals.ListPending(pb.ListPendingRequest(), metadata=metadata)
        (shared_sidecar.data / "approvers" / "leaver.token").unlink()
        with pytest.raises(grpc.RpcError) as caught:
            shared_sidecar.approvals.ListPending(pb.ListPendingRequest(), metadata=metadata)
        assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED

    def test_an_agent_never_decides_its_own_call(self, shared_sidecar):
        """Nor one that it is made on behalf of, even with a person's token of that name."""
        fields = fresh(**FETCH, on_behalf_of=["designer"])
        asked = shared_sidecar.judge(**fields)
        for name in ("coder", "designer"):
            receipt = shared_sidecar.approve(asked.approval_id, name=name)
            assert (receipt.accepted, receipt.code) == (False, pb.RECEIPT_CODE_NOT_A_PERSON)
        assert shared_sidecar.approve(asked.approval_id).accepted

    def test_four_eyes_bar_the_person_for_whom_the_call_is_made(self, shared_sidecar):
        """One person has one spelling; any other is refused, and so is none."""
        asked = shared_sidecar.judge(**fresh(**(DEPLOY | {"principal": "user:operator"})))
        receipt = shared_sidecar.approve(asked.approval_id)
        assert receipt.code == pb.RECEIPT_CODE_OWN_CALL
        assert shared_sidecar.approve(asked.approval_id, name="ann").accepted
        for principal in ("operator", "User:operator", "user:Operator", "user/operator", "user:operator:"):
            with pytest.raises(grpc.RpcError) as caught:
                shared_sidecar.judge(**fresh(**(DEPLOY | {"principal": principal})))
            assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        nobody = shared_sidecar.judge(**fresh(**(DEPLOY | {"principal": ""})))
        assert (nobody.outcome, nobody.cause) == (
            types_pb2.OUTCOME_DENY,
            types_pb2.CAUSE_PRINCIPAL_MISSING,
        )

    def test_two_different_people_have_to_approve(self, shared_sidecar):
        """One person who approves twice is still one."""
        fields = fresh(**DEPLOY)
        asked = shared_sidecar.judge(**fields)
        codes = [
            shared_sidecar.approve(asked.approval_id, name=name).code
            for name in ("operator", "operator", "ann", "bob")
        ]
        assert codes == [
            pb.RECEIPT_CODE_MORE_VOTES_NEEDED,
            pb.RECEIPT_CODE_ALREADY_VOTED,
            pb.RECEIPT_CODE_ACCEPTED,
            pb.RECEIPT_CODE_ALREADY_RESOLVED,
        ]
        assert shared_sidecar.judge(**fields).allowed
        actors = [vote.actor for vote in shared_sidecar.approval(asked.approval_id).votes]
        assert actors == ["user:operator", "user:ann"]

    def test_one_denial_outweighs_the_approvals_before_it(self, shared_sidecar):
        """Also from somebody who approved and thinks again."""
        for decider in ("ann", "operator"):
            fields = fresh(**DEPLOY)
            asked = shared_sidecar.judge(**fields)
            shared_sidecar.approve(asked.approval_id)
            assert not shared_sidecar.judge(**fields).allowed
            assert shared_sidecar.deny(asked.approval_id, name=decider).accepted
            assert shared_sidecar.judge(**fields).outcome == types_pb2.OUTCOME_DENY
