"""The approver plane: what people who decide, read traces or write policy ask."""

from collections.abc import Iterator
from itertools import islice
from typing import Self

from adjudicator.api.v1.approval_service_pb2 import (
    ActionRef,
    Approval,
    Decision,
    GetApprovalRequest,
    ListPendingRequest,
    ResolveRequest,
    ResolveResponse,
    WatchPendingRequest,
    WatchPendingResponse,
)
from adjudicator.api.v1.approval_service_pb2_grpc import ApprovalServiceStub
from adjudicator.api.v1.policy_service_pb2 import (
    GetPolicyStatusRequest,
    PolicyStatus,
    ReloadPolicyRequest,
    ReloadPolicyResponse,
)
from adjudicator.api.v1.policy_service_pb2_grpc import PolicyServiceStub
from adjudicator.api.v1.trace_service_pb2 import GetTraceRequest, ListTracesRequest, Trace
from adjudicator.api.v1.trace_service_pb2_grpc import TraceServiceStub
from adjudicator.api.v1.types_pb2 import Outcome
from adjudicator.client.connection import REQUEST_SECONDS, Connection

DEFAULT_ADDRESS = "127.0.0.1:7412"
PAGE_SIZE = 500


class ApproverClient:
    """Reads and decides approvals, reads traces, reads and reloads the policy. The token says who asks.

    Every method raises ClientError.
    """

    def __init__(
        self, address: str = DEFAULT_ADDRESS, timeout: float = REQUEST_SECONDS, token: str = ""
    ) -> None:
        self._connection = Connection(address, timeout, token)
        self._approvals = ApprovalServiceStub(self._connection.channel)
        self._traces = TraceServiceStub(self._connection.channel)
        self._policy = PolicyServiceStub(self._connection.channel)

    def watch(
        self, *, tenant: str = "", tool: str = "", cursor: str = ""
    ) -> Iterator[WatchPendingResponse]:
        """Every event after `cursor`, or a snapshot first; ends only when the stream does."""
        request = WatchPendingRequest(tenant=tenant, tool=tool, cursor=cursor)
        return self._connection.stream(self._approvals.WatchPending, request)

    def pending(self, *, tenant: str = "", tool: str = "") -> Iterator[Approval]:
        """All that is pending, oldest first, page by page."""
        request = ListPendingRequest(tenant=tenant, tool=tool, page_size=PAGE_SIZE)
        while True:
            page = self._connection.unary(self._approvals.ListPending, request)
            yield from page.approvals
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def approval(self, approval_id: str) -> Approval:
        """One approval in any state, with its view."""
        return self._approval(GetApprovalRequest(approval_id=approval_id))

    def approval_of_trace(self, trace_number: int) -> Approval:
        """The approval of one trace's call, with its view."""
        return self._approval(GetApprovalRequest(trace_number=trace_number))

    def approval_of_action(self, action: ActionRef) -> Approval:
        """The approval of one action on one object, with its view."""
        return self._approval(GetApprovalRequest(action=action))

    def resolve(
        self, approval_id: str, decision: Decision, *, view_digest: str = "", reason: str = ""
    ) -> ResolveResponse:
        """The receipt of a decision. `view_digest` is that of the view which the person saw."""
        request = ResolveRequest(
            approval_id=approval_id, decision=decision, view_digest=view_digest, reason=reason
        )
        return self._connection.unary(self._approvals.Resolve, request)

    def trace(self, number: int) -> Trace:
        """One trace with its elements."""
        return self._connection.unary(self._traces.GetTrace, GetTraceRequest(number=number)).trace

    def traces(
        self,
        *,
        tenant: str = "",
        session: str = "",
        agent: str = "",
        tool: str = "",
        outcome: Outcome = Outcome.OUTCOME_UNSPECIFIED,
        limit: int = 100,
    ) -> Iterator[Trace]:
        """At most `limit` traces without their elements, newest first."""
        request = ListTracesRequest(tenant=tenant, session=session, agent=agent, tool=tool, outcome=outcome)
        return islice(self._trace_pages(request, limit), limit)

    def policy_status(self) -> PolicyStatus:
        """Which snapshot decides now, and what is wrong with the folder."""
        return self._connection.unary(self._policy.GetPolicyStatus, GetPolicyStatusRequest()).status

    def reload_policy(self) -> ReloadPolicyResponse:
        """Read the folder and activate it, all or nothing."""
        return self._connection.unary(self._policy.ReloadPolicy, ReloadPolicyRequest())

    def close(self) -> None:
        """Free the channel."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _approval(self, request: GetApprovalRequest) -> Approval:
        return self._connection.unary(self._approvals.GetApproval, request).approval

    def _trace_pages(self, request: ListTracesRequest, limit: int) -> Iterator[Trace]:
        request.page_size = min(limit, PAGE_SIZE)
        while True:
            page = self._connection.unary(self._traces.ListTraces, request)
            yield from page.traces
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token
