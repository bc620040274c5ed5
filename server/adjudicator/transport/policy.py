"""PolicyService, on the approver plane."""

from collections.abc import Awaitable, Callable

from adjudicator.api.v1 import policy_service_pb2 as pb
from adjudicator.api.v1 import policy_service_pb2_grpc as pb_grpc
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.preview_policy import PreviewPolicy
from adjudicator.transport import convert
from adjudicator.transport.errors import Context, guarded
from adjudicator.transport.previews import preview


class PolicyServicer(pb_grpc.PolicyServiceServicer):
    """The state of the policy. `reload` is the whole of a reload, health and log included."""

    def __init__(
        self, policy: ActivePolicy, reload: Callable[[], Awaitable[bool]], preview: PreviewPolicy
    ) -> None:
        self._policy = policy
        self._reload = reload
        self._preview = preview

    @guarded
    async def GetPolicyStatus(
        self,
        request: pb.GetPolicyStatusRequest,
        context: Context,
    ) -> pb.GetPolicyStatusResponse:
        """Show which snapshot decides, and what is wrong with the folder."""
        return pb.GetPolicyStatusResponse(status=convert.policy_status(self._policy.status))

    @guarded
    async def ReloadPolicy(
        self, request: pb.ReloadPolicyRequest, context: Context
    ) -> pb.ReloadPolicyResponse:
        """Read the folder and activate it, all or nothing."""
        activated = await self._reload()
        return pb.ReloadPolicyResponse(
            activated=activated, status=convert.policy_status(self._policy.status)
        )

    @guarded
    async def PreviewPolicy(
        self, request: pb.PreviewPolicyRequest, context: Context
    ) -> pb.PreviewPolicyResponse:
        """Read the folder and say what it would change."""
        return preview(await self._preview(request.recent_calls))
