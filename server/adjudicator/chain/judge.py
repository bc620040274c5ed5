"""The chain itself: the one list of steps that is run, and that is shown to whoever asks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from adjudicator.chain import contract, gate, identity, scope
from adjudicator.chain.case import Case, Finding, deny
from adjudicator.domain.approval import ApprovalState
from adjudicator.domain.call import printable
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode, Step, Verdict
from adjudicator.policy.snapshot import EvaluationError

Run = Callable[[Case, Finding | None], Finding | None]


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a step.

    `name` is what verdicts carry and `description` what it requires, in a sentence. `run` gets the case
    and what the checks before it found so far. Beside `denies_with` any check can deny with
    EVALUATION_ERROR.
    """

    step: Step
    name: str
    run: Run
    denies_with: ReasonCode
    description: str


Report = Callable[[Check, Exception], None]

CHAIN: tuple[Check, ...] = (
    Check(
        Step.TENANT,
        "tenant_context",
        identity.tenant_context,
        ReasonCode.TENANT_MISSING,
        "The tenant is named, known and enabled.",
    ),
    Check(
        Step.AGENT,
        "agent_registered",
        identity.agent_registered,
        ReasonCode.FORBIDDEN,
        "The agent, and every agent it acts on behalf of, is known in the tenant and enabled.",
    ),
    Check(
        Step.TOOL,
        "tool_registered",
        identity.tool_registered,
        ReasonCode.FORBIDDEN,
        "The tool is registered and on the tenant's allow-list.",
    ),
    Check(
        Step.ENABLED,
        "tool_enabled",
        identity.tool_enabled,
        ReasonCode.FORBIDDEN,
        "The tool is enabled.",
    ),
    Check(
        Step.PERMISSION,
        "permission_domain",
        identity.permission_domain,
        ReasonCode.FORBIDDEN,
        "The agent holds the permission that the tool requires in this tenant, and no row takes it away.",
    ),
    Check(
        Step.SCOPE,
        "agent_scope",
        scope.agent_scope,
        ReasonCode.FORBIDDEN,
        "The tool is within the scope of every agent in the call, and a critic never writes.",
    ),
    Check(
        Step.GATE,
        "rule_chain",
        gate.rule_chain,
        ReasonCode.FORBIDDEN,
        "Every facet of the call is judged by Deny, Allow, Ask, default; the strictest result wins.",
    ),
    Check(
        Step.GATE,
        "approval_gate",
        gate.approval_gate,
        ReasonCode.STATE_ILLEGAL,
        "A call that asks, or whose tool always requires it, has an approval for exactly this call, or a "
        "grant of its session.",
    ),
    Check(
        Step.CONTRACT,
        "input_contract",
        contract.input_contract,
        ReasonCode.VALIDATION,
        "The arguments are one strict JSON object that satisfies the tool's JSON Schema.",
    ),
)
_APPROVAL_GATE, _CONTRACT = CHAIN[-2:]


def judge(case: Case, report: Report) -> Verdict:
    """Run the chain. The first denial ends it; without an express Allow the answer is a denial.

    An error in a check is a denial, and is handed to `report` with the check it came from.
    """
    decided_by, so_far = CHAIN[0], None
    for check in CHAIN:
        try:
            finding = check.run(case, so_far)
        except Exception as error:  # noqa: BLE001 - an error of any kind must not let a call through
            report(check, error)
            finding = _failed(check, error)
        if finding is None:
            continue
        if finding.reason_code is ReasonCode.VALIDATION:
            check = _CONTRACT  # noqa: PLW2901 - arguments that no rule can read fail the contract
        if finding.outcome is Outcome.DENY:
            return _verdict(case, check, finding, reached=check.step)
        if so_far is None or so_far.outcome is not Outcome.ASK or _lifts(finding, case):
            decided_by, so_far = check, finding
    return _verdict(case, decided_by, so_far or _nothing_allowed(), reached=CHAIN[-1].step)


