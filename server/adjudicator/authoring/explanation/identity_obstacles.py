"""What keeps a call from passing the steps before the rules: who calls, where, which tool, which right."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import islice

from adjudicator.authoring.explanation.call_changes import without_agent
from adjudicator.authoring.explanation.changes import CallEdit, Change
from adjudicator.authoring.explanation.obstacles import Obstacle, Standpoint
from adjudicator.config.limits import EXPLAINED_AGENTS
from adjudicator.domain.call import quoted
from adjudicator.domain.facet import Access
from adjudicator.domain.verdict import ToolStatus
from adjudicator.policy.model import PERMISSION, SCOPE
from adjudicator.policy.registry import Agent, AgentKind, Tool
from adjudicator.policy.registry_reader import AGENTS, TENANTS
from adjudicator.policy.snapshot import Effect, EvaluationError, subject_of

_NEAR = 2


def identity_obstacles(at: Standpoint) -> Iterator[Obstacle]:
    """All of them, in the order of the steps."""
    yield from _tenant(at)
    for code in dict.fromkeys(at.case.call.agents):
        yield from _agent(at, code)
    yield from _tool(at)
    if at.tool is not None and at.tenant is not None:
        yield from _permission(at, at.tool)
        for code in dict.fromkeys(at.case.call.agents):
            yield from _scope(at, at.tool, code)


def _tenant(at: Standpoint) -> Iterator[Obstacle]:
    code = at.case.call.tenant
    if at.tenant is None:
        near = _named("tenant", code, at.case.snapshot.registry.tenants)
        yield Obstacle(f"there is no tenant {quoted(code)}", tuple(near))
    elif not at.tenant.enabled:
        changes = at.registry.enable("tenant", TENANTS, code)
        yield Obstacle(f"tenant `{code}` is disabled", tuple(changes))


def _agent(at: Standpoint, code: str) -> Iterator[Obstacle]:
    call, agent = at.case.call, at.case.snapshot.registry.agents.get(code)
    changes: list[Change] = list(without_agent(at.case, code))
    if agent is None:
        if code == call.agent:
            changes += _named("agent", code, at.case.snapshot.registry.agents)
        yield Obstacle(f"there is no agent {quoted(code)}", tuple(changes))
        return
    if at.tenant is not None and call.tenant not in agent.tenants:
        added = at.registry.add_agent_to_tenant(code, call.tenant)
        yield Obstacle(f"agent `{code}` is not known in tenant `{call.tenant}`", (*changes, *added))
    if not agent.enabled:
        enabled = at.registry.enable("agent", AGENTS, code)
        yield Obstacle(f"agent `{code}` is disabled", (*changes, *enabled))


def _tool(at: Standpoint) -> Iterator[Obstacle]:
    code, tool = at.case.call.tool, at.tool
    if tool is None:
        yield Obstacle(
            f"there is no tool {quoted(code)}",
            tuple(_named("tool", code, at.case.snapshot.registry.tools)),
        )
        return
    if at.tenant is not None and code not in at.tenant.tools:
        what = f"tool `{code}` is not on the allow-list of tenant `{at.tenant.code}`"
        yield Obstacle(what, tuple(at.registry.list_tool(at.tenant.code, code)))
    if tool.status is ToolStatus.DISABLED:
        changes = at.registry.enable_tool(code, tool.disable_reason)
        yield Obstacle(f"tool `{code}` is disabled: {tool.disable_reason}", tuple(changes))


def _named(kind: str, code: str, known: Iterable[str]) -> Iterator[Change]:
    """The same call with a name like this one, where it was a slip."""
    for near in get_close_matches(code, list(islice(known, EXPLAINED_AGENTS * 10)), n=_NEAR):
        yield Change(f"name the {kind} `{near}`", call=(CallEdit(kind, near),))


def _permission(at: Standpoint, tool: Tool) -> Iterator[Obstacle]:
    yield from _by_rows(at, PERMISSION.name, at.case.call.agent, tool.permission, ())


def _scope(at: Standpoint, tool: Tool, code: str) -> Iterator[Obstacle]:
    agent = at.case.snapshot.registry.agents.get(code)
    if agent is None:
        return
    dropped = tuple(without_agent(at.case, code))
    yield from _registry(at, tool, agent, dropped)
    yield from _by_rows(at, SCOPE.name, code, tool.code, dropped)


def _registry(at: Standpoint, tool: Tool, agent: Agent, dropped: tuple[Change, ...]) -> Iterator[Obstacle]:
    if tool.code in agent.denied_tools:
        changes = (*dropped, *at.registry.undeny_tool(agent.code, tool.code))
        yield Obstacle(f"tool `{tool.code}` is on the denied tools of agent `{agent.code}`", changes)
    if tool.allowed_agents is not None and agent.code not in tool.allowed_agents:
        changes = (*dropped, *at.registry.allow_agent(tool.code, agent.code))
        yield Obstacle(f"agent `{agent.code}` is not among those that may call `{tool.code}`", changes)
    if agent.kind is AgentKind.CRITIC and tool.access is Access.WRITE:
        changes = (*dropped, *at.registry.make_builder(agent.code))
        yield Obstacle(f"agent `{agent.code}` is a critic and tool `{tool.code}` writes", changes)


def _by_rows(
    at: Standpoint, name: str, agent: str, thing: str, dropped: tuple[Change, ...]
) -> Iterator[Obstacle]:
    """The rows of a policy that deny, and that there is none that allows."""
    request = (subject_of(agent), at.case.call.tenant, thing)
    rows = at.rows if agent == at.case.call.agent else at.rows.of(agent)
    try:
        denying = at.bundle.rule_sets[name].every(Effect.DENY, request)
        allowing = at.bundle.rule_sets[name].every(Effect.ALLOW, request)
    except EvaluationError as error:
        yield Obstacle(error.message)
        return
    for number in denying:
        changes = (*dropped, *rows.remove(name, number))
        yield Obstacle(f"{at.bundle.rule_sets[name].ref(number)} denies `{thing}` to `{agent}`", changes)
    if not allowing:
        yield Obstacle(
            f"no row of {name} gives `{thing}` to `{agent}`", (*dropped, *rows.grant(name, thing))
        )
