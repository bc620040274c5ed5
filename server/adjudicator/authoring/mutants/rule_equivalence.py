"""Why another rule of the chain changes no answer: no call comes to it, or another rule has all of it."""

from collections.abc import Iterator, Mapping, Sequence

from adjudicator.authoring.mutants.admission import LOOKED_AT, is_admitted
from adjudicator.domain.call import Mode
from adjudicator.domain.facet import Access, ArgumentKind
from adjudicator.policy.condition_checks import ALWAYS
from adjudicator.policy.coverage import arguments_above
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import RULES, WHEN
from adjudicator.policy.patterns import ANY
from adjudicator.policy.registry import Tool
from adjudicator.policy.snapshot import Effect, subject_of

_TELLS = 3
"""What a row says begins behind subject, tenant and tool."""
_PATHS = frozenset((ArgumentKind.PATH.value, *(access.value for access in Access)))

Fields = Sequence[str]


def why_rule(row: Fields, other: Fields | None, number: int, bundle: OpenBundle) -> str:
    """Why every call is answered as before with the other row, or none, in the place of the row."""
    versions = [row] if other is None else [row, other]
    pairs = list(_spoken_of(versions, bundle))
    if len(pairs) > LOOKED_AT or not all(
        _is_alike(agent, tool, versions, number, bundle) for agent, tool in pairs
    ):
        return ""
    return "no call comes to the rule, or another of the same effect has all that it says there"


def _spoken_of(versions: Sequence[Fields], bundle: OpenBundle) -> Iterator[tuple[str, str]]:
    """The agents and tools that any of the rows speaks of."""
    registry = bundle.snapshot.registry
    for agent in registry.agents:
        for tool in registry.tenants[versions[0][1]].tools:
            if any(_speaks(fields, agent, tool, bundle) for fields in versions):
                yield agent, tool


def _speaks(fields: Fields, agent: str, tool: str, bundle: OpenBundle) -> bool:
    graph = bundle.policies[RULES.name].roles.graph
    return fields[2] in (ANY, tool) and graph.has(subject_of(agent), fields[0], fields[1])


def _is_alike(agent: str, tool: str, versions: Sequence[Fields], number: int, bundle: OpenBundle) -> bool:
    """Whether calls of the tool by the agent are answered alike by all of the rows."""
    if not _is_reached(versions[0][1], agent, tool, bundle):
        return True
    speaking = [fields for fields in versions if _speaks(fields, agent, tool, bundle)]
    said = {tuple(fields[_TELLS:]) for fields in speaking}
    if len(said) == 1 and len(speaking) == len(versions) > 1:
        return True
    declared, names = bundle.snapshot.registry.tools[tool], bundle.policies[RULES.name].shape.policy
    return all(
        not _yields(declared, dict(zip(names, fields, strict=True)))
        or _is_covered(dict(zip(names, fields, strict=True)), agent, declared, number, bundle)
        for fields in speaking
    )


def _is_reached(tenant: str, agent: str, tool: str, bundle: OpenBundle) -> bool:
    """Whether a call could come as far as the rules: it is admitted, and no mode denies it before."""
    registry = bundle.snapshot.registry
    writes = registry.tools[tool].access is Access.WRITE
    if writes and registry.tenants[tenant].mode is Mode.READ_ONLY:
        return False
    return is_admitted(tenant, agent, tool, bundle.snapshot)


def _yields(tool: Tool, row: Mapping[str, str]) -> bool:
    """Whether a call of the tool can have anything that the row matches.

    A call may bring along where some path leads even if the tool has none; no Allow matches that.
    """
    word = row["argument"].partition(":")[0]
    kinds = {spec.kind for spec in tool.arguments}
    if word in _PATHS:
        return row["eft"] != Effect.ALLOW.value or not kinds.isdisjoint(
            (ArgumentKind.PATH, ArgumentKind.SHELL)
        )
    return word == ANY or any(kind.value == word for kind in kinds)


def _is_covered(row: Mapping[str, str], agent: str, tool: Tool, number: int, bundle: OpenBundle) -> bool:
    """Whether another row matches all that this one does in calls of the tool by the agent."""
    policy = bundle.policies[RULES.name]
    above = set(arguments_above(row["argument"]))
    if any(spec.kind is ArgumentKind.SHELL for spec in tool.arguments):
        above -= {ANY} - {row["argument"]}  # `*` says nothing of a file that a command names
    request = (subject_of(agent), row["tenant"], tool.code, None)
    near = policy.engine.could_match(row["eft"], request) if policy.engine else ()
    for other in (each for numbers in near for each in numbers if each != number):
        found = dict(zip(policy.shape.policy, policy.rows.fields(other), strict=True))
        if found["argument"] in above and not found["unless"] and found.get(WHEN, ALWAYS) == ALWAYS:
            return True
    return False
