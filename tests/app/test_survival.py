"""Power cuts, restarts, stops and broken surroundings: nothing answered is lost."""

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import uuid

import grpc
import pytest
from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from adjudicator.api.v1 import policy_service_pb2 as policy_pb
from adjudicator.api.v1 import types_pb2 as pb
from grpc_health.v1 import health_pb2, health_pb2_grpc
from running import POLICIES, Running, running

READ = {"tool": "read", "arguments": {"path": "a"}, "working_directory": "/w"}
ASK = {"tool": "bash", "arguments": {"command": "ls"}}


def health(channel):
    """What a plane's health check says."""
    answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=5)
    return health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)


def test_after_kill_9_every_answer_is_on_record_and_every_pending_approval_pending(tmp_path):
    """Three rounds of load from several callers, each ended by SIGKILL at a random moment."""
    answered, lock = {}, threading.Lock()
    sidecar = Running(tmp_path / "data").start()

    def load(stop):
        while not stop.is_set():
            fields = (ASK if uuid.uuid4().int % 2 else READ) | {"call_id": f"c-{uuid.uuid4().hex}"}
            try:
                verdict = sidecar.judge(**fields, timeout=5)
            except (grpc.RpcError, ValueError):
                return
            with lock:
                answered[fields["call_id"]] = (fields, verdict)

    for _ in range(3):
        stop = threading.Event()
        callers = [threading.Thread(target=load, args=(stop,)) for _ in range(6)]
        for each in callers:
            each.start()
        time.sleep(0.7 + uuid.uuid4().int % 300 / 1000)
        sidecar.kill()
        stop.set()
        for each in callers:
            each.join()
        sidecar.start()
    assert len(answered) > 50
    pending = {each.id: each for each in sidecar.pending()}
    for fields, verdict in answered.values():
        trace = sidecar.trace(verdict.trace_number)
        assert trace.verdict.outcome == verdict.outcome
        assert trace.verdict.call_id == verdict.call_id
        if verdict.outcome == pb.OUTCOME_ASK:
            assert pending[verdict.approval_id].call_id == fields["call_id"]
    asked = [entry for entry in answered.values() if entry[1].outcome == pb.OUTCOME_ASK]
    for fields, verdict in asked[:20]:
        assert sidecar.approve(verdict.approval_id).accepted
        assert sidecar.judge(**fields).allowed
    assert sidecar.stop() == 0


def test_rounds_of_ask_kill_restart_resolve_lose_and_double_nothing(tmp_path):
    """An approval given before a power cut still serves its one call after it, once."""
    sidecar = Running(tmp_path / "data").start()
    for number in range(5):
        fields = ASK | {"call_id": f"c-{number}"}
        asked = sidecar.judge(**fields)
        sidecar.kill()
        sidecar.start()
        assert sidecar.judge(**fields).approval_id == asked.approval_id
        assert sidecar.approve(asked.approval_id).accepted
        sidecar.kill()
        sidecar.start()
        allowed = sidecar.judge(**fields)
        assert (allowed.allowed, allowed.replayed) == (True, False)
        sidecar.kill()
        sidecar.start()
        again = sidecar.judge(**fields)
        assert (again.allowed, again.replayed) == (True, True)
        trace = sidecar.trace(asked.trace_number)
        assert sum('"outcome":"ALLOW"' in each.body_json for each in trace.elements) == 1
    sidecar.stop()


def test_a_time_limit_runs_out_while_the_sidecar_is_down(tmp_path):
    """The limit is a moment on disk, not a timer in a process."""
    sidecar = Running(tmp_path / "data").start()
    fields = ASK | {"call_id": "c-1"}
    asked = sidecar.judge(**fields, limit=1)
    sidecar.kill()
    time.sleep(1.2)
    sidecar.start()
    receipt = sidecar.approve(asked.approval_id)
    assert not receipt.accepted
    assert sidecar.judge(**fields).cause == pb.CAUSE_APPROVAL_EXPIRED
    sidecar.stop()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_ends_waits_and_watches_with_a_clear_status_and_keeps_what_is_pending(tmp_path, number):
    """Health first, then the streams; the process ends soon and well."""
    sidecar = Running(tmp_path / "data").start()
    watches = [
        sidecar.approvals.WatchPending(approval_pb.WatchPendingRequest(), metadata=sidecar.token())
        for _ in range(5)
    ]
    for each in watches:
        next(each)
    held = sidecar.judge_later(**ASK, call_id="c-held", wait=60)
    while not sidecar.pending():
        time.sleep(0.02)
    started = time.monotonic()
    sidecar.process.send_signal(number)
    assert held.exception(timeout=10).code() is grpc.StatusCode.UNAVAILABLE
    assert "pending" in held.exception().details()
    for each in watches:
        with pytest.raises(grpc.RpcError) as caught:
            for _ in each:
                pass
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        assert "stopping" in caught.value.details()
    assert sidecar.stop() == 0
    assert time.monotonic() - started < 5
    sidecar.start()
    assert [each.call_id for each in sidecar.pending()] == ["c-held"]
    sidecar.stop()


