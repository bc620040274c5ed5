"""Which form a file of permission rules is in, and its rules."""

from collections.abc import Callable, Mapping
from typing import Any

from adjudicator.authoring.imports.forms.lists import has_lists, read_lists
from adjudicator.authoring.imports.forms.opencode import has_permission, read_permission
from adjudicator.authoring.imports.forms.source_rules import SourceRules
from adjudicator.authoring.imports.forms.tool_lists import has_tool_lists, read_tool_lists
from adjudicator.authoring.imports.notes import ImportFaultError
from adjudicator.config.limits import IMPORTED_RULES

FORMS: Mapping[str, tuple[Callable[[Any], bool], Callable[[Any], SourceRules]]] = {
    "lists": (has_lists, read_lists),
    "mapping": (has_permission, read_permission),
    "tools": (has_tool_lists, read_tool_lists),
}
"""By name: whether a value is of the form, and what reads it."""


def read_rules(value: Any, form: str = "") -> SourceRules:
    """The rules of a file in this form, or in the one that it is in. Raises ImportFaultError."""
    found = [name for name, (is_so, _) in FORMS.items() if is_so(value)]
    if form and form not in found:
        raise ImportFaultError(f"it is not of the form `{form}`")
    if not found:
        raise ImportFaultError(
            "no permission rules; hand over lists `allow`, `ask`, `deny`, a mapping `permission`, "
            "or lists of tools"
        )
    if not form and len(found) > 1:
        raise ImportFaultError(f"it may be of several forms: {', '.join(found)}; say which by `--form`")
    rules = FORMS[form or found[0]][1](value)
    if not rules.rules:
        raise ImportFaultError("the lists of rules are empty")
    if len(rules.rules) > IMPORTED_RULES:
        raise ImportFaultError(f"{len(rules.rules):,} rules; hand over {IMPORTED_RULES:,} at a time")
    return rules
