"""ApprovalService, on the approver plane."""

import contextlib

from adjudicator.api.v1 import approval_service_pb2 as pb
from adjudicator.api.v1 import approval_service_pb2_grpc as pb_grpc
from adjudicator.approvals.states import Ballot
from adjudicator.domain.approval import Approval, Decision
from adjudicator.domain.errors import malformed
from adjudicator.service.grants import ListGrants, RevokeGrant
from adjudicator.service.reading import Reading
from adjudicator.service.use_cases import Resolves
from adjudicator.service.watch import ApprovalChange, Heartbeat, PendingSnapshot, Watch, WatchEvent
from adjudicator.storage.contract import ApprovalFilter, CallKey, GrantFilter
from adjudicator.transport import convert, enums
from adjudicator.transport.authentication import Approvers, current_actor
from adjudicator.transport.errors import Context, guarded
from adjudicator.transport.trace_context import trace_context


class ApprovalServicer(pb_grpc.ApprovalServiceServicer):
    """What a person who decides sees and says."""

    def __init__(
        self,
        watch: Watch,
        reading: Reading,
        resolve: Resolves,
        list_grants: ListGrants,
        revoke_grant: RevokeGrant,
        approvers: Approvers,
    ) -> None:
        self._watch = watch
        self._list_grants = list_grants
        self._revoke_grant = revoke_grant
        self._approvers = approvers
        self._reading = reading
        self._resolve = resolve

    @guarded
    async def WatchPending(  # type: ignore[override]  # a coroutine that writes is as good to gRPC
        self,
        request: pb.WatchPendingRequest,
        context: Context,
    ) -> None:
        """Stream what is pending and every change."""
        wanted = ApprovalFilter(request.tenant, request.tool)
        # Closed here and now when the caller goes away, so that its place becomes free.
        async with contextlib.aclosing(self._watch(wanted, request.cursor)) as events:
            async for cursor, event in events:
                # Whoever is no approver any more sees nothing more.
                self._approvers.actor(context.invocation_metadata() or ())
                await context.write(_event(cursor, event))

    @guarded
    async def ListPending(self, request: pb.ListPendingRequest, context: Context) -> pb.ListPendingResponse:
        """List a page of what is pending."""
        wanted = ApprovalFilter(request.tenant, request.tool)
        page, following = await self._reading.pending(wanted, request.page_size, request.page_token)
        return pb.ListPendingResponse(
            approvals=[convert.approval(each) for each in page], next_page_token=following
        )

    @guarded
    async def GetApproval(self, request: pb.GetApprovalRequest, context: Context) -> pb.GetApprovalResponse:
        """Show one approval, whole."""
        return pb.GetApprovalResponse(approval=convert.approval(await self._one(request), whole=True))

    @guarded
    async def Resolve(self, request: pb.ResolveRequest, context: Context) -> pb.ResolveResponse:
        """Count one person's decision. A decision that is not said, or not known, is a denial."""
        ballot = Ballot(
            actor=current_actor(),
            decision=enums.DECISION.from_wire(request.decision) or Decision.DENY,
            view_digest=request.view_digest,
            reason=request.reason,
            trace_context=trace_context(context),
        )
        receipt = await self._resolve(request.approval_id, ballot)
        return pb.ResolveResponse(
            accepted=receipt.code.accepted,
            code=enums.RECEIPT_CODE.to_wire(receipt.code),
            message=receipt.message,
            approval=convert.approval(receipt.approval) if receipt.approval else None,
        )

    @guarded
    async def ListGrants(self, request: pb.ListGrantsRequest, context: Context) -> pb.ListGrantsResponse:
        """List a page of the grants that the caller may decide on."""
        wanted = GrantFilter(request.tenant, request.session, request.ended)
        page, following = await self._list_grants(
            current_actor(), wanted, request.page_size, request.page_token
        )
        return pb.ListGrantsResponse(
            grants=[convert.grant(each) for each in page], next_page_token=following
        )

    @guarded
    async def RevokeGrant(self, request: pb.RevokeGrantRequest, context: Context) -> pb.RevokeGrantResponse:
        """End a grant, and what it has released and nobody has used."""
        revoked = await self._revoke_grant(current_actor(), request.grant_id, request.reason)
        return pb.RevokeGrantResponse(grant=convert.grant(revoked.grant), cancelled=revoked.cancelled)

    async def _one(self, request: pb.GetApprovalRequest) -> Approval:
        by = request.WhichOneof("by")
        if by == "approval_id":
            return await self._reading.approval(request.approval_id)
        if by == "trace_number":
            return await self._reading.approval_of_trace(convert.trace_number(request.trace_number))
        if by == "action":
            key = CallKey(request.action.tenant, request.action.session, request.action.call_id)
            return await self._reading.approval_of_action(key, request.action.tool)
        raise malformed("by", "has to name an approval_id, a trace_number or an action")


def _event(cursor: str, event: WatchEvent) -> pb.WatchPendingResponse:
    if isinstance(event, PendingSnapshot):
        approvals = [convert.approval(each) for each in event.approvals]
        return pb.WatchPendingResponse(
            cursor=cursor, snapshot=pb.PendingSnapshot(approvals=approvals, complete=event.complete)
        )
    if isinstance(event, ApprovalChange):
        change = pb.ApprovalChange(approval=convert.approval(event.approval))
        return pb.WatchPendingResponse(cursor=cursor, change=change)
    if isinstance(event, Heartbeat):
        heartbeat = pb.Heartbeat(now=convert.timestamp(event.now))
        return pb.WatchPendingResponse(cursor=cursor, heartbeat=heartbeat)
    return pb.WatchPendingResponse(cursor=cursor, resync=pb.Resync(reason=event.reason))
