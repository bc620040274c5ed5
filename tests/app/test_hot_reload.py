"""What is saved in the policy folder goes live by itself, whole or not at all, while calls are judged."""

import os
import shutil
import threading
from contextlib import contextmanager

import grpc
import pytest
from adjudicator.api.v1 import policy_service_pb2 as policy_pb
from adjudicator.api.v1 import types_pb2 as pb
from running import POLICIES, health, running, until

READ = {"tool": "read", "arguments": {"path": "a"}, "working_directory": "/w"}
LIST = {"tool": "ls", "arguments": {"path": "."}, "working_directory": "/w"}
ROW = "p, role:reader, studio, read, path:./**, path:**/.env*, allow, the project's files may be read\n"
NO_READING = ROW.replace("path:**/.env*, allow", ", deny")
POLICY = "adjudicator.policy"
TEST = """\
tests:
  - name: reading passes
    call: {tenant: studio, agent: coder, tool: read, working_directory: /w, arguments: {"path": "a"}}
    expect: {verdict: ALLOW}
"""


@pytest.fixture
def policies(tmp_path):
    """A copy of the shipped bundle to change; without its tests, which would keep some changes out."""
    return shutil.copytree(POLICIES, tmp_path / "policies", ignore=shutil.ignore_patterns("tests"))


def edit(folder, old=ROW, new=NO_READING, name="rules.csv"):
    """Save a file as an editor does that writes in place."""
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))


def no_policy(sidecar):
    """Whether the agent plane refuses to judge for want of a policy."""
    try:
        sidecar.judge(**READ)
    except grpc.RpcError as error:
        return error.code() is grpc.StatusCode.UNAVAILABLE and "no valid policy" in error.details()
    return False


class TestEdits:
    """Good changes."""

    def test_a_saved_row_flips_the_verdict(self, tmp_path, policies):
        """No restart, no command: the next calls are judged by what the file says now."""
        with running(tmp_path / "data", policies) as sidecar:
            before = sidecar.judge(**READ)
            edit(policies)
            after = until(lambda: not (now := sidecar.judge(**READ)).allowed and now)
            assert (before.allowed, after.cause) == (True, pb.CAUSE_RULE_DENY)
            assert after.policy_version == sidecar.policy_status().version != before.policy_version
            edit(policies, NO_READING, ROW)
            again = until(lambda: (now := sidecar.judge(**READ)).allowed and now)
            assert again.policy_version == before.policy_version

    def test_a_file_replaced_by_a_rename_is_seen(self, tmp_path, policies):
        """As editors save that write beside the file first, whose other files are not looked at."""
        with running(tmp_path / "data", policies) as sidecar:
            edit(policies)
            until(lambda: not sidecar.judge(**READ).allowed)
            new = policies / ".rules.csv.swp"
            new.write_text((policies / "rules.csv").read_text().replace(NO_READING, ROW))
            new.rename(policies / "rules.csv")
            until(lambda: sidecar.judge(**READ).allowed)

    def test_a_link_that_is_switched_is_seen(self, tmp_path, policies):
        """A mounted configuration: the folder is a link, and its switch is one moment."""
        other = shutil.copytree(policies, tmp_path / "mount" / "..2")
        edit(other)
        policies.rename(tmp_path / "mount" / "..1")
        data, live = tmp_path / "mount" / "..data", tmp_path / "live"
        data.symlink_to("..1")
        live.symlink_to(data)
        with running(tmp_path / "data", live) as sidecar:
            assert sidecar.judge(**READ).allowed
            for version, allowed in (("..2", False), ("..1", True), ("..2", False)):
                switched = tmp_path / "mount" / "..tmp"
                switched.symlink_to(version)
                switched.rename(data)
                until(lambda allowed=allowed: sidecar.judge(**READ).allowed is allowed)

    def test_a_mount_whose_entries_are_links_is_seen(self, tmp_path, policies):
        """The same where the folder is real and each entry leads through the one link that is switched."""
        mount = tmp_path / "mount"
        mount.mkdir()
        edit(shutil.copytree(policies, mount / "..2"))
        policies.rename(mount / "..1")
        (mount / "..data").symlink_to("..1")
        for entry in (mount / "..1").iterdir():
            (mount / entry.name).symlink_to(f"..data/{entry.name}")
        with running(tmp_path / "data", mount) as sidecar:
            assert sidecar.judge(**READ).allowed
            (mount / "..tmp").symlink_to("..2")
            (mount / "..tmp").rename(mount / "..data")
            until(lambda: not sidecar.judge(**READ).allowed)

    def test_a_touched_folder_activates_nothing(self, tmp_path, policies):
        """The same files under new dates are the same bundle."""
        with running(tmp_path / "data", policies) as sidecar:
            before = sidecar.policy_status()
            for file in policies.rglob("*.csv"):
                file.touch()
            edit(policies)
            until(lambda: sidecar.policy_status().version != before.version)
            activated = [r for r in sidecar.records() if r["event"] == "policy activated"]
            assert [r["tests"] for r in activated] == [0, 0]


def replaced_by_a_folder(file):
    """What cannot be read even by those whom no mode keeps out."""
    file.unlink()
    file.mkdir()


