"""Lists `allow`, `ask`, `deny` of patterns such as `Bash(git diff:*)`: deny counts first, then ask."""

import re
from collections.abc import Mapping
from typing import Any

from adjudicator.authoring.imports.forms.source_rules import (
    Family,
    PathSpec,
    ShellSpec,
    SourceRule,
    SourceRules,
    Spec,
    UrlSpec,
)
from adjudicator.policy.snapshot import Effect

_LISTS = {"deny": Effect.DENY, "ask": Effect.ASK, "allow": Effect.ALLOW}
_RULE = re.compile(r"(?P<tool>[^()]+?)(?:\((?P<spec>.*)\))?", re.DOTALL)
_FAMILIES = {
    **dict.fromkeys(("bash", "shell"), Family.SHELL),
    **dict.fromkeys(("read",), Family.READ),
    **dict.fromkeys(("edit", "multiedit", "write", "notebookedit"), Family.EDIT),
    **dict.fromkeys(("webfetch",), Family.URL),
}
_MCP = re.compile(r"[^:,\s]+\s*[:,]\s*[^:,\s]+")
_DOMAIN = "domain:"
_EVERYTHING = ("", "*", "**", ":*")


def has_lists(value: Any) -> bool:
    """Whether the value has such lists, at its top or under `permissions`."""
    held = _held(value)
    return any(isinstance(held.get(name), list) for name in _LISTS)


def read_lists(value: Any) -> SourceRules:
    """The rules of the lists; in the order deny, ask, allow."""
    held = _held(value)
    texts = [text for name in _LISTS for text in _items(held.get(name)) if isinstance(text, str)]
    # One command line calls its shell so, takes a first `/` for the root, and asks rules of `Write`.
    is_rooted = any(text.startswith("Shell") for text in texts)
    rules = [
        _rule(effect, text, rooted=is_rooted) if isinstance(text, str) else _odd(effect, text)
        for name, effect in _LISTS.items()
        for text in _items(held.get(name))
    ]
    others = sorted(held.keys() - _LISTS.keys()) if held is not value else []
    remarks = [f"`{name}` is no rule, and nothing is made of it" for name in others]
    return SourceRules(tuple(rules), last_wins=False, remarks=tuple(remarks))


def _held(value: Any) -> Mapping[str, Any]:
    inner = value.get("permissions", value) if isinstance(value, dict) else {}
    return inner if isinstance(inner, dict) else {}


def _items(listed: Any) -> list[Any]:
    return listed if isinstance(listed, list) else [] if listed is None else [listed]


def _odd(effect: Effect, item: Any) -> SourceRule:
    return SourceRule(effect, Family.OTHER, "", None, str(item), fault="is no text")


def _rule(effect: Effect, text: str, *, rooted: bool) -> SourceRule:
    found = _RULE.fullmatch(text.strip())
    if found is None:
        # Whatever it means, it is about this tool.
        meant = text.partition("(")[0].strip()
        family = _FAMILIES.get(meant.casefold(), Family.OTHER)
        return SourceRule(effect, family, meant, None, text, fault="is not of the form `Tool(pattern)`")
    tool, inner = found["tool"].strip(), found["spec"]
    family = _FAMILIES.get(tool.casefold(), Family.OTHER)
    if tool.casefold() == "mcp" and inner and _MCP.fullmatch(inner):
        server, name = re.split(r"\s*[:,]\s*", inner)
        return SourceRule(effect, family, f"mcp__{server}__{name}", None, text)
    # A path of any name is one inside of a folder, so it allows less than the tool alone.
    narrow = effect is Effect.ALLOW and family in (Family.READ, Family.EDIT)
    if inner is None or (inner.strip() in _EVERYTHING and not narrow):
        return SourceRule(effect, family, tool, None, text)
    spec, fault = _spec(family, tool, inner.strip(), rooted=rooted)
    if effect is Effect.ALLOW and family is Family.EDIT and tool != "Edit" and not rooted:
        fault = "is not asked there: which files may be edited is said by rules of `Edit`"
    return SourceRule(effect, family, tool, spec, text, fault)


def _spec(family: Family, tool: str, inner: str, *, rooted: bool) -> tuple[Spec, str]:
    if family is Family.SHELL and tool.casefold() == "shell":
        # One program by its name, and after a colon a glob of what it is given.
        program, colon, given = inner.partition(":")
        return ShellSpec(f"{program} {given if colon else '*'}"), ""
    if family is Family.SHELL:
        prefix = inner.removesuffix(":*")
        return ShellSpec(f"{prefix} *" if prefix != inner else inner), ""
    if family in (Family.READ, Family.EDIT):
        return PathSpec(inner, rooted=rooted), ""
    if family is Family.URL and inner.startswith(_DOMAIN):
        return UrlSpec(inner.removeprefix(_DOMAIN)), ""
    return None, "has a pattern that is not known here"
