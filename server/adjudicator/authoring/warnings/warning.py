"""A warning: what an author would want to know, and what keeps no bundle from being activated."""

from dataclasses import dataclass

from adjudicator.domain.symbol import Symbol


class Code(Symbol):
    """What a warning is about. `docs/warnings.md` has each."""

    NEVER_MATCHES = "never-matches"
    SWITCHED_OFF = "switched-off"
    OUT_OF_REACH = "out-of-reach"
    DENIED_WHOLE = "denied-whole"
    READ_ONLY_TENANT = "read-only-tenant"
    DUPLICATE = "duplicate"
    NO_RULE = "no-rule"
    NOBODY_HAS_ROLE = "nobody-has-role"
    MAY_BE_EMPTY = "may-be-empty"
    MAY_BE_NULL = "may-be-null"
    UNDECLARED_ARGUMENT = "undeclared-argument"
    CRITIC_CAN_WRITE = "critic-can-write"
    UNHELD_PERMISSION = "unheld-permission"
    IDLE_AGENT = "idle-agent"
    TOO_FEW_APPROVERS = "too-few-approvers"
    ALLOWS_ANYTHING = "allows-anything"
    TOOL_OF_NO_TENANT = "tool-of-no-tenant"
    MEANT = "meant"
    """About a comment that accepts warnings; it cannot be accepted itself."""


@dataclass(frozen=True, slots=True)
class BundleWarning:
    """One thing to look at: where it is, and a sentence that says what to do.

    `file` is relative to the bundle's folder; `line` and `column` count from 1.
    """

    file: str
    line: int
    column: int
    code: Code
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: warning: {self.code.value}: {self.message}"
