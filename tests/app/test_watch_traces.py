"""Watches of traces over gRPC, and the command that follows one, through power cuts."""

import json
import signal
import subprocess
import sys
import threading
import time
import uuid

import grpc
import pytest
from adjudicator.api.v1 import adjudication_service_pb2 as pb
from adjudicator.api.v1 import trace_service_pb2 as trace_pb
from running import Running, error_of, until

READ = {"tool": "read", "arguments": {"path": "a"}, "working_directory": "/w"}
ASK = {"tool": "bash", "arguments": {"command": "ls"}}


class Watcher(threading.Thread):
    """Follows the stream through breaks, as a client does, until it is told to end."""

    def __init__(self, sidecar, pause=0.0, **wanted):
        super().__init__(daemon=True)
        self.sidecar = sidecar
        self.pause = pause
        self.wanted = trace_pb.TraceFilter(**wanted)
        self.seen, self.cursor, self.resyncs, self.ended = [], "", 0, False
        self.begun = threading.Event()
        self.start()
        assert self.begun.wait(10)

    def run(self):
        """Note every record."""
        while not self.ended:
            try:
                for event in self.stream():
                    self.cursor = event.cursor
                    self.begun.set()
                    self.resyncs += event.HasField("resync")
                    if event.HasField("record"):
                        self.seen.append(event.record)
                        time.sleep(self.pause)
            except (grpc.RpcError, ValueError):
                time.sleep(0.05)

    def stream(self):
        """From the cursor on."""
        request = trace_pb.WatchTracesRequest(filter=self.wanted, cursor=self.cursor)
        return self.sidecar.traces.WatchTraces(request, metadata=self.sidecar.token(), timeout=120)

    def places(self):
        """The places in the chain of what was seen."""
        return [each.sequence for each in self.seen]


def test_watchers_see_every_record_once_and_in_order_through_kill_9(tmp_path):
    """One that reads at once, one that is slow, one with a filter, over three power cuts under load."""
    sidecar = Running(tmp_path / "data").start()
    quick, slow = Watcher(sidecar), Watcher(sidecar, pause=0.002)
    denied = Watcher(sidecar, agent="critic")
    answered = []

    def load(stop):
        while not stop.is_set():
            agent = "critic" if uuid.uuid4().int % 4 == 0 else "coder"
            try:
                answered.append(sidecar.judge(**READ, agent=agent, timeout=5))
            except (grpc.RpcError, ValueError):
                return

    for _ in range(3):
        stop = threading.Event()
        callers = [threading.Thread(target=load, args=(stop,)) for _ in range(4)]
        for each in callers:
            each.start()
        time.sleep(0.6)
        sidecar.kill()
        stop.set()
        for each in callers:
            each.join()
        sidecar.start()
    last = sidecar.judge(**READ, agent="critic").trace_number
    for watcher in (quick, slow, denied):
        until(lambda watcher=watcher: watcher.seen and watcher.seen[-1].trace_number == last, 60)
        watcher.ended = True
        assert watcher.resyncs == 0
    assert len(answered) > 50
    assert len({each.writer for each in quick.seen}) == 1
    assert quick.places() == list(range(1, len(quick.seen) + 1))
    assert slow.places() == quick.places()
    assert {each.trace_number for each in answered} <= {each.trace_number for each in quick.seen}
    assert denied.places() == [each.sequence for each in quick.seen if each.agent == "critic"]
    sidecar.stop()


def test_a_watch_shows_what_the_trace_shows(sidecar):
    """Element by element, secrets redacted in both, from the ask to the outcome."""
    watcher = Watcher(sidecar)
    asked = sidecar.judge(**ASK, call_id="c1")
    sidecar.approve(asked.approval_id, reason="fine")
    sidecar.judge(**ASK, call_id="c1")
    sidecar.adjudication.ReportOutcome(
        pb.ReportOutcomeRequest(
            trace_number=asked.trace_number,
            tenant="studio",
            agent="coder",
            call_id="c1",
            status=pb.EXECUTION_STATUS_SUCCEEDED,
        )
    )
    until(lambda: watcher.seen and watcher.seen[-1].finished)
    watcher.ended = True
    shown = [each for record in watcher.seen for each in record.elements]
    trace = sidecar.trace(asked.trace_number)
    assert [(each.kind, each.body_json, each.recorded_at) for each in shown] == [
        (each.kind, each.body_json, each.recorded_at) for each in trace.elements
    ]
    assert [each.place for each in watcher.seen] == [1, 2, 3, 4]
    assert {each.tool for each in watcher.seen} == {"bash"}


def test_what_is_no_filter_or_cursor_is_refused(shared_sidecar):
    """With the name of the field."""
    for fields, name in (
        ({"cursor": "x"}, "cursor"),
        ({"filter": trace_pb.TraceFilter(step=99)}, "filter.step"),
    ):
        stream = shared_sidecar.traces.WatchTraces(
            trace_pb.WatchTracesRequest(**fields), metadata=shared_sidecar.token(), timeout=10
        )
        with pytest.raises(grpc.RpcError) as caught:
            next(stream)
        assert error_of(caught) == ("MALFORMED_REQUEST", [name])


def test_who_is_no_approver_sees_nothing(sidecar):
    """Not without a token, and nothing more once it was taken back."""
    with pytest.raises(grpc.RpcError) as caught:
        next(sidecar.traces.WatchTraces(trace_pb.WatchTracesRequest(), timeout=10))
    assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
    stream = sidecar.traces.WatchTraces(
        trace_pb.WatchTracesRequest(), metadata=sidecar.token("leaver"), timeout=20
    )
    next(stream)
    (sidecar.data / "approvers" / "leaver.token").unlink()
    sidecar.judge(**READ)
    with pytest.raises(grpc.RpcError) as caught:
        next(stream)
    assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED


def test_a_stop_ends_a_watch_with_a_clear_status(sidecar):
    """Soon, and not by a broken connection."""
    stream = sidecar.traces.WatchTraces(trace_pb.WatchTracesRequest(), metadata=sidecar.token(), timeout=30)
    next(stream)
    sidecar.process.send_signal(signal.SIGTERM)
    with pytest.raises(grpc.RpcError) as caught:
        for _ in stream:
            pass
    assert error_of(caught)[0] == "DRAINING"


def test_the_command_follows_through_a_restart(tmp_path):
    """Line by line: every record once, and a break is said."""
    data = tmp_path / "data"
    addresses = ("--address", f"unix:{tmp_path}/a", "--approver-address", f"unix:{tmp_path}/b")
    sidecar = Running(data, extra=addresses).start()
    command = [sys.executable, "-m", "adjudicator.cli.main", "traces", "--follow", "--json"]
    followed = tmp_path / "followed"
    with followed.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--data", str(data), "--approver-address", f"unix:{tmp_path}/b"], stdout=out
        )

    def printed():
        return [
            json.loads(line)
            for line in followed.read_text().splitlines(keepends=True)
            if line.endswith("\n")
        ]

    def seen():
        return [int(each["record"]["trace_number"]) for each in printed() if "record" in each]

    try:
        until(printed)
        numbers = [sidecar.judge(**READ).trace_number for _ in range(3)]
        sidecar.kill()
        sidecar.start()
        numbers += [sidecar.judge(**READ).trace_number for _ in range(3)]
        until(lambda: len(seen()) >= 6, 30)
        assert seen() == numbers
        assert [next(iter(each)) for each in printed() if "cursor" not in each] == ["closed", "back"]
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        sidecar.stop()
