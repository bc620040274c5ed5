"""Who has which role in which tenant: the `g` rows of one policy, checked for cycles and depth."""

from collections import defaultdict
from dataclasses import dataclass, field

from adjudicator.config.limits import ROLE_DEPTH
from adjudicator.policy.csv_rows import Row
from adjudicator.policy.problem import Problems


@dataclass(frozen=True, slots=True)
class Roles:
    """The role graph of one policy. `rows` are the `g` rows behind it."""

    rows: tuple[Row, ...]
    _above: dict[tuple[str, str], tuple[str, ...]] = field(repr=False)
    _mentioned: frozenset[tuple[str, str]] = field(repr=False)

    def held_by(self, subject: str, tenant: str) -> frozenset[str]:
        """The subject itself and every role it has in the tenant, directly or through other roles."""
        held: set[str] = set()
        waiting = [subject]
        while waiting:
            name = waiting.pop()
            if name not in held:
                held.add(name)
                waiting.extend(self._above.get((name, tenant), ()))
        return frozenset(held)

    def mentions(self, role: str, tenant: str) -> bool:
        """Whether any row of the tenant speaks of the role."""
        return (role, tenant) in self._mentioned

    def members(self) -> dict[tuple[str, str], frozenset[str]]:
        """Who is given each role directly, by role and tenant."""
        members: dict[tuple[str, str], set[str]] = defaultdict(set)
        for row in self.rows:
            member, role, tenant = row.fields
            members[role, tenant].add(member)
        return {key: frozenset(names) for key, names in members.items()}


def build_roles(rows: list[Row], problems: Problems) -> Roles:
    """The role graph of these `g` rows; a cycle, or a chain of more than 8 links, is a problem."""
    above: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows:
        member, role, tenant = row.fields
        above[member, tenant].append(role)
    graph = {key: tuple(names) for key, names in above.items()}
    mentioned = frozenset((name, row.fields[2]) for row in rows for name in row.fields[:2])
    roles = Roles(tuple(rows), graph, mentioned)
    circular = [row for row in rows if row.fields[0] in roles.held_by(row.fields[1], row.fields[2])]
    for row in circular:
        row.refuse(problems, 0, f"`{row.fields[0]}` has itself as a role in the end; take one link away")
    for row in rows if not circular else ():
        if _is_too_deep(row, graph):
            fault = f"more than {ROLE_DEPTH} roles above `{row.fields[0]}`"
            row.refuse(problems, 1, f"{fault}; give it the role directly")
    return roles


def _is_too_deep(row: Row, graph: dict[tuple[str, str], tuple[str, ...]]) -> bool:
    tenant = row.fields[2]
    level = {row.fields[1]}
    for _ in range(ROLE_DEPTH):
        level = {name for below in level for name in graph.get((below, tenant), ())}
    return bool(level)
