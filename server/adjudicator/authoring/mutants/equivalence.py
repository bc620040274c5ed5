"""Why a change of a bundle changes no answer, where that can be proven; anything else counts as a change.

An agent is admitted to a tool when steps 1 to 6 let it through. They look at no argument, so whoever is
admitted can be listed; a rule that speaks of nobody who is admitted is never asked.
"""

from collections.abc import Iterator, Sequence

from adjudicator.authoring.mutants.mutant import Mutant
from adjudicator.authoring.mutants.row_mutants import RowChange
from adjudicator.chain.case import Case, Finding
from adjudicator.chain.judge import CHAIN
from adjudicator.domain.arguments import Arguments
from adjudicator.domain.call import Mode, ToolCall
from adjudicator.domain.facet import Access
from adjudicator.domain.verdict import Step
from adjudicator.policy.condition_checks import ALWAYS
from adjudicator.policy.coverage import arguments_above
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import APPROVERS, RULES, WHEN
from adjudicator.policy.patterns import ANY
from adjudicator.policy.snapshot import Effect, Snapshot, subject_of

LOOKED_AT = 20_000
"""Pairs of agents and tools that are looked at for one proof; beyond, nothing is proven."""

_CHECKS = tuple(check for check in CHAIN if check.step <= Step.SCOPE)


def why_equivalent(mutant: Mutant, before: OpenBundle, after: OpenBundle) -> str:
    """Why every call is answered as before; empty when that is not known."""
    change = mutant.change
    if not isinstance(change, RowChange) or change.policy == APPROVERS.name:
        return ""
    if change.policy == RULES.name:
        return _why_rule(change, before)
    tenant = before.policies[change.policy].rows.fields(change.number)[1]
    if _admit_alike(tenant, before.snapshot, after.snapshot):
        return "steps 1 to 6 answer every agent and every tool of the tenant as before"
    return ""


def _why_rule(change: RowChange, bundle: OpenBundle) -> str:
    row = tuple(bundle.policies[RULES.name].rows.fields(change.number))
    versions = [row] if change.fields is None else [row, change.fields]
    if not any(_is_reached(fields, bundle) for fields in versions):
        return "steps 1 to 6, or the tenant's mode, deny every call that the row speaks of"
    if all(_is_covered(fields, change.number, bundle) for fields in versions):
        return "another row of the same effect has all of it"
    return ""


def _admit_alike(tenant: str, before: Snapshot, after: Snapshot) -> bool:
    tools = before.registry.tenants[tenant].tools
    pairs = [(agent, tool) for agent in before.registry.agents for tool in tools]
    return len(pairs) <= LOOKED_AT and all(
        list(_findings(tenant, *pair, before)) == list(_findings(tenant, *pair, after)) for pair in pairs
    )


def _findings(tenant: str, agent: str, tool: str, snapshot: Snapshot) -> Iterator[Finding | None]:
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


def _is_reached(fields: Sequence[str], bundle: OpenBundle) -> bool:
    """Whether some call that the row speaks of could come as far as the rule chain asks."""
    subject, code, tool = fields[:3]
    snapshot = bundle.snapshot
    tenant, graph = snapshot.registry.tenants[code], bundle.policies[RULES.name].roles.graph
    tools = tenant.tools if tool == ANY else tenant.tools & {tool}
    pairs = [
        (agent, each)
        for agent in snapshot.registry.agents
        if graph.has(subject_of(agent), subject, code)
        for each in tools
        if tenant.mode is not Mode.READ_ONLY or snapshot.registry.tools[each].access is Access.READ
    ]
    return len(pairs) > LOOKED_AT or any(
        not any(_findings(code, agent, each, snapshot)) for agent, each in pairs
    )


def _is_covered(fields: Sequence[str], number: int, bundle: OpenBundle) -> bool:
    """Whether another row matches all that a row of these fields matches, with the same effect."""
    policy = bundle.policies[RULES.name]
    row = dict(zip(policy.shape.policy, fields, strict=True))
    above = frozenset(arguments_above(row["argument"]))
    request = (row["sub"], row["tenant"], row["tool"], None)
    near = policy.engine.could_match(Effect(row["eft"]).value, request) if policy.engine else ()
    for other in (each for numbers in near for each in numbers if each != number):
        found = dict(zip(policy.shape.policy, policy.rows.fields(other), strict=True))
        if found["argument"] in above and not found["unless"] and found.get(WHEN, ALWAYS) == ALWAYS:
            return True
    return False