class TestPolicy:
    """The folder on disk and the snapshot that decides."""

    @pytest.fixture
    def policies(self, tmp_path):
        """A copy of the shipped bundle to damage."""
        return shutil.copytree(POLICIES, tmp_path / "policies")

    def reload(self, sidecar):
        """Push a reload."""
        return sidecar.policy.ReloadPolicy(policy_pb.ReloadPolicyRequest(), metadata=sidecar.token())

    def test_without_a_valid_bundle_it_serves_and_allows_nothing(self, tmp_path, policies):
        """Cold start on a broken bundle: NOT_SERVING, UNAVAILABLE with POLICY_INVALID, problems listed."""
        rules = policies / "rules.csv"
        good = rules.read_text()
        rules.write_text(good.replace(", deny,", ", Deny,", 1))
        with running(tmp_path / "data", policies) as sidecar:
            assert health(sidecar.agent_channel) == "NOT_SERVING"
            assert health(sidecar.approver_channel) == "SERVING"
            for dry_run in (False, True):
                with pytest.raises(grpc.RpcError) as caught:
                    sidecar.judge(**READ, dry_run=dry_run)
                assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
                assert "no valid policy bundle" in caught.value.details()
            status = sidecar.policy.GetPolicyStatus(
                policy_pb.GetPolicyStatusRequest(), metadata=sidecar.token()
            ).status
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
        with running(tmp_path / "data", policies) as sidecar:
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
        with running(tmp_path / "data", policies) as sidecar:
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
        with running(tmp_path / "data", policies) as sidecar:
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
        with running(tmp_path / "data", policies) as sidecar:
            fields = READ | {"call_id": "c-1"}
            assert sidecar.judge(**fields).allowed
            tenants = policies / "registry" / "tenants.yaml"
            tenants.write_text(tenants.read_text().replace("mode: auto", "mode: ask_always", 1))
            assert self.reload(sidecar).activated
            assert sidecar.judge(**fields).cause == pb.CAUSE_POLICY_CHANGED
            assert sidecar.judge(**(fields | {"call_id": "c-2"})).outcome == pb.OUTCOME_ASK

    def test_decisions_go_on_during_a_reload(self, tmp_path, policies):
        """Twenty reloads under load: no spurious denial and no error."""
        with running(tmp_path / "data", policies) as sidecar:
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


