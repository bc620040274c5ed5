"""The durable approval that an ASK opens, and the decisions that people make on it."""

from dataclasses import dataclass, field
from datetime import datetime

from adjudicator.domain.request import Request
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.verdict import RuleRef


class ApprovalState(Symbol):
    """PENDING and APPROVED can change; every other state is final."""

    PENDING = "pending"
    APPROVED = "approved"
    DENIED = "denied"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    CONSUMED = "consumed"


class Decision(Symbol):
    """A person's decision."""

    APPROVE = "approve"
    DENY = "deny"


class ReceiptCode(Symbol):
    """Whether a decision counts, and if not, why."""

    ACCEPTED = "ACCEPTED"
    MORE_VOTES_NEEDED = "MORE_VOTES_NEEDED"
    UNKNOWN = "UNKNOWN"
    ALREADY_RESOLVED = "ALREADY_RESOLVED"
    EXPIRED = "EXPIRED"
    ALREADY_VOTED = "ALREADY_VOTED"
    OWN_CALL = "OWN_CALL"
    VIEW_MISMATCH = "VIEW_MISMATCH"
    VIEW_TOO_LARGE = "VIEW_TOO_LARGE"

    @property
    def accepted(self) -> bool:
        """True when the decision counts."""
        return self in (ReceiptCode.ACCEPTED, ReceiptCode.MORE_VOTES_NEEDED)


@dataclass(frozen=True, slots=True)
class Vote:
    """One person's vote. `actor` is the identity of the credential, for example `user:ann`."""

    actor: str
    decision: Decision
    reason: str
    voted_at: datetime


@dataclass(frozen=True, slots=True)
class Approval:
    """One call that waits, or waited, for a person.

    `digest` is the keyed digest of the full call that it is bound to; it never leaves the process
    and its database. `view_digest` is the SHA-256 of `view_json`, what a person was shown;
    `request` is part of that, and a default one in what was recorded before there were any.
    """

    id: str
    state: ApprovalState
    tenant: str
    session: str
    agent: str
    on_behalf_of: tuple[str, ...]
    principal: str
    tool: str
    call_id: str
    trace_number: int
    digest: bytes
    view_json: str
    view_digest: str
    approvable: bool
    ask_reason: str
    rule: RuleRef | None
    quorum: int
    four_eyes: bool
    votes: tuple[Vote, ...]
    created_at: datetime
    expires_at: datetime
    changed_at: datetime
    request: Request = field(default_factory=Request)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a decision. `approval` is the state afterwards, None when it is unknown."""

    code: ReceiptCode
    message: str
    approval: Approval | None
