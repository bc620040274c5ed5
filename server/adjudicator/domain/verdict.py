"""The answer to a call, with everything that explains it."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum

from adjudicator.domain.symbol import Symbol


class Outcome(Symbol):
    """What the runtime may do with the call."""

    ALLOW = "ALLOW"
    DENY = "DENY"
    ASK = "ASK"


class Step(IntEnum):
    """The eight steps of the chain; the number is the place in the fixed order."""

    TENANT = 1
    AGENT = 2
    TOOL = 3
    ENABLED = 4
    PERMISSION = 5
    SCOPE = 6
    GATE = 7
    CONTRACT = 8


class ReasonCode(Symbol):
    """The class of a reason: what a runtime switches on."""

    ALLOWED = "ALLOWED"
    APPROVAL_REQUIRED = "APPROVAL_REQUIRED"
    TENANT_MISSING = "TENANT_MISSING"
    FORBIDDEN = "FORBIDDEN"
    STATE_ILLEGAL = "STATE_ILLEGAL"
    VALIDATION = "VALIDATION"
    EVALUATION_ERROR = "EVALUATION_ERROR"


class Cause(Symbol):
    """The exact cause behind a reason code."""

    TENANT_BLANK = "TENANT_BLANK"
    TENANT_UNKNOWN = "TENANT_UNKNOWN"
    TENANT_DISABLED = "TENANT_DISABLED"
    AGENT_BLANK = "AGENT_BLANK"
    AGENT_UNKNOWN = "AGENT_UNKNOWN"
    AGENT_DISABLED = "AGENT_DISABLED"
    TOOL_BLANK = "TOOL_BLANK"
    TOOL_UNKNOWN = "TOOL_UNKNOWN"
    TOOL_NOT_LISTED = "TOOL_NOT_LISTED"
    TOOL_DISABLED = "TOOL_DISABLED"
    PERMISSION_MISSING = "PERMISSION_MISSING"
    TOOL_DENIED_TO_AGENT = "TOOL_DENIED_TO_AGENT"
    AGENT_NOT_ALLOWED = "AGENT_NOT_ALLOWED"
    AGENT_READ_ONLY = "AGENT_READ_ONLY"
    OUT_OF_SCOPE = "OUT_OF_SCOPE"
    RULE_DENY = "RULE_DENY"
    RULE_ALLOW = "RULE_ALLOW"
    RULE_ASK = "RULE_ASK"
    DEFAULT = "DEFAULT"
    MODE_READ_ONLY = "MODE_READ_ONLY"
    MODE_ASK_ALWAYS = "MODE_ASK_ALWAYS"
    TOOL_REQUIRES_APPROVAL = "TOOL_REQUIRES_APPROVAL"
    APPROVED = "APPROVED"
    APPROVAL_DENIED = "APPROVAL_DENIED"
    APPROVAL_EXPIRED = "APPROVAL_EXPIRED"
    APPROVAL_CANCELLED = "APPROVAL_CANCELLED"
    APPROVAL_CONSUMED = "APPROVAL_CONSUMED"
    PRINCIPAL_MISSING = "PRINCIPAL_MISSING"
    CALL_ID_REUSED = "CALL_ID_REUSED"
    CALL_FINISHED = "CALL_FINISHED"
    POLICY_CHANGED = "POLICY_CHANGED"
    ARGUMENTS_MALFORMED = "ARGUMENTS_MALFORMED"
    ARGUMENTS_TOO_LARGE = "ARGUMENTS_TOO_LARGE"
    CONTRACT_VIOLATION = "CONTRACT_VIOLATION"
    TOO_COMPLEX = "TOO_COMPLEX"
    ARGUMENT_INVALID = "ARGUMENT_INVALID"
    OPAQUE_FORM = "OPAQUE_FORM"
    OPAQUE_PATH = "OPAQUE_PATH"
    OPAQUE_CHARACTER = "OPAQUE_CHARACTER"
    OPAQUE_SYNTAX = "OPAQUE_SYNTAX"
    OPAQUE_PROGRAM_NAME = "OPAQUE_PROGRAM_NAME"
    OPAQUE_EXPANSION = "OPAQUE_EXPANSION"
    OPAQUE_SUBSTITUTION = "OPAQUE_SUBSTITUTION"
    OPAQUE_ENVIRONMENT = "OPAQUE_ENVIRONMENT"
    OPAQUE_PROGRAM_RUN = "OPAQUE_PROGRAM_RUN"
    OPAQUE_OPERANDS = "OPAQUE_OPERANDS"
    EVALUATION_FAILED = "EVALUATION_FAILED"
    GRANTED = "GRANTED"
    APPROVAL_SKIPPED = "APPROVAL_SKIPPED"
    CALL_WITHDRAWN = "CALL_WITHDRAWN"
    SESSION_CLOSED = "SESSION_CLOSED"
    TOO_MANY_PENDING = "TOO_MANY_PENDING"
    ASKED_TOO_OFTEN = "ASKED_TOO_OFTEN"
    NO_ELIGIBLE_APPROVER = "NO_ELIGIBLE_APPROVER"


class ToolStatus(Symbol):
    """A registered tool's status."""

    ENABLED = "enabled"
    DISABLED = "disabled"


@dataclass(frozen=True, slots=True)
class RuleRef:
    """The place of a rule: file relative to the bundle's folder, line from 1, and the row as written.

    `reason` is why its author wrote it; empty where the model has no such column. `general` says that the
    rule is for a tool whatever its arguments.
    """

    file: str
    line: int
    text: str = ""
    reason: str = ""
    general: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    @property
    def explained(self) -> str:
        """The place, and the author's reason when there is one."""
        return f"{self}: {self.reason}" if self.reason else str(self)


@dataclass(frozen=True, slots=True)
class Violation:
    """One way in which arguments fail a schema: JSON Pointer, keyword, sentence."""

    path: str
    keyword: str
    message: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one call.

    `step` and `check` decided; `step_reached` is the last step that ran, which is S8 unless the call
    was denied earlier. `trace_number` is 0 until the verdict is recorded, and for a dry run.
    """

    outcome: Outcome
    step: Step
    check: str
    step_reached: Step
    reason_code: ReasonCode
    cause: Cause
    reason: str
    tool: str
    agent: str
    policy_version: str
    tool_status: ToolStatus | None = None
    disable_reason: str = ""
    rule: RuleRef | None = None
    violations: tuple[Violation, ...] = ()
    approval_id: str = ""
    approval_expires_at: datetime | None = None
    call_id: str = ""
    trace_number: int = 0
    replayed: bool = False
    dry_run: bool = False
    selected_option: str = ""
    grant_id: str = ""
    unattended: bool = False

    def recorded(self, trace_number: int) -> "Verdict":
        """The same verdict in this trace; `dataclasses.replace` takes twice as long."""
        return Verdict(
            self.outcome,
            self.step,
            self.check,
            self.step_reached,
            self.reason_code,
            self.cause,
            self.reason,
            self.tool,
            self.agent,
            self.policy_version,
            self.tool_status,
            self.disable_reason,
            self.rule,
            self.violations,
            self.approval_id,
            self.approval_expires_at,
            self.call_id,
            trace_number,
            self.replayed,
            self.dry_run,
            self.selected_option,
            self.grant_id,
            self.unattended,
        )

    @property
    def allowed(self) -> bool:
        """True exactly when the outcome is ALLOW."""
        return self.outcome is Outcome.ALLOW
