"""Rows that let something be written where the tenant's mode lets nothing be written."""

from collections.abc import Iterator

from adjudicator.authoring.warnings.covers import meanings
from adjudicator.authoring.warnings.places import at_row
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.domain.call import Mode
from adjudicator.domain.facet import Access
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import APPROVERS, PERMISSION
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.registry import Registry, Tenant
from adjudicator.policy.snapshot import Effect


def read_only_rows(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """Rows of a read_only tenant that allow or ask for what only writes."""
    registry = bundle.snapshot.registry
    locked = {code: tenant for code, tenant in registry.tenants.items() if tenant.mode is Mode.READ_ONLY}
    for policy in bundle.policies.values() if locked else ():
        if policy.shape is APPROVERS:
            continue
        writing = {code: _writing(policy, registry, tenant) for code, tenant in locked.items()}
        for number, row in enumerate(meanings(policy)):
            if row.effect != Effect.DENY.value and row.thing in writing.get(row.tenant, ()):
                message = (
                    f"tenant `{row.tenant}` is read_only and denies whatever writes, so this never "
                    "decides; take the row away, or change the mode"
                )
                yield at_row(policy, number, "eft", Code.READ_ONLY_TENANT, message)


def _writing(policy: Policy, registry: Registry, tenant: Tenant) -> set[str]:
    """The tools of the tenant that write; of permissions those that only such tools require."""
    tools = [registry.tools[code] for code in tenant.tools]
    writing = [tool for tool in tools if tool.access is Access.WRITE]
    if policy.shape is not PERMISSION:
        return {tool.code for tool in writing}
    needed = {tool.permission for tool in tools if tool.access is Access.READ}
    return {tool.permission for tool in writing} - needed
