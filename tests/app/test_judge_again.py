"""What stands is judged again by each policy that becomes active, on real sidecars."""

import shutil
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from adjudicator.api.v1 import policy_service_pb2 as policy_pb
from adjudicator.api.v1 import types_pb2 as pb
from running import POLICIES, Running, running, until

ASK = {"tool": "bash", "arguments": {"command": "make deploy"}}
ROW = "p, role:engineer, studio, bash, *, , ask, a command line can do anything\n"
NO_MAKE = "p, role:engineer, studio, bash, shell:make *, , deny, nothing is made today\n"
LEAD, OTHER_LEAD = (f"g, user:{name}, role:lead, studio\n" for name in ("ann", "bob"))
BY_HAND = ("--no-watch",)
JUDGED = "what stands was judged by the policy that is active now"
CANCELLED, PENDING = approval_pb.APPROVAL_STATE_CANCELLED, approval_pb.APPROVAL_STATE_PENDING


def bundle(folder):
    """A copy of the shipped bundle to change; without its tests, which would keep some changes out."""
    return shutil.copytree(POLICIES, folder, ignore=shutil.ignore_patterns("tests"))


@pytest.fixture
def policies(tmp_path):
    """One bundle."""
    return bundle(tmp_path / "policies")


def edit(folder, old, new, name="rules.csv"):
    """Save another text in the file."""
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))


def reload(sidecar):
    """Push a reload of what is in the folder."""
    response = sidecar.policy.ReloadPolicy(policy_pb.ReloadPolicyRequest(), metadata=sidecar.token())
    assert response.activated, response


def preview(sidecar, recent=0):
    """A preview."""
    request = policy_pb.PreviewPolicyRequest(recent_calls=recent)
    return sidecar.policy.PreviewPolicy(request, metadata=sidecar.token(), timeout=60)


def asked(sidecar, count, sessions=1):
    """So many approvals, in so many sessions."""
    with ThreadPoolExecutor(8) as pool:
        return list(
            pool.map(
                lambda n: sidecar.judge(call_id=f"c{n}", **ASK | {"session": f"s{n % sessions}"}),
                range(count),
            )
        )


def test_a_reload_wakes_held_calls_that_are_denied_now(tmp_path, policies):
    """They get the denial with its row; it is closed for whoever decides, and no later policy opens it."""
    with running(tmp_path / "data", policies, extra=BY_HAND) as sidecar:
        held = [sidecar.judge_later(wait=50, call_id=f"c{number}", **ASK) for number in range(20)]
        pending = until(lambda: len(found := sidecar.pending()) == 20 and found)
        edit(policies, ROW, NO_MAKE + ROW)
        reload(sidecar)
        verdicts = [each.result(timeout=20).verdict for each in held]
        assert {(each.outcome, each.cause) for each in verdicts} == {(pb.OUTCOME_DENY, pb.CAUSE_RULE_DENY)}
        assert {(each.rule.file, each.rule.text) for each in verdicts} == {("rules.csv", NO_MAKE.strip())}
        assert {sidecar.approval(each.id).state for each in pending} == {CANCELLED}
        told = [each for each in sidecar.records() if each["event"] == JUDGED]
        assert (told[-1]["approvals"], told[-1]["cancelled"], told[-1]["unjudged"]) == (20, 20, 0)
        edit(policies, NO_MAKE, "")
        reload(sidecar)
        assert sidecar.judge(call_id="c0", **ASK).cause == pb.CAUSE_RULE_DENY
        assert not sidecar.approve(pending[0].id).accepted
        assert sidecar.judge(call_id="new", **ASK).outcome == pb.OUTCOME_ASK


def test_an_approver_who_has_lost_the_role_releases_nothing(tmp_path, policies):
    """An approval that is not used is cancelled; what only another approved stays."""
    with running(tmp_path / "data", policies, extra=BY_HAND) as sidecar:
        first, second = asked(sidecar, 2)
        assert sidecar.approve(first.approval_id, name="ann").accepted
        assert sidecar.approve(second.approval_id, name="bob").accepted
        edit(policies, LEAD, "", "approvers.csv")
        reload(sidecar)
        until(lambda: sidecar.approval(first.approval_id).state == CANCELLED)
        assert sidecar.judge(call_id="c0", **ASK | {"session": "s0"}).cause == pb.CAUSE_POLICY_CHANGED
        assert sidecar.judge(call_id="c1", **ASK | {"session": "s0"}).outcome == pb.OUTCOME_ALLOW
        edit(policies, OTHER_LEAD, LEAD + OTHER_LEAD, "approvers.csv")
        reload(sidecar)
        assert sidecar.judge(call_id="c0", **ASK | {"session": "s0"}).outcome == pb.OUTCOME_DENY


