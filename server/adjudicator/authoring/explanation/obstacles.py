"""What keeps a call from another outcome, each with the changes that could clear it.

Nothing here is certain: what is suggested was verified by whoever searches.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from adjudicator.authoring.explanation.call_changes import (
    no_mode,
    stricter_mode,
    with_principal,
)
from adjudicator.authoring.explanation.changes import Change, Defence
from adjudicator.authoring.explanation.registry_changes import RegistryChanges
from adjudicator.authoring.explanation.row_changes import RowChanges
from adjudicator.authoring.explanation.schema_fixes import fixes
from adjudicator.authoring.explanation.yaml_edits import Documents
from adjudicator.chain.case import Case
from adjudicator.domain.arguments import Fault
from adjudicator.domain.call import Mode
from adjudicator.domain.facet import Access, Facet
from adjudicator.domain.verdict import Outcome
from adjudicator.policy.json_file import parse_json
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.problem import Problems
from adjudicator.policy.registry import Tenant, Tool
from adjudicator.policy.schemas import FOLDER
from adjudicator.policy.snapshot import EvaluationError


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One thing in the way, in words; any of the changes could clear it, and without one nothing does."""

    what: str
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Standpoint:
    """One call before one bundle, with what makes changes of them."""

    bundle: OpenBundle
    case: Case
    registry: RegistryChanges
    rows: RowChanges

    @classmethod
    def of(cls, bundle: OpenBundle, case: Case) -> "Standpoint":
        """Where the search stands."""
        registry = RegistryChanges(Documents(bundle.sources))
        return cls(bundle, case, registry, RowChanges(bundle, case.call.agent, case.call.tenant))

    @property
    def tenant(self) -> Tenant | None:
        """The tenant, if it is known."""
        return self.case.snapshot.registry.tenants.get(self.case.call.tenant)

    @property
    def tool(self) -> Tool | None:
        """The tool, if it is known."""
        return self.case.snapshot.registry.tools.get(self.case.call.tool)


def mode_obstacles(at: Standpoint, tool: Tool, want: Outcome) -> Iterator[Obstacle]:
    """The mode of the tenant, or of the call, that keeps it from passing."""
    tenant = at.tenant
    for mode in (Mode.READ_ONLY, Mode.ASK_ALWAYS):
        matters = tool.access is Access.WRITE if mode is Mode.READ_ONLY else want is Outcome.ALLOW
        if not matters:
            continue
        if at.case.call.mode is mode:
            yield Obstacle(f"the call states the mode {mode.value}", tuple(no_mode(at.case)))
        if tenant is not None and tenant.mode is mode:
            changes = at.registry.mode(tenant.code, Mode.AUTO, Defence.REMOVES)
            yield Obstacle(f"the mode of tenant `{tenant.code}` is {mode.value}", tuple(changes))


def approval_obstacles(at: Standpoint, tool: Tool, want: Outcome) -> Iterator[Obstacle]:
    """What the approval gate says whatever the rules say."""
    if want is Outcome.ALLOW and tool.require_approval:
        what = f"people approve every call of tool `{tool.code}`"
        yield Obstacle(what, tuple(at.registry.no_approval(tool.code)))
    if want is Outcome.ASK and tool.four_eyes and not at.case.call.principal:
        changes = (with_principal(), *at.registry.no_four_eyes(tool.code))
        yield Obstacle(f"tool `{tool.code}` needs four eyes, and the call names no principal", changes)


def contract_obstacles(at: Standpoint, tool: Tool) -> Iterator[Obstacle]:
    """How the arguments violate the tool's schema, or that they cannot be read."""
    if isinstance(at.case.arguments, Fault):
        yield Obstacle(at.case.arguments.message)
        return
    source = at.bundle.sources.files.get(f"{FOLDER}/{tool.code}.json")
    schema = parse_json(source, Problems()) if source else None
    try:
        violations = at.case.snapshot.contracts[tool.code].violations(at.case.arguments.value)
    except EvaluationError as error:
        yield Obstacle(error.message)
        return
    for violation in violations:
        what = f"the contract of tool `{tool.code}`: {violation.path or 'the object'}: {violation.message}"
        yield Obstacle(what, fixes(schema, at.case.arguments.value, violation))


def asking_changes(at: Standpoint, tool: Tool) -> Iterator[Change]:
    """Changes by which every call like this one asks, whatever the rules say."""
    yield stricter_mode(Mode.ASK_ALWAYS)
    yield from at.registry.approval(tool.code)
    if at.tenant is not None and at.tenant.mode is Mode.AUTO:
        yield from at.registry.mode(at.tenant.code, Mode.ASK_ALWAYS, Defence.NONE)


def denying_changes(at: Standpoint, tool: Tool) -> Iterator[Change]:
    """Changes by which every call of the tool, or of the tool by the agent, is denied."""
    yield from at.registry.deny_tool(at.case.call.agent, tool.code)
    yield from at.registry.unlist_tool(at.case.call.tenant, tool.code)
    if tool.access is Access.WRITE:
        yield stricter_mode(Mode.READ_ONLY)


def thing(facet: Facet) -> str:
    """The facet in a sentence about it."""
    if facet.kind is None:
        return "the call"
    return (
        f"something that is no {facet.kind.value}" if facet.misfit else f"{facet.kind.value} `{facet.text}`"
    )
