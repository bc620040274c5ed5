"""Who may decide on approvals, answered from the rows of one policy. Agents are nobody here."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Protocol

from adjudicator.config.approver_tokens import is_approver_name
from adjudicator.domain.request import QUESTION, Priority
from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.casbin.rows import Rows
from adjudicator.policy.compiled_rules import CompiledRules
from adjudicator.policy.registry import Tool
from adjudicator.policy.roles import Roles
from adjudicator.policy.snapshot import ROLE, USER, Effect

REMEMBERED = 16_384
"""Answers that are kept; then it begins anew. Each watcher asks again for each event."""


class FirstRow(Protocol):
    """Rows about people, as requests ask for them."""

    def first(self, effect: Effect, request: tuple[Any, ...]) -> RuleRef | None:
        """The first row of that effect that matches the request, or None. Raises EvaluationError."""
        ...


class _NotKnown:
    """What stands where no answer does, since None is one."""


_NOT_KNOWN = _NotKnown()


class Entitlements:
    """What people are entitled to. It belongs to one snapshot, whose rules never change."""

    def __init__(self, rules: CompiledRules, rows: Rows, roles: Roles, tools: Mapping[str, Tool]) -> None:
        """`rows` are the `p` rows that `rules` answers from."""
        self._rules = rules
        self._graph = roles.graph
        self._objects = (QUESTION, *tools)
        self._named = _tenants_by_person(rows, roles.rows)
        self._answers: dict[tuple[str, str, str, Priority], RuleRef | None] = {}
        self._tenants: dict[str, frozenset[str]] = {}
        self.version = _version(rows, roles.rows, tools)

    def may_decide(self, actor: str, tenant: str, tool: str, priority: Priority) -> RuleRef | None:
        """The first Allow row for the actor, unless there is a Deny row; None for who is no person."""
        question = (actor, tenant, tool, priority)
        # One look: between two another thread may begin anew.
        known = self._answers.get(question, _NOT_KNOWN)
        if not isinstance(known, _NotKnown):
            return known
        answer = self._answer(actor, tenant, tool, priority)
        if len(self._answers) >= REMEMBERED:
            self._answers.clear()
        self._answers[question] = answer
        return answer

    def has_role(self, actor: str, role: str, tenant: str) -> bool:
        """Whether the person has the role, directly or through other roles."""
        return _is_person(actor) and role.startswith(ROLE) and self._graph.has(actor, role, tenant)

    def people(self) -> frozenset[str]:
        """Everybody whom a row names."""
        return frozenset(self._named)

    def tenants(self, actor: str) -> frozenset[str]:
        """The tenants in which the actor may decide on some tool, or question, of some priority."""
        if actor not in self._named:
            return frozenset()
        known = self._tenants.get(actor)
        if known is None:
            entitled = (tenant for tenant in self._named[actor] if self._decides_in(actor, tenant))
            known = self._tenants[actor] = frozenset(entitled)
        return known

    def _decides_in(self, actor: str, tenant: str) -> bool:
        return any(
            self._answer(actor, tenant, tool, priority) is not None
            for tool in self._objects
            for priority in Priority
        )

    def _answer(self, actor: str, tenant: str, tool: str, priority: Priority) -> RuleRef | None:
        return entitling_row(self._rules, actor, tenant, tool, priority)


def entitling_row(
    rules: FirstRow, actor: str, tenant: str, tool: str, priority: Priority
) -> RuleRef | None:
    """The first Allow row for the actor, unless there is a Deny row; None for who is no person."""
    # A role, or an agent, that is asked about by its own name must not get what its rows say.
    if not _is_person(actor):
        return None
    request = (actor, tenant, tool, priority.value)
    if rules.first(Effect.DENY, request) is not None:
        return None
    return rules.first(Effect.ALLOW, request)


def _is_person(actor: str) -> bool:
    return actor.startswith(USER) and is_approver_name(actor.removeprefix(USER))


def _tenants_by_person(rows: Rows, links: Rows) -> dict[str, set[str]]:
    """Where each person is named, in `p` rows or as a member in `g` rows; elsewhere they have nothing."""
    named: dict[str, set[str]] = defaultdict(set)
    for person, tenant, *_ in rows.all_fields():
        named[person].add(tenant)
    for person, _, tenant in links.all_fields():
        named[person].add(tenant)
    return {person: tenants for person, tenants in named.items() if _is_person(person)}


def _version(rows: Rows, links: Rows, tools: Mapping[str, Tool]) -> str:
    """The SHA-256 of everything that the answers depend on, the model apart, which is always the same.

    A tool's priority is the least that its approvals have, so another one moves people in or out.
    """
    priorities = (f"{code} {tool.priority.value if tool.priority else ''}" for code, tool in tools.items())
    digest = hashlib.sha256()
    for texts in (rows.all_texts(), links.all_texts(), priorities):
        for text in texts:
            digest.update(text.encode() + b"\0")
        digest.update(b"\1")
    return digest.hexdigest()
