"""ApprovalService, on the approver plane."""

import contextlib
from dataclasses import dataclass

from adjudicator.api.v1 import approval_service_pb2 as pb
from adjudicator.api.v1 import approval_service_pb2_grpc as pb_grpc
from adjudicator.approvals.states import Ballot
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import Approval, Decision
from adjudicator.domain.errors import malformed
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.claim_approval import ClaimApproval
from adjudicator.service.grants import ListGrants, RevokeGrant
from adjudicator.service.reading import Reading
from adjudicator.service.sight import Sight
from adjudicator.service.use_cases import Resolves
from adjudicator.service.watch import Watch
from adjudicator.storage.contract import ApprovalFilter, CallKey, GrantFilter
from adjudicator.transport import convert, enums
from adjudicator.transport.approval_messages import ApprovalMessages, grant_message, wish_of
from adjudicator.transport.authentication import Approvers, current_actor
from adjudicator.transport.errors import Context, guarded
from adjudicator.transport.trace_context import trace_context
from adjudicator.transport.watch_messages import watch_message
from adjudicator.transport.watch_places import WatchPlaces


@dataclass(frozen=True, slots=True)
class ApprovalUseCases:
    """What the service has done for it."""

    watch: Watch
    reading: Reading
    resolve: Resolves
    claim: ClaimApproval
    list_grants: ListGrants
    revoke_grant: RevokeGrant


class ApprovalServicer(pb_grpc.ApprovalServiceServicer):
    """What a person who decides sees and says."""

    def __init__(
        self,
        use_cases: ApprovalUseCases,
        policy: ActivePolicy,
        approvers: Approvers,
        messages: ApprovalMessages,
        limits: Limits,
    ) -> None:
        self._do = use_cases
        self._policy = policy
        self._approvers = approvers
        self._message = messages
        self._limits = limits
        self._places = WatchPlaces(limits.watchers)

    @guarded
    async def WatchPending(  # type: ignore[override]  # a coroutine that writes is as good to gRPC
        self,
        request: pb.WatchPendingRequest,
        context: Context,
    ) -> None:
        """Stream what is pending and every change, in messages that are bytes already."""
        wanted = ApprovalFilter(request.tenant, request.tool, convert.priority(request.least_priority))
        admission = self._approvers.admission(context.invocation_metadata() or ())
        # Closed here and now when the caller goes away, so that its place becomes free.
        watching = self._do.watch(wanted, request.cursor, self._sight())
        with self._places.of(current_actor()):
            async with contextlib.aclosing(watching) as events:
                async for cursor, event in events:
                    admission.check()
                    await context.write(watch_message(cursor, event))

    @guarded
    async def ListPending(self, request: pb.ListPendingRequest, context: Context) -> pb.ListPendingResponse:
        """List a page of what is pending."""
        wanted = ApprovalFilter(request.tenant, request.tool, convert.priority(request.least_priority))
        page, following = await self._do.reading.pending(
            wanted, self._sight(), request.page_size, request.page_token
        )
        return pb.ListPendingResponse(
            approvals=[self._message(each) for each in page], next_page_token=following
        )

    @guarded
    async def GetApproval(self, request: pb.GetApprovalRequest, context: Context) -> pb.GetApprovalResponse:
        """Show one approval, whole."""
        return pb.GetApprovalResponse(approval=self._message(await self._one(request), whole=True))

    @guarded
    async def Resolve(self, request: pb.ResolveRequest, context: Context) -> pb.ResolveResponse:
        """Count one person's decision. A decision that is not said, or not known, is a denial."""
        ballot = Ballot(
            actor=current_actor(),
            decision=enums.DECISION.from_wire(request.decision) or Decision.DENY,
            view_digest=request.view_digest,
            reason=request.reason,
            trace_context=trace_context(context),
            request_id=request.request_id,
            selected_option=request.selected_option,
            delegate_to=request.delegate_to,
            wish=wish_of(request.grant, self._limits),
        )
        receipt = await self._do.resolve(request.approval_id, ballot)
        return pb.ResolveResponse(
            accepted=receipt.code.accepted,
            code=enums.RECEIPT_CODE.to_wire(receipt.code),
            message=receipt.message,
            approval=self._message(receipt.approval) if receipt.approval else None,
            replayed=receipt.replayed,
            grant=grant_message(receipt.grant) if receipt.grant else None,
            released=receipt.released,
        )

    @guarded
    async def ClaimApproval(
        self, request: pb.ClaimApprovalRequest, context: Context
    ) -> pb.ClaimApprovalResponse:
        """Say that the caller is on an approval, or not any more."""
        lease = convert.span(request, "lease", self._limits.claim_seconds)
        claimed, approval = await self._do.claim(request.approval_id, current_actor(), lease, self._sight())
        return pb.ClaimApprovalResponse(claimed=claimed, approval=self._message(approval))

    @guarded
    async def ListGrants(self, request: pb.ListGrantsRequest, context: Context) -> pb.ListGrantsResponse:
        """List a page of the grants that the caller may decide on."""
        wanted = GrantFilter(request.tenant, request.session, request.ended)
        page, following = await self._do.list_grants(
            current_actor(), wanted, request.page_size, request.page_token
        )
        return pb.ListGrantsResponse(
            grants=[grant_message(each) for each in page], next_page_token=following
        )

    @guarded
    async def RevokeGrant(self, request: pb.RevokeGrantRequest, context: Context) -> pb.RevokeGrantResponse:
        """End a grant, and what it has released and nobody has used."""
        revoked = await self._do.revoke_grant(current_actor(), request.grant_id, request.reason)
        return pb.RevokeGrantResponse(grant=grant_message(revoked.grant), cancelled=revoked.cancelled)

    def _sight(self) -> Sight:
        """The caller's; raises POLICY_INVALID while nobody can say what that is, which is not nothing."""
        self._policy.current()
        return Sight(self._policy, current_actor())

    async def _one(self, request: pb.GetApprovalRequest) -> Approval:
        by, sight = request.WhichOneof("by"), self._sight()
        if by == "approval_id":
            return await self._do.reading.approval(request.approval_id, sight)
        if by == "trace_number":
            return await self._do.reading.approval_of_trace(
                convert.trace_number(request.trace_number), sight
            )
        if by == "action":
            key = CallKey(request.action.tenant, request.action.session, request.action.call_id)
            return await self._do.reading.approval_of_action(key, request.action.tool, sight)
        raise malformed("by", "has to name an approval_id, a trace_number or an action")
