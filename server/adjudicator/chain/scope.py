"""S6: the tool is within the scope of every agent that the call is made by or for."""

from collections.abc import Iterator

from adjudicator.chain.case import Case, Finding, forbid
from adjudicator.domain.call import quoted
from adjudicator.domain.facet import Access
from adjudicator.domain.verdict import Cause
from adjudicator.policy.registry import Agent, AgentKind, Tool
from adjudicator.policy.snapshot import Effect, RuleQuestion, subject_of


def agent_scope(case: Case, _: Finding | None) -> Finding | None:
    """The tool is within the scope of every agent in the call, and a critic never writes."""
    return next(denials(case), None)


def denials(case: Case) -> Iterator[Finding]:
    """All that keeps the tool out of scope, each for itself; the first is what the check answers."""
    for agent in case.agents:
        yield from _registry(case, agent)
        yield from _model(case, agent)


def _registry(case: Case, agent: Agent) -> Iterator[Finding]:
    """The first defence: what the registry says of the agent and of the tool."""
    tool = case.tool
    if tool.code in agent.denied_tools:
        yield forbid(Cause.TOOL_DENIED_TO_AGENT, f"{_what(tool)} is on the denied list of {_who(agent)}")
    if tool.allowed_agents is not None and agent.code not in tool.allowed_agents:
        reason = f"{_who(agent)} is not on the list of agents allowed to call {_what(tool)}"
        yield forbid(Cause.AGENT_NOT_ALLOWED, reason)
    if agent.kind is AgentKind.CRITIC and tool.access is Access.WRITE:
        yield forbid(Cause.AGENT_READ_ONLY, f"{_who(agent)} is a critic and {_what(tool)} writes")


def _model(case: Case, agent: Agent) -> Iterator[Finding]:
    """The second defence: the scope model, which knows nothing of the registry's flags."""
    question = RuleQuestion(subject_of(agent.code), case.call.tenant, case.tool.code)
    if denied := case.snapshot.scope.match(Effect.DENY, question):
        yield forbid(Cause.OUT_OF_SCOPE, f"{_outside(case, agent)} by {denied}", denied)
    elif case.snapshot.scope.match(Effect.ALLOW, question) is None:
        reason = f"{_outside(case, agent)}: no row of the scope model places it there"
        yield forbid(Cause.OUT_OF_SCOPE, reason)


def _outside(case: Case, agent: Agent) -> str:
    return f"{_what(case.tool)} is outside the scope of {_who(agent)}"


def _who(agent: Agent) -> str:
    return f"agent {quoted(agent.code)}"


def _what(tool: Tool) -> str:
    return f"tool {quoted(tool.code)}"
