"""Who has which role in which tenant: the `g` rows of one policy, checked for cycles."""

from collections import defaultdict
from dataclasses import dataclass, field

from adjudicator.policy.casbin.roles import RoleGraph
from adjudicator.policy.casbin.rows import Rows
from adjudicator.policy.problem import Problems
from adjudicator.policy.snapshot import ROLE


@dataclass(frozen=True, slots=True)
class Roles:
    """The role graph of one policy. `rows` are the `g` rows behind it: member, role, tenant.

    `unsound` are the numbers of those that have a problem of their own.
    """

    rows: Rows
    unsound: frozenset[int]
    graph: RoleGraph = field(repr=False)
    _mentioned: frozenset[tuple[str, str]] = field(repr=False)

    def mentions(self, role: str, tenant: str) -> bool:
        """Whether any row of the tenant speaks of the role."""
        return (role, tenant) in self._mentioned

    def members(self) -> dict[tuple[str, str], set[str]]:
        """Who is given each role directly, by role and tenant."""
        members: dict[tuple[str, str], set[str]] = defaultdict(set)
        for member, role, tenant in self.rows.all_fields():
            members[role, tenant].add(member)
        return dict(members)


def build_roles(rows: Rows, unsound: frozenset[int], who: str, problems: Problems) -> Roles:
    """The role graph of these `g` rows, whose members begin with `who` or are roles.

    A cycle is a problem at each row that is part of it, and so is a role that gets a role and has nobody.
    """
    graph = RoleGraph((member, role, tenant) for member, role, tenant in rows.all_fields())
    circular = set(graph.circular())
    given = {(role, tenant) for _, role, tenant in rows.all_fields()}
    mentioned: set[tuple[str, str]] = set()
    for number, (member, role, tenant) in enumerate(rows.all_fields()):
        mentioned.update(((member, tenant), (role, tenant)))
        if (member, role, tenant) in circular:
            message = f"`{member}` has itself as a role in the end; take one link away"
            rows[number].refuse(problems, 0, message)
        elif member.startswith(ROLE) and (member, tenant) not in given and number not in unsound:
            message = (
                f"nobody has `{member}` in tenant `{tenant}`, so this gives nobody `{role}`; "
                f"add `g, {who}…, {member}, {tenant}`, or correct the name"
            )
            rows[number].refuse(problems, 0, message)
    return Roles(rows, unsound, graph, frozenset(mentioned))
