"""Who comes as far as step 7: steps 1 to 6 look at no argument, so whoever is admitted can be listed."""

from collections.abc import Collection, Iterator

from adjudicator.chain.case import Case, Finding
from adjudicator.chain.judge import CHAIN
from adjudicator.domain.arguments import Arguments
from adjudicator.domain.call import ToolCall
from adjudicator.domain.verdict import Step
from adjudicator.policy.snapshot import Snapshot

LOOKED_AT = 20_000
"""Questions that are asked for one proof; beyond, nothing is proven."""

_CHECKS = tuple(check for check in CHAIN if check.step <= Step.SCOPE)


def is_admitted(tenant: str, agent: str, tool: str, snapshot: Snapshot) -> bool:
    """Whether the agent may call the tool by steps 1 to 6, for itself; for others it may call no more."""
    return not any(findings(tenant, agent, tool, snapshot))


def admitted_alike(tenant: str, tools: Collection[str], before: Snapshot, after: Snapshot) -> bool:
    """Whether steps 1 to 6 answer every agent as before; not known where there is too much to ask."""
    agents = before.registry.agents
    return len(agents) * len(tools) <= LOOKED_AT and all(
        _answers(tenant, agent, tool, before) == _answers(tenant, agent, tool, after)
        for agent in agents
        for tool in tools
    )


def _answers(tenant: str, agent: str, tool: str, snapshot: Snapshot) -> list[object]:
    """What the steps say, but for the sentence that they say it in."""
    return [
        finding and (finding.outcome, finding.reason_code, finding.cause, finding.rule)
        for finding in findings(tenant, agent, tool, snapshot)
    ]


def findings(tenant: str, agent: str, tool: str, snapshot: Snapshot) -> Iterator[Finding | None]:
    """What steps 1 to 6 say of the agent: by itself, and as one on whose behalf another one calls.

    Permission is asked for the agent that calls alone, so its denial does not keep scope from being asked.
    """
    call = ToolCall(tenant=tenant, agent=agent, tool=tool, arguments_json="{}")
    case = Case(call, Arguments({}, b"{}"), snapshot)
    for check in _CHECKS:
        finding = check.run(case, None)
        yield finding
        if finding is not None and check.step is not Step.PERMISSION:
            return
