"""Whom a row speaks of, checked: an agent or a person, by the policy that the row is of, or a role."""

from collections.abc import Iterator

from adjudicator.config.approver_tokens import NAME_RULE, is_approver_name
from adjudicator.domain.call import is_identifier
from adjudicator.policy.registry import Registry
from adjudicator.policy.roles import Roles
from adjudicator.policy.snapshot import AGENT, ROLE, USER


class SubjectChecks:
    """Checks the subjects of one policy: roles, and what begins with `who`."""

    def __init__(self, who: str, registry: Registry) -> None:
        self._who = who
        self._registry = registry
        # Case is no difference between two people, so it is none between a person and an agent.
        self._agents = {code.casefold() for code in registry.agents}

    def faults(self, subject: str, tenant: str, roles: Roles | None) -> Iterator[str]:
        """What is wrong with the subject of a row; with no `roles` a role may be one that nobody has."""
        fault = self._fault(subject, tenant, roles)
        if fault is not None:
            yield fault

    def _fault(self, subject: str, tenant: str, roles: Roles | None) -> str | None:
        if subject.startswith(ROLE) and is_identifier(subject.removeprefix(ROLE)):
            return self._role_fault(subject, tenant, roles)
        if subject.startswith(self._who):
            name = subject.removeprefix(self._who)
            return self._user_fault(name) if self._who == USER else self._agent_fault(name, tenant)
        if subject.startswith(AGENT):
            return f"{subject!a}: an agent never decides; write `{USER}` or `{ROLE}` and a name"
        return f"{subject!a} is not a subject; write `{self._who}` or `{ROLE}` and a name"

    def _role_fault(self, role: str, tenant: str, roles: Roles | None) -> str | None:
        if roles is None or roles.mentions(role, tenant):
            return None
        return (
            f"unknown role: no `g` row of tenant `{tenant}` speaks of `{role}`; "
            f"add `g, {self._who}…, {role}, {tenant}`, or correct the name"
        )

    def _agent_fault(self, code: str, tenant: str) -> str | None:
        agent = self._registry.agents.get(code)
        if not self._registry.agents:
            return None
        if agent is None:
            return f"{code!a} is not a registered agent; register it, or correct the name"
        if tenant in self._registry.tenants and tenant not in agent.tenants:
            return f"the agent `{code}` is not known in tenant `{tenant}`, so this can never match"
        return None

    def _user_fault(self, name: str) -> str | None:
        if not is_approver_name(name):
            return f"{name!a} is not an approver's name: {NAME_RULE}"
        if not self._agents.isdisjoint((name, f"{USER}{name}")):
            return f"an agent is called `{name}`, and an agent never decides; give the person another name"
        return None
