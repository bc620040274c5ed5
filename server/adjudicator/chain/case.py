"""What a check looks at, and what it may find."""

from dataclasses import dataclass

from adjudicator.domain.approval import ApprovalState
from adjudicator.domain.arguments import Arguments, Fault
from adjudicator.domain.call import Mode, ToolCall
from adjudicator.domain.grant import Grant
from adjudicator.domain.trace import Recorded
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode, RuleRef, Violation
from adjudicator.policy.registry import Agent, Tenant, Tool
from adjudicator.policy.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Case:
    """One call, the snapshot that judges it, and the state of its approval if it has one.

    `grant` is one that covers the call, as far as its scope, its time and its uses say.
    """

    call: ToolCall
    arguments: Arguments | Fault
    snapshot: Snapshot
    approval: ApprovalState | None = None
    grant: Grant | None = None

    @property
    def tenant(self) -> Tenant:
        """The tenant; raises KeyError before S1 has passed."""
        return self.snapshot.registry.tenants[self.call.tenant]

    @property
    def tool(self) -> Tool:
        """The tool; raises KeyError before S3 has passed."""
        return self.snapshot.registry.tools[self.call.tool]

    @property
    def agents(self) -> tuple[Agent, ...]:
        """The agent and all it acts on behalf of; raises KeyError before S2 has passed."""
        return tuple(self.snapshot.registry.agents[code] for code in self.call.agents)

    def has_mode(self, mode: Mode) -> bool:
        """Whether the mode holds: the tenant's and the call's own both do, so a call only adds to it."""
        return mode is self.tenant.mode or mode is self.call.mode

    @property
    def quoting(self) -> bool:
        """Whether sentences may quote arguments: a verdict is recorded, and so are they."""
        return self.snapshot.recorded_arguments(self.call.tool) is not Recorded.DIGEST


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found. A check that has nothing to say returns None, which allows nothing.

    `opaque` says of an ask that part of the call cannot be known before it runs, by whatever else it asks.
    """

    outcome: Outcome
    reason_code: ReasonCode
    cause: Cause
    reason: str
    rule: RuleRef | None = None
    violations: tuple[Violation, ...] = ()
    opaque: bool = False


def deny(
    reason_code: ReasonCode,
    cause: Cause,
    reason: str,
    rule: RuleRef | None = None,
    violations: tuple[Violation, ...] = (),
) -> Finding:
    """A denial: it ends the chain."""
    return Finding(Outcome.DENY, reason_code, cause, reason, rule, violations)


def forbid(cause: Cause, reason: str, rule: RuleRef | None = None) -> Finding:
    """A denial with FORBIDDEN."""
    return deny(ReasonCode.FORBIDDEN, cause, reason, rule)


def ask(cause: Cause, reason: str, rule: RuleRef | None = None) -> Finding:
    """A person has to decide, unless a later check denies."""
    return Finding(Outcome.ASK, ReasonCode.APPROVAL_REQUIRED, cause, reason, rule)


def allow(cause: Cause, reason: str, rule: RuleRef | None = None) -> Finding:
    """Allowed, unless a later check asks or denies."""
    return Finding(Outcome.ALLOW, ReasonCode.ALLOWED, cause, reason, rule)
