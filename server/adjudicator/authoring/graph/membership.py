"""Who has which role in one tenant, over all policies about agents: a graph without cycles."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import PERMISSION, RULES, SCOPE
from adjudicator.policy.snapshot import ROLE

_POLICIES = (PERMISSION.name, SCOPE.name, RULES.name)


@dataclass(slots=True)
class Membership:
    """Of one tenant: its roles in the order of their names, and the links from member to role."""

    roles: set[str] = field(default_factory=set)
    links: dict[tuple[str, str], list[RuleRef]] = field(default_factory=dict)

    def held(self, members: Iterable[str]) -> set[str]:
        """Every role that one of the members has, directly or through other roles."""
        above: dict[str, list[str]] = defaultdict(list)
        for member, role in self.links:
            above[member].append(role)
        found: set[str] = set()
        waiting = list(members)
        while waiting:
            for role in above.get(waiting.pop(), ()):
                if role not in found:
                    found.add(role)
                    waiting.append(role)
        return found

    def direct(self) -> dict[str, frozenset[str]]:
        """The roles that each member has been given itself."""
        roles: dict[str, set[str]] = defaultdict(set)
        for member, role in self.links:
            roles[member].add(role)
        return {member: frozenset(each) for member, each in roles.items()}


def memberships(bundle: OpenBundle) -> Mapping[str, Membership]:
    """By tenant. A role that only a row speaks of is there too, although nobody has it."""
    found: dict[str, Membership] = defaultdict(Membership)
    for name in _POLICIES:
        policy = bundle.policies[name]
        for number, (member, role, tenant) in enumerate(policy.roles.rows.all_fields()):
            each = found[tenant]
            each.roles.update(_roles((member, role)))
            each.links.setdefault((member, role), []).append(policy.roles.rows.ref(number))
        for fields in policy.rows.all_fields():
            if fields[0].startswith(ROLE):
                found[fields[1]].roles.add(fields[0])
    return found


def _roles(names: Iterable[str]) -> Iterator[str]:
    return (name for name in names if name.startswith(ROLE))