class TestStore:
    """A database that cannot be used, at the start and later."""

    def test_while_the_database_is_locked_nothing_is_decided(self, tmp_path):
        """UNAVAILABLE and NOT_SERVING; afterwards it is well again by itself."""
        with running(tmp_path / "data") as sidecar:
            other = sqlite3.connect(tmp_path / "data" / "adjudicator.db", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(grpc.RpcError) as caught:
                sidecar.judge(**READ, timeout=20)
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
            assert "could not be written" in caught.value.details()
            deadline = time.monotonic() + 10
            while health(sidecar.agent_channel) == "SERVING" and time.monotonic() < deadline:
                time.sleep(0.1)
            assert health(sidecar.agent_channel) == "NOT_SERVING"
            other.execute("ROLLBACK")
            other.close()
            deadline = time.monotonic() + 15
            while health(sidecar.agent_channel) != "SERVING" and time.monotonic() < deadline:
                time.sleep(0.1)
            assert health(sidecar.agent_channel) == "SERVING"
            assert sidecar.judge(**READ).allowed

    def test_a_database_that_is_unlinked_ends_all_answers(self, tmp_path):
        """What would be lost is not answered, and health says so within seconds."""
        with running(tmp_path / "data") as sidecar:
            assert sidecar.judge(**READ).allowed
            (tmp_path / "data" / "adjudicator.db").unlink()
            with pytest.raises(grpc.RpcError) as caught:
                sidecar.judge(**READ)
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
            deadline = time.monotonic() + 10
            while health(sidecar.agent_channel) == "SERVING" and time.monotonic() < deadline:
                time.sleep(0.1)
            assert health(sidecar.agent_channel) == "NOT_SERVING"

    def test_a_file_system_without_room_fails_the_write_and_recovers(self, tmp_path):
        """A real full disk: a small file system of its own, filled up and emptied again."""
        mount = tmp_path / "small"
        mount.mkdir()
        made = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", mount], check=False, capture_output=True
        )
        if made.returncode:
            pytest.skip("this machine does not let the test mount a file system")
        try:
            with running(mount / "data") as sidecar:
                first = sidecar.judge(**READ)
                filler = mount / "filler"
                with pytest.raises(OSError, match="No space"):
                    fill(filler)
                refused = None
                for _ in range(200):
                    try:
                        sidecar.judge(**READ)
                    except grpc.RpcError as error:
                        refused = error
                        break
                assert refused is not None
                assert refused.code() is grpc.StatusCode.UNAVAILABLE
                filler.unlink()
                deadline = time.monotonic() + 15
                while health(sidecar.agent_channel) != "SERVING" and time.monotonic() < deadline:
                    time.sleep(0.1)
                assert sidecar.judge(**READ).allowed
                assert sidecar.trace(first.trace_number).verdict.allowed
        finally:
            subprocess.run(["umount", mount], check=True)


def fill(file):
    """Write until there is no room."""
    with file.open("wb", buffering=0) as out:
        for _ in range(1000):
            out.write(os.urandom(8192))


class TestStart:
    """Whatever keeps it from starting is named, and the exit code is 1."""

    def attempt(self, tmp_path, *arguments):
        """Try to start; the exit code and what was said."""
        done = subprocess.run(
            [
                *(sys.executable, "-m", "adjudicator.cli.main", "serve", "--policies", str(POLICIES)),
                *("--data", str(tmp_path / "other"), "--address", "127.0.0.1:0"),
                *("--approver-address", "127.0.0.1:0", *arguments),
            ],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout + done.stderr

    def test_a_second_sidecar_on_the_same_database(self, tmp_path, sidecar):
        """It names the database and the process that holds it; the first one serves on."""
        code, said = self.attempt(tmp_path, "--data", str(sidecar.data))
        assert code == 1
        assert "adjudicator.db" in said
        assert str(sidecar.process.pid) in said
        assert sidecar.judge(**READ).allowed

    @pytest.mark.parametrize("option", ["--address", "--approver-address"])
    def test_a_port_in_use(self, tmp_path, sidecar, option):
        """It names the port and the setting."""
        code, said = self.attempt(tmp_path, option, sidecar.address)
        assert code == 1
        assert sidecar.address.rpartition(":")[2] in said
        assert "in use" in said
        assert sidecar.judge(**READ).allowed

    def test_a_socket_in_use(self, tmp_path):
        """A Unix socket is not stolen from the process that serves on it."""
        path = tmp_path / "a.sock"
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
            server.listen()
            code, said = self.attempt(tmp_path, "--address", f"unix:{path}")
        assert code == 1
        assert "in use" in said

    @pytest.mark.parametrize(
        "address", ["0.0.0.0:7411", "[::]:7411", "192.0.2.1:7411", "nowhere", "host:x", "1:2:3:4", "unix:a"]
    )
    def test_an_address_that_is_not_loopback_or_not_one(self, tmp_path, address):
        """Without TLS nothing but loopback and Unix sockets is listened on."""
        code, said = self.attempt(tmp_path, "--address", address)
        assert code == 1
        assert "address" in said

    def test_a_data_folder_that_cannot_be_written(self, tmp_path):
        """It names the folder."""
        blocked = tmp_path / "file"
        blocked.write_text("")
        code, said = self.attempt(tmp_path, "--data", str(blocked / "data"))
        assert code == 1
        assert str(blocked) in said

    def test_a_database_that_is_none(self, tmp_path):
        """It names the file and leaves it as it is."""
        file = tmp_path / "text.db"
        file.write_text("not a database" * 100)
        code, said = self.attempt(tmp_path, "--database", str(file))
        assert code == 1
        assert "text.db" in said
        assert file.read_text().startswith("not a database")
