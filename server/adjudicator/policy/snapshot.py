"""The immutable snapshot: one bundle, read and checked, that answers what the chain asks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from adjudicator.domain.facet import Facet
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.trace import Recorded
from adjudicator.domain.verdict import Outcome, RuleRef, Violation
from adjudicator.policy.registry import Registry


class Effect(Symbol):
    """What one rule says."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


AGENT, ROLE = "agent:", "role:"
"""What subjects of rules begin with, so that an agent named like a role does not have it."""


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
    contracts: dict[str, Contract]
    default: Outcome
    approval_seconds: int
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
