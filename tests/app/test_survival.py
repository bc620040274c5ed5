"""Power cuts, restarts, stops and broken surroundings: nothing answered is lost."""

import os
import signal
import sqlite3
import subprocess
import threading
import time
import uuid

import grpc
import pytest
from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from adjudicator.api.v1 import types_pb2 as pb
from grpc_health.v1 import health_pb2, health_pb2_grpc
from running import Running, running

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
