"""How much the policy lets a session, and an agent, ask of people: calls and questions alike."""

from datetime import datetime

from adjudicator.policy.snapshot import ApprovalTerms
from adjudicator.storage.asks import minute_before
from adjudicator.storage.contract import Bounds


def bounds_of(terms: ApprovalTerms, now: datetime) -> Bounds:
    """The bounds on what begins to ask now."""
    return Bounds(
        pending_of_session=terms.pending_per_session,
        pending_of_agent=terms.pending_per_agent,
        asked_of_session=terms.asks_per_minute_per_session,
        asked_of_agent=terms.asks_per_minute_per_agent,
        since=minute_before(now),
    )
