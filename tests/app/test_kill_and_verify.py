"""kill -9 at any moment: what was answered is on record, and what is on record is sound."""

import os
import random
import threading
import uuid

import grpc
from adjudicator.api.v1 import types_pb2 as pb
from ledgers import faults, verified
from running import Running

ROUNDS = int(os.environ.get("ADJUDICATOR_TEST_KILLS", "12"))
READ = {"tool": "read", "arguments": {"path": "a"}, "working_directory": "/w"}
ASK = {"tool": "bash", "arguments": {"command": "ls"}}


class Callers:
    """Threads that call, approve and call again until the sidecar is gone; and what it answered."""

    def __init__(self, sidecar):
        self._sidecar = sidecar
        self.answered = {}
        self._threads = [threading.Thread(target=self._call) for _ in range(4)]
        for each in self._threads:
            each.start()

    def join(self):
        """Wait until all of them noticed."""
        for each in self._threads:
            each.join()

    def _call(self):
        try:
            while True:
                fields = (ASK if uuid.uuid4().int % 2 else READ) | {"call_id": uuid.uuid4().hex}
                verdict = self._sidecar.judge(**fields, timeout=10)
                self.answered[fields["call_id"]] = verdict
                if verdict.outcome == pb.OUTCOME_ASK:
                    self._sidecar.approve(verdict.approval_id)
                    self.answered[fields["call_id"]] = self._sidecar.judge(**fields, timeout=10)
        except (grpc.RpcError, ValueError):
            return


def test_after_every_kill_the_record_is_sound_and_has_every_answer(tmp_path):
    """Verified as it was left, with its log, before anybody opened it again; and once more at the end."""
    chance = random.Random(ROUNDS)  # noqa: S311 - moments to kill at
    sidecar = Running(tmp_path / "data")
    database = sidecar.data / "adjudicator.db"
    answered, records = {}, 0
    for _ in range(ROUNDS):
        sidecar.start()
        callers = Callers(sidecar)
        threading.Event().wait(chance.uniform(0.05, 0.8))
        sidecar.kill()
        callers.join()
        answered |= callers.answered
        report = verified(database)
        assert faults(report) == []
        assert len(report["writers"]) == 1
        assert report["records"] >= records
        records = report["records"]
    sidecar.start()
    assert len(answered) > ROUNDS
    for call_id, verdict in answered.items():
        found = sidecar.trace(verdict.trace_number).verdict
        assert found.call_id == call_id
        # An ASK that was approved may have become an ALLOW whose answer was cut off; nothing else changes.
        assert verdict.outcome in (found.outcome, pb.OUTCOME_ASK)
    assert sidecar.stop() == 0
    report = verified(database)
    assert faults(report) == []
    assert report["writers"][0]["unsigned"] == 0
