"""Other calls near to the one that is explained: by another agent, without a command, elsewhere."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from adjudicator.authoring.explanation.changes import CallEdit, Change
from adjudicator.chain.case import Case
from adjudicator.config.limits import EXPLAINED_AGENTS
from adjudicator.domain.arguments import Arguments
from adjudicator.domain.call import Mode
from adjudicator.domain.facet import ArgumentKind, Facet
from adjudicator.domain.json_pointer import parts_of
from adjudicator.policy.bundle_tests import CallTest

_JOINT = r"\s*(?:&&|\|\||;|\||&|\n)\s*"
_SOMEBODY = "user:somebody"


def other_agents(case: Case) -> Iterator[Change]:
    """The same call by each other agent of the tenant."""
    agents = (
        agent
        for agent in case.snapshot.registry.agents.values()
        if case.call.tenant in agent.tenants and agent.enabled and agent.code not in case.call.agents
    )
    for agent in islice(agents, EXPLAINED_AGENTS):
        yield Change(f"have agent `{agent.code}` make the call", call=(CallEdit("agent", agent.code),))


def other_tenants(case: Case) -> Iterator[Change]:
    """The same call in each other tenant that has agent and tool."""
    registry = case.snapshot.registry
    agent = registry.agents.get(case.call.agent)
    codes = sorted(agent.tenants - {case.call.tenant}) if agent else ()
    for code in codes[:EXPLAINED_AGENTS]:
        if case.call.tool in registry.tenants[code].tools:
            yield Change(f"make the call in tenant `{code}`", call=(CallEdit("tenant", code),))


def no_mode(case: Case) -> Iterator[Change]:
    """The same call without a mode of its own."""
    if case.call.mode is not None and case.call.mode is not Mode.AUTO:
        yield Change(f"leave out the call's mode {case.call.mode.value}", call=(CallEdit("mode", None),))


def stricter_mode(mode: Mode) -> Change:
    """The same call in a stricter mode."""
    return Change(f"state the mode {mode.value} in the call", call=(CallEdit("mode", mode),))


def without_agent(case: Case, code: str) -> Iterator[Change]:
    """The same call, not made on behalf of this agent."""
    if code in case.call.on_behalf_of:
        others = tuple(each for each in case.call.on_behalf_of if each != code)
        what = f"do not make the call on behalf of `{code}`"
        yield Change(what, call=(CallEdit("on_behalf_of", others),))


def with_principal() -> Change:
    """The same call for somebody."""
    what = f"name the person for whom the agent works, as `{_SOMEBODY}`"
    return Change(what, call=(CallEdit("principal", _SOMEBODY),))


def with_working_directory(case: Case, tests: Sequence[CallTest]) -> Iterator[Change]:
    """The same call with the folder that the tool runs in; the one that the bundle's tests mostly have."""
    if case.call.working_directory:
        return
    known = Counter(test.call.working_directory for test in tests if test.call.working_directory)
    folder = known.most_common(1)[0][0] if known else "/project"
    what = f"state the working directory, as `{folder}`: the path is relative"
    yield Change(what, call=(CallEdit("working_directory", folder),))


def without_commands(case: Case, facets: Sequence[Facet]) -> Iterator[Change]:
    """The same command line without the commands that stand in the way."""
    for pointer in dict.fromkeys(facet.pointer for facet in facets if facet.kind is ArgumentKind.SHELL):
        sources = [
            each.text for each in facets if each.pointer == pointer and each.kind is ArgumentKind.SHELL
        ]
        line = _value_at(case, pointer)
        if isinstance(line, str) and (shorter := _without(line, sources)) is not None:
            listed = ", ".join(f"`{source}`" for source in dict.fromkeys(sources))
            edit = CallEdit("arguments", shorter, _parts(case, pointer))
            yield Change(f"leave {listed} out of the command line: `{shorter}`", call=(edit,))


def elsewhere(case: Case, facet: Facet, argument: str) -> Iterator[Change]:
    """The same call about a path of the same name that this Allow row covers."""
    glob = argument.partition(":")[2]
    fixed = re.split(r"[^/]*[*?]", glob, maxsplit=1)[0]
    is_folder = glob.removeprefix(fixed) in ("*", "**") and glob.startswith(("./", "/"))
    if not is_folder or facet.kind is not ArgumentKind.PATH:
        return
    path = fixed.removeprefix("./") + facet.text.rstrip("/").rpartition("/")[2]
    if isinstance(_value_at(case, facet.pointer), str) and path:
        edit = CallEdit("arguments", path, _parts(case, facet.pointer))
        yield Change(f"use the path `{path}`, which `{argument}` covers", call=(edit,))


def _without(line: str, sources: Sequence[str]) -> str | None:
    """The line without these commands and what joins them to it; None when one of them is not found."""
    for source in sources:
        written = re.escape(source)
        shorter = re.sub(rf"{_JOINT}{written}(?=\s*(?:$|[;&|\n]))", "", line, count=1)
        if shorter == line:
            shorter = re.sub(rf"^\s*{written}{_JOINT}", "", line, count=1)
        if shorter == line:
            return None
        line = shorter
    return line if line.strip() else None


def _parts(case: Case, pointer: str) -> tuple[str | int, ...]:
    """The parts of a pointer to a value that is there, with numbers for the items of lists."""
    parts: list[str | int] = []
    value: Any = case.arguments.value if isinstance(case.arguments, Arguments) else {}
    for part in parts_of(pointer):
        parts.append(int(part) if isinstance(value, list) else part)
        value = value[parts[-1]]
    return tuple(parts)


def _value_at(case: Case, pointer: str) -> object:
    """The value there; None for one that the call leaves out."""
    value: object = case.arguments.value if isinstance(case.arguments, Arguments) else {}
    for part in parts_of(pointer):
        if isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            return None
    return value
