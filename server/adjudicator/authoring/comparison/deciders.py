"""Who may decide on the asks of each of two bundles; found once for each tenant, tool and priority."""

from dataclasses import dataclass, field

from adjudicator.approvals.electorate import Electorate
from adjudicator.domain.request import Priority
from adjudicator.policy.snapshot import Snapshot

_Key = tuple[str, str, str, Priority]


@dataclass(slots=True)
class Deciders:
    """People by what they are asked, as `user:ann`."""

    _found: dict[_Key, frozenset[str]] = field(default_factory=dict)

    def of(self, snapshot: Snapshot, tenant: str, tool: str, priority: Priority) -> frozenset[str]:
        """Everybody who may decide on such a request by the snapshot, whoever the call is for."""
        key = (snapshot.version, tenant, tool, priority)
        if key not in self._found:
            people = Electorate(snapshot)
            self._found[key] = frozenset(
                actor
                for actor in snapshot.approvers.people()
                if people.may_decide(actor, tenant, tool, priority)
            )
        return self._found[key]


def same_people(was: Snapshot, now: Snapshot) -> bool:
    """Whether both name the same people for everything, without a look at any one of them."""
    agents = was.registry.agent_names == now.registry.agent_names
    return was.approvers.version == now.approvers.version and agents
