"""The elements of a grant's trace: who gave it and on which terms, each of its uses, how it ended.

Of the calls that it released it names the traces, and never arguments: those are in the calls' own traces.
"""

from datetime import datetime
from typing import Any

from adjudicator.domain.grant import Grant, GrantState
from adjudicator.domain.trace import Element, ElementKind


def opened(grant: Grant, at: datetime) -> Element:
    """Who gave it, with which approval, and what it lets through."""
    body: dict[str, Any] = {
        "tenant": grant.tenant,
        "session": grant.session,
        "agent": grant.agent,
        "on_behalf_of": list(grant.on_behalf_of),
        "principal": grant.principal,
        "tool": grant.tool,
        "grant_id": grant.id,
        "approval_id": grant.approval_id,
        "granted_by": grant.granted_by,
        "reason": grant.reason,
        "scope": grant.scope.value,
        "arguments_schema": grant.schema_json,
        "highest_priority": grant.highest_priority.value,
        "uses": grant.uses,
        "expires_at": grant.expires_at.isoformat(),
    }
    return Element(ElementKind.INPUT_CONTEXT, {name: value for name, value in body.items() if value}, at)


def used(call_id: str, at: datetime, approval_id: str = "") -> Element:
    """It released a call, or an approval that waited. The store adds the number of the call's trace."""
    body = {"call_id": call_id}
    if approval_id:
        body["approval_id"] = approval_id
    return Element(ElementKind.TOOL_CALL, body, at)


def ended(state: GrantState, reason: str, at: datetime, actor: str = "") -> Element:
    """It is over, before all its uses were used. `actor` is who ended it, if it was a person."""
    body = {"state": state.value, "text": reason or f"grant {state.value}"}
    if actor:
        body["actor"] = actor
    return Element(ElementKind.FINAL_OUTPUT, body, at)
