"""A real sidecar in a process of its own, and stubs that speak to it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import grpc
from adjudicator.api.v1 import adjudication_service_pb2 as adjudication_pb
from adjudicator.api.v1 import adjudication_service_pb2_grpc as adjudication_grpc
from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from adjudicator.api.v1 import approval_service_pb2_grpc as approval_grpc
from adjudicator.api.v1 import policy_service_pb2 as policy_pb
from adjudicator.api.v1 import policy_service_pb2_grpc as policy_grpc
from adjudicator.api.v1 import question_service_pb2_grpc as question_grpc
from adjudicator.api.v1 import trace_service_pb2 as trace_pb
from adjudicator.api.v1 import trace_service_pb2_grpc as trace_grpc
from adjudicator.api.v1 import types_pb2 as types_pb
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

ROOT = Path(__file__).parent.parent
POLICIES = ROOT / "policies"


def health(channel, service=""):
    """What a plane's health check says."""
    request = health_pb2.HealthCheckRequest(service=service)
    answer = health_pb2_grpc.HealthStub(channel).Check(request, timeout=5)
    return health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)


def until(what, seconds=20):
    """The first answer that counts as true; fails when none came in time."""
    deadline = time.monotonic() + seconds
    while not (answer := what()):
        assert time.monotonic() < deadline, "it did not come to pass in time"
        time.sleep(0.02)
    return answer


class Running:
    """One `adjudicator serve`. Ports are chosen by the system and read from its log."""

    def __init__(self, data, policies=POLICIES, *, extra=()):
        self.data = Path(data)
        self.policies = policies
        self.extra = extra
        self.process = None
        self.log = self.data.parent / f"{self.data.name}.log"
        self.channels = []

    def start(self):
        """Start it and wait until it says that it serves."""
        self.data.parent.mkdir(parents=True, exist_ok=True)
        offset = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "adjudicator.cli.main", "serve", "--log-format", "json"),
                    *("--policies", str(self.policies), "--data", str(self.data)),
                    *("--address", "127.0.0.1:0", "--approver-address", "127.0.0.1:0", *self.extra),
                ],
                stderr=log,
                stdout=log,
                env=os.environ | {"COLUMNS": "200"},
            )
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if serving := [r for r in self.records(offset) if r["event"] == "serving"]:
                self.address, self.approver_address = serving[0]["agents"], serving[0]["approvers"]
                self._connect()
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise RuntimeError(f"the sidecar did not start: {self.log.read_text()}")

    def records(self, offset=0):
        """Its log so far, as records."""
        text = self.log.read_bytes()[offset:].decode()
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    def _connect(self):
        agents = grpc.insecure_channel(self.address)
        approvers = grpc.insecure_channel(self.approver_address)
        self.channels += [agents, approvers]
        self.agent_channel, self.approver_channel = agents, approvers
        self.adjudication = adjudication_grpc.AdjudicationServiceStub(agents)
        self.approvals = approval_grpc.ApprovalServiceStub(approvers)
        self.traces = trace_grpc.TraceServiceStub(approvers)
        self.policy = policy_grpc.PolicyServiceStub(approvers)
        self.questions = question_grpc.QuestionServiceStub(approvers)

    def token(self, name="operator"):
        """The metadata of an approver; a new one is added to the folder."""
        file = self.data / "approvers" / f"{name}.token"
        if not file.exists():
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT, 0o600)
            with os.fdopen(descriptor, "w") as out:
                out.write(f"{name}-{'x' * 40}\n")
        return (("authorization", f"Bearer {file.read_text().strip()}"),)

    def kill(self):
        """As a power cut would: no warning."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._disconnect()

    def stop(self):
        """As an operator would; returns the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(20)
        self._disconnect()
        return code

    def _disconnect(self):
        for channel in self.channels:
            channel.close()
        self.channels = []

    def judge(self, *, wait=0.0, dry_run=False, limit=0.0, timeout=30, **fields):
        """One call; the verdict."""
        request = adjudication_pb.AdjudicateRequest(call=call(**fields), dry_run=dry_run)
        request.wait.FromMilliseconds(int(wait * 1000))
        request.approval_limit.FromMilliseconds(int(limit * 1000))
        return self.adjudication.Adjudicate(request, timeout=timeout).verdict

    def judge_later(self, *, wait, **fields):
        """One call that is held; a future of its response."""
        request = adjudication_pb.AdjudicateRequest(call=call(**fields))
        request.wait.FromMilliseconds(int(wait * 1000))
        return self.adjudication.Adjudicate.future(request, timeout=60)

    def approval(self, approval_id, name="operator"):
        """One approval."""
        request = approval_pb.GetApprovalRequest(approval_id=approval_id)
        return self.approvals.GetApproval(request, metadata=self.token(name)).approval

    def resolve(self, approval_id, decision, *, name="operator", digest=None, reason=""):
        """One decision, on the view as it is unless a digest is given; the receipt."""
        if digest is None:
            digest = self.approval(approval_id).view_digest
        request = approval_pb.ResolveRequest(
            approval_id=approval_id, decision=decision, view_digest=digest, reason=reason
        )
        return self.approvals.Resolve(request, metadata=self.token(name))

    def approve(self, approval_id, **more):
        """Approve."""
        return self.resolve(approval_id, approval_pb.DECISION_APPROVE, **more)

    def deny(self, approval_id, **more):
        """Deny."""
        return self.resolve(approval_id, approval_pb.DECISION_DENY, **more)

    def pending(self):
        """All that is pending, page by page."""
        found, token = [], ""
        while True:
            request = approval_pb.ListPendingRequest(page_size=500, page_token=token)
            page = self.approvals.ListPending(request, metadata=self.token())
            found += page.approvals
            token = page.next_page_token
            if not token:
                return found

    def policy_status(self):
        """Which snapshot decides, and what is wrong with the folder."""
        request = policy_pb.GetPolicyStatusRequest()
        return self.policy.GetPolicyStatus(request, metadata=self.token()).status

    def trace(self, number):
        """One trace."""
        return self.traces.GetTrace(trace_pb.GetTraceRequest(number=number), metadata=self.token()).trace


def call(**fields):
    """A call by the coder of the studio; `arguments` may be data or text."""
    arguments = fields.pop("arguments", {})
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    defaults = {"tenant": "studio", "agent": "coder", "tool": "bash", "session": "s1"}
    return types_pb.ToolCall(arguments_json=text, **(defaults | fields))


@contextlib.contextmanager
def running(data, policies=POLICIES, **options):
    """A sidecar for the length of a block."""
    sidecar = Running(data, policies, **options).start()
    try:
        yield sidecar
    finally:
        sidecar.stop()


def error_of(caught):
    """The ErrorInfo's reason and the named fields of an error."""
    reason, fields = "", []
    for detail in rpc_status.from_call(caught.value).details:
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if detail.Unpack(info):
            assert info.domain == "adjudicator"
            reason = info.reason
        if detail.Unpack(bad):
            fields = [each.field for each in bad.field_violations]
    return reason, fields
