"""Tenants, agents and tools as the registry declares them."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator.domain.call import Mode
from adjudicator.domain.facet import Access, ArgumentSpec
from adjudicator.domain.request import Priority
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.trace import Recorded
from adjudicator.domain.verdict import ToolStatus


class AgentKind(Symbol):
    """A builder may be given write permission; a critic never writes, whatever else is said."""

    BUILDER = "builder"
    CRITIC = "critic"


class SessionGrants(Symbol):
    """What a person who approves a call may grant to the rest of its session."""

    TOOL = "tool"
    """Every call of the tool that would ask."""
    NARROWED = "narrowed"
    """Only calls with the same arguments, or such as a schema describes exactly."""
    NEVER = "never"
    """Nothing: each call is asked about."""


@dataclass(frozen=True, slots=True)
class Tenant:
    """One tenant; `tools` is its allow-list (S3)."""

    code: str
    title: str
    enabled: bool
    mode: Mode
    tools: frozenset[str]


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent; it is known in each of `tenants`."""

    code: str
    title: str
    kind: AgentKind
    enabled: bool
    tenants: frozenset[str]
    denied_tools: frozenset[str]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `allowed_agents` None means any agent; an empty set means none.

    `approval_seconds` is the time limit of its approvals; `record_arguments` and `record_output` are
    how much its traces keep. None takes the bundle's default. `priority` is the least priority of its
    approvals, and `options` what whoever approves may choose from.
    """

    code: str
    title: str
    description: str
    status: ToolStatus
    disable_reason: str
    access: Access
    permission: str
    allowed_agents: frozenset[str] | None
    require_approval: bool
    quorum: int
    four_eyes: bool
    approval_seconds: int | None
    arguments: tuple[ArgumentSpec, ...]
    record_arguments: Recorded | None = None
    record_output: Recorded | None = None
    priority: Priority | None = None
    options: tuple[str, ...] = ()
    recommended_option: str = ""
    session_grants: SessionGrants = SessionGrants.NEVER


@dataclass(frozen=True, slots=True)
class Registry:
    """All of them, by code."""

    tenants: Mapping[str, Tenant]
    agents: Mapping[str, Agent]
    tools: Mapping[str, Tool]
    agent_names: frozenset[str] = field(init=False)
    """The agents' codes without regard to case."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "agent_names", frozenset(code.casefold() for code in self.agents))

    def holding(
        self, tenants: Mapping[str, Tenant], agents: Mapping[str, Agent], tools: Mapping[str, Tool]
    ) -> "Registry":
        """The same with other values for the same codes, at the same cost however many there are."""
        other = copy.copy(self)
        for name, entries in (("tenants", tenants), ("agents", agents), ("tools", tools)):
            object.__setattr__(other, name, entries)
        return other
