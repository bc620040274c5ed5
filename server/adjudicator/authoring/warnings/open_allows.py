"""Rules that allow a command, a path or an address without looking at it."""

from collections.abc import Iterator

from adjudicator.authoring.warnings.covers import Meaning, meanings
from adjudicator.authoring.warnings.places import KeyPlaces, at_row
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.domain.facet import ArgumentKind
from adjudicator.policy.bundle_settings import FILE
from adjudicator.policy.condition_checks import ALWAYS
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import RULES
from adjudicator.policy.patterns import ANY
from adjudicator.policy.registry import Tool
from adjudicator.policy.snapshot import Effect

_TELLING = frozenset({ArgumentKind.SHELL, ArgumentKind.PATH, ArgumentKind.URL})


def open_allows(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """An Allow for a tool alone, in a row or by a list for all, though the tool has such arguments.

    Not where a person sees each call in any case.
    """
    registry = bundle.snapshot.registry
    open_to = {code: _is_open(tool) for code, tool in registry.tools.items()}
    by_tenant = {
        code: any(open_to[tool] for tool in tenant.tools) for code, tenant in registry.tenants.items()
    }
    policy = bundle.policies[RULES.name]
    for number, row in enumerate(meanings(policy)):
        is_open = by_tenant[row.tenant] if row.thing == ANY else open_to[row.thing]
        if is_open and _allows_anything(row):
            yield at_row(
                policy, number, "argument", Code.ALLOWS_ANYTHING, _message(row.thing, "write a pattern")
            )
    yield from _listed(bundle, open_to)


def _is_open(tool: Tool) -> bool:
    return not tool.require_approval and any(spec.kind in _TELLING for spec in tool.arguments)


def _allows_anything(row: Meaning) -> bool:
    return row.effect == Effect.ALLOW.value and row.argument == ANY and row.when == ALWAYS


def _message(tool: str, advice: str) -> str:
    what = "every tool" if tool == ANY else f"`{tool}`"
    return (
        f"this allows {what} whatever command, path or address it is called with, unless a row denies it; "
        f"{advice}"
    )


def _listed(bundle: OpenBundle, open_to: dict[str, bool]) -> Iterator[BundleWarning]:
    places: KeyPlaces | None = None
    for code, (effect, _) in bundle.settings.listed.items():
        if effect is Effect.ALLOW and open_to[code]:
            places = places or KeyPlaces(bundle, FILE)
            message = _message(code, "write rows in rules.csv instead")
            yield places.at(("auto_approved", code), Code.ALLOWS_ANYTHING, message)
