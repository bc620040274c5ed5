"""Who may open and close what is no call: an agent that S1 and S2 would let pass."""

from adjudicator.chain.case import Case
from adjudicator.chain.identity import agent_registered, tenant_context
from adjudicator.domain.arguments import Fault
from adjudicator.domain.call import ToolCall
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.policy.snapshot import Snapshot


def check_registered(snapshot: Snapshot, tenant: str, agent: str, otherwise: str) -> None:
    """Raise NOT_ALLOWED for a tenant or an agent that S1 or S2 would deny.

    `otherwise` says what is not done then, as `no flow is opened`.
    """
    call = ToolCall(tenant, agent, tool="", arguments_json="")
    case = Case(call, Fault("there are no arguments"), snapshot)
    for name, check in (("tenant", tenant_context), ("agent", agent_registered)):
        if (finding := check(case, None)) is not None:
            raise AdjudicatorError(
                ErrorReason.NOT_ALLOWED, f"{otherwise}: {finding.reason}", {name: finding.reason}
            )
