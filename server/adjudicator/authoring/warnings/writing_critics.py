"""Critics whom one word alone keeps from writing."""

from collections.abc import Iterator

from adjudicator.authoring.warnings.places import KeyPlaces
from adjudicator.authoring.warnings.reach import Reach, is_listed_off, usable
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.domain.call import Mode
from adjudicator.domain.facet import Access
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.registry import AgentKind
from adjudicator.policy.registry_reader import AGENTS

_NAMED = 3


def writing_critics(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """A critic whose permissions and scope let it write: one defence where there should be two."""
    registry = bundle.snapshot.registry
    places, reach = KeyPlaces(bundle, AGENTS), Reach(bundle)
    for agent in registry.agents.values():
        if agent.kind is not AgentKind.CRITIC or not agent.enabled:
            continue
        for code in sorted(agent.tenants):
            tenant = registry.tenants[code]
            if not tenant.enabled or tenant.mode is Mode.READ_ONLY:
                continue
            writing = [
                tool.code
                for tool in usable(registry, tenant)
                if tool.access is Access.WRITE
                and not is_listed_off(agent, tool)
                and reach.holds(agent, tenant, tool.permission)
                and reach.has_in_scope(agent, tenant, tool)
            ]
            if writing:
                message = (
                    f"only the word `critic` keeps it from {_listed(writing)} in tenant `{code}`; "
                    "deny them to it in scope.csv, or take the permission away"
                )
                yield places.at((agent.code, "tenants", code), Code.CRITIC_CAN_WRITE, message)


def _listed(codes: list[str]) -> str:
    named = ", ".join(f"`{code}`" for code in codes[:_NAMED])
    return named if len(codes) <= _NAMED else f"{named} and {len(codes) - _NAMED} more"
