"""What a subject may come to with a tool: the steps before the rules, then the effects of the rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator.authoring.graph.rule_table import RuleTable, SomeRows
from adjudicator.authoring.judging import judged
from adjudicator.config.limits import PICTURE_ROWS, Limits
from adjudicator.domain.call import Mode, ToolCall
from adjudicator.domain.facet import Access
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.verdict import Cause, Outcome, RuleRef, Step, ToolStatus
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import RULES
from adjudicator.policy.registry import Tenant, Tool
from adjudicator.policy.snapshot import AGENT, Effect, EvaluationError, RuleQuestion, RuleSet

_LIMITS = Limits()


class Reach(Symbol):
    """What the calls of one subject and one tool can come to, as far as rules decide."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"
    MIXED = "mixed"
    OUT = "out"
    """Nothing: a step before the rules denies every call."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The step that denies every call, and why in a sentence."""

    step: Step
    cause: Cause
    reason: str
    rule: RuleRef | None = None


@dataclass(frozen=True, slots=True)
class Way:
    """How calls come to an outcome: by so many rules, of which some are named, or by the default."""

    rules: int = 0
    first: tuple[RuleRef, ...] = ()
    by_default: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One subject and one tool. `ways` has the outcomes that are possible, the mildest first."""

    stop: Stop | None = None
    ways: Mapping[Outcome, Way] = field(default_factory=dict)

    @property
    def reach(self) -> Reach:
        """What it comes to, in a word."""
        if self.stop is not None or not self.ways:
            return Reach.OUT
        (outcome, *more) = self.ways
        return Reach.MIXED if more else Reach(outcome.value.lower())


class Reaching:
    """Answers for one bundle."""

    def __init__(self, bundle: OpenBundle) -> None:
        self._bundle = bundle
        self._snapshot = bundle.snapshot
        self.table = RuleTable(bundle.policies[RULES.name])

    def cell(self, tenant: Tenant, subject: str, tool: Tool) -> Cell:
        """What a subject, as `agent:coder` or `role:lead`, may come to with a tool in a tenant."""
        stop = self._stop(tenant, subject, tool)
        return Cell(stop) if stop else Cell(None, self._ways(tenant, subject, tool))

    def _stop(self, tenant: Tenant, subject: str, tool: Tool) -> Stop | None:
        if subject.startswith(AGENT):
            return self._stop_of_agent(tenant, subject.removeprefix(AGENT), tool)
        return _stop_of_all(tenant, tool) or self._stop_of_role(tenant, subject, tool)

    def _stop_of_agent(self, tenant: Tenant, agent: str, tool: Tool) -> Stop | None:
        """The chain's own denial of a call without arguments, where it is one whatever they are."""
        verdict = judged(ToolCall(tenant.code, agent, tool.code, "{}"), self._snapshot, _LIMITS)
        if verdict.step < Step.GATE or verdict.cause is Cause.MODE_READ_ONLY:
            return Stop(verdict.step, verdict.cause, verdict.reason, verdict.rule)
        return None

    def _stop_of_role(self, tenant: Tenant, role: str, tool: Tool) -> Stop | None:
        """What the models say of the role by itself; an agent that has it may have more, or less."""
        asked = (
            (Step.PERMISSION, self._snapshot.permission, tool.permission, Cause.PERMISSION_MISSING),
            (Step.SCOPE, self._snapshot.scope, tool.code, Cause.OUT_OF_SCOPE),
        )
        for step, rules, thing, cause in asked:
            stop = _stop_of_rules(step, rules, RuleQuestion(role, tenant.code, thing), cause)
            if stop is not None:
                return stop
        return _stop_of_mode(tenant, tool)

    def _ways(self, tenant: Tenant, subject: str, tool: Tool) -> dict[Outcome, Way]:
        """The outcomes that Deny, Allow, Ask, default can come to, in that order of precedence."""
        held = self._bundle.policies[RULES.name].roles.graph.held(subject, tenant.code)
        listed, place = self._bundle.settings.listed.get(tool.code, (None, None))
        found: dict[Effect, SomeRows] = {}
        ways: dict[Effect, Way] = {}
        for effect in Effect:
            rows = self.table.rows(effect, tenant.code, held, tool, PICTURE_ROWS)
            found[effect] = rows
            refs = tuple(self.table.ref(number) for number in rows.first)
            if effect is listed and place is not None:
                found[effect] = SomeRows(rows.count + 1, rows.first, total=True)
                refs = (*refs, place)
            if found[effect].count:
                ways[effect] = Way(found[effect].count, refs)
        return _outcomes(
            ways, {each for each, rows in found.items() if rows.total}, self._default(), (tenant, tool)
        )

    def _default(self) -> Outcome:
        return self._snapshot.default


def _outcomes(
    ways: Mapping[Effect, Way], total: set[Effect], default: Outcome, of: tuple[Tenant, Tool]
) -> dict[Outcome, Way]:
    """What is left when a row that fits every call keeps those behind it from ever speaking."""
    outcomes: dict[Outcome, Way] = {}
    for effect in (Effect.DENY, Effect.ALLOW, Effect.ASK):
        if effect in ways:
            outcomes[Outcome(effect.value.upper())] = ways[effect]
        if effect in total:
            break
    else:
        way = outcomes.get(default, Way())
        outcomes[default] = Way(way.rules, way.first, by_default=True)
    tenant, tool = of
    if Outcome.ALLOW in outcomes and (tool.require_approval or tenant.mode is Mode.ASK_ALWAYS):
        outcomes[Outcome.ASK] = _joined(outcomes.get(Outcome.ASK), outcomes.pop(Outcome.ALLOW))
    return {each: outcomes[each] for each in (Outcome.ALLOW, Outcome.ASK, Outcome.DENY) if each in outcomes}


def _joined(ask: Way | None, allow: Way) -> Way:
    """What asks when even what the rules allow is asked."""
    if ask is None:
        return allow
    first = (*allow.first, *ask.first)[:PICTURE_ROWS]
    return Way(allow.rules + ask.rules, first, by_default=ask.by_default or allow.by_default)


def _stop_of_all(tenant: Tenant, tool: Tool) -> Stop | None:
    if not tenant.enabled:
        return Stop(Step.TENANT, Cause.TENANT_DISABLED, f"tenant {tenant.code} is disabled in the registry")
    if tool.code not in tenant.tools:
        reason = f"tool {tool.code} is not on the allow-list of tenant {tenant.code}"
        return Stop(Step.TOOL, Cause.TOOL_NOT_LISTED, reason)
    if tool.status is ToolStatus.DISABLED:
        return Stop(Step.ENABLED, Cause.TOOL_DISABLED, f"disabled: {tool.disable_reason}")
    return None


def _stop_of_mode(tenant: Tenant, tool: Tool) -> Stop | None:
    if tenant.mode is Mode.READ_ONLY and tool.access is Access.WRITE:
        return Stop(Step.GATE, Cause.MODE_READ_ONLY, f"the mode is read_only and tool {tool.code} writes")
    return None


def _stop_of_rules(step: Step, rules: RuleSet, question: RuleQuestion, cause: Cause) -> Stop | None:
    try:
        denied = rules.match(Effect.DENY, question)
        if denied is not None:
            return Stop(step, cause, f"{question.object} is taken from {question.subject}", denied)
        if rules.match(Effect.ALLOW, question) is None:
            return Stop(step, cause, f"no row gives {question.object} to {question.subject}")
    except EvaluationError as error:
        return Stop(step, Cause.EVALUATION_FAILED, error.message, error.rule)
    return None
