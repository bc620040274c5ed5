"""Runs a bundle's own tests: each is judged as a call would be, and compared with what it expects."""

from adjudicator.authoring.judging import judged
from adjudicator.authoring.progress import Progress, unheard
from adjudicator.chain.judge import CHAIN
from adjudicator.config.limits import Limits
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.domain.verdict import Cause, Outcome, Verdict
from adjudicator.policy.bundle_tests import BundleTest, Expected
from adjudicator.policy.loader import Bundle
from adjudicator.policy.problem import Problems
from adjudicator.policy.snapshot import Snapshot

# What a slip in the test itself comes to, and a fault in the policy: only a test that names one means it.
_SLIPS = frozenset(
    {
        Cause.TENANT_UNKNOWN,
        Cause.AGENT_UNKNOWN,
        Cause.TOOL_UNKNOWN,
        Cause.ARGUMENTS_MALFORMED,
        Cause.ARGUMENTS_TOO_LARGE,
        Cause.EVALUATION_FAILED,
    }
)


def run_tests(bundle: Bundle, limits: Limits, progress: Progress = unheard) -> None:
    """Run all the bundle's own tests. Raises BundleError with a problem for each that fails."""
    problems = Problems()
    for number, test in enumerate(bundle.tests):
        progress("running the bundle's tests", number, len(bundle.tests))
        if failure := failure_of(test, bundle.snapshot, limits):
            problems.add(test.file, f"test {test.name!a}: {failure}", test.line, test.column)
    problems.raise_any()


def failure_of(test: BundleTest, snapshot: Snapshot, limits: Limits) -> str:
    """How the test fails; empty when it passes. It raises nothing: what cannot be run has failed."""
    try:
        return _failure(test, snapshot, limits)
    except Exception as error:  # noqa: BLE001 - a fault of ours must leave the last good bundle in force
        return f"it could not be run: {type(error).__name__}; this is a fault of the sidecar"


def _failure(test: BundleTest, snapshot: Snapshot, limits: Limits) -> str:
    """How the test fails; empty when it passes."""
    checks = [check.name for check in CHAIN]
    if test.expected.check and test.expected.check not in checks:
        return f"there is no check {test.expected.check!a}; the checks are {', '.join(checks)}"
    try:
        verdict = judged(test.call, snapshot, limits)
    except AdjudicatorError as error:
        return f"the call would not be judged at all: {error.message}"
    if _is_as(test.expected, verdict):
        return ""
    meant = verdict.outcome is Outcome.DENY and test.expected.outcome is Outcome.DENY
    hint = f"; if that is meant, expect `cause: {verdict.cause.value}`" if meant else ""
    return f"expected {_wanted(test.expected)}, got {_found(verdict)}{hint}"


def _is_as(expected: Expected, verdict: Verdict) -> bool:
    """Whether the verdict is all that is expected, and is not so by mistake."""
    if verdict.cause in _SLIPS and expected.cause is not verdict.cause:
        return False
    return (
        verdict.outcome is expected.outcome
        and expected.step in (None, verdict.step)
        and expected.check in ("", verdict.check)
        and expected.reason_code in (None, verdict.reason_code)
        and expected.cause in (None, verdict.cause)
        and _is_rule(expected.rule, verdict)
    )


def _is_rule(wanted: str, verdict: Verdict) -> bool:
    if not wanted:
        return True
    return verdict.rule is not None and (wanted == str(verdict.rule) or wanted in verdict.rule.text)


def _wanted(expected: Expected) -> str:
    parts = [
        f"at step {expected.step}" if expected.step else "",
        f"by {expected.check}" if expected.check else "",
        f"with {expected.reason_code.value}" if expected.reason_code else "",
        f"because of {expected.cause.value}" if expected.cause else "",
        f"by rule {expected.rule!a}" if expected.rule else "",
    ]
    return " ".join([expected.outcome.value, *filter(None, parts)])


def _found(verdict: Verdict) -> str:
    rule = f", {verdict.rule}" if verdict.rule else ""
    what = f"{verdict.outcome.value} at step {verdict.step} by {verdict.check}"
    return f"{what} ({verdict.reason_code.value}, {verdict.cause.value}{rule}): {verdict.reason}"
