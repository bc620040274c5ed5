"""Who has which role, in one graph for each domain. No limit on depth; a cycle is found, never followed."""

from collections import defaultdict
from collections.abc import Iterable

from adjudicator.policy.casbin.cycles import circles

Link = tuple[str, str, str]
"""A member, its role, and the domain that this holds in; the empty domain where a model has none."""


class RoleGraph:
    """The links of one kind of role. Built once; what it is asked is remembered for its members."""

    def __init__(self, links: Iterable[Link]) -> None:
        above: dict[tuple[str, str], list[str]] = defaultdict(list)
        for member, role, domain in links:
            above[member, domain].append(role)
        self._above = dict(above)
        self._held: dict[tuple[str, str], tuple[str, ...]] = {}

    def held(self, member: str, domain: str) -> tuple[str, ...]:
        """The member itself and every role that it has in the domain, directly or through other roles."""
        key = (member, domain)
        held = self._held.get(key)
        if held is None:
            if not isinstance(domain, str):
                raise TypeError(f"a domain is a text, not {type(domain).__name__}")
            if key not in self._above:
                return (member,)
            held = self._held[key] = tuple(self._reached(member, domain))
        return held

    def has(self, member: str, role: str, domain: str) -> bool:
        """Whether the member is, or has, the role in the domain."""
        return member == role or role in self.held(member, domain)

    def circular(self) -> list[Link]:
        """The links that lead back to their own member; without them the graph has no cycle."""
        numbers = circles(
            {key: [(role, key[1]) for role in roles] for key, roles in self._above.items()},
        )
        return [
            (member, role, domain)
            for (member, domain), roles in self._above.items()
            for role in roles
            if numbers[member, domain] == numbers[role, domain]
        ]

    def _reached(self, member: str, domain: str) -> dict[str, None]:
        reached: dict[str, None] = {}
        waiting = [member]
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached[name] = None
                waiting.extend(self._above.get((name, domain), ()))
        return reached
