"""The elements by which a session ends: in its own trace, and in that of a grant that ends with it."""

from datetime import datetime

from adjudicator.domain.trace import Element, ElementKind


def closed(tenant: str, session: str, agent: str, reason: str, at: datetime) -> tuple[Element, ...]:
    """Who closed it, and why."""
    who = {"tenant": tenant, "agent": agent, "session": session, "reason": reason}
    present = {name: value for name, value in who.items() if value}
    return (
        Element(ElementKind.INPUT_CONTEXT, present, at),
        Element(ElementKind.FINAL_OUTPUT, {"text": "the session is closed for good"}, at),
    )


def grant_cleared(grant_id: str, at: datetime) -> Element:
    """A grant ended with its session."""
    body = {"state": "cleared", "grant_id": grant_id, "text": "its session was closed"}
    return Element(ElementKind.FINAL_OUTPUT, body, at)
