"""What a test asks of a snapshot, noted while it runs: rule sets, entries of the registry, contracts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from adjudicator.domain.request import Priority
from adjudicator.domain.verdict import RuleRef, Violation
from adjudicator.policy.model import APPROVERS, PERMISSION, RULES, SCOPE
from adjudicator.policy.snapshot import ApproverRules, Contract, Effect, RuleQuestion, RuleSet, Snapshot

Request = tuple[Any, ...]
"""What a model is asked, value by value."""
Entry = tuple[str, str]
"""A kind of thing that a bundle has by code, and the code."""

TENANT, AGENT, TOOL, CONTRACT = "tenant", "agent", "tool", "contract"
EVERY = "*"
"""Stands for every code of a kind where all of them were asked for."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Asked:
    """What one test asked. `requests` are by policy, `judged` the arguments that met a tool's contract."""

    requests: dict[str, dict[Request, None]] = field(
        default_factory=lambda: {shape.name: {} for shape in (PERMISSION, SCOPE, RULES, APPROVERS)}
    )
    entries: set[Entry] = field(default_factory=set)
    judged: list[tuple[str, Any]] = field(default_factory=list)

    def has(self, kind: str, code: str) -> bool:
        """Whether the test asked for this."""
        return (kind, code) in self.entries or (kind, EVERY) in self.entries


def noted(snapshot: Snapshot, asked: Asked) -> Snapshot:
    """The same snapshot, which notes what it is asked."""
    registry = snapshot.registry
    return replace(
        snapshot,
        registry=registry.holding(
            _Noted(TENANT, registry.tenants, asked),
            _Noted(AGENT, registry.agents, asked),
            _Noted(TOOL, registry.tools, asked),
        ),
        permission=_NotedRules(snapshot.permission, asked.requests[PERMISSION.name]),
        scope=_NotedRules(snapshot.scope, asked.requests[SCOPE.name]),
        rules=_NotedRules(snapshot.rules, asked.requests[RULES.name]),
        contracts=_NotedContracts(CONTRACT, snapshot.contracts, asked),
        approvers=_NotedApprovers(snapshot.approvers, asked),
    )


class _Noted(Mapping[str, Value], Generic[Value]):
    """A mapping that notes which of its keys are looked up."""

    def __init__(self, kind: str, values: Mapping[str, Value], asked: Asked) -> None:
        self._kind = kind
        self._values = values
        self._asked = asked

    def __getitem__(self, code: str) -> Value:
        self._asked.entries.add((self._kind, code))
        return self._values[code]

    def __iter__(self) -> Iterator[str]:
        self._asked.entries.add((self._kind, EVERY))
        return iter(self._values)

    def __len__(self) -> int:
        self._asked.entries.add((self._kind, EVERY))
        return len(self._values)


class _NotedContracts(_Noted[Contract]):
    def __getitem__(self, code: str) -> Contract:
        return _NotedContract(code, super().__getitem__(code), self._asked)


@dataclass(frozen=True, slots=True)
class _NotedContract:
    code: str
    contract: Contract
    asked: Asked

    def violations(self, value: Any, *, quoting: bool = True) -> Sequence[Violation]:
        self.asked.judged.append((self.code, value))
        return self.contract.violations(value, quoting=quoting)

    def redact(self, value: Any) -> Any:
        return self.contract.redact(value)


@dataclass(frozen=True, slots=True)
class _NotedRules:
    rules: RuleSet
    requests: dict[Request, None]

    def match(self, effect: Effect, question: RuleQuestion) -> RuleRef | None:
        self.requests[request_of(question)] = None
        return self.rules.match(effect, question)


@dataclass(frozen=True, slots=True)
class _NotedApprovers:
    rules: ApproverRules
    asked: Asked

    def may_decide(self, actor: str, tenant: str, tool: str, priority: Priority) -> RuleRef | None:
        self.asked.requests[APPROVERS.name][actor, tenant, tool, priority.value] = None
        return self.rules.may_decide(actor, tenant, tool, priority)

    def has_role(self, actor: str, role: str, tenant: str) -> bool:
        self._note_all()
        return self.rules.has_role(actor, role, tenant)

    @property
    def version(self) -> str:
        self._note_all()
        return self.rules.version

    def people(self) -> frozenset[str]:
        self._note_all()
        return self.rules.people()

    def tenants(self, actor: str) -> frozenset[str]:
        self._note_all()
        return self.rules.tenants(actor)

    def _note_all(self) -> None:
        self.asked.entries.add((APPROVERS.name, EVERY))


def request_of(question: RuleQuestion) -> Request:
    """The question as a model has it; what has a facet is about it."""
    asked = (question.subject, question.tenant, question.object)
    return asked if question.facet is None else (*asked, question.facet)
