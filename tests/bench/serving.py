"""Verdicts on record, by the second, against an empty method on the same server stack.

    python tests/bench/run.py serving

A sidecar and an empty method (`empty_method.py`) each have a process, and h2load sends the same request to
the one and the other in turn, so that whatever else the machine does meets both. No request has a call_id,
so each is a new call. h2load sees no gRPC status; that every answer was a verdict on record, and ALLOW, is
read from the traces that there are afterwards.
"""

import json
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import grpc
import psutil
from adjudicator.api.v1 import adjudication_service_pb2 as pb
from adjudicator.api.v1 import adjudication_service_pb2_grpc as pb_grpc
from adjudicator.api.v1 import trace_service_pb2 as trace_pb
from adjudicator.api.v1 import trace_service_pb2_grpc as trace_grpc
from adjudicator.api.v1 import types_pb2

HERE = Path(__file__).parent
POLICIES = HERE.parents[1] / "policies"
METHOD = "/adjudicator.api.v1.AdjudicationService/Adjudicate"
CALL = types_pb2.ToolCall(
    tenant="studio",
    agent="coder",
    tool="read",
    session="s1",
    arguments_json='{"path": "src/a.py"}',
    working_directory="/srv/app",
)
CONNECTIONS, UNDER_WAY = 4, 16
WARM_UP = 1_000
NOT_POSSIBLE = "h2load is not installed; it comes with nghttp2 (Debian: nghttp2-client)"


def is_possible():
    """Whether the client is installed."""
    return shutil.which("h2load") is not None


@dataclass(frozen=True)
class Load:
    """What one load came to."""

    calls: int
    seconds: float
    cpu_seconds: float
    waits: list[int]

    @property
    def rate(self):
        """Calls a second."""
        return self.calls / self.seconds

    @property
    def cpu(self):
        """Microseconds of the server's processor time for each call."""
        return self.cpu_seconds / self.calls * 1e6

    def wait(self, part):
        """Milliseconds that this part of all calls did not exceed."""
        return sorted(self.waits)[int((self.calls - 1) * part)] / 1000


class Server:
    """A process that says in its log where it listens."""

    def __init__(self, folder, name, command):
        self.log = folder / f"{name}.log"
        with self.log.open("w") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=out)
        self._usage = psutil.Process(self.process.pid)
        serving = self._serving()
        self.address, self.approvers = serving["agents"], serving.get("approvers")

    def _serving(self):
        for _ in range(1500):
            for line in self.log.read_text().splitlines():
                if line.startswith("{") and (said := json.loads(line))["event"] == "serving":
                    return said
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise SystemExit(f"a server did not start: {self.log.read_text()}")

    def cpu_seconds(self):
        """The processor time that it has used."""
        used = self._usage.cpu_times()
        return used.user + used.system

    def stop(self):
        """Let it end."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


class Client:
    """Sends one request again and again, as fast as the answers come."""

    def __init__(self, folder):
        self._body, self._times = folder / "request", folder / "times"
        message = pb.AdjudicateRequest(call=CALL).SerializeToString()
        self._body.write_bytes(b"\0" + len(message).to_bytes(4, "big") + message)

    def load(self, server, calls):
        """Send this many."""
        self._times.unlink(missing_ok=True)
        before = server.cpu_seconds()
        said = subprocess.run(
            [
                *("h2load", "-n", str(calls), "-c", str(CONNECTIONS), "-m", str(UNDER_WAY)),
                *("-d", str(self._body), "-H", "content-type: application/grpc", "-H", "te: trailers"),
                *("--log-file", str(self._times), f"http://{server.address}{METHOD}"),
            ],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        cpu = server.cpu_seconds() - before
        if f"{calls} 2xx" not in said:
            raise SystemExit(f"not every call was answered:\n{said}")
        waits = [int(line.split("\t")[2]) for line in self._times.read_text().splitlines()]
        return Load(calls, calls / float(re.search(r"([\d.]+) req/s", said)[1]), cpu, waits)


class Sidecar(Server):
    """A sidecar with the shipped policies, and whoever looks after it."""

    def __init__(self, folder):
        self.data = folder / "data"
        serve = (sys.executable, "-m", "adjudicator.cli.main", "serve", "--json")
        where = ("--address", "127.0.0.1:0", "--approver-address", "127.0.0.1:0")
        super().__init__(
            folder, "sidecar", [*serve, *where, "--policies", str(POLICIES), "--data", str(self.data)]
        )

    def one(self):
        """One call; the number of its trace."""
        with grpc.insecure_channel(self.address) as channel:
            stub = pb_grpc.AdjudicationServiceStub(channel)
            verdict = stub.Adjudicate(pb.AdjudicateRequest(call=CALL), timeout=10).verdict
        if not verdict.allowed:
            raise SystemExit(f"the call is not allowed: {verdict}")
        return verdict.trace_number

    def check(self, first, calls):
        """Nothing but `calls` allowed calls have come since the trace `first`."""
        recorded = self.one() - first - 1
        if recorded != calls:
            raise SystemExit(f"{calls:,} calls were answered, and {recorded:,} are on record")
        token = (self.data / "approvers" / "operator.token").read_text().strip()
        with grpc.insecure_channel(self.approvers) as channel:
            for outcome in (types_pb2.OUTCOME_DENY, types_pb2.OUTCOME_ASK):
                listed = trace_grpc.TraceServiceStub(channel).ListTraces(
                    trace_pb.ListTracesRequest(outcome=outcome, page_size=1),
                    metadata=(("authorization", f"Bearer {token}"),),
                )
                if listed.traces:
                    raise SystemExit(f"a call was not allowed: {listed.traces[0]}")

    def stored_bytes(self):
        """What the database takes on the disk."""
        return sum(file.stat().st_size for file in self.data.glob("*.db*"))


@dataclass(frozen=True)
class Rounds:
    """The loads of both, in pairs, and the bytes that a verdict left on the disk."""

    sidecar: list[Load]
    empty: list[Load]
    bytes_each: float

    @property
    def ratios(self):
        """The rate of verdicts against that of the empty method, in each round."""
        return [ours.rate / theirs.rate for ours, theirs in zip(self.sidecar, self.empty, strict=True)]


def middle(loads, figure):
    """The median of a figure of several loads."""
    return statistics.median(figure(load) for load in loads)


def measure(folder, *, rounds, seconds):
    """Load both in turn; each load takes about as long as `seconds` says."""
    client, sidecar = Client(folder), Sidecar(folder)
    empty = Server(folder, "empty", [sys.executable, str(HERE / "empty_method.py")])
    try:
        first = sidecar.one()
        counts = [int(client.load(each, WARM_UP).rate * seconds) for each in (sidecar, empty)]
        pairs = []
        for number in range(rounds):
            both = list(zip((sidecar, empty), counts, strict=True))
            # Whoever goes first changes, so that nothing that builds up meets only one of them.
            loads = {
                each: client.load(each, calls) for each, calls in (both if number % 2 else reversed(both))
            }
            pairs.append((loads[sidecar], loads[empty]))
        calls = WARM_UP + rounds * counts[0]
        sidecar.check(first, calls)
    finally:
        sidecar.stop()
        empty.stop()
    return Rounds(*map(list, zip(*pairs, strict=True)), sidecar.stored_bytes() / calls)
