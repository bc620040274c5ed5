"""What the ordered rules say about each facet of a call, and which of it is the call's."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adjudicator.chain.case import Case, Finding, allow, ask, forbid
from adjudicator.domain.call import quoted
from adjudicator.domain.facet import Facet
from adjudicator.domain.verdict import Cause, Outcome
from adjudicator.policy.snapshot import Effect, RuleQuestion, subject_of

# The strictest first.
_STRICTNESS = (Outcome.DENY, Outcome.ASK, Outcome.ALLOW)
_LISTED = 3


@dataclass(frozen=True, slots=True)
class _Ruling:
    facet: Facet
    finding: Finding


def ruling(case: Case, facets: Sequence[Facet]) -> Finding | None:
    """The strictest of what Deny, Allow, Ask, default say about each facet; None when nothing is said.

    Of several that are as strict it is the most telling: one by a rule for an argument, then one by a
    rule for the tool, then the default; of these one that cannot be known, for that is worth knowing.
    It lists the others.
    """
    rulings = [
        _Ruling(facet, finding) for facet in facets if (finding := finding_of(case, facet)) is not None
    ]
    if not rulings:
        return None
    strictest = rulings[0] if len(rulings) == 1 else min(rulings, key=_weight)
    finding = strictest.finding
    if finding.outcome is Outcome.ASK and any(facet.opaque for facet in facets):
        finding = replace(finding, opaque=True)
    if len(rulings) == 1:
        return finding
    others = [
        each
        for each in rulings
        if each is not strictest and each.finding.outcome is finding.outcome is not Outcome.ALLOW
    ]
    return replace(finding, reason=f"{finding.reason}{_also(case, others)}") if others else finding


def _weight(each: _Ruling) -> tuple[int, bool, bool, bool]:
    rule = each.finding.rule
    general = rule is not None and rule.general
    return _STRICTNESS.index(each.finding.outcome), rule is None, general, each.facet.opaque is None


def _also(case: Case, others: Sequence[_Ruling]) -> str:
    listed = [
        f"{_thing(case, each.facet)} by {each.finding.rule or 'the default'}" for each in others[:_LISTED]
    ]
    if len(others) > _LISTED:
        listed.append(f"{len(others) - _LISTED} more")
    return f" (also {'; '.join(listed)})"


def finding_of(case: Case, facet: Facet) -> Finding | None:
    """What the rules say about the facet; a mention that no rule speaks of is left to its own facet."""
    question = RuleQuestion(subject_of(case.call.agent), case.call.tenant, case.tool.code, facet)
    rules = case.snapshot.rules
    if rule := rules.match(Effect.DENY, question):
        reason = f"{_name(case, facet)} is denied by {rule.explained}{_hint(case, facet)}"
        return forbid(Cause.RULE_DENY, reason, rule)
    if rule := rules.match(Effect.ALLOW, question):
        return allow(Cause.RULE_ALLOW, f"{_name(case, facet)} is allowed by {rule.explained}", rule)
    if rule := rules.match(Effect.ASK, question):
        needs = f"{_name(case, facet)} needs a person's approval"
        return ask(Cause.RULE_ASK, f"{needs} by {rule.explained}{_hint(case, facet)}", rule)
    return None if facet.mention else _default(case, facet)


def _default(case: Case, facet: Facet) -> Finding:
    why = f"no rule matches {_name(case, facet)}{_hint(case, facet)}"
    cause = Cause.DEFAULT if facet.opaque is None else Cause(f"OPAQUE_{facet.opaque.code.value}")
    if case.snapshot.default is Outcome.ASK:
        return ask(cause, f"{why}, and the default is ask")
    return forbid(cause, f"{why}, and the default is deny")


def _hint(case: Case, facet: Facet) -> str:
    """What may have kept rules from matching, in words that an agent can act on."""
    if facet.opaque:
        # Some sentences name a word of the command line.
        return f" ({facet.opaque.why if case.quoting else 'it cannot be known exactly'})"
    if facet.kind is None and case.tool.arguments:
        looked_at = ", ".join(each.pointer for each in case.tool.arguments)
        return f" (the call has none of the arguments that rules look at: {looked_at})"
    return ""


def _name(case: Case, facet: Facet) -> str:
    tool = f"tool {quoted(case.tool.code)}"
    return tool if facet.kind is None else f"{tool} with {_thing(case, facet)} in {quoted(facet.pointer)}"


def _thing(case: Case, facet: Facet) -> str:
    if facet.kind is None:
        return "the call"
    if facet.misfit:
        return f"something that is no {facet.kind.value}"
    return f"{facet.kind.value} {quoted(facet.text)}" if case.quoting else f"a {facet.kind.value}"
