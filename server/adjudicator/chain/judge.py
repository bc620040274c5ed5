"""The chain itself: the one list of steps that is run, and that is shown to whoever asks."""

from collections.abc import Callable
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
    """One check. `run` gets the case and what the checks before it found so far."""

    step: Step
    run: Run
    denies_with: tuple[ReasonCode, ...]

    @property
    def name(self) -> str:
        """The name that verdicts carry."""
        return self.run.__name__

    @property
    def description(self) -> str:
        """What the check requires, in a sentence."""
        return self.run.__doc__ or ""


CHAIN: tuple[Check, ...] = (
    Check(Step.TENANT, identity.tenant_context, (ReasonCode.TENANT_MISSING,)),
    Check(Step.AGENT, identity.agent_registered, (ReasonCode.FORBIDDEN,)),
    Check(Step.TOOL, identity.tool_registered, (ReasonCode.FORBIDDEN,)),
    Check(Step.ENABLED, identity.tool_enabled, (ReasonCode.FORBIDDEN,)),
    Check(Step.PERMISSION, identity.permission_domain, (ReasonCode.FORBIDDEN,)),
    Check(Step.SCOPE, scope.agent_scope, (ReasonCode.FORBIDDEN,)),
    Check(Step.GATE, gate.rule_chain, (ReasonCode.FORBIDDEN,)),
    Check(Step.GATE, gate.approval_gate, (ReasonCode.STATE_ILLEGAL,)),
    Check(Step.CONTRACT, contract.input_contract, (ReasonCode.VALIDATION,)),
)
_CONTRACT = CHAIN[-1]


def judge(case: Case) -> Verdict:
    """Run the chain. The first denial ends it; without an express Allow the answer is a denial."""
    decided_by, so_far = CHAIN[0], None
    for check in CHAIN:
        finding = _guarded(check, case, so_far)
        if finding is None:
            continue
        if finding.reason_code is ReasonCode.VALIDATION:
            check = _CONTRACT  # noqa: PLW2901 - arguments that no rule can read fail the contract
        decided_by, so_far = check, finding
        if finding.outcome is Outcome.DENY:
            return _verdict(case, check, finding, reached=check.step)
    return _verdict(case, decided_by, so_far or _nothing_allowed(), reached=CHAIN[-1].step)


def refuse(case: Case, cause: Cause, reason: str) -> Verdict:
    """A denial by the state of the call's own record, which the chain cannot know."""
    finding = deny(ReasonCode.STATE_ILLEGAL, cause, reason)
    return _verdict(case, _check_named(gate.approval_gate), finding, reached=Step.GATE)


def close(asked: Verdict, state: ApprovalState) -> Verdict:
    """The denial that ends an ASK when its approval has come to a final state."""
    finding = gate.closed(state)
    check = _check_named(gate.approval_gate)
    return replace(
        asked,
        outcome=finding.outcome,
        step=check.step,
        check=check.name,
        reason_code=finding.reason_code,
        cause=finding.cause,
        reason=finding.reason,
        approval_expires_at=None,
        replayed=False,
    )


def _guarded(check: Check, case: Case, so_far: Finding | None) -> Finding | None:
    """Run one check; whatever goes wrong in it is a denial that says where."""
    try:
        return check.run(case, so_far)
    except EvaluationError as error:
        where = f" in {error.rule}" if error.rule else ""
        reason = f"the policy failed while it was evaluated{where}: {error.message}"
        return deny(ReasonCode.EVALUATION_ERROR, Cause.EVALUATION_FAILED, reason, error.rule)
    except Exception as error:  # noqa: BLE001 - an error of any kind must not let a call through
        reason = f"check {check.name} failed with {type(error).__name__}"
        return deny(ReasonCode.EVALUATION_ERROR, Cause.EVALUATION_FAILED, reason)


def _nothing_allowed() -> Finding:
    return deny(ReasonCode.FORBIDDEN, Cause.DEFAULT, "no check allowed the call")


def _check_named(run: Run) -> Check:
    return next(check for check in CHAIN if check.run is run)


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
    )
