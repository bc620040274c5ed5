"""Roles that rows give something, while nobody who has them is there."""

from collections.abc import Iterator

from adjudicator.authoring.warnings.covers import meanings
from adjudicator.authoring.warnings.places import at_row
from adjudicator.authoring.warnings.reach import holders
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import APPROVERS
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.registry import Registry
from adjudicator.policy.snapshot import ROLE, USER


def empty_roles(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """One warning for each role, policy and tenant, at its first row.

    Whoever is no agent or person at all is refused when the bundle is read; agents can also be disabled.
    """
    registry = bundle.snapshot.registry
    for policy in bundle.policies.values():
        held = _people(policy) if policy.shape is APPROVERS else set(holders(policy, registry))
        told: set[tuple[str, str]] = set()
        for number, row in enumerate(meanings(policy)):
            key = (row.subject, row.tenant)
            if not row.subject.startswith(ROLE) or key in held or key in told:
                continue
            told.add(key)
            if registry.tenants[row.tenant].enabled:
                yield at_row(policy, number, "sub", Code.NOBODY_HAS_ROLE, _message(policy, *key, registry))


def _message(policy: Policy, role: str, tenant: str, registry: Registry) -> str:
    who = policy.shape.who
    others = (
        ""
        if policy.shape is APPROVERS or all(each.enabled for each in registry.agents.values())
        else (" who is enabled")
    )
    return (
        f"nobody{others} has `{role}` in tenant `{tenant}`, so its rows decide nothing; "
        f"add `g, {who}…, {role}, {tenant}`, or take them away"
    )


def _people(policy: Policy) -> set[tuple[str, str]]:
    """The roles that a person has, with their tenants."""
    links = policy.roles.rows.all_fields()
    people = {(member, tenant) for member, _, tenant in links if member.startswith(USER)}
    return {(role, tenant) for who, tenant in people for role in policy.roles.graph.held(who, tenant)}
