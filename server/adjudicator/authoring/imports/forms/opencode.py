"""A mapping `permission` of tools, each to an action or to patterns and actions; the last match counts."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
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
_OUTSIDE = "external_directory"
_SEARCHING = frozenset(("glob", "grep", "list"))
_COMMANDS_INSIDE = (
    f"`{_OUTSIDE}` does not allow what is outside of the working directory, and a row of commands does not "
    "look at the files among their words: add Ask or Deny rows of paths where that matters"
)


def has_permission(value: Any) -> bool:
    """Whether the value has such a mapping."""
    held = value.get("permission") if isinstance(value, dict) else None
    return isinstance(held, dict) or (isinstance(held, str) and held in _EFFECTS)


def read_permission(value: Any) -> SourceRules:
    """Its rules, as they are written."""
    held = value["permission"] if isinstance(value, dict) else {}
    held = held if isinstance(held, dict) else {EVERY: held}
    inside = not _is_open(held)
    rules = [rule for tool, said in held.items() for rule in _rules(str(tool), said, inside=inside)]
    remarks = [_COMMANDS_INSIDE] if inside and any(map(_is_allowed_command, rules)) else []
    return SourceRules(tuple(rules), last_wins=True, remarks=tuple(remarks))


def _is_open(held: Mapping[Any, Any]) -> bool:
    """Whether files outside of the working directory are no matter; unless that is said it is asked."""
    said = [said for key, said in held.items() if fnmatchcase(_OUTSIDE, str(key))]
    return bool(said) and said[-1] in (Effect.ALLOW.value, {EVERY: Effect.ALLOW.value})


def _is_allowed_command(rule: SourceRule) -> bool:
    return rule.effect is Effect.ALLOW and rule.family is Family.SHELL


def _rules(tool: str, said: Any, *, inside: bool) -> Iterator[SourceRule]:
    for pattern, action in said.items() if isinstance(said, dict) else ((EVERY, said),):
        rule = _rule(tool, _FAMILIES.get(tool, Family.OTHER), pattern, action)
        yield _kept_inside(rule) if inside and rule.effect is Effect.ALLOW else rule


def _kept_inside(rule: SourceRule) -> SourceRule:
    """An Allow where a file outside of the working directory is asked about by another rule."""
    if rule.family not in (Family.READ, Family.EDIT) and rule.tool not in _SEARCHING:
        return rule
    if isinstance(rule.spec, PathSpec) and rule.spec.glob.startswith(("/", "~", "$")):
        return replace(
            rule, fault=f"is outside of the working directory, which `{_OUTSIDE}` does not allow"
        )
    return replace(rule, spec=rule.spec or PathSpec(EVERY, crossing=True, rooted=True))


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
