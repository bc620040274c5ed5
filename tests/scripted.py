"""A real gRPC server whose answers a test writes down; what it was asked stays on its lists."""

from concurrent import futures
from dataclasses import dataclass, field
from typing import Any

import grpc
from adjudicator.api.v1 import (
    adjudication_service_pb2_grpc,
    approval_service_pb2_grpc,
    policy_service_pb2_grpc,
    question_service_pb2_grpc,
    trace_service_pb2_grpc,
)
from adjudicator.api.v1.approval_service_pb2 import Approval, GetApprovalResponse
from google.protobuf import any_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

Answer = Any

TOKEN = "token-of-ann-with-thirty-two-characters"  # noqa: S105 - it opens nothing


def refusal(
    code: str, reason: str, message: str, fields: dict[str, str] | None = None
) -> status_pb2.Status:
    """An error as the sidecar sends it."""
    details = [any_pb2.Any(), any_pb2.Any()]
    details[0].Pack(error_details_pb2.ErrorInfo(reason=reason, domain="adjudicator"))
    violations = [
        error_details_pb2.BadRequest.FieldViolation(field=name, description=text)
        for name, text in (fields or {}).items()
    ]
    details[1].Pack(error_details_pb2.BadRequest(field_violations=violations))
    return status_pb2.Status(code=code_pb2.Code.Value(code), message=message, details=details)


@dataclass
class Script:
    """What the server answers, by method: a message, a Status, or a function of the request."""

    answers: dict[str, Answer] = field(default_factory=dict)
    requests: list[Any] = field(default_factory=list)
    metadata: list[dict[str, str]] = field(default_factory=list)
    seconds: list[float | None] = field(default_factory=list)
    address: str = ""

    def answer(self, method: str, request: Any, context: grpc.ServicerContext) -> Any:
        """Note the request and give the answer."""
        self._note(request, context)
        answer = self.answers[method]
        if callable(answer):
            answer = answer(request)
        if isinstance(answer, status_pb2.Status):
            context.abort_with_status(rpc_status.to_status(answer))
        return answer

    def stream(self, method: str, request: Any, context: grpc.ServicerContext) -> Any:
        """Note the request and give each answer in turn."""
        self._note(request, context)
        for answer in self.answers[method](request):
            if isinstance(answer, status_pb2.Status):
                context.abort_with_status(rpc_status.to_status(answer))
            yield answer

    def _note(self, request: Any, context: grpc.ServicerContext) -> None:
        self.requests.append(request)
        self.metadata.append(dict(context.invocation_metadata()))
        self.seconds.append(context.time_remaining())

    def resolves(self, approval: Approval, receipt: Any) -> None:
        """Show this approval, and give this receipt."""
        self.answers["GetApproval"] = GetApprovalResponse(approval=approval)
        self.answers["Resolve"] = receipt


def _servicer(servicer: type, script: Script, *streams: str) -> Any:
    def method(name: str) -> Any:
        if name in streams:
            return lambda _, request, context: script.stream(name, request, context)
        return lambda _, request, context: script.answer(name, request, context)

    names = [name for name in vars(servicer) if name[0].isupper()]
    return type("Scripted", (servicer,), {name: method(name) for name in names})()


def serve(script: Script) -> grpc.Server:
    """Start a server on a free port of the loopback; the script learns its address."""
    server = grpc.server(
        futures.ThreadPoolExecutor(4), options=[("grpc.max_receive_message_length", 1 << 24)]
    )
    agent, approval = adjudication_service_pb2_grpc, approval_service_pb2_grpc
    question = question_service_pb2_grpc
    questions = _servicer(question.QuestionServiceServicer, script, "WatchQuestions")
    question.add_QuestionServiceServicer_to_server(questions, server)
    trace, policy = trace_service_pb2_grpc, policy_service_pb2_grpc
    agent.add_AdjudicationServiceServicer_to_server(
        _servicer(agent.AdjudicationServiceServicer, script), server
    )
    approvals = _servicer(approval.ApprovalServiceServicer, script, "WatchPending")
    approval.add_ApprovalServiceServicer_to_server(approvals, server)
    traces = _servicer(trace.TraceServiceServicer, script, "WatchTraces")
    trace.add_TraceServiceServicer_to_server(traces, server)
    policy.add_PolicyServiceServicer_to_server(_servicer(policy.PolicyServiceServicer, script), server)
    question = question_service_pb2_grpc
    questions = _servicer(question.QuestionServiceServicer, script, "WatchQuestions")
    question.add_QuestionServiceServicer_to_server(questions, server)
    port = server.add_insecure_port("127.0.0.1:0")
    script.address = f"127.0.0.1:{port}"
    server.start()
    return server
