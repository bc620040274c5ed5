"""The immutable snapshot: one bundle, read and checked, that answers what the chain asks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from adjudicator.domain.facet import Facet
from adjudicator.domain.request import Priority, Trigger
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.trace import Recorded
from adjudicator.domain.verdict import Outcome, RuleRef, Violation
from adjudicator.policy.registry import Registry


class Effect(Symbol):
    """What one rule says."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


AGENT, ROLE, USER = "agent:", "role:", "user:"
"""What subjects of rules begin with, so that an agent named like a role, or a person, is neither."""


def subject_of(agent: str) -> str:
    """The subject that rows know an agent by."""
    return f"{AGENT}{agent}"


@dataclass(frozen=True, slots=True)
class RuleQuestion:
    """What a Casbin model is asked.

    `subject` is what `subject_of` says; `object` is a permission for S5 and a tool for S6 and S7;
    `facet` is used by S7 only. `memo` keeps what rule sets find out about the question for the next
    effect that is asked about.
    """

    subject: str
    tenant: str
    object: str
    facet: Facet | None = None
    memo: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)


class RuleSet(Protocol):
    """One Casbin model with its rows."""

    def match(self, effect: Effect, question: RuleQuestion) -> RuleRef | None:
        """The first matching row of that effect in file order, or None.

        Raises EvaluationError when the model fails on the question.
        """
        ...


class Contract(Protocol):
    """One JSON Schema of a tool, compiled: of its arguments, or of its output."""

    def violations(self, value: Any, *, quoting: bool = True) -> Sequence[Violation]:
        """Every violation up to a limit, by path, then keyword; empty when the value satisfies it.

        No message quotes a secret; without `quoting` none quotes any value. Raises EvaluationError.
        """
        ...

    def redact(self, value: Any) -> Any:
        """A copy in which a marker replaces every value that the schema marks, or does not describe.

        An object stays one. Raises EvaluationError.
        """
        ...


class ApproverRules(Protocol):
    """Who may decide on approvals. Actors are people, as `user:ann`; no rule makes anybody else one."""

    def may_decide(self, actor: str, tenant: str, tool: str, priority: Priority) -> RuleRef | None:
        """The row that entitles the actor, or None. `tool` may be QUESTION. Raises EvaluationError."""
        ...

    def has_role(self, actor: str, role: str, tenant: str) -> bool:
        """Whether the actor has the role, as `role:lead`, in the tenant."""
        ...

    @property
    def version(self) -> str:
        """What is the same only as long as everybody is entitled to the same."""
        ...

    def people(self) -> frozenset[str]:
        """Everybody whom a row names, as `user:ann`, entitled or not."""
        ...

    def tenants(self, actor: str) -> frozenset[str]:
        """The tenants in which some row entitles the actor to something. Raises EvaluationError."""
        ...


class Unattended(Symbol):
    """What becomes of a call that asks when too few people could approve it."""

    WAIT = "wait"
    DENY = "deny"


PRIORITIES: Mapping[Trigger, Priority] = {
    Trigger.SECURITY_VIOLATION: Priority.HIGH,
    Trigger.PERMISSION_DENIED: Priority.HIGH,
    Trigger.SUSPICIOUS_COMMAND: Priority.HIGH,
    Trigger.DESTRUCTIVE_ACTION: Priority.HIGH,
    Trigger.AMBIGUOUS_TASK: Priority.MEDIUM,
    Trigger.SEVERAL_OPTIONS: Priority.MEDIUM,
    Trigger.BLOCKED_TASK: Priority.MEDIUM,
    Trigger.EXTERNAL_NETWORK_CALL: Priority.LOW,
    Trigger.SIGNIFICANT_CHANGE: Priority.LOW,
}
"""The priority of what each trigger brings to a person, unless the bundle says another."""


@dataclass(frozen=True, slots=True)
class ApprovalTerms:
    """What `bundle.yaml` says of approvals.

    `seconds` is the time limit unless the tool has its own. The bounds are on what is pending at a time,
    and on how many calls begin to ask within a minute; a call over one of them is denied. A session grant
    lasts at most `grant_seconds` and `grant_uses`. A trigger that is not in `priorities` brings nobody in.
    """

    seconds: int
    priorities: Mapping[Trigger, Priority] = field(default_factory=lambda: PRIORITIES)
    unattended: Unattended = Unattended.WAIT
    pending_per_session: int = 200
    pending_per_agent: int = 20_000
    asks_per_minute_per_session: int = 300
    asks_per_minute_per_agent: int = 20_000
    grant_seconds: int = 8 * 3600
    grant_uses: int = 100


@dataclass(eq=False)
class EvaluationError(Exception):
    """A model or schema that failed on a question. `rule` is the row, when it is known."""

    message: str
    rule: RuleRef | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One bundle, checked. `version` is `sha256:` and the hash of its files, names and contents.

    Its tests are not in the hash: they say what it must answer, and change no answer.

    `rule_count` is the rules of the rule chain: its rows, and the tools that are listed for everybody.
    `default` is what the rule chain answers when no rule matches. `output_contracts` has the tools that
    declare their output. How much traces keep is asked of `recorded_arguments` and `recorded_output`.
    """

    version: str
    registry: Registry
    permission: RuleSet
    scope: RuleSet
    rules: RuleSet
    rule_count: int
    contracts: Mapping[str, Contract]
    default: Outcome
    approvals: ApprovalTerms
    approvers: ApproverRules
    output_contracts: dict[str, Contract] = field(default_factory=dict)
    record_arguments: Recorded = Recorded.REDACTED
    record_output: Recorded = Recorded.REDACTED

    def recorded_arguments(self, tool: str) -> Recorded:
        """How much traces keep of the tool's arguments."""
        known = self.registry.tools.get(tool)
        return (known.record_arguments if known else None) or self.record_arguments

    def recorded_output(self, tool: str) -> Recorded:
        """How much traces keep of the tool's output; redacted where nobody registered the tool."""
        known = self.registry.tools.get(tool)
        return (known.record_output or self.record_output) if known else Recorded.REDACTED
