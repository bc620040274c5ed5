"""Errors by what the caller can do about them. The attributes are the contract, not the text."""

from dataclasses import dataclass, field

from adjudicator.domain.symbol import Symbol

ERROR_DOMAIN = "adjudicator"


class ErrorReason(Symbol):
    """Why a request could not be judged or served; a client treats each as no."""

    MALFORMED_REQUEST = "MALFORMED_REQUEST"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    STORE_UNAVAILABLE = "STORE_UNAVAILABLE"
    POLICY_INVALID = "POLICY_INVALID"
    DRAINING = "DRAINING"
    NOT_FOUND = "NOT_FOUND"
    TRACE_FROZEN = "TRACE_FROZEN"
    NOT_ALLOWED = "NOT_ALLOWED"
    RECORD_ALTERED = "RECORD_ALTERED"
    LIMIT_EXCEEDED = "LIMIT_EXCEEDED"
    FLOW_ID_REUSED = "FLOW_ID_REUSED"
    QUESTION_ID_REUSED = "QUESTION_ID_REUSED"
    SESSION_CLOSED = "SESSION_CLOSED"
    INTERNAL = "INTERNAL"


@dataclass(eq=False)
class AdjudicatorError(Exception):
    """A request that cannot be served. `fields` maps a request field to what is wrong with it."""

    reason: ErrorReason
    message: str
    fields: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.message


def malformed(name: str, problem: str) -> AdjudicatorError:
    """The error for one bad field of a request."""
    return AdjudicatorError(ErrorReason.MALFORMED_REQUEST, f"{name}: {problem}", {name: problem})
