"""What each check of the chain says about one call, those included that the chain does not reach.

The checks are those of the chain itself, and each is asked as the chain asks it.
"""

from dataclasses import dataclass

from adjudicator.chain.case import Case, Finding, deny
from adjudicator.chain.judge import CHAIN, Check
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode, Step, Verdict
from adjudicator.policy.snapshot import EvaluationError

__all__ = ["Answer", "Finding", "StepAnswer", "step_answers"]


class Answer(Symbol):
    """What a check came to."""

    PASSED = "passed"
    ALLOWED = "allowed"
    ASKED = "asked"
    DENIED = "denied"
    UNTOLD = "untold"


_ANSWERS = {Outcome.ALLOW: Answer.ALLOWED, Outcome.ASK: Answer.ASKED, Outcome.DENY: Answer.DENIED}


@dataclass(frozen=True, slots=True)
class StepAnswer:
    """One check, whether the chain reached it, and what it found; nothing is the same as passed.

    `decides` marks the check that the verdict names. Of a check that is not `reached` the finding is what
    it would say. `note` says why it cannot tell, or whose finding counts elsewhere.
    """

    check: Check
    reached: bool
    finding: Finding | None = None
    decides: bool = False
    note: str = ""
    untold: bool = False

    @property
    def answer(self) -> Answer:
        """What it came to."""
        if self.untold:
            return Answer.UNTOLD
        return Answer.PASSED if self.finding is None else _ANSWERS[self.finding.outcome]


def step_answers(case: Case, verdict: Verdict) -> tuple[StepAnswer, ...]:
    """Every check in the order of the chain; `verdict` is what the chain says about the case."""
    answers: list[StepAnswer] = []
    so_far: Finding | None = None
    moved: Finding | None = None
    reached = True
    for check in CHAIN:
        answer = _asked(check, case, so_far, reached=reached)
        finding = answer.finding
        if moved is not None and check.step is Step.CONTRACT:
            answer = StepAnswer(check, reached=True, finding=moved)
        elif reached and _is_the_contracts(check, finding):
            moved = finding
            note = "it has nothing to look at: what it found fails the contract, S8"
            answer = StepAnswer(check, reached=True, note=note)
        answers.append(_marked(answer, verdict))
        if finding is not None and finding.outcome is Outcome.DENY:
            reached = False
        elif finding is not None and (so_far is None or so_far.outcome is not Outcome.ASK):
            so_far = finding
    return tuple(answers)


def _is_the_contracts(check: Check, finding: Finding | None) -> bool:
    is_of_arguments = finding is not None and finding.reason_code is ReasonCode.VALIDATION
    return is_of_arguments and check.step is not Step.CONTRACT


def _asked(check: Check, case: Case, so_far: Finding | None, *, reached: bool) -> StepAnswer:
    try:
        return StepAnswer(check, reached, check.run(case, so_far))
    except EvaluationError as error:
        where = f" in {error.rule}" if error.rule else ""
        return StepAnswer(check, reached, _failed(f"the policy fails{where}: {error.message}", error))
    except Exception as error:  # noqa: BLE001 - the chain denies whatever a check fails with
        if not reached:
            note = "it cannot be told before the steps above it pass"
            return StepAnswer(check, reached, note=note, untold=True)
        return StepAnswer(check, reached, _failed(f"it fails with {type(error).__name__}", None))


def _failed(reason: str, error: EvaluationError | None) -> Finding:
    rule = error.rule if error else None
    return deny(ReasonCode.EVALUATION_ERROR, Cause.EVALUATION_FAILED, reason, rule)


def _marked(answer: StepAnswer, verdict: Verdict) -> StepAnswer:
    """The answer with the verdict's own words where it is the one that decides."""
    if not answer.reached or answer.check.name != verdict.check:
        return answer
    finding = Finding(
        verdict.outcome,
        verdict.reason_code,
        verdict.cause,
        verdict.reason,
        verdict.rule,
        verdict.violations,
    )
    return StepAnswer(answer.check, reached=True, finding=finding, decides=True, note=answer.note)
