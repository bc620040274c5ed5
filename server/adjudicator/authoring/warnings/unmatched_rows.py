"""Rows about what does not exist in their tenant."""

from collections.abc import Iterator

from adjudicator.authoring.warnings.covers import Meaning, meanings
from adjudicator.authoring.warnings.places import at_row
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.domain.facet import Access, ArgumentKind
from adjudicator.domain.request import QUESTION
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import PERMISSION
from adjudicator.policy.patterns import ANY
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.registry import Registry, Tenant
from adjudicator.policy.row_checks import can_yield

_ACCESS = {access.value: access for access in Access}


def unmatched_rows(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """Rows, Deny rows too, for a tool or an argument that no tool on the tenant's list has."""
    registry = bundle.snapshot.registry
    for policy in bundle.policies.values():
        third = policy.shape.policy[2]
        known: dict[tuple[str, str, str], str] = {}
        for number, row in enumerate(meanings(policy)):
            key = (row.tenant, row.thing, row.kind)
            if key not in known:
                known[key] = _fault(policy, registry, row)
            if known[key]:
                column = "argument" if row.thing == ANY else third
                yield at_row(policy, number, column, Code.NEVER_MATCHES, known[key])


def _fault(policy: Policy, registry: Registry, row: Meaning) -> str:
    """What keeps the row from matching anything, and what to do; empty for nothing."""
    tenant = registry.tenants[row.tenant]
    if policy.shape is PERMISSION:
        return _permission_fault(registry, tenant, row.thing)
    if row.thing == ANY:
        return _argument_fault(registry, tenant, row.kind)
    if row.thing == QUESTION or row.thing in tenant.tools:
        return ""
    return (
        f"`{row.thing}` is not on the list of tenant `{tenant.code}`, so this never matches; "
        "put it on the list, or take the row away"
    )


def _permission_fault(registry: Registry, tenant: Tenant, permission: str) -> str:
    if any(registry.tools[code].permission == permission for code in tenant.tools):
        return ""
    return (
        f"no tool on the list of tenant `{tenant.code}` requires `{permission}`, so this never matters; "
        "put such a tool on the list, or take the row away"
    )


def _argument_fault(registry: Registry, tenant: Tenant, word: str) -> str:
    if not word:
        return ""
    access = _ACCESS.get(word)
    kind = ArgumentKind.PATH if access else ArgumentKind(word)
    specs = (spec for code in tenant.tools for spec in registry.tools[code].arguments)
    if any(can_yield(spec, kind, access) for spec in specs):
        return ""
    return (
        f"no tool on the list of tenant `{tenant.code}` has an argument for `{word}:`, so this never "
        "matches; put such a tool on the list, or take the row away"
    )
