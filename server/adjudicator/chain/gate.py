"""S7: the ordered rules Deny, Allow, Ask, default on every facet; then the approval."""

from adjudicator.chain.case import Case, Finding, allow, ask, deny, forbid
from adjudicator.chain.contract import unreadable
from adjudicator.chain.rulings import ruling
from adjudicator.domain.approval import ApprovalState
from adjudicator.domain.arguments import Arguments, Fault
from adjudicator.domain.call import Mode, quoted
from adjudicator.domain.facet import Access, Facet
from adjudicator.domain.grant import Grant, GrantScope
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode
from adjudicator.facets.bounds import InvalidArgumentError, TooComplexError
from adjudicator.facets.derive import derive
from adjudicator.policy.registry import SessionGrants

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

_ENDED: dict[Cause, str] = {
    Cause.APPROVAL_SKIPPED: "a person skipped the call; go on without it",
    Cause.CALL_WITHDRAWN: "the call was withdrawn",
    Cause.SESSION_CLOSED: "the session of the call is closed; a new one needs a new id",
}


def rule_chain(case: Case, _: Finding | None) -> Finding | None:
    """Every facet of the call is judged by Deny, Allow, Ask, default; the strictest result wins."""
    if isinstance(case.arguments, Fault):
        return unreadable(case.arguments)  # nothing to match rules against: the contract's denial
    if case.has_mode(Mode.READ_ONLY) and case.tool.access is Access.WRITE:
        return forbid(
            Cause.MODE_READ_ONLY, f"the mode is read_only and tool {quoted(case.tool.code)} writes"
        )
    try:
        facets = facets_of(case, case.arguments)
    except TooComplexError as error:
        return forbid(Cause.TOO_COMPLEX, f"{error}, so rules cannot look at it; split the call")
    except InvalidArgumentError as error:
        return deny(ReasonCode.VALIDATION, Cause.ARGUMENT_INVALID, str(error))
    strictest = ruling(case, facets)
    if strictest is not None and strictest.outcome is Outcome.ALLOW and case.has_mode(Mode.ASK_ALWAYS):
        return ask(Cause.MODE_ASK_ALWAYS, "the mode is ask_always", strictest.rule)
    return strictest


def facets_of(case: Case, arguments: Arguments) -> tuple[Facet, ...]:
    """What the call touches, as rules see it. Raises TooComplexError and InvalidArgumentError."""
    return derive(
        arguments.value, case.tool.arguments, case.call.working_directory, dict(case.call.resolved_paths)
    )


def approval_gate(case: Case, so_far: Finding | None) -> Finding | None:
    """A call that asks, or whose tool always requires it, has an approval for exactly this call.

    Where people need not see each call, a grant of its session does as well.
    """
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
        if case.grant is not None and grants(case, case.grant, asked):
            return allow(Cause.GRANTED, f"grant {case.grant.id} covers the call", asked.rule)
        return None if asked is so_far else asked
    if case.approval is ApprovalState.APPROVED:
        return allow(Cause.APPROVED, "exactly this call was approved", asked.rule)
    return closed(case.approval)


def grants(case: Case, grant: Grant, asked: Finding) -> bool:
    """Whether a grant may take the place of a person's answer to what is asked here.

    Never where each call is to be seen by people, or by several of them, and never for what cannot be known
    before it runs, unless exactly the same call was seen.
    """
    tool = case.tool
    return (
        grant.is_for(case.call)
        and tool.session_grants is not SessionGrants.NEVER
        and not tool.require_approval
        and tool.quorum <= 1
        and not case.has_mode(Mode.ASK_ALWAYS)
        and (not asked.opaque or grant.scope is GrantScope.ARGUMENTS)
    )


def closed(state: ApprovalState) -> Finding:
    """The denial of a call whose approval is in a final state."""
    cause, reason = _CLOSED[state]
    return deny(ReasonCode.STATE_ILLEGAL, cause, reason)


def ended(cause: Cause) -> Finding:
    """The denial of a call whose approval came to its end for a cause of its own."""
    return deny(ReasonCode.STATE_ILLEGAL, cause, _ENDED[cause])
