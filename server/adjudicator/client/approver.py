"""The approver plane: what people who decide, read traces or write policy ask."""

from collections.abc import Callable, Generator, Iterable, Iterator
from datetime import timedelta
from itertools import islice
from typing import Any, TypeVar

from adjudicator.api.v1.approval_service_pb2 import (
    ActionRef,
    Approval,
    ClaimApprovalRequest,
    ClaimApprovalResponse,
    Decision,
    GetApprovalRequest,
    Grant,
    ListGrantsRequest,
    ListPendingRequest,
    ResolveRequest,
    ResolveResponse,
    RevokeGrantRequest,
    RevokeGrantResponse,
    WatchPendingRequest,
    WatchPendingResponse,
)
from adjudicator.api.v1.approval_service_pb2_grpc import ApprovalServiceStub
from adjudicator.api.v1.policy_service_pb2 import (
    GetPolicyStatusRequest,
    PolicyStatus,
    PreviewPolicyRequest,
    PreviewPolicyResponse,
    ReloadPolicyRequest,
    ReloadPolicyResponse,
)
from adjudicator.api.v1.policy_service_pb2_grpc import PolicyServiceStub
from adjudicator.api.v1.question_service_pb2 import (
    AnswerQuestionRequest,
    AnswerQuestionResponse,
    ListQuestionsRequest,
    Question,
    WatchQuestionsRequest,
    WatchQuestionsResponse,
)
from adjudicator.api.v1.question_service_pb2_grpc import QuestionServiceStub
from adjudicator.api.v1.trace_service_pb2 import (
    GetTraceRequest,
    ListTracesRequest,
    SummarizeTracesRequest,
    SummarizeTracesResponse,
    Trace,
    TraceFilter,
    WatchTracesRequest,
    WatchTracesResponse,
)
from adjudicator.api.v1.trace_service_pb2_grpc import TraceServiceStub
from adjudicator.api.v1.types_pb2 import Priority
from adjudicator.client.connection import REQUEST_SECONDS, Connection
from adjudicator.config.limits import Limits
from adjudicator.config.settings import APPROVER_ADDRESS

# Three signs of life are missing by then.
SILENCE_SECONDS = 15.0
Item = TypeVar("Item")


