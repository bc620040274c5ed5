"""Agents that can do nothing in a tenant in which they are known."""

from collections.abc import Iterator

from adjudicator.authoring.warnings.places import KeyPlaces
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import APPROVERS
from adjudicator.policy.registry_reader import AGENTS
from adjudicator.policy.snapshot import subject_of


def idle_agents(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """An enabled agent with no role and no row of its own in an enabled tenant that it is known in."""
    registry = bundle.snapshot.registry
    places = KeyPlaces(bundle, AGENTS)
    named = _named(bundle)
    for agent in registry.agents.values():
        for tenant in sorted(agent.tenants) if agent.enabled else ():
            if registry.tenants[tenant].enabled and (subject_of(agent.code), tenant) not in named:
                message = (
                    f"`{agent.code}` has no role and no row in tenant `{tenant}`, so it can do nothing "
                    f"there; give it a role, or take `{tenant}` out of its tenants"
                )
                yield places.at((agent.code, "tenants", tenant), Code.IDLE_AGENT, message)


def _named(bundle: OpenBundle) -> set[tuple[str, str]]:
    """The subjects of which rows speak, as members too, with the tenants."""
    named: set[tuple[str, str]] = set()
    for policy in bundle.policies.values():
        if policy.shape is not APPROVERS:
            named.update((fields[0], fields[1]) for fields in policy.rows.all_fields())
            named.update((member, tenant) for member, _, tenant in policy.roles.rows.all_fields())
    return named
