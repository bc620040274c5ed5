"""A sidecar of the demonstration's own: a real `adjudicator serve`, on sockets in the scratch folder."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

_START_SECONDS = 30.0
_STOP_SECONDS = 15.0


class SidecarError(Exception):
    """The sidecar did not come to serve; the message has its log."""


class Sidecar:
    """Starts with the block and stops with it."""

    def __init__(self, policies: Path, scratch: Path) -> None:
        self.data = scratch / "data"
        self.agents = f"unix:{scratch}/agents.sock"
        self.approvers = f"unix:{scratch}/approvers.sock"
        self._policies = policies
        self._log = scratch / "sidecar.log"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def kill(self) -> None:
        """End it without warning, as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def start(self) -> None:
        """Start it, on the data that is there, and wait until it serves."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "adjudicator.cli.main", "serve"),
                    *("--policies", str(self._policies), "--data", str(self.data)),
                    *("--address", self.agents, "--approver-address", self.approvers),
                    *("--otlp-endpoint", ""),
                ],
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + _START_SECONDS
        while not self._serving():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.__exit__()
                raise SidecarError(f"the sidecar does not serve:\n{self._log.read_text()}")
            time.sleep(0.05)

    def __exit__(self, *_: object) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self._process.terminate()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _serving(self) -> bool:
        with grpc.insecure_channel(self.agents) as channel:
            try:
                stub: Any = health_pb2_grpc.HealthStub(channel)
                answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=1.0)
            except grpc.RpcError:
                return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
