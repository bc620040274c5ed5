"""Tools that nobody can use, since nobody holds what they require."""

from collections.abc import Iterator

from adjudicator.authoring.warnings.places import KeyPlaces
from adjudicator.authoring.warnings.reach import Reach, usable
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.registry_reader import TENANTS


def unheld_permissions(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """A tool on a tenant's list whose permission no enabled agent of the tenant holds."""
    registry = bundle.snapshot.registry
    places, reach = KeyPlaces(bundle, TENANTS), Reach(bundle)
    for tenant in registry.tenants.values():
        if not tenant.enabled:
            continue
        agents = [each for each in registry.agents.values() if each.enabled and tenant.code in each.tenants]
        held: dict[str, bool] = {}
        for tool in usable(registry, tenant):
            permission = tool.permission
            if permission not in held:
                held[permission] = any(reach.holds(agent, tenant, permission) for agent in agents)
            if not held[permission]:
                message = (
                    f"no agent holds `{permission}` in tenant `{tenant.code}`, so nobody there can use "
                    f"`{tool.code}`; give it to a role in permission.csv, or take the tool off the list"
                )
                yield places.at((tenant.code, "tools", tool.code), Code.UNHELD_PERMISSION, message)
