"""What is drawn of a bundle, bounded: of each tenant its agents, roles, tools, and a cell for each pair."""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TypeVar

from adjudicator.authoring.graph.membership import Membership, memberships
from adjudicator.authoring.graph.reach import Cell, Reaching
from adjudicator.authoring.graph.rule_table import RuleTable
from adjudicator.authoring.progress import Progress
from adjudicator.config.limits import PICTURE_CELLS, PICTURE_SUBJECTS, PICTURE_TOOLS
from adjudicator.domain.verdict import Outcome, RuleRef
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.registry import Agent, AgentKind, Registry, Tenant, Tool
from adjudicator.policy.snapshot import ROLE, subject_of

_SOME = 3
_WORDS = re.compile("([^0-9]*)([0-9]*)", re.ASCII)

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which of a bundle: globs over codes, and over names of roles without `role:`; none wants all."""

    tenants: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """A column: an agent, or a role. `alike` are others to which the bundle says exactly the same."""

    name: str
    title: str = ""
    critic: bool = False
    enabled: bool = True
    alike: tuple[str, ...] = ()

    @property
    def is_role(self) -> bool:
        """Whether it is a role."""
        return self.name.startswith(ROLE)

    @property
    def code(self) -> str:
        """Its name without what it is."""
        return self.name.partition(":")[2]


@dataclass(frozen=True, slots=True)
class Line:
    """A row: a tool, and others that differ from it in nothing but their names and texts."""

    tool: Tool
    alike: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """One tenant. `cells` has a row of cells for each line, one for each subject."""

    tenant: Tenant
    subjects: tuple[Subject, ...]
    lines: tuple[Line, ...]
    cells: tuple[tuple[Cell, ...], ...]
    links: Mapping[tuple[str, str], tuple[RuleRef, ...]]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """All that is drawn, and in words what is not."""

    version: str
    default: Outcome
    panels: tuple[Panel, ...]
    table: RuleTable
    left_out: tuple[str, ...] = ()


def chart_of(bundle: OpenBundle, wanted: Wanted, progress: Progress) -> Chart:
    """The chart of a bundle. What is alike shares a line or a column only where there would be too many."""
    charting = _Charting(bundle, wanted)
    tenants = _wanted(bundle.snapshot.registry.tenants.values(), lambda each: each.code, wanted.tenants)
    panels: list[Panel] = []
    left = PICTURE_CELLS
    for number, tenant in enumerate(tenants):
        progress("drawing tenants", number, len(tenants))
        subjects, lines, left_out = charting.axes(tenant)
        left -= len(subjects) * len(lines)
        if left < 0 and panels:
            break
        panels.append(charting.panel(tenant, subjects, lines, left_out))
    skipped = tuple(_left_out("tenant", [tenant.code for tenant in tenants[len(panels) :]]))
    return Chart(bundle.snapshot.version, bundle.snapshot.default, tuple(panels), charting.table, skipped)


class _Charting:
    def __init__(self, bundle: OpenBundle, wanted: Wanted) -> None:
        self._bundle = bundle
        self._registry: Registry = bundle.snapshot.registry
        self._wanted = wanted
        self._reaching = Reaching(bundle)
        self._memberships = memberships(bundle)
        self._named = _named(bundle)
        self._deniers: dict[str, list[str]] = {}
        for agent in self._registry.agents.values():
            for tool_code in agent.denied_tools:
                self._deniers.setdefault(tool_code, []).append(agent.code)
        self._restricted = frozenset(
            agent for tool in self._registry.tools.values() for agent in tool.allowed_agents or ()
        )

    @property
    def table(self) -> RuleTable:
        """The rules that cells are made of."""
        return self._reaching.table

    def axes(self, tenant: Tenant) -> tuple[tuple[Subject, ...], tuple[Line, ...], tuple[str, ...]]:
        """The columns and rows of a tenant, and what of them is left out."""
        member = self._memberships.get(tenant.code, Membership())
        direct = member.direct()
        agents = self._agents(tenant, member)
        tools = sorted(self._tools(), key=lambda tool: tool.code not in tenant.tools)
        columns, lost_agents = _together(
            agents, PICTURE_SUBJECTS, lambda agent: self._sign_of_agent(tenant, agent, direct)
        )
        lines, lost_tools = _together(tools, PICTURE_TOOLS, lambda tool: self._sign_of_tool(tenant, tool))
        drawn_agents = [agent for agent, _ in columns]
        roles, lost_roles = self._roles(member, agents, drawn_agents)
        left_out = (
            *_left_out("agent", [agent.code for agent in lost_agents]),
            *_left_out("role", list(_codes(lost_roles))),
            *_left_out("tool", [tool.code for tool in lost_tools]),
        )
        subjects = [_subject(agent, [each.code for each in alike]) for agent, alike in columns]
        subjects += [Subject(role) for role in roles]
        drawn = tuple(Line(tool, tuple(each.code for each in alike)) for tool, alike in lines)
        return tuple(subjects), drawn, left_out

    def panel(
        self,
        tenant: Tenant,
        subjects: tuple[Subject, ...],
        lines: tuple[Line, ...],
        left_out: tuple[str, ...],
    ) -> Panel:
        """The panel of a tenant, with its cells."""
        cells = tuple(
            tuple(self._reaching.cell(tenant, subject.name, line.tool) for subject in subjects)
            for line in lines
        )
        names = {subject.name for subject in subjects}
        links = {
            link: tuple(refs)
            for link, refs in self._memberships.get(tenant.code, Membership()).links.items()
            if names.issuperset(link)
        }
        return Panel(tenant, subjects, lines, cells, links, left_out)

    def _agents(self, tenant: Tenant, member: Membership) -> list[Agent]:
        known = (agent for agent in self._registry.agents.values() if tenant.code in agent.tenants)
        agents = _wanted(known, lambda agent: agent.code, self._wanted.agents)
        if not self._wanted.roles:
            return agents
        return [
            agent
            for agent in agents
            if any(
                _fits(role, self._wanted.roles) for role in _codes(member.held([subject_of(agent.code)]))
            )
        ]

    def _roles(
        self, member: Membership, agents: Sequence[Agent], drawn: Sequence[Agent]
    ) -> tuple[list[str], list[str]]:
        """The roles that are drawn, those of the drawn agents first to be kept, and those left out."""
        held, near = (member.held(subject_of(each.code) for each in some) for some in (agents, drawn))
        shown = sorted(
            (role for role in member.roles if self._is_shown(role, held)),
            key=lambda role: (role not in near, _natural(role)),
        )
        kept, lost = shown[:PICTURE_SUBJECTS], shown[PICTURE_SUBJECTS:]
        return sorted(kept, key=_natural), sorted(lost, key=_natural)

    def _is_shown(self, role: str, held: set[str]) -> bool:
        if self._wanted.roles:
            return _fits(role.removeprefix(ROLE), self._wanted.roles)
        return role in held or not self._wanted.agents

    def _tools(self) -> list[Tool]:
        return _wanted(self._registry.tools.values(), lambda tool: tool.code, self._wanted.tools)

    def _sign_of_agent(
        self, tenant: Tenant, agent: Agent, direct: Mapping[str, frozenset[str]]
    ) -> Hashable:
        """Equal for agents that the bundle treats alike: nothing names one of them."""
        name = subject_of(agent.code)
        own = agent.code if (tenant.code, name) in self._named or agent.code in self._restricted else ""
        return agent.kind, agent.enabled, agent.denied_tools, direct.get(name, frozenset()), own

    def _sign_of_tool(self, tenant: Tenant, tool: Tool) -> Hashable:
        """Equal for tools that the bundle treats alike in the tenant."""
        own = tool.code if (tenant.code, tool.code) in self._named else ""
        listed, _ = self._bundle.settings.listed.get(tool.code, (None, None))
        denied = frozenset(self._deniers.get(tool.code, ()))
        kinds = frozenset((spec.kind, spec.access) for spec in tool.arguments)
        return (
            *(tool.status, tool.access, tool.permission, tool.allowed_agents, tool.require_approval),
            *(tool.quorum, tool.four_eyes, tool.code in tenant.tools, listed, denied, kinds, own),
        )


def _named(bundle: OpenBundle) -> frozenset[tuple[str, str]]:
    """The agents and tools that some row names, by tenant."""
    named = {
        (fields[1], name)
        for policy in bundle.policies.values()
        for fields in policy.rows.all_fields()
        for name in (fields[0], fields[2])
    }
    return frozenset(named)


def _subject(agent: Agent, alike: Sequence[str]) -> Subject:
    critic = agent.kind is AgentKind.CRITIC
    return Subject(subject_of(agent.code), agent.title, critic, agent.enabled, tuple(alike))


def _together(
    items: Sequence[Item], most: int, sign: Callable[[Item], Hashable]
) -> tuple[list[tuple[Item, list[Item]]], list[Item]]:
    """Each item by itself if there are not too many; else alike ones together, and those over the bound."""
    if len(items) <= most:
        return [(item, []) for item in items], []
    groups: dict[Hashable, list[Item]] = {}
    for item in items:
        groups.setdefault(sign(item), []).append(item)
    found = [(first, more) for first, *more in groups.values()]
    # Those that stand for many first: so fewer are left out.
    chosen = set(sorted(range(len(found)), key=lambda place: -len(found[place][1]))[:most])
    left_out = [
        item for place, (first, more) in enumerate(found) if place not in chosen for item in (first, *more)
    ]
    return [each for place, each in enumerate(found) if place in chosen], left_out


def _wanted(items: Iterable[Item], code: Callable[[Item], str], globs: tuple[str, ...]) -> list[Item]:
    return sorted(
        (item for item in items if not globs or _fits(code(item), globs)),
        key=lambda item: _natural(code(item)),
    )


def _natural(name: str) -> list[tuple[str, int]]:
    """An order in which `tool2` comes before `tool10`."""
    return [(text, int(digits or 0)) for text, digits in _WORDS.findall(name)]


def _fits(name: str, globs: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


def _codes(roles: Iterable[str]) -> Iterator[str]:
    return (role.removeprefix(ROLE) for role in roles)


def _left_out(what: str, names: Sequence[str]) -> Iterator[str]:
    """How many of what there was no room for, with some of them, and how to see them."""
    if names:
        noun = what if len(names) == 1 else f"{what}s"
        some = ", ".join(names[:_SOME]) + (", …" if len(names) > _SOME else "")
        yield f"{len(names):,} {noun} left out ({some}): name some with --{what}"
