"""S7: the ordered rules Deny, Allow, Ask, default on every facet; then the approval."""

from dataclasses import replace

from adjudicator.chain.case import Case, Finding, allow, ask, deny, forbid
from adjudicator.chain.contract import unreadable
from adjudicator.domain.approval import ApprovalState
from adjudicator.domain.arguments import Fault
from adjudicator.domain.call import Mode, quoted
from adjudicator.domain.facet import Access, Facet
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode
from adjudicator.facets.bounds import InvalidArgumentError, TooComplexError
from adjudicator.facets.derive import derive
from adjudicator.policy.snapshot import Effect, RuleQuestion, subject_of

# The strictest first.
_STRICTNESS = (Outcome.DENY, Outcome.ASK, Outcome.ALLOW)

_CLOSED: dict[ApprovalState, tuple[Cause, str]] = {
    ApprovalState.DENIED: (Cause.APPROVAL_DENIED, "a person denied the call"),
    ApprovalState.EXPIRED: (
        Cause.APPROVAL_EXPIRED,
        "nobody decided and used the approval in time; silence is not consent",
    ),
    ApprovalState.CANCELLED: (Cause.APPROVAL_CANCELLED, "the approval was cancelled"),
    ApprovalState.CONSUMED: (
        Cause.APPROVAL_CONSUMED,
        "the approval has been used; it serves one call once",
    ),
}


def rule_chain(case: Case, _: Finding | None) -> Finding | None:
    """Every facet of the call is judged by Deny, Allow, Ask, default; the strictest result wins."""
    if isinstance(case.arguments, Fault):
        return unreadable(case.arguments)  # nothing to match rules against: the contract's denial
    if Mode.READ_ONLY in case.modes and case.tool.access is Access.WRITE:
        return forbid(
            Cause.MODE_READ_ONLY, f"the mode is read_only and tool {quoted(case.tool.code)} writes"
        )
    try:
        facets = derive(
            case.arguments.value,
            case.tool.arguments,
            case.call.working_directory,
            dict(case.call.resolved_paths),
        )
    except TooComplexError as error:
        return forbid(Cause.TOO_COMPLEX, f"{error}, so rules cannot look at it; split the call")
    except InvalidArgumentError as error:
        return deny(ReasonCode.VALIDATION, Cause.ARGUMENT_INVALID, str(error))
    rulings = [ruling for facet in facets if (ruling := _ruling(case, facet)) is not None]
    strictest = _strictest(rulings)
    if strictest is not None and strictest.outcome is Outcome.ALLOW and Mode.ASK_ALWAYS in case.modes:
        return ask(Cause.MODE_ASK_ALWAYS, "the mode is ask_always", strictest.rule)
    return strictest


def approval_gate(case: Case, so_far: Finding | None) -> Finding | None:
    """A call that asks, or whose tool always requires it, has an approval for exactly this call."""
    asked = so_far
    if asked is None or asked.outcome is not Outcome.ASK:
        if not case.tool.require_approval:
            return None
        asked = ask(
            Cause.TOOL_REQUIRES_APPROVAL,
            f"the registry says that tool {quoted(case.tool.code)} always requires an approval",
        )
    if case.tool.four_eyes and not case.call.principal:
        return deny(
            ReasonCode.STATE_ILLEGAL,
            Cause.PRINCIPAL_MISSING,
            f"tool {quoted(case.tool.code)} needs four eyes, and the call names no principal to keep apart",
        )
    if case.approval is None or case.approval is ApprovalState.PENDING:
        return None if asked is so_far else asked
    if case.approval is ApprovalState.APPROVED:
        return allow(Cause.APPROVED, "exactly this call was approved", asked.rule)
    return closed(case.approval)


def closed(state: ApprovalState) -> Finding:
    """The denial of a call whose approval is in a final state."""
    cause, reason = _CLOSED[state]
    return deny(ReasonCode.STATE_ILLEGAL, cause, reason)


def _strictest(rulings: list[Finding]) -> Finding | None:
    """The strictest ruling, the first of its kind; it says how many more there are of that kind."""
    strictest = min(rulings, key=_by_strictness, default=None)
    if strictest is None or strictest.outcome is Outcome.ALLOW:
        return strictest
    more = sum(ruling.outcome is strictest.outcome for ruling in rulings) - 1
    if not more:
        return strictest
    return replace(
        strictest, reason=f"{strictest.reason} (and the same for {more} more of what it touches)"
    )


def _by_strictness(finding: Finding) -> int:
    return _STRICTNESS.index(finding.outcome)


def _ruling(case: Case, facet: Facet) -> Finding | None:
    """What the rules say about the facet; a mention that no rule speaks of is left to its own facet."""
    question = RuleQuestion(subject_of(case.call.agent), case.call.tenant, case.tool.code, facet)
    rules = case.snapshot.rules
    what = _name(case, facet)
    if rule := rules.match(Effect.DENY, question):
        return forbid(Cause.RULE_DENY, f"{what} is denied by {rule.explained}", rule)
    if rule := rules.match(Effect.ALLOW, question):
        return allow(Cause.RULE_ALLOW, f"{what} is allowed by {rule.explained}", rule)
    if rule := rules.match(Effect.ASK, question):
        why = f"{what} needs a person's approval by {rule.explained}{_hint(case, facet)}"
        return ask(Cause.RULE_ASK, why, rule)
    return None if facet.mention else _default(case, facet, what)


def _default(case: Case, facet: Facet, what: str) -> Finding:
    why = f"no rule matches {what}{_hint(case, facet)}"
    cause = Cause.DEFAULT if facet.opaque is None else Cause(f"OPAQUE_{facet.opaque.code.value}")
    if case.snapshot.default is Outcome.ASK:
        return ask(cause, f"{why}, and the default is ask")
    return forbid(cause, f"{why}, and the default is deny")


def _hint(case: Case, facet: Facet) -> str:
    """What may have kept rules from matching, in words that an agent can act on."""
    if facet.opaque:
        return f" ({facet.opaque.why})"
    if facet.kind is None and case.tool.arguments:
        looked_at = ", ".join(each.pointer for each in case.tool.arguments)
        return f" (the call has none of the arguments that rules look at: {looked_at})"
    return ""


def _name(case: Case, facet: Facet) -> str:
    tool = f"tool {quoted(case.tool.code)}"
    if facet.kind is None:
        return tool
    if facet.misfit:
        return f"{tool} with something that is no {facet.kind.value} in {quoted(facet.pointer)}"
    return f"{tool} with {facet.kind.value} {quoted(facet.text)} in {quoted(facet.pointer)}"
