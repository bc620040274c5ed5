"""How an agent comes to a role: by itself, or through other roles."""

from collections import defaultdict

from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.roles import Roles

Link = tuple[str, RuleRef]
"""A role, and the row that gives it."""


class RolePaths:
    """What one agent is and has in one tenant, by one policy."""

    def __init__(self, roles: Roles, subject: str, tenant: str) -> None:
        above: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for number, (member, role, where) in enumerate(roles.rows.all_fields()):
            if where == tenant:
                above[member].append((role, number))
        self._subject = subject
        self._rows = roles.rows
        self._from: dict[str, tuple[str, int] | None] = {subject: None}
        waiting = [subject]
        for member in waiting:  # the nearest first
            for role, number in above.get(member, ()):
                if role not in self._from:
                    self._from[role] = (member, number)
                    waiting.append(role)

    @property
    def held(self) -> tuple[str, ...]:
        """The agent itself and its roles, the nearest first."""
        return tuple(self._from)

    def to(self, role: str) -> tuple[Link, ...]:
        """The roles from the agent to this one, each with its row; none for the agent itself."""
        links: list[Link] = []
        step = self._from[role]
        while step is not None:
            member, number = step
            links.append((role, self._rows.ref(number)))
            role, step = member, self._from[member]
        return tuple(reversed(links))
