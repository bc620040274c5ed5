"""The two listeners. A service of one plane is not reachable on the other at all."""

from collections.abc import Sequence

from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from adjudicator.api.v1 import (
    adjudication_service_pb2,
    adjudication_service_pb2_grpc,
    approval_service_pb2,
    approval_service_pb2_grpc,
    policy_service_pb2,
    policy_service_pb2_grpc,
    question_service_pb2,
    question_service_pb2_grpc,
    trace_service_pb2,
    trace_service_pb2_grpc,
)
from adjudicator.config.limits import Limits
from adjudicator.domain.errors import malformed
from adjudicator.transport.address import checked
from adjudicator.transport.adjudication import AdjudicationServicer
from adjudicator.transport.approval import ApprovalServicer
from adjudicator.transport.authentication import Approvers, RequireApprover
from adjudicator.transport.policy import PolicyServicer
from adjudicator.transport.question import QuestionServicer
from adjudicator.transport.trace import TraceServicer
from adjudicator.transport.watch_messages import watch_pending_handler

AGENT_SERVICES = (adjudication_service_pb2.DESCRIPTOR.services_by_name["AdjudicationService"].full_name,)
APPROVER_SERVICES = (
    approval_service_pb2.DESCRIPTOR.services_by_name["ApprovalService"].full_name,
    trace_service_pb2.DESCRIPTOR.services_by_name["TraceService"].full_name,
    policy_service_pb2.DESCRIPTOR.services_by_name["PolicyService"].full_name,
    question_service_pb2.DESCRIPTOR.services_by_name["QuestionService"].full_name,
)

POLICY_HEALTH = "adjudicator.policy"
"""The name in the health service that says whether the policy folder is in order."""


class Listener:
    """One gRPC server on one address. Make it with `agent_listener` or `approver_listener`."""

    def __init__(self, server: aio.Server, address: str, name: str, services: Sequence[str]) -> None:
        self._server = server
        self._services = ("", *services)
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        reflection.enable_server_reflection(
            (*services, health.SERVICE_NAME, reflection.SERVICE_NAME), server
        )
        wanted = checked(address, name)
        try:
            port = server.add_insecure_port(wanted)
        except RuntimeError as error:
            raise malformed(name, f"{address!a} cannot be used: {error}") from error
        self.address = wanted if wanted.startswith("unix:") else f"{wanted.rpartition(':')[0]}:{port}"

    async def start(self) -> None:
        """Serve; health is NOT_SERVING until it is set."""
        await self.set(serving=False)
        await self.set_policy(in_order=False)
        await self._server.start()

    async def set(self, *, serving: bool) -> None:
        """Set the health of every service of this plane."""
        for service in self._services:
            await self._set(service, serving=serving)

    async def set_policy(self, *, in_order: bool) -> None:
        """Set the health of the policy folder. A plane serves on by the last good snapshot without it."""
        await self._set(POLICY_HEALTH, serving=in_order)

    async def _set(self, service: str, *, serving: bool) -> None:
        statuses = health_pb2.HealthCheckResponse
        await self._health.set(service, statuses.SERVING if serving else statuses.NOT_SERVING)

    async def stop(self, grace_seconds: float) -> None:
        """Take no more; let what is in flight finish within the grace."""
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace_seconds)


def agent_listener(address: str, servicer: AdjudicationServicer, limits: Limits) -> Listener:
    """The agent plane: adjudication only."""
    server = aio.server(options=_options(limits))
    adjudication_service_pb2_grpc.add_AdjudicationServiceServicer_to_server(servicer, server)
    return Listener(server, address, "address", AGENT_SERVICES)


def approver_listener(
    address: str,
    servicers: tuple[ApprovalServicer, TraceServicer, PolicyServicer, QuestionServicer],
    approvers: Approvers,
    limits: Limits,
) -> Listener:
    """The approver plane: approvals, questions, traces and policy, behind a token."""
    options = [*_options(limits), *_options_for_many(limits)]
    server = aio.server(interceptors=(RequireApprover(approvers),), options=options)
    approval, trace, policy, question = servicers
    approval_service_pb2_grpc.add_ApprovalServiceServicer_to_server(approval, server)
    # After the generated handler of the method, in the place of which it comes.
    server.add_registered_method_handlers(
        APPROVER_SERVICES[0], {"WatchPending": watch_pending_handler(approval.WatchPending)}
    )
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(trace, server)
    policy_service_pb2_grpc.add_PolicyServiceServicer_to_server(policy, server)
    question_service_pb2_grpc.add_QuestionServiceServicer_to_server(question, server)
    return Listener(server, address, "approver_address", APPROVER_SERVICES)


def _options(limits: Limits) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", 0),  # a second sidecar on the same port fails instead of sharing it
        ("grpc.max_receive_message_length", limits.message_bytes),
        ("grpc.max_metadata_size", 16 * 1024),
        ("grpc.max_concurrent_streams", limits.concurrent_calls),
    ]


def _options_for_many(limits: Limits) -> list[tuple[str, int]]:
    """All who watch come at once after a restart. Of a thousand gRPC would cancel some, and say nothing."""
    return [
        ("grpc.server.max_pending_requests", 2 * limits.watchers),
        ("grpc.server.max_pending_requests_hard_limit", 4 * limits.watchers),
    ]
