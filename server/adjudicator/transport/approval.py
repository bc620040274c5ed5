"""ApprovalService, on the approver plane."""

import contextlib

from adjudicator.api.v1 import approval_service_pb2 as pb
from adjudicator.api.v1 import approval_service_pb2_grpc as pb_grpc
from adjudicator.approvals.states import Ballot
from adjudicator.domain.approval import Approval, Decision
from adjudicator.domain.errors import malformed
from adjudicator.service.reading import Reading
from adjudicator.service.use_cases import Resolves
from adjudicator.service.watch import Watch
from adjudicator.storage.contract import ApprovalFilter, CallKey
from adjudicator.transport import convert, enums
from adjudicator.transport.authentication import Approvers, current_actor
from adjudicator.transport.errors import Context, guarded
from adjudicator.transport.trace_context import trace_context
from adjudicator.transport.watch_messages import watch_message


class ApprovalServicer(pb_grpc.ApprovalServiceServicer):
    """What a person who decides sees and says."""

    def __init__(self, watch: Watch, reading: Reading, resolve: Resolves, approvers: Approvers) -> None:
        self._watch = watch
        self._approvers = approvers
        self._reading = reading
        self._resolve = resolve

    @guarded
    async def WatchPending(  # type: ignore[override]  # a coroutine that writes is as good to gRPC
        self,
        request: pb.WatchPendingRequest,
        context: Context,
    ) -> None:
        """Stream what is pending and every change, in messages that are bytes already."""
        wanted = ApprovalFilter(request.tenant, request.tool)
        standing = self._approvers.standing(context.invocation_metadata() or ())
        # Closed here and now when the caller goes away, so that its place becomes free.
        async with contextlib.aclosing(self._watch(wanted, request.cursor)) as events:
            async for cursor, event in events:
                standing.check()
                await context.write(watch_message(cursor, event))

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
            request_id=request.request_id,
            selected_option=request.selected_option,
            delegate_to=request.delegate_to,
            wish=convert.wish(request.grant, self._limits),
        )
        receipt = await self._resolve(request.approval_id, ballot)
        return pb.ResolveResponse(
            accepted=receipt.code.accepted,
            code=enums.RECEIPT_CODE.to_wire(receipt.code),
            message=receipt.message,
            approval=self._shown(receipt.approval) if receipt.approval else None,
            replayed=receipt.replayed,
            grant=convert.grant(receipt.grant) if receipt.grant else None,
            released=receipt.released,
        )

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
