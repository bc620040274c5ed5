"""Who has which role, in one graph for each domain. No limit on depth; a cycle is found, never followed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

Link = tuple[str, str, str]
"""A member, its role, and the domain that this holds in; the empty domain where a model has none."""
_Key = tuple[str, str]
"""A member and the domain."""


class RoleGraph:
    """The links of one kind of role. Built once; what it is asked is remembered for its members."""

    def __init__(self, links: Iterable[Link]) -> None:
        above: dict[_Key, list[str]] = defaultdict(list)
        for member, role, domain in links:
            above[member, domain].append(role)
        self._above = dict(above)
        self._held: dict[_Key, tuple[str, ...]] = {}

    def held(self, member: str, domain: str) -> tuple[str, ...]:
        """The member itself and every role that it has in the domain, directly or through other roles."""
        key = (member, domain)
        held = self._held.get(key)
        if held is None:
            if key not in self._above:
                return (member,)
            held = self._held[key] = tuple(self._reached(member, domain))
        return held

    def has(self, member: str, role: str, domain: str) -> bool:
        """Whether the member is, or has, the role in the domain."""
        return member == role or role in self.held(member, domain)

    def circular(self) -> list[Link]:
        """The links that lead back to their own member; without them the graph has no cycle."""
        ring = self._rings(self._tangled())
        return [
            (member, role, domain)
            for member, domain in ring
            for role in self._above[member, domain]
            if ring.get((role, domain)) == ring[member, domain]
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

    def _tangled(self) -> list[_Key]:
        """The members on a cycle or below one: those left when all without roles are taken away in turn."""
        below: dict[_Key, list[_Key]] = defaultdict(list)
        open_links: dict[_Key, int] = {}
        for key, roles in self._above.items():
            open_links[key] = len(roles)
            for role in roles:
                below[role, key[1]].append(key)
        free = [role for role in below if role not in self._above]
        while free:
            for key in below.get(free.pop(), ()):
                open_links[key] -= 1
                if not open_links[key]:
                    free.append(key)
        return [key for key, count in open_links.items() if count]

    def _rings(self, members: list[_Key]) -> dict[_Key, _Key]:
        """The members with one that stands for their ring: two are in one when each leads to the other."""
        inside = set(members)
        above = {
            key: [(role, key[1]) for role in self._above[key] if (role, key[1]) in inside]
            for key in members
        }
        below: dict[_Key, list[_Key]] = defaultdict(list)
        for key, roles in above.items():
            for role in roles:
                below[role].append(key)
        ring: dict[_Key, _Key] = {}
        for first in reversed(_after_their_roles(above)):
            waiting = [first]
            while waiting:
                key = waiting.pop()
                if key not in ring:
                    ring[key] = first
                    waiting.extend(below[key])
        return ring


def _after_their_roles(above: Mapping[_Key, list[_Key]]) -> list[_Key]:
    """The members in the order in which a search in depth is done with them."""
    seen: set[_Key] = set()
    done: list[_Key] = []
    for first in above:
        waiting = [(first, False)]
        while waiting:
            key, is_done = waiting.pop()
            if is_done:
                done.append(key)
            elif key not in seen:
                seen.add(key)
                waiting.append((key, True))
                waiting.extend((role, False) for role in above[key])
    return done
