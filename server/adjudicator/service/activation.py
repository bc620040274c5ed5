"""The gate before activation: a bundle that reads well must also pass the tests that it brings along."""

from pathlib import Path

from adjudicator.chain.case import Case
from adjudicator.chain.judge import CHAIN, judge
from adjudicator.config.limits import Limits
from adjudicator.domain.arguments import read_arguments
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.domain.verdict import Cause, Outcome, Verdict
from adjudicator.policy.bundle_tests import BundleTest, Expected
from adjudicator.policy.loader import Bundle, read_bundle
from adjudicator.policy.problem import Problems
from adjudicator.policy.snapshot import Snapshot
from adjudicator.service.call_fields import check_fields

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


def admit(directory: Path, limits: Limits) -> Bundle:
    """The bundle in this folder, read, checked, and with all its own tests passed.

    Raises BundleError with everything that is wrong with it, and nothing else. The tests run when the
    bundle has no other problem; each is judged by the chain that judges calls, without any effect.
    """
    bundle = read_bundle(directory)
    problems = Problems()
    for test in bundle.tests:
        if failure := _guarded_failure(test, bundle.snapshot, limits):
            problems.add(test.file, f"test {test.name!a}: {failure}", test.line, test.column)
    problems.raise_any()
    return bundle


def _guarded_failure(test: BundleTest, snapshot: Snapshot, limits: Limits) -> str:
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
        check_fields(test.call, limits)
    except AdjudicatorError as error:
        return f"the call would not be judged at all: {error.message}"
    arguments = read_arguments(
        test.call.arguments_json,
        max_bytes=limits.arguments_bytes,
        max_depth=limits.arguments_depth,
        max_values=limits.arguments_values,
        max_digits=limits.arguments_digits,
    )
    # An error in a check is in the verdict, which is all that a test has to say about it.
    verdict = judge(Case(test.call, arguments, snapshot), lambda _check, _error: None)
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
