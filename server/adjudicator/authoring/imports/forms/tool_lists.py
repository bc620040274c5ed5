"""Lists of tools that there are, are left out, or run without a question, some by prefix of a command."""

import re
from collections.abc import Mapping
from typing import Any

from adjudicator.authoring.imports.forms.source_rules import (
    Family,
    ShellSpec,
    SourceRule,
    SourceRules,
    Spec,
)
from adjudicator.policy.snapshot import Effect

_NAMES = {
    "core": ("coreTools", "core"),
    "exclude": ("excludeTools", "exclude"),
    "allowed": ("allowedTools", "allowed"),
}
_RULE = re.compile(r"(?P<tool>[^()]+?)(?:\((?P<spec>.*)\))?", re.DOTALL)
_FAMILIES = {
    **dict.fromkeys(("run_shell_command", "ShellTool"), Family.SHELL),
    **dict.fromkeys(("read_file", "ReadFileTool"), Family.READ),
    **dict.fromkeys(("write_file", "WriteFileTool", "replace", "EditTool"), Family.EDIT),
    **dict.fromkeys(("web_fetch", "WebFetchTool"), Family.URL),
}


def has_tool_lists(value: Any) -> bool:
    """Whether the value has any such list."""
    return any(_listed(value, name) is not None for name in _NAMES)


def read_tool_lists(value: Any) -> SourceRules:
    """What is left out is denied, what runs unasked is allowed, and what there is else is asked about.

    Where the tools that there are are listed, an allowed one that is none of them is denied, not allowed.
    """
    core = _listed(value, "core")
    kept = list(map(_apart, core)) if core is not None else None
    denied = [_rule(Effect.DENY, text) for text in _listed(value, "exclude") or ()]
    asked = [_rule(Effect.ASK, text) for text in core or ()]
    allowed, remarks = [], []
    for text in _listed(value, "allowed") or ():
        if kept is None or any(_covers(each, _apart(text)) for each in kept):
            allowed.append(_rule(Effect.ALLOW, text))
        else:
            remarks.append(f"`{text}` is allowed, and is not among the tools that there are; left out")
    # What is allowed runs unasked although it is there: so asks come first, and the last match counts.
    return SourceRules((*asked, *allowed, *denied), last_wins=True, remarks=tuple(remarks))


def _listed(value: Any, name: str) -> list[str] | None:
    old, new = _NAMES[name]
    held: Any = value.get(old) if isinstance(value, dict) else None
    if held is None and isinstance(value, dict) and isinstance(value.get("tools"), Mapping):
        held = value["tools"].get(new)
    return [str(item) for item in held] if isinstance(held, list) else None


def _apart(text: str) -> tuple[str, str | None]:
    found = _RULE.fullmatch(text.strip())
    return (found["tool"].strip(), found["spec"]) if found else (text, "")


def _covers(whole: tuple[str, str | None], part: tuple[str, str | None]) -> bool:
    if whole[0] != part[0]:
        return False
    return whole[1] is None or (part[1] is not None and f"{part[1]} ".startswith(f"{whole[1].strip()} "))


def _rule(effect: Effect, text: str) -> SourceRule:
    tool, inner = _apart(text)
    family = _FAMILIES.get(tool, Family.OTHER)
    spec, fault = _spec(effect, family, inner)
    return SourceRule(effect, family, tool, spec, text, fault)


def _spec(effect: Effect, family: Family, inner: str | None) -> tuple[Spec, str]:
    if inner is None:
        return None, ""
    if family is not Family.SHELL or not inner.strip():
        return None, "has a pattern that is not known here"
    # Whether a prefix ends with a word nobody says: the wider reading for what is denied.
    end = " *" if effect is Effect.ALLOW else "*"
    return ShellSpec(inner.strip() + end), ""