def test_a_bundle_that_changed_while_the_sidecar_was_down_is_applied_at_the_start(tmp_path, policies):
    """Nobody has to call for that."""
    with running(tmp_path / "data", policies, extra=BY_HAND) as sidecar:
        one = sidecar.judge(call_id="c1", **ASK)
    edit(policies, ROW, NO_MAKE + ROW)
    with running(tmp_path / "data", policies, extra=BY_HAND) as sidecar:
        until(lambda: sidecar.approval(one.approval_id).state == CANCELLED)
        trace = sidecar.trace(one.trace_number)
        assert (trace.verdict.cause, trace.verdict.rule.text) == (pb.CAUSE_RULE_DENY, NO_MAKE.strip())


def test_a_sidecar_that_is_killed_while_it_judges_goes_on_after_the_restart(tmp_path, policies):
    """What was closed is closed, and the rest follows; the trace of each has one end."""
    sidecar = Running(tmp_path / "data", policies, extra=BY_HAND).start()
    opened = asked(sidecar, 600, sessions=10)
    edit(policies, ROW, NO_MAKE + ROW)
    # Killed as soon as the first are closed: the reload is answered before all of them are.
    reload(sidecar)
    until(lambda: sidecar.approval(opened[0].approval_id).state == CANCELLED)
    sidecar.kill()
    sidecar.start()
    try:
        until(lambda: not sidecar.pending())
        told = [each for each in sidecar.records() if each["event"] == JUDGED]
        assert 0 < told[-1]["cancelled"] < 600
        for each in opened[:: 600 // 20]:
            trace = sidecar.trace(each.trace_number)
            assert trace.verdict.cause == pb.CAUSE_RULE_DENY
            outcomes = [one.body_json.count('"DENY"') for one in trace.elements]
            assert sum(map(bool, outcomes)) == 1
    finally:
        sidecar.stop()


def test_two_sidecars_with_two_policies_agree_on_what_was_closed(tmp_path, postgres_url):
    """A denial by either closes for both; a caller that the other one holds hears of it at once."""
    folders = [bundle(tmp_path / f"policies-{number}") for number in range(2)]
    one, two = (
        Running(
            tmp_path / f"sidecar-{number}", folder, extra=(*BY_HAND, "--database", postgres_url)
        ).start()
        for number, folder in enumerate(folders)
    )
    try:
        held = two.judge_later(wait=50, call_id="held", **ASK)
        pending = until(two.pending)
        edit(folders[0], ROW, NO_MAKE + ROW)
        reload(one)
        assert held.result(timeout=20).verdict.cause == pb.CAUSE_RULE_DENY
        assert two.approval(pending[0].id).state == CANCELLED
        assert not two.approve(pending[0].id).accepted
        # The other still has the bundle of before; what asks there is closed when that one becomes active.
        later = two.judge(call_id="later", **ASK)
        assert later.outcome == pb.OUTCOME_ASK
        edit(folders[1], ROW, NO_MAKE + ROW)
        reload(two)
        until(lambda: one.approval(later.approval_id).state == CANCELLED)
    finally:
        one.stop()
        two.stop()


def test_a_preview_says_what_a_reload_then_does(tmp_path, policies):
    """And changes nothing itself."""
    with running(tmp_path / "data", policies, extra=BY_HAND) as sidecar:
        version = sidecar.policy_status().version
        one = sidecar.judge(call_id="c1", **ASK)
        other = sidecar.judge(call_id="c2", tool="bash", arguments={"command": "ls"})
        edit(policies, ROW, NO_MAKE + ROW)
        found = preview(sidecar)
        assert (found.valid, found.complete, found.version != version) == (True, True, True)
        assert [each.approval_id for each in found.denied_approvals] == [one.approval_id]
        assert "nothing is made today" in found.denied_approvals[0].reason
        flipped = [(each.trace_number, each.outcome, each.new_outcome) for each in found.flipped_calls]
        assert flipped == [(one.trace_number, "ASK", "DENY")]
        assert (found.judged_calls, found.unknown_calls, found.judged_approvals) == (2, 0, 2)
        assert sidecar.policy_status().version == version
        assert sidecar.approval(one.approval_id).state == PENDING
        reload(sidecar)
        until(lambda: sidecar.approval(one.approval_id).state == CANCELLED)
        assert sidecar.policy_status().version == found.version
        assert sidecar.approval(other.approval_id).state == PENDING


def test_a_preview_of_a_broken_folder_lists_its_problems(tmp_path, policies):
    """The policy that decides, and its health, stay as they are."""
    with running(tmp_path / "data", policies, extra=BY_HAND) as sidecar:
        (policies / "rules.csv").write_text("p, nobody\n")
        found = preview(sidecar)
        assert (found.valid, found.version) == (False, "")
        assert found.problems[0].file == "rules.csv"
        assert not sidecar.policy_status().problems
        with pytest.raises(grpc.RpcError) as caught:
            preview(sidecar, 2001)
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
