"""Why a change of a bundle changes no answer, where that can be proven; all else counts as a change."""

from dataclasses import replace

from adjudicator.authoring.mutants.admission import LOOKED_AT, admitted_alike, is_admitted
from adjudicator.authoring.mutants.mutant import Mutant
from adjudicator.authoring.mutants.registry_mutants import EntryChange
from adjudicator.authoring.mutants.row_mutants import LinkChange, RowChange
from adjudicator.authoring.mutants.rule_equivalence import why_rule
from adjudicator.authoring.mutants.schema_mutants import SchemaChange
from adjudicator.config.limits import FACET_CHARS
from adjudicator.domain.facet import Access, ArgumentKind
from adjudicator.domain.json_pointer import parts_of
from adjudicator.domain.request import QUESTION, Priority
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import APPROVERS, RULES
from adjudicator.policy.registry import Registry, Tool
from adjudicator.policy.registry_reader import TOOLS
from adjudicator.policy.snapshot import Snapshot

_ADMITTED = "steps 1 to 6 answer everybody as before"
_NOBODY = "steps 1 to 6 let nobody call the tool, before or after"


def why_equivalent(mutant: Mutant, before: OpenBundle, after: OpenBundle) -> str:
    """Why every call is answered, and every person entitled, as before; empty where that is not known."""
    change = mutant.change
    if isinstance(change, RowChange | LinkChange):
        return _why_row(change, before, after)
    if isinstance(change, SchemaChange):
        return _why_schema(change, before.snapshot, after.snapshot)
    if isinstance(change, EntryChange):
        return _why_entry(change, before.snapshot, after.snapshot)
    return ""


def _why_row(change: RowChange | LinkChange, before: OpenBundle, after: OpenBundle) -> str:
    policy = before.policies[change.policy]
    rows = policy.rows if isinstance(change, RowChange) else policy.roles.rows
    fields = rows.fields(change.number)
    if change.policy == APPROVERS.name:
        tenant = fields[1] if isinstance(change, RowChange) else fields[2]
        return _why_people(tenant, before.snapshot, after.snapshot)
    if isinstance(change, LinkChange):
        return ""
    if change.policy == RULES.name:
        return why_rule(tuple(fields), change.fields, change.number, before)
    tools = before.snapshot.registry.tenants[fields[1]].tools
    return _ADMITTED if admitted_alike(fields[1], tools, before.snapshot, after.snapshot) else ""


def _why_people(tenant: str, before: Snapshot, after: Snapshot) -> str:
    people = before.approvers.people()
    tools = (QUESTION, *before.registry.tools)
    if people != after.approvers.people() or len(people) * len(tools) * len(Priority) > LOOKED_AT:
        return ""
    alike = all(
        (before.approvers.may_decide(person, tenant, tool, priority) is None)
        is (after.approvers.may_decide(person, tenant, tool, priority) is None)
        for person in people
        for tool in tools
        for priority in Priority
    )
    return "everybody whom a row names may decide what they could before" if alike else ""


def _why_entry(change: EntryChange, before: Snapshot, after: Snapshot) -> str:
    if _without_idle_words(before.registry) == _without_idle_words(after.registry):
        return "the registry says the same without it"
    if change.file != TOOLS:
        return ""
    old, new = before.registry.tools[change.code], after.registry.tools[change.code]
    if replace(new, permission=old.permission) == old and _is_alike(change.code, before, after):
        return _ADMITTED
    return _why_uncalled(change.code, before, after)


def _why_schema(change: SchemaChange, before: Snapshot, after: Snapshot) -> str:
    keyword, specs = change.keyword, before.registry.tools[change.tool].arguments
    is_declared = any(keyword.at == ("properties", *parts_of(spec.pointer)) for spec in specs)
    if keyword.name == "maxLength" and keyword.value >= FACET_CHARS and is_declared:
        return f"step 7 denies a text of more than {FACET_CHARS:,} characters"
    return _why_uncalled(change.tool, before, after)


def _without_idle_words(registry: Registry) -> Registry:
    """No rule looks at what a command line does as a whole: each command says for itself what it writes."""
    return Registry(
        registry.tenants, registry.agents, {code: _idle(tool) for code, tool in registry.tools.items()}
    )


def _idle(tool: Tool) -> Tool:
    specs = (
        replace(spec, access=Access.WRITE) if spec.kind is ArgumentKind.SHELL else spec
        for spec in tool.arguments
    )
    return replace(tool, arguments=tuple(specs))


def _why_uncalled(tool: str, before: Snapshot, after: Snapshot) -> str:
    called = any(
        is_admitted(tenant, agent, tool, snapshot)
        for snapshot in (before, after)
        for tenant in snapshot.registry.tenants
        for agent in snapshot.registry.agents
    )
    return "" if called or not _is_alike(tool, before, after) else _NOBODY


def _is_alike(tool: str, before: Snapshot, after: Snapshot) -> bool:
    return all(
        admitted_alike(code, tenant.tools & {tool}, before, after)
        for code, tenant in before.registry.tenants.items()
    )
