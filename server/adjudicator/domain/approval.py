"""The durable approval that an ASK opens, and the decisions that people make on it."""

from dataclasses import dataclass, field
from datetime import datetime

from adjudicator.domain.grant import Grant
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
    APPROVE_SESSION = "approve_session"
    CANCEL = "cancel"
    SKIP = "skip"
    DELEGATE = "delegate"

    @property
    def approves(self) -> bool:
        """Whether it lets the call run."""
        return self in (Decision.APPROVE, Decision.APPROVE_SESSION)


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
    DELEGATED = "DELEGATED"
    NOT_ENTITLED = "NOT_ENTITLED"
    NOT_A_PERSON = "NOT_A_PERSON"
    NOT_THE_DELEGATE = "NOT_THE_DELEGATE"
    DELEGATE_NOT_ENTITLED = "DELEGATE_NOT_ENTITLED"
    DELEGATE_LOOP = "DELEGATE_LOOP"
    QUORUM_UNREACHABLE = "QUORUM_UNREACHABLE"
    OPTION_UNKNOWN = "OPTION_UNKNOWN"
    REQUEST_ID_REUSED = "REQUEST_ID_REUSED"
    GRANT_FORBIDDEN = "GRANT_FORBIDDEN"
    GRANT_TOO_WIDE = "GRANT_TOO_WIDE"
    GRANT_EXCLUDES_CALL = "GRANT_EXCLUDES_CALL"
    GRANT_SCHEMA_INVALID = "GRANT_SCHEMA_INVALID"
    NOW_DENIED = "NOW_DENIED"

    @property
    def accepted(self) -> bool:
        """True when the decision counts."""
        return self in (ReceiptCode.ACCEPTED, ReceiptCode.MORE_VOTES_NEEDED, ReceiptCode.DELEGATED)


@dataclass(frozen=True, slots=True)
class Vote:
    """One person's decision that counted. `actor` is the identity of the credential, as `user:ann`.

    `request_id` is the caller's own id of the request that brought it, and `fingerprint` what else was in
    that request, so that the same one is known again. `grant_id` is that of the grant by which the call was
    released: then the actor is who gave the grant, and saw another call.
    """

    actor: str
    decision: Decision
    reason: str
    voted_at: datetime
    request_id: str = ""
    fingerprint: str = ""
    selected_option: str = ""
    delegate_to: str = ""
    grant_id: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """Who said that they are on an approval, and until when that holds. It keeps nobody from deciding."""

    actor: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Before:
    """The approval, in the same session, of the call before that was the same but for its call_id."""

    approval_id: str
    state: ApprovalState


@dataclass(frozen=True, slots=True)
class Approval:
    """One call that waits, or waited, for a person.

    `digest` is the keyed digest of the full call that it is bound to; it never leaves the process
    and its database; `likeness` is the same but for the call_id, so that repeats are seen as such.
    `view_digest` is the SHA-256 of `view_json`, what a person was shown. `request` is part of
    that, and a default one in what was recorded before there were any. `claim` and `before` are what was
    known when it was read, and no part of what is recorded.
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
    likeness: str = ""
    claim: Claim | None = None
    before: Before | None = None

    @property
    def delegated_to(self) -> str:
        """To whom it was handed last; empty when to nobody."""
        return next((vote.delegate_to for vote in reversed(self.votes) if vote.delegate_to), "")

    @property
    def approvals(self) -> tuple[Vote, ...]:
        """The votes that approve."""
        return tuple(vote for vote in self.votes if vote.decision.approves)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a decision. `approval` is the state afterwards, None when it is unknown.

    `replayed` says that an earlier request with the same id got this receipt. `grant` is what was granted,
    as it is stored, and `released` how many waiting calls it released at once.
    """

    code: ReceiptCode
    message: str
    approval: Approval | None
    replayed: bool = False
    grant: Grant | None = None
    released: int = 0
