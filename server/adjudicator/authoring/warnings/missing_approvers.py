"""Tools whose approvals need more people than may decide on them."""

from collections import defaultdict
from collections.abc import Iterator

from adjudicator.authoring.warnings.covers import meanings
from adjudicator.authoring.warnings.places import KeyPlaces
from adjudicator.authoring.warnings.reach import usable
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.domain.call import Mode
from adjudicator.domain.facet import Access
from adjudicator.domain.request import Priority
from adjudicator.domain.verdict import Outcome
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import APPROVERS, RULES
from adjudicator.policy.patterns import ANY
from adjudicator.policy.registry import Tenant, Tool
from adjudicator.policy.registry_reader import TOOLS
from adjudicator.policy.snapshot import USER, Effect


def missing_approvers(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """One warning for each tool and tenant in which it can ask, with the priorities that lack people.

    With four eyes it takes one more than the quorum: a call may be made for one of those who decide.
    """
    places = KeyPlaces(bundle, TOOLS)
    asking, people = _Asking(bundle), _People(bundle)
    for tenant in bundle.snapshot.registry.tenants.values():
        for tool in usable(bundle.snapshot.registry, tenant) if tenant.enabled else ():
            if not asking.can_ask(tenant, tool):
                continue
            need = tool.quorum + tool.four_eyes
            lacking = [
                each for each in asking.priorities(tool) if people.count(tenant, tool, each, need) < need
            ]
            if lacking:
                yield places.at((tool.code,), Code.TOO_FEW_APPROVERS, _message(tenant, tool, lacking))


def _message(tenant: Tenant, tool: Tool, lacking: list[Priority]) -> str:
    need = f"{tool.quorum} of them and one more for four eyes" if tool.four_eyes else f"{tool.quorum}"
    priorities = ", ".join(priority.value for priority in lacking)
    return (
        f"in tenant `{tenant.code}` too few people may decide on `{tool.code}` at priority {priorities}: "
        f"it takes {need}; entitle more in approvers.csv, or ask for fewer"
    )


class _Asking:
    """Which tools can ask, by the policy alone, and how urgently."""

    def __init__(self, bundle: OpenBundle) -> None:
        self._bundle = bundle
        rows = meanings(bundle.policies[RULES.name])
        self._asked = {(row.tenant, row.thing) for row in rows if row.effect == Effect.ASK.value}

    def can_ask(self, tenant: Tenant, tool: Tool) -> bool:
        """Whether a call of the tool may come to ask there, unless it states a stricter mode itself."""
        if tenant.mode is Mode.READ_ONLY and tool.access is Access.WRITE:
            return False
        effect, _ = self._bundle.settings.listed.get(tool.code, (None, None))
        return (
            tool.require_approval
            or tenant.mode is Mode.ASK_ALWAYS
            or self._bundle.snapshot.default is Outcome.ASK
            or effect is Effect.ASK
            or not self._asked.isdisjoint(((tenant.code, tool.code), (tenant.code, ANY)))
        )

    def priorities(self, tool: Tool) -> list[Priority]:
        """Every priority that a request of the tool may have: its own, and what triggers raise it to."""
        least = tool.priority or Priority.MEDIUM
        of_triggers = self._bundle.snapshot.approvals.priorities.values()
        lowest = Priority.LOW if tool.priority is None else least
        found = {least, *(each for each in of_triggers if each.rank >= lowest.rank)}
        return sorted(found, key=lambda each: each.rank)


class _People:
    """Who may decide. Tools that no row names have the same people, who are counted once."""

    def __init__(self, bundle: OpenBundle) -> None:
        policy = bundle.policies[APPROVERS.name]
        self._rules = bundle.rule_sets[APPROVERS.name]
        self._named: set[tuple[str, str]] = set()
        self._people: dict[str, set[str]] = defaultdict(set)
        self._counts: dict[tuple[str, str, Priority, int], int] = {}
        for row in meanings(policy):
            self._named.add((row.tenant, row.thing))
            self._people[row.tenant].update([row.subject] if row.subject.startswith(USER) else [])
        for member, _, tenant in policy.roles.rows.all_fields():
            self._people[tenant].update([member] if member.startswith(USER) else [])

    def count(self, tenant: Tenant, tool: Tool, priority: Priority, most: int) -> int:
        """How many people may decide; counting stops at `most`."""
        name = tool.code if (tenant.code, tool.code) in self._named else ANY
        key = (tenant.code, name, priority, most)
        if key not in self._counts:
            self._counts[key] = self._counted(tenant.code, tool.code, priority, most)
        return self._counts[key]

    def _counted(self, tenant: str, tool: str, priority: Priority, most: int) -> int:
        found = 0
        for person in self._people.get(tenant, ()):
            request = (person, tenant, tool, priority.value)
            denied = self._rules.first(Effect.DENY, request) is not None
            found += not denied and self._rules.first(Effect.ALLOW, request) is not None
            if found >= most:
                break
        return found
