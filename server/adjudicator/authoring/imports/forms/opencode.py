"""A mapping `permission` of tools, each to an action or to patterns and actions; the last match counts."""

from collections.abc import Iterator
from typing import Any

from adjudicator.authoring.imports.forms.source_rules import (
    Family,
    PathSpec,
    ShellSpec,
    SourceRule,
    SourceRules,
    Spec,
)
from adjudicator.policy.snapshot import Effect

_EFFECTS = {effect.value: effect for effect in Effect}
_FAMILIES = {"bash": Family.SHELL, "read": Family.READ, "edit": Family.EDIT, "webfetch": Family.URL}
EVERY = "*"


def has_permission(value: Any) -> bool:
    """Whether the value has such a mapping."""
    held = value.get("permission") if isinstance(value, dict) else None
    return isinstance(held, dict) or (isinstance(held, str) and held in _EFFECTS)


def read_permission(value: Any) -> SourceRules:
    """Its rules, as they are written."""
    held = value["permission"] if isinstance(value, dict) else {}
    held = held if isinstance(held, dict) else {EVERY: held}
    rules = [rule for tool, said in held.items() for rule in _rules(str(tool), said)]
    return SourceRules(tuple(rules), last_wins=True)


def _rules(tool: str, said: Any) -> Iterator[SourceRule]:
    family = _FAMILIES.get(tool, Family.OTHER)
    if not isinstance(said, dict):
        yield _rule(tool, family, EVERY, said)
        return
    for pattern, action in said.items():
        yield _rule(tool, family, pattern, action)


def _rule(tool: str, family: Family, pattern: str, action: Any) -> SourceRule:
    text = f"{tool}: {action}" if pattern == EVERY else f"{tool} {pattern}: {action}"
    effect = _EFFECTS.get(action) if isinstance(action, str) else None
    if effect is None:
        return SourceRule(Effect.DENY, family, tool, None, text, fault="is none of allow, ask, deny")
    if pattern == EVERY:
        return SourceRule(effect, family, tool, None, text)
    spec: Spec = None
    if family is Family.SHELL:
        spec = ShellSpec(pattern, single=True)
    elif family in (Family.READ, Family.EDIT):
        spec = PathSpec(pattern, crossing=True, rooted=True)
    fault = "" if spec is not None else "has a pattern that is not known here"
    return SourceRule(effect, family, tool, spec, text, fault)
