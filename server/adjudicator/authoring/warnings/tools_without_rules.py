"""Tools of which the rule chain says nothing, so that only its default answers; and those of no tenant."""

from collections.abc import Iterator

from adjudicator.authoring.warnings.covers import meanings
from adjudicator.authoring.warnings.places import KeyPlaces
from adjudicator.authoring.warnings.reach import usable
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.domain.verdict import ToolStatus
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import RULES
from adjudicator.policy.patterns import ANY
from adjudicator.policy.registry_reader import TENANTS, TOOLS
from adjudicator.policy.snapshot import Effect


def tools_without_rules(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """A tool of a tenant without a row, and without one for `*` that allows or asks, or a list for all."""
    registry = bundle.snapshot.registry
    places = KeyPlaces(bundle, TENANTS)
    rows = meanings(bundle.policies[RULES.name])
    spoken = {
        (row.tenant, row.thing) for row in rows if row.thing != ANY or row.effect != Effect.DENY.value
    }
    for tenant in registry.tenants.values():
        if not tenant.enabled or (tenant.code, ANY) in spoken:
            continue
        for tool in usable(registry, tenant):
            if (tenant.code, tool.code) not in spoken and tool.code not in bundle.settings.listed:
                message = (
                    f"no rule of tenant `{tenant.code}` speaks of `{tool.code}`, so the default "
                    f"answers: {bundle.snapshot.default.value}; write a row in rules.csv, or take the tool "
                    "off the list"
                )
                yield places.at((tenant.code, "tools", tool.code), Code.NO_RULE, message)


def tools_of_no_tenant(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """A tool that is enabled and on the list of no tenant: nobody can call it."""
    registry = bundle.snapshot.registry
    places = KeyPlaces(bundle, TOOLS)
    listed = {code for tenant in registry.tenants.values() for code in tenant.tools}
    for code, tool in registry.tools.items():
        if code not in listed and tool.status is ToolStatus.ENABLED:
            message = f"`{code}` is on the list of no tenant, so nobody can call it; list it, or remove it"
            yield places.at((code,), Code.TOOL_OF_NO_TENANT, message)