def denials(case: Case) -> Iterator[Finding]:
    """All that would deny the call, each for itself, in the order of the chain.

    A call is denied by the first. The others say what would still stand without it. Behind a denial at S1,
    S2 or S3 there is nothing to look at.
    """
    so_far: Finding | None = None
    for check in CHAIN:
        found = _findings(check, case, so_far)
        denied = [finding for finding in found if finding.outcome is Outcome.DENY]
        yield from denied
        if denied and check.step <= Step.TOOL:
            return
        so_far = next((finding for finding in found if finding not in denied), so_far)


def _findings(check: Check, case: Case, so_far: Finding | None) -> list[Finding]:
    """All that a check finds, where the chain needs only the first."""
    try:
        if check.run is scope.agent_scope:
            return list(scope.denials(case))
        finding = check.run(case, so_far)
    except Exception as error:  # noqa: BLE001 - as in the chain: an error of any kind denies
        finding = _failed(check, error)
    return [] if finding is None else [finding]


def _lifts(finding: Finding, case: Case) -> bool:
    """Whether the finding may take the place of an ask: nothing but a person's approval or grant may."""
    approved = finding.cause is Cause.APPROVED and case.approval is ApprovalState.APPROVED
    return approved or (finding.cause is Cause.GRANTED and case.grant is not None)


def refuse(case: Case, cause: Cause, reason: str) -> Verdict:
    """A denial by the state of the call's own record, which the chain cannot know."""
    finding = deny(ReasonCode.STATE_ILLEGAL, cause, reason)
    return _verdict(case, _APPROVAL_GATE, finding, reached=Step.GATE)


def fail(case: Case, error: EvaluationError) -> Verdict:
    """The denial of a call whose arguments the policy fails to redact."""
    finding = deny(ReasonCode.EVALUATION_ERROR, Cause.EVALUATION_FAILED, error.message, error.rule)
    return _verdict(case, _CONTRACT, finding, reached=_CONTRACT.step)


def close(asked: Verdict, state: ApprovalState) -> Verdict:
    """The denial that ends an ASK when its approval has come to a final state."""
    return _closed(asked, gate.closed(state))


def end(asked: Verdict, cause: Cause, because: str = "") -> Verdict:
    """The denial that ends an ASK for a cause of its own: skipped, withdrawn, or its session closed.

    `because` is what whoever ended it says of it.
    """
    verdict = _closed(asked, gate.ended(cause))
    return replace(verdict, reason=f"{verdict.reason}: {because}") if because else verdict


def _closed(asked: Verdict, finding: Finding) -> Verdict:
    return replace(
        asked,
        outcome=finding.outcome,
        step=_APPROVAL_GATE.step,
        check=_APPROVAL_GATE.name,
        reason_code=finding.reason_code,
        cause=finding.cause,
        reason=finding.reason,
        approval_expires_at=None,
        replayed=False,
    )


def _failed(check: Check, error: Exception) -> Finding:
    """The denial for whatever went wrong in a check; it says where."""
    if not isinstance(error, EvaluationError):
        reason = f"check {check.name} failed with {type(error).__name__}"
        return deny(ReasonCode.EVALUATION_ERROR, Cause.EVALUATION_FAILED, reason)
    where = f" in {error.rule}" if error.rule else ""
    reason = f"the policy failed while it was evaluated{where}: {error.message}"
    return deny(ReasonCode.EVALUATION_ERROR, Cause.EVALUATION_FAILED, reason, error.rule)


def _nothing_allowed() -> Finding:
    return deny(ReasonCode.FORBIDDEN, Cause.DEFAULT, "no check allowed the call")


def _verdict(case: Case, check: Check, finding: Finding, reached: Step) -> Verdict:
    tool = case.snapshot.registry.tools.get(case.call.tool)
    return Verdict(
        outcome=finding.outcome,
        step=check.step,
        check=check.name,
        step_reached=reached,
        reason_code=finding.reason_code,
        cause=finding.cause,
        reason=finding.reason,
        tool=printable(case.call.tool),
        agent=printable(case.call.agent),
        policy_version=case.snapshot.version,
        tool_status=tool.status if tool else None,
        disable_reason=tool.disable_reason if tool else "",
        rule=finding.rule,
        violations=finding.violations,
        call_id=case.call.call_id,
        grant_id=case.grant.id if case.grant is not None and finding.cause is Cause.GRANTED else "",
    )
