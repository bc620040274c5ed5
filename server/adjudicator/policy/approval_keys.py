"""What the registry says of the approvals of one tool: how urgent, which answers, what may be granted."""

from adjudicator.config.limits import OPTION_CHARS, OPTIONS
from adjudicator.domain.facet import ArgumentKind, ArgumentSpec
from adjudicator.domain.invisible import is_all_plain
from adjudicator.domain.request import Priority
from adjudicator.policy.document import Field
from adjudicator.policy.registry import SessionGrants

APPROVAL_KEYS = frozenset({"priority", "options", "recommended_option", "session_grants"})

_PRIORITIES = {priority.value: priority for priority in Priority}
_GRANTS = {grants.value: grants for grants in SessionGrants}
_WIDTH = (SessionGrants.NEVER, SessionGrants.NARROWED, SessionGrants.TOOL)


def read_priority(at: dict[str, Field]) -> Priority | None:
    """The least priority of the tool's approvals; None where nothing is said."""
    if "priority" not in at:
        return None
    priority: Priority | None = at["priority"].as_choice(_PRIORITIES)
    return priority or Priority.CRITICAL


def read_options(at: dict[str, Field]) -> tuple[tuple[str, ...], str]:
    """The answers to choose from, and the recommended one; nothing where nothing is said."""
    options = _options(at["options"]) if "options" in at else ()
    recommended = at["recommended_option"].as_text() if "recommended_option" in at else None
    if recommended is not None and recommended not in options:
        at["recommended_option"].refuse(f"{recommended!a} is none of the `options`; write one of them")
    return options, recommended or ""


def _options(field: Field) -> tuple[str, ...]:
    items = list(field.items())
    seen: dict[str, str] = {}
    for item in items:
        text = item.as_text()
        fault = _option_fault(text, seen) if text is not None else None
        if fault is not None:
            item.refuse(fault)
        elif text is not None:
            seen[text.casefold()] = text
    if not items:
        field.refuse("`options` has nothing to choose from; write some, or leave the key out")
    elif len(items) > OPTIONS:
        field.refuse(f"{len(items)} options; the limit is {OPTIONS}, so write fewer")
    return tuple(seen.values())


def _option_fault(text: str, seen: dict[str, str]) -> str | None:
    if len(text) > OPTION_CHARS:
        return f"an option of {len(text)} characters; the limit is {OPTION_CHARS}, so say it in fewer"
    if not is_all_plain(text):
        return f"{text!a} has a character that is not seen as itself; write plain text"
    if text != text.strip():
        return f"{text!a} begins or ends with a blank; take it away"
    if text.casefold() in seen:
        return f"{text!a} is in `options` already, as {seen[text.casefold()]!a}; keep one"
    return None


def read_session_grants(
    field: Field | None, arguments: tuple[ArgumentSpec, ...], *, require_approval: bool, quorum: int
) -> SessionGrants:
    """What may be granted to a session. What cannot be read, or may not be, stands as nothing."""
    most, why = _most(arguments, require_approval=require_approval, quorum=quorum)
    if field is None:
        return most
    grants: SessionGrants | None = field.as_choice(_GRANTS)
    if grants is None:
        return SessionGrants.NEVER
    if _WIDTH.index(grants) > _WIDTH.index(most):
        field.refuse(f"`{grants.value}` is too much for a tool {why}; write `{most.value}`")
        return SessionGrants.NEVER
    return grants


def _most(
    arguments: tuple[ArgumentSpec, ...], *, require_approval: bool, quorum: int
) -> tuple[SessionGrants, str]:
    """The widest grant that the tool can have, and what about it allows no wider one."""
    if require_approval:
        return SessionGrants.NEVER, "of which people see every call (`require_approval`)"
    if quorum > 1:
        return SessionGrants.NEVER, f"of which {quorum} people see every call (`quorum`)"
    if any(spec.kind is ArgumentKind.SHELL for spec in arguments):
        return SessionGrants.NARROWED, "with a command line, since it would grant every command"
    return SessionGrants.TOOL, ""
