"""S1 to S5: who asks, for which tool, with which permission."""

from adjudicator.chain.case import Case, Finding, deny, forbid
from adjudicator.domain.call import quoted
from adjudicator.domain.verdict import Cause, ReasonCode, ToolStatus
from adjudicator.policy.snapshot import Effect, RuleQuestion, subject_of


def tenant_context(case: Case, _: Finding | None) -> Finding | None:
    """The tenant is named, known and enabled."""
    code = case.call.tenant
    if not code.strip():
        return _no_tenant(Cause.TENANT_BLANK, "the call names no tenant")
    tenant = case.snapshot.registry.tenants.get(code)
    if tenant is None:
        return _no_tenant(Cause.TENANT_UNKNOWN, f"there is no tenant {quoted(code)} in the registry")
    if not tenant.enabled:
        return _no_tenant(Cause.TENANT_DISABLED, f"tenant {quoted(code)} is disabled in the registry")
    return None


def agent_registered(case: Case, _: Finding | None) -> Finding | None:
    """The agent, and every agent it acts on behalf of, is known in the tenant and enabled."""
    for code in case.call.agents:
        if not code.strip():
            return forbid(Cause.AGENT_BLANK, "the call names no agent, or a blank one in on_behalf_of")
        agent = case.snapshot.registry.agents.get(code)
        if agent is None or case.call.tenant not in agent.tenants:
            return forbid(
                Cause.AGENT_UNKNOWN,
                f"there is no agent {quoted(code)} in tenant {quoted(case.call.tenant)}",
            )
        if not agent.enabled:
            return forbid(Cause.AGENT_DISABLED, f"agent {quoted(code)} is disabled in the registry")
    return None


def tool_registered(case: Case, _: Finding | None) -> Finding | None:
    """The tool is registered and on the tenant's allow-list."""
    code = case.call.tool
    if not code.strip():
        return forbid(Cause.TOOL_BLANK, "the call names no tool")
    if code not in case.snapshot.registry.tools:
        return forbid(Cause.TOOL_UNKNOWN, f"there is no tool {quoted(code)} in the registry")
    if code not in case.tenant.tools:
        return forbid(
            Cause.TOOL_NOT_LISTED,
            f"tool {quoted(code)} is not on the allow-list of tenant {quoted(case.call.tenant)}",
        )
    return None


def tool_enabled(case: Case, _: Finding | None) -> Finding | None:
    """The tool is enabled."""
    tool = case.tool
    if tool.status is ToolStatus.ENABLED:
        return None
    return forbid(Cause.TOOL_DISABLED, f"tool {quoted(tool.code)} is disabled: {tool.disable_reason}")


def permission_domain(case: Case, _: Finding | None) -> Finding | None:
    """The agent holds the permission that the tool requires, in this tenant, and no row takes it away."""
    permission = case.tool.permission
    question = RuleQuestion(subject_of(case.call.agent), case.call.tenant, permission)
    if denied := case.snapshot.permission.match(Effect.DENY, question):
        return forbid(
            Cause.PERMISSION_MISSING,
            f"permission {quoted(permission)} is taken from {_holder(case)} by {denied}",
            denied,
        )
    if case.snapshot.permission.match(Effect.ALLOW, question) is None:
        return forbid(
            Cause.PERMISSION_MISSING,
            f"{_holder(case)} does not hold the permission {quoted(permission)},"
            f" which tool {quoted(case.tool.code)} requires",
        )
    return None


def _holder(case: Case) -> str:
    return f"agent {quoted(case.call.agent)} in tenant {quoted(case.call.tenant)}"


def _no_tenant(cause: Cause, reason: str) -> Finding:
    return deny(ReasonCode.TENANT_MISSING, cause, reason)
