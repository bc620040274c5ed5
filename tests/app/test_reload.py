"""Reloads that somebody asks for, on a sidecar that does not watch its folder."""

import shutil
import threading
import time

import grpc
import pytest
from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from adjudicator.api.v1 import policy_service_pb2 as policy_pb
from adjudicator.api.v1 import types_pb2 as pb
from running import POLICIES, health, running

READ = {"tool": "read", "arguments": {"path": "a"}, "working_directory": "/w"}

ASK = {"tool": "bash", "arguments": {"command": "ls"}}

BY_HAND = ("--no-watch",)


class TestPolicy:
    """The folder on disk and the snapshot that decides."""

    @pytest.fixture
    def policies(self, tmp_path):
        """A copy of the shipped bundle to damage; without its tests, which would keep such rules out."""
        without = shutil.ignore_patterns("tests")
        return shutil.copytree(POLICIES, tmp_path / "policies", ignore=without)

    def reload(self, sidecar):
        """Push a reload."""
        return sidecar.policy.ReloadPolicy(policy_pb.ReloadPolicyRequest(), metadata=sidecar.token())

    def test_without_a_valid_bundle_it_serves_and_allows_nothing(self, tmp_path, policies):
        """Cold start on a broken bundle: NOT_SERVING, UNAVAILABLE with POLICY_INVALID, problems listed."""
        rules = policies / "rules.csv"
        good = rules.read_text()
        rules.write_text(good.replace(", deny,", ", Deny,", 1))
        with running(tmp_path / "data", policies, extra=BY_HAND) as sidecar:
            assert health(sidecar.agent_channel) == "NOT_SERVING"
            assert health(sidecar.approver_channel) == "SERVING"
            for dry_run in (False, True):
                with pytest.raises(grpc.RpcError) as caught:
                    sidecar.judge(**READ, dry_run=dry_run)
                assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
                assert "no valid policy bundle" in caught.value.details()
            status = sidecar.policy_status()
            assert status.version == ""
            assert [(each.file, each.line > 0) for each in status.problems] == [("rules.csv", True)]
            rules.write_text(good)
            assert self.reload(sidecar).activated
            assert health(sidecar.agent_channel) == "SERVING"
            assert sidecar.judge(**READ).allowed

    @pytest.mark.parametrize(
        "damage",
        [
            lambda folder: (folder / "rules.csv").write_text(""),
            lambda folder: (folder / "rules.csv").unlink(),
            lambda folder: (folder / "bundle.yaml").write_text("format: [1"),
            lambda folder: (folder / "schemas" / "read.json").write_text('{"type": 7}'),
            lambda folder: (folder / "models" / "rules.conf").write_bytes(b"\xff\xfe"),
            lambda folder: shutil.rmtree(folder / "registry"),
            shutil.rmtree,
            lambda folder: (folder / "extra.csv").write_text("p, a, b, c\n"),
        ],
    )
    def test_a_broken_bundle_keeps_the_last_good_one(self, tmp_path, policies, damage):
        """Hot: the old snapshot decides on, and the status says what is wrong."""
        with running(tmp_path / "data", policies, extra=BY_HAND) as sidecar:
            version = sidecar.judge(**READ).policy_version
            damage(policies)
            response = self.reload(sidecar)
            assert not response.activated
            assert response.status.problems
            verdict = sidecar.judge(**READ)
            assert (verdict.allowed, verdict.policy_version) == (True, version)
            assert health(sidecar.agent_channel) == "SERVING"

    def test_a_changed_rule_changes_the_verdict_without_a_restart(self, tmp_path, policies):
        """Flip one row, reload, call again: the verdict flips and names the new version."""
        with running(tmp_path / "data", policies, extra=BY_HAND) as sidecar:
            before = sidecar.judge(**READ)
            rules = policies / "rules.csv"
            row = before.rule.text
            assert row in rules.read_text()
            rules.write_text(rules.read_text().replace(row, row.replace("allow", "deny")))
            assert self.reload(sidecar).activated
            after = sidecar.judge(**READ)
            assert (before.allowed, after.allowed) == (True, False)
            assert after.policy_version != before.policy_version

    def test_an_approval_is_judged_again_by_the_policy_of_now(self, tmp_path, policies):
        """What is denied now is not released by an approval from before, then or later."""
        with running(tmp_path / "data", policies, extra=BY_HAND) as sidecar:
            calls = [ASK | {"call_id": f"c-{number}"} for number in range(3)]
            asked = [sidecar.judge(**each) for each in calls]
            sidecar.approve(asked[0].approval_id)
            sidecar.approve(asked[2].approval_id)
            used = sidecar.judge(**calls[2])
            assert used.allowed
            tools = policies / "registry" / "tools.yaml"
            good = tools.read_text()
            bad = good.replace(
                "  title: Run a shell command\n",
                "  title: Run a shell command\n  status: disabled\n  disable_reason: an incident\n",
            )
            assert bad != good
            tools.write_text(bad)
            assert self.reload(sidecar).activated
            for call, was in zip(calls, asked, strict=True):
                verdict = sidecar.judge(**call)
                assert (verdict.outcome, verdict.cause) == (pb.OUTCOME_DENY, pb.CAUSE_TOOL_DISABLED)
                state = sidecar.approval(was.approval_id).state
                assert state in (
                    approval_pb.APPROVAL_STATE_CANCELLED,
                    approval_pb.APPROVAL_STATE_CONSUMED,
                )
            tools.write_text(good)
            assert self.reload(sidecar).activated
            assert [sidecar.judge(**each).allowed for each in calls] == [False] * 3

    def test_an_allow_that_the_policy_no_longer_gives_is_not_repeated(self, tmp_path, policies):
        """A retry under a stricter policy is denied and says why."""
        with running(tmp_path / "data", policies, extra=BY_HAND) as sidecar:
            fields = READ | {"call_id": "c-1"}
            assert sidecar.judge(**fields).allowed
            tenants = policies / "registry" / "tenants.yaml"
            tenants.write_text(tenants.read_text().replace("mode: auto", "mode: ask_always", 1))
            assert self.reload(sidecar).activated
            assert sidecar.judge(**fields).cause == pb.CAUSE_POLICY_CHANGED
            assert sidecar.judge(**(fields | {"call_id": "c-2"})).outcome == pb.OUTCOME_ASK

    def test_a_reload_of_the_same_files_changes_nothing(self, tmp_path, policies):
        """Twenty reloads under load: no spurious denial, no error, and the snapshot of before."""
        with running(tmp_path / "data", policies, extra=BY_HAND) as sidecar:
            before = sidecar.policy_status()
            stop, outcomes = threading.Event(), []

            def load():
                while not stop.is_set():
                    outcomes.append(sidecar.judge(**READ).outcome)

            caller = threading.Thread(target=load)
            caller.start()
            for _ in range(20):
                assert self.reload(sidecar).activated
            stop.set()
            caller.join()
            assert set(outcomes) == {pb.OUTCOME_ALLOW}
            assert sidecar.policy_status() == before

    def test_without_a_watch_a_change_waits_for_a_reload(self, tmp_path, policies):
        """Nothing goes live before somebody says so."""
        with running(tmp_path / "data", policies, extra=BY_HAND) as sidecar:
            (policies / "rules.csv").write_text("")
            time.sleep(2)
            assert not sidecar.policy_status().problems
            assert not self.reload(sidecar).activated
            assert sidecar.policy_status().problems
