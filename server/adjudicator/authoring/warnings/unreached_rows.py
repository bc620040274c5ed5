"""Rows that give something to nobody who could use it."""

from collections.abc import Iterator

from adjudicator.authoring.warnings.covers import Meaning, meanings
from adjudicator.authoring.warnings.places import at_row
from adjudicator.authoring.warnings.reach import Reach, Stop, holders, usable
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import APPROVERS, PERMISSION, SCOPE
from adjudicator.policy.patterns import ANY
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.registry import Agent, Tenant, Tool
from adjudicator.policy.snapshot import Effect

_STOPS = list(Stop)
# In the order of the chain.


def unreached_rows(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """Rows that allow or ask, while each agent that they speak of is kept from the tool elsewhere.

    Not Deny rows: one that decides nothing today holds when a slip elsewhere opens what it is about.
    """
    unreached = _Unreached(bundle)
    for policy in bundle.policies.values():
        if policy.shape is APPROVERS:
            continue
        agents = holders(policy, bundle.snapshot.registry)
        known: dict[tuple[str, str, str], str] = {}
        for number, row in enumerate(meanings(policy)):
            key = (row.subject, row.tenant, row.thing)
            if row.effect == Effect.DENY.value:
                continue
            if key not in known:
                known[key] = unreached.fault(policy, row, agents.get(key[:2], []))
            if known[key]:
                yield at_row(policy, number, "sub", Code.OUT_OF_REACH, known[key])


class _Unreached:
    """Asks of each subject and tool once."""

    def __init__(self, bundle: OpenBundle) -> None:
        self._reach = Reach(bundle)
        self._registry = bundle.snapshot.registry
        self._usable: dict[str, list[Tool]] = {}

    def fault(self, policy: Policy, row: Meaning, agents: list[Agent]) -> str:
        """Why nobody has anything of the row; empty when somebody has, or when it is told elsewhere."""
        tenant = self._registry.tenants[row.tenant]
        tools = self._tools(policy, tenant, row.thing)
        if not tenant.enabled or not agents or not tools:
            return ""
        stops: set[Stop] = set()
        for tool in tools:
            for agent in agents:
                stop = self._reach.stop(agent, tenant, tool, calls=policy.shape is not SCOPE)
                if stop is None:
                    return ""
                stops.add(stop)
        last = max(stops, key=_STOPS.index)
        what = f"`{tools[0].code}`" if len(tools) == 1 else "any tool that this is about"
        return (
            f"no agent of `{row.subject}` gets to {what} in tenant `{tenant.code}`: even the one that gets "
            f"furthest {_told(last, tools)}; change that, or take the row away"
        )

    def _tools(self, policy: Policy, tenant: Tenant, thing: str) -> list[Tool]:
        if tenant.code not in self._usable:
            self._usable[tenant.code] = usable(self._registry, tenant)
        tools = self._usable[tenant.code]
        if policy.shape is PERMISSION:
            return [tool for tool in tools if tool.permission == thing]
        return [tool for tool in tools if thing in (ANY, tool.code)]


def _told(stop: Stop, tools: list[Tool]) -> str:
    one = len({tool.permission for tool in tools}) == 1
    return f"{stop.value} `{tools[0].permission}`" if stop is Stop.PERMISSION and one else stop.value