class ApproverClient(Connection):
    """Reads and decides approvals, answers questions, reads traces and policy. The token says who asks.

    Every method raises ClientError.
    """

    def __init__(
        self, address: str = APPROVER_ADDRESS, timeout: float = REQUEST_SECONDS, token: str = ""
    ) -> None:
        super().__init__(address, timeout, token)
        self._approvals = ApprovalServiceStub(self.channel)
        self._questions = QuestionServiceStub(self.channel)
        self._traces = TraceServiceStub(self.channel)
        self._policy = PolicyServiceStub(self.channel)
        self._questions = QuestionServiceStub(self.channel)

    def watch(
        self,
        *,
        tenant: str = "",
        tool: str = "",
        least_priority: Priority = Priority.PRIORITY_UNSPECIFIED,
        cursor: str = "",
        silence_seconds: float = SILENCE_SECONDS,
    ) -> Generator[WatchPendingResponse]:
        """Every event after `cursor`, or a snapshot first; ends only when the stream does.

        The sidecar gives a sign of life every five seconds. Without any event for `silence_seconds`
        nothing that was heard is current any more, and the watch is over.
        """
        request = WatchPendingRequest(
            tenant=tenant, tool=tool, cursor=cursor, least_priority=least_priority
        )
        return self.stream(self._approvals.WatchPending, request, silence_seconds)

    def pending(
        self,
        *,
        tenant: str = "",
        tool: str = "",
        least_priority: Priority = Priority.PRIORITY_UNSPECIFIED,
    ) -> Iterator[Approval]:
        """All that is pending, oldest first, page by page."""
        request = ListPendingRequest(
            tenant=tenant, tool=tool, least_priority=least_priority, page_size=Limits().page
        )
        return self._pages(self._approvals.ListPending, request, lambda page: page.approvals)

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
        return self.decide(request)

    def decide(self, request: ResolveRequest) -> ResolveResponse:
        """The receipt of a decision of any kind, with whatever goes with it."""
        return self.unary(self._approvals.Resolve, request)

    def claim(self, approval_id: str, lease: timedelta) -> ClaimApprovalResponse:
        """Say for so long that one is on it; a lease of no length lets go."""
        request = ClaimApprovalRequest(approval_id=approval_id)
        request.lease.FromTimedelta(lease)
        return self.unary(self._approvals.ClaimApproval, request)

    def watch_questions(
        self,
        *,
        tenant: str = "",
        least_priority: Priority = Priority.PRIORITY_UNSPECIFIED,
        cursor: str = "",
        silence_seconds: float = SILENCE_SECONDS,
    ) -> Generator[WatchQuestionsResponse]:
        """Every event after `cursor`, or a snapshot first, as `watch` does for approvals."""
        request = WatchQuestionsRequest(tenant=tenant, cursor=cursor, least_priority=least_priority)
        return self.stream(self._questions.WatchQuestions, request, silence_seconds)

    def questions(self, *, tenant: str = "") -> Iterator[Question]:
        """All questions that are open, oldest first, page by page."""
        request = ListQuestionsRequest(tenant=tenant, page_size=Limits().page)
        return self._pages(self._questions.ListQuestions, request, lambda page: page.questions)

    def answer_question(
        self, question_id: str, *, option: str = "", text: str = ""
    ) -> AnswerQuestionResponse:
        """The receipt of an answer. `option` is as it is shown."""
        request = AnswerQuestionRequest(id=question_id, selected_option=option, text=text)
        return self.unary(self._questions.AnswerQuestion, request)

    def grants(self, *, tenant: str = "", session: str = "", ended: bool = False) -> Iterator[Grant]:
        """The session grants, newest first, page by page; with `ended` those that are over as well."""
        request = ListGrantsRequest(tenant=tenant, session=session, ended=ended, page_size=Limits().page)
        return self._pages(self._approvals.ListGrants, request, lambda page: page.grants)

    def revoke_grant(self, grant_id: str, *, reason: str = "") -> RevokeGrantResponse:
        """End a grant for good. One that is over stays as it was."""
        request = RevokeGrantRequest(grant_id=grant_id, reason=reason)
        return self.unary(self._approvals.RevokeGrant, request)

    def trace(self, number: int) -> Trace:
        """One trace with its elements."""
        return self.unary(self._traces.GetTrace, GetTraceRequest(number=number)).trace

    def traces(self, wanted: TraceFilter | None = None, *, limit: int = 100) -> Iterator[Trace]:
        """At most `limit` traces without their elements, newest first."""
        fields = {field.name: value for field, value in wanted.ListFields()} if wanted else {}
        request = ListTracesRequest(page_size=min(limit, Limits().page), **fields)
        return islice(self._pages(self._traces.ListTraces, request, lambda page: page.traces), limit)

    def watch_traces(
        self,
        wanted: TraceFilter | None = None,
        *,
        cursor: str = "",
        silence_seconds: float = SILENCE_SECONDS,
    ) -> Iterator[WatchTracesResponse]:
        """Every record after `cursor`, or from now on; ends only when the stream does, or is silent."""
        request = WatchTracesRequest(filter=wanted, cursor=cursor)
        return self.stream(self._traces.WatchTraces, request, silence_seconds)

    def summarize_traces(
        self, wanted: TraceFilter | None = None, *, bucket_seconds: float = 0.0
    ) -> SummarizeTracesResponse:
        """Counts, in buckets of so many seconds; 0 lets the sidecar choose."""
        request = SummarizeTracesRequest(filter=wanted)
        request.bucket.FromNanoseconds(int(bucket_seconds * 1e9))
        return self.unary(self._traces.SummarizeTraces, request)

    def policy_status(self) -> PolicyStatus:
        """Which snapshot decides now, and what is wrong with the folder."""
        return self.unary(self._policy.GetPolicyStatus, GetPolicyStatusRequest()).status

    def reload_policy(self) -> ReloadPolicyResponse:
        """Read the folder and activate it, all or nothing."""
        return self.unary(self._policy.ReloadPolicy, ReloadPolicyRequest())

    def preview_policy(self, recent_calls: int = 0) -> PreviewPolicyResponse:
        """What the folder would change, judged on so many of the latest calls; 0 for the usual number."""
        return self.unary(self._policy.PreviewPolicy, PreviewPolicyRequest(recent_calls=recent_calls))

    def _approval(self, request: GetApprovalRequest) -> Approval:
        return self.unary(self._approvals.GetApproval, request).approval

    def _pages(self, method: Any, request: Any, items: Callable[[Any], Iterable[Item]]) -> Iterator[Item]:
        while True:
            page = self.unary(method, request)
            yield from items(page)
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token