DAMAGES = {
    "syntax error": lambda folder: edit(folder, "format: 1", "format: [1", "bundle.yaml"),
    "unknown key": lambda folder: edit(folder, "format: 1", "format: 1\nallow: all", "bundle.yaml"),
    "file removed": lambda folder: (folder / "rules.csv").unlink(),
    "zero bytes": lambda folder: (folder / "rules.csv").write_text(""),
    "half written": lambda folder: os.truncate(folder / "scope.csv", 400),
    "unreadable": lambda folder: replaced_by_a_folder(folder / "permission.csv"),
    "folder removed": shutil.rmtree,
    "failing test": lambda folder: (
        (folder / "tests").mkdir() or (folder / "tests" / "a.yaml").write_text(TEST.replace("ALLOW", "ASK"))
    ),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
class TestDamage:
    """Changes that are no bundle."""

    def test_while_serving_the_last_good_one_stays(self, tmp_path, policies, damage):
        """It decides on, status and health say what is wrong, the log says it once, and all recovers."""
        good = shutil.copytree(policies, tmp_path / "good")
        with running(tmp_path / "data", policies) as sidecar:
            version = sidecar.judge(**READ).policy_version
            assert health(sidecar.agent_channel, POLICY) == "SERVING"
            damage(policies)
            until(lambda: sidecar.policy_status().problems)
            until(lambda: health(sidecar.agent_channel, POLICY) == "NOT_SERVING")
            assert health(sidecar.approver_channel, POLICY) == "NOT_SERVING"
            assert health(sidecar.agent_channel) == health(sidecar.approver_channel) == "SERVING"
            verdict = sidecar.judge(**READ)
            assert (verdict.allowed, verdict.policy_version) == (True, version)
            sidecar.policy.ReloadPolicy(policy_pb.ReloadPolicyRequest(), metadata=sidecar.token())
            events = [record["event"] for record in sidecar.records()]
            assert events.count("policy not activated") == 1
            shutil.rmtree(policies, ignore_errors=True)
            shutil.copytree(good, policies)
            until(lambda: not sidecar.policy_status().problems)
            until(lambda: health(sidecar.agent_channel, POLICY) == "SERVING")
            assert sidecar.judge(**READ).policy_version == version

    def test_at_the_start_nothing_is_allowed_until_it_is_good(self, tmp_path, policies, damage):
        """NOT_SERVING and no verdict; then the folder becomes valid, and no restart is needed."""
        good = shutil.copytree(policies, tmp_path / "good")
        damage(policies)
        with running(tmp_path / "data", policies) as sidecar:
            assert health(sidecar.agent_channel) == "NOT_SERVING"
            assert health(sidecar.agent_channel, POLICY) == "NOT_SERVING"
            assert no_policy(sidecar)
            assert sidecar.policy_status().problems
            shutil.rmtree(policies, ignore_errors=True)
            shutil.copytree(good, policies)
            until(lambda: health(sidecar.agent_channel) == "SERVING")
            assert sidecar.judge(**READ).allowed
            assert health(sidecar.agent_channel, POLICY) == "SERVING"


class TestGate:
    """The bundle's own tests stand between a change and the calls."""

    def test_a_rule_that_a_test_speaks_against_does_not_go_live(self, tmp_path, policies):
        """The old rule stays until the test is changed too; then both go live together."""
        (policies / "tests").mkdir()
        (policies / "tests" / "a.yaml").write_text(TEST)
        with running(tmp_path / "data", policies) as sidecar:
            assert sidecar.policy_status().tests == 1
            edit(policies)
            (problem,) = until(lambda: sidecar.policy_status().problems)
            assert (problem.file, problem.line, problem.column) == ("tests/a.yaml", 2, 5)
            assert "expected ALLOW, got DENY at step 7" in problem.message
            assert sidecar.judge(**READ).allowed
            edit(policies, "{verdict: ALLOW}", "{verdict: DENY, cause: RULE_DENY}", "tests/a.yaml")
            until(lambda: not sidecar.judge(**READ).allowed)
            assert not sidecar.policy_status().problems


@contextmanager
def hammering(judge):
    """Calls one after the other for the length of a block; the verdicts, or the error."""
    stop, seen = threading.Event(), []

    def hammer():
        try:
            while not stop.is_set():
                seen.append(judge())
        except grpc.RpcError as error:
            seen.append(error)

    caller = threading.Thread(target=hammer)
    caller.start()
    try:
        yield seen
    finally:
        stop.set()
        caller.join()


def test_no_call_sees_anything_between_two_bundles(tmp_path, policies):
    """Fifty changes under load: no error, no spurious denial, and each answer is its version's own."""
    allows = tmp_path / "allows.csv"
    denies = tmp_path / "denies.csv"
    text = (policies / "rules.csv").read_text()
    allows.write_text(text)
    denies.write_text(text.replace(ROW, NO_READING))
    with running(tmp_path / "data", policies) as sidecar:
        versions = {sidecar.judge(**READ).policy_version: True}
        with (
            hammering(lambda: sidecar.judge(**READ)) as reads,
            hammering(lambda: sidecar.judge(**LIST)) as lists,
        ):
            for number in range(50):
                new = policies / ".new"
                shutil.copy(allows if number % 2 else denies, new)
                new.rename(policies / "rules.csv")
                # Most changes are pushed, which is quicker, while the folder is watched as well.
                if number % 5:
                    request = policy_pb.ReloadPolicyRequest()
                    assert sidecar.policy.ReloadPolicy(request, metadata=sidecar.token()).activated
                wanted = bool(number % 2)
                verdict = until(lambda w=wanted: (v := sidecar.judge(**READ)).allowed is w and v)
                assert versions.setdefault(verdict.policy_version, wanted) is wanted
        assert len(versions) == 2
        assert not [each for each in [*reads, *lists] if isinstance(each, grpc.RpcError)]
        assert [each for each in lists if each.outcome != pb.OUTCOME_ALLOW] == []
        assert {each.policy_version for each in lists} == versions.keys()
        assert all(each.allowed is versions[each.policy_version] for each in reads)
        assert len(reads) > 50
