"""Which agents get as far as the rule chain with a tool: all that the steps before it ask, and no call."""

from collections import defaultdict

from adjudicator.domain.facet import Access
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.verdict import ToolStatus
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import PERMISSION, SCOPE
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.registry import Agent, AgentKind, Registry, Tenant, Tool
from adjudicator.policy.snapshot import Effect, subject_of


class Stop(Symbol):
    """What keeps an agent from a tool; the value completes "even the one that gets furthest…"."""

    PERMISSION = "lacks the permission"
    REGISTRY = "is kept from it by the registry"
    SCOPE = "has it out of scope"


class Reach:
    """What each agent of a bundle gets to. It remembers what it was asked."""

    def __init__(self, bundle: OpenBundle) -> None:
        self._permission = bundle.rule_sets[PERMISSION.name]
        self._scope = bundle.rule_sets[SCOPE.name]
        self._stops: dict[tuple[str, str, str, bool], Stop | None] = {}

    def stop(self, agent: Agent, tenant: Tenant, tool: Tool, *, calls: bool = True) -> Stop | None:
        """What keeps the agent from a tool of the tenant; None when it gets to the rules.

        An agent that does not call itself, but on whose behalf another one does, needs no permission.
        """
        key = (agent.code, tenant.code, tool.code, calls)
        if key not in self._stops:
            self._stops[key] = self._stop(agent, tenant, tool, calls=calls)
        return self._stops[key]

    def _stop(self, agent: Agent, tenant: Tenant, tool: Tool, *, calls: bool) -> Stop | None:
        if calls and not self.holds(agent, tenant, tool.permission):
            return Stop.PERMISSION
        if is_listed_off(agent, tool) or (agent.kind is AgentKind.CRITIC and tool.access is Access.WRITE):
            return Stop.REGISTRY
        return None if self.has_in_scope(agent, tenant, tool) else Stop.SCOPE

    def holds(self, agent: Agent, tenant: Tenant, permission: str) -> bool:
        """Whether the agent holds the permission, as step 5 asks."""
        request = (subject_of(agent.code), tenant.code, permission)
        denied = self._permission.first(Effect.DENY, request) is not None
        return not denied and self._permission.first(Effect.ALLOW, request) is not None

    def has_in_scope(self, agent: Agent, tenant: Tenant, tool: Tool) -> bool:
        """Whether the scope model lets the agent through, as step 6 asks."""
        request = (subject_of(agent.code), tenant.code, tool.code)
        denied = self._scope.first(Effect.DENY, request) is not None
        return not denied and self._scope.first(Effect.ALLOW, request) is not None


def usable(registry: Registry, tenant: Tenant) -> list[Tool]:
    """The tools on the tenant's list that are enabled."""
    tools = (registry.tools[code] for code in sorted(tenant.tools))
    return [tool for tool in tools if tool.status is ToolStatus.ENABLED]


def is_listed_off(agent: Agent, tool: Tool) -> bool:
    """Whether a list of the registry keeps the agent from the tool."""
    barred = tool.allowed_agents is not None and agent.code not in tool.allowed_agents
    return barred or tool.code in agent.denied_tools


def holders(policy: Policy, registry: Registry) -> dict[tuple[str, str], list[Agent]]:
    """The enabled agents that are, or have, each subject, by subject and tenant."""
    found: dict[tuple[str, str], list[Agent]] = defaultdict(list)
    for agent in registry.agents.values():
        for tenant in agent.tenants if agent.enabled else ():
            for subject in policy.roles.graph.held(subject_of(agent.code), tenant):
                found[subject, tenant].append(agent)
    return dict(found)
