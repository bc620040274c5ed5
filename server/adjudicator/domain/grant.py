"""A session grant: that later calls of one session pass without a question of their own."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from adjudicator.domain.call import ToolCall
from adjudicator.domain.request import Priority
from adjudicator.domain.symbol import Symbol


class GrantScope(Symbol):
    """How far a grant reaches."""

    TOOL = "tool"
    """Every call of the tool."""
    SCHEMA = "schema"
    """Calls whose arguments satisfy its schema."""
    ARGUMENTS = "arguments"
    """Calls that are the same but for their call_id."""


class GrantState(Symbol):
    """LIVE can change; every other state is final."""

    LIVE = "live"
    SPENT = "spent"
    EXPIRED = "expired"
    REVOKED = "revoked"
    CLEARED = "cleared"


@dataclass(frozen=True, slots=True)
class Grant:
    """What a person who approved one call granted to the rest of its session.

    `likeness` is that of the approved call for ARGUMENTS, and else of its place; `schema_json` is empty
    unless SCHEMA.
    `trace_number` is that of the grant's own trace, which lists what it released.
    """

    id: str
    state: GrantState
    tenant: str
    session: str
    agent: str
    on_behalf_of: tuple[str, ...]
    principal: str
    tool: str
    scope: GrantScope
    schema_json: str
    likeness: str
    highest_priority: Priority
    uses: int
    used: int
    granted_by: str
    approval_id: str
    reason: str
    granted_at: datetime
    expires_at: datetime
    changed_at: datetime
    trace_number: int = 0

    def is_for(self, call: ToolCall) -> bool:
        """Whether the call is of those for whom and in which it was given, whatever the scope."""
        return (
            bool(call.session)
            and self.tenant == call.tenant
            and self.session == call.session
            and self.agent == call.agent
            and self.on_behalf_of == call.on_behalf_of
            and self.principal == call.principal
            and self.tool == call.tool
        )


@dataclass(frozen=True, slots=True)
class GrantWish:
    """How far a person wants a grant to reach: an empty text, or zero, is as far as the policy lets it."""

    schema_json: str = ""
    uses: int = 0
    lifetime: timedelta = timedelta(0)
