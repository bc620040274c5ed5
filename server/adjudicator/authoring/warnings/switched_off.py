"""Tenants, agents and tools that are switched off while rows speak of them."""

from collections import Counter
from collections.abc import Iterator

from adjudicator.authoring.warnings.places import KeyPlaces
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.domain.verdict import ToolStatus
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.registry_reader import AGENTS, TENANTS, TOOLS
from adjudicator.policy.snapshot import subject_of


def switched_off(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """One warning for each, however many rows there are: they decide nothing until it is enabled."""
    registry = bundle.snapshot.registry
    subjects, tenants, things = _counted(bundle)
    off = [
        *(
            (TENANTS, "tenant", code, tenants[code])
            for code, each in registry.tenants.items()
            if not each.enabled
        ),
        *(
            (AGENTS, "agent", code, subjects[subject_of(code)])
            for code, each in registry.agents.items()
            if not each.enabled
        ),
        *(
            (TOOLS, "tool", code, things[code])
            for code, each in registry.tools.items()
            if each.status is ToolStatus.DISABLED
        ),
    ]
    places = {file: KeyPlaces(bundle, file) for file in {file for file, *_ in off}}
    for file, kind, code, count in off:
        if count:
            rows = (
                "a row that speaks of it decides" if count == 1 else f"{count} rows that speak of it decide"
            )
            message = f"the {kind} `{code}` is disabled, so {rows} nothing; enable it, or take them away"
            yield places[file].at((code,), Code.SWITCHED_OFF, message)


def _counted(bundle: OpenBundle) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """How many rows speak of each subject, tenant, and tool."""
    subjects: Counter[str] = Counter()
    tenants: Counter[str] = Counter()
    things: Counter[str] = Counter()
    for policy in bundle.policies.values():
        for subject, tenant, thing, *_ in policy.rows.all_fields():
            subjects[subject] += 1
            tenants[tenant] += 1
            things[thing] += 1
        for member, _, tenant in policy.roles.rows.all_fields():
            subjects[member] += 1
            tenants[tenant] += 1
    return subjects, tenants, things
