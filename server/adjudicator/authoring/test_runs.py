"""Runs a bundle's own tests: what a sidecar would say is compared with what each expects."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.approvals.request import Asked
from adjudicator.approvals.view import view_of
from adjudicator.authoring.judging import arguments_of, case_of
from adjudicator.authoring.progress import Progress, unheard
from adjudicator.chain.case import Case
from adjudicator.chain.judge import CHAIN, denials, judge
from adjudicator.config.limits import VIEW_BYTES, Limits
from adjudicator.domain.arguments import Arguments
from adjudicator.domain.call import ToolCall
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.domain.request import QUESTION, Priority
from adjudicator.domain.verdict import Cause, Outcome, RuleRef, Verdict, Violation
from adjudicator.policy.bundle_tests import (
    ApproverTest,
    BundleTest,
    CallTest,
    ContractTest,
    Expected,
    ExpectedApproval,
)
from adjudicator.policy.loader import Bundle
from adjudicator.policy.problem import Problems
from adjudicator.policy.snapshot import USER, Snapshot

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
# The same of a test that says nothing of why: a misspelt argument is no policy that denies.
_MISSPELT = frozenset({Cause.CONTRACT_VIOLATION, Cause.ARGUMENT_INVALID})
_SLIPS_UNEXPLAINED = _SLIPS | _MISSPELT


@dataclass(frozen=True, slots=True)
class Result:
    """One test, how it fails, and how long it took; the failure of one that passes is empty."""

    test: BundleTest
    failure: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Report:
    """What became of the tests that were run, in their order; `left_out` are those that nobody wanted."""

    version: str
    results: tuple[Result, ...]
    left_out: int

    @property
    def failed(self) -> tuple[Result, ...]:
        """Those that fail."""
        return tuple(result for result in self.results if result.failure)

    @property
    def passed(self) -> bool:
        """Whether some were run and none fails: an empty set of tests is never a pass."""
        return bool(self.results) and not self.failed


def run_tests(bundle: Bundle, limits: Limits, wanted: Sequence[str], progress: Progress) -> Report:
    """Run the bundle's tests; all, or those whose name or FILE:LINE has one of the texts, in any case."""
    texts = [text.casefold() for text in wanted]
    chosen = [test for test in bundle.tests if not texts or any(text in _label(test) for text in texts)]
    results = []
    for number, test in enumerate(chosen, start=1):
        began = time.perf_counter()
        failure = failure_of(test, bundle.snapshot, limits)
        results.append(Result(test, failure, time.perf_counter() - began))
        progress("running tests", number, len(chosen))
    return Report(bundle.snapshot.version, tuple(results), len(bundle.tests) - len(chosen))


def check_tests(bundle: Bundle, limits: Limits, progress: Progress = unheard) -> None:
    """Run all of the bundle's own tests. Raises BundleError with a problem for each that fails."""
    problems = Problems()
    for each in run_tests(bundle, limits, (), progress).failed:
        test = each.test
        problems.add(test.file, f"test {test.name!a}: {each.failure}", test.line, test.column)
    problems.raise_any()


def _label(test: BundleTest) -> str:
    return f"{test.file}:{test.line} {test.name}".casefold()


def failure_of(test: BundleTest, snapshot: Snapshot, limits: Limits) -> str:
    """How the test fails; empty when it passes. It raises nothing: what cannot be run has failed."""
    try:
        if isinstance(test, ApproverTest):
            return _approver_failure(test, snapshot)
        if isinstance(test, ContractTest):
            return _contract_failure(test, snapshot, limits)
        return _call_failure(test, snapshot, limits)
    except Exception as error:  # noqa: BLE001 - a fault of ours must leave the last good bundle in force
        return f"it could not be run: {type(error).__name__}; this is a fault of the sidecar"


def _call_failure(test: CallTest, snapshot: Snapshot, limits: Limits) -> str:
    checks = [check.name for check in CHAIN]
    if test.expected.check and test.expected.check not in checks:
        return f"there is no check {test.expected.check!a}; the checks are {', '.join(checks)}"
    try:
        case = case_of(test.call, snapshot, limits)
    except AdjudicatorError as error:
        return f"the call would not be judged at all: {error.message}"
    verdict = judge(case, lambda _check, _error: None)  # an error in a check is in the verdict
    if not _is_as(test.expected, verdict):
        meant = verdict.outcome is Outcome.DENY and test.expected.outcome is Outcome.DENY
        hint = f"; if that is meant, expect `cause: {verdict.cause.value}`" if meant else ""
        return f"expected {_wanted(test.expected)}, got {_found(verdict)}{hint}"
    if not test.expected.says_why and _is_unseen(case, verdict):
        return (
            f"expected DENY for what the policy says, got {_found(verdict)}; but the contract rejects the "
            f"arguments too, so rules may have had nothing to look at: correct them, or expect "
            f"`cause: {verdict.cause.value}`"
        )
    if test.expected.causes is not None:
        causes = frozenset(finding.cause for finding in denials(case))
        if causes != test.expected.causes:
            return f"expected the causes {_named(test.expected.causes)}, got {_named(causes)}"
    found = _violations(verdict.violations)
    if test.expected.violations is not None and found != test.expected.violations:
        return f"expected {_listed(test.expected.violations)}, got {_listed(found)}"
    if test.expected.approval is not None:
        return _terms_failure(test.expected.approval, case, verdict)
    return ""


def _is_unseen(case: Case, verdict: Verdict) -> bool:
    """Whether no rule matched, perhaps only since an argument is misspelt."""
    if verdict.outcome is not Outcome.DENY or verdict.cause is not Cause.DEFAULT:
        return False
    return any(finding.cause in _MISSPELT for finding in denials(case))


def _is_as(expected: Expected, verdict: Verdict) -> bool:
    """Whether the verdict is all that is expected, and is not so by mistake."""
    slips = _SLIPS if expected.says_why else _SLIPS_UNEXPLAINED
    if verdict.cause in slips and expected.cause is not verdict.cause:
        return False
    return (
        verdict.outcome is expected.outcome
        and expected.step in (None, verdict.step)
        and expected.check in ("", verdict.check)
        and expected.reason_code in (None, verdict.reason_code)
        and expected.cause in (None, verdict.cause)
        and _is_rule(expected.rule, verdict.rule)
    )


def _is_rule(wanted: str, rule: RuleRef | None) -> bool:
    if not wanted:
        return True
    return rule is not None and (wanted == str(rule) or wanted in rule.text)


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


def _violations(violations: Sequence[Violation]) -> frozenset[str]:
    return frozenset(f"{each.path} {each.keyword}".strip() for each in violations)


def _named(causes: frozenset[Cause]) -> str:
    return ", ".join(sorted(cause.value for cause in causes)) or "none"


def _listed(violations: frozenset[str]) -> str:
    return f"the violations {', '.join(map(ascii, sorted(violations)))}" if violations else "no violation"


def _terms_failure(expected: ExpectedApproval, case: Case, verdict: Verdict) -> str:
    found = _terms_of(case, verdict)
    wrong = [
        f"`{name}` {_said(getattr(found, name))}, not {_said(getattr(expected, name))}"
        for name in ExpectedApproval.__slots__
        if getattr(expected, name) not in (None, getattr(found, name))
    ]
    return f"the approval has {' and '.join(wrong)}" if wrong else ""


def _terms_of(case: Case, verdict: Verdict) -> ExpectedApproval:
    """The terms of the approval that the sidecar would open."""
    if not isinstance(case.arguments, Arguments):
        raise TypeError("a call whose arguments cannot be read is never asked about")
    tool, terms = case.tool, case.snapshot.approvals
    shown = case.snapshot.contracts[tool.code].redact(case.arguments.value)
    asked = Asked(case.call, tool, case.arguments.value, shown, verdict.cause, terms.priorities)
    return ExpectedApproval(
        quorum=tool.quorum,
        four_eyes=tool.four_eyes,
        seconds=tool.approval_seconds or terms.seconds,
        priority=view_of(asked, VIEW_BYTES).request.priority,
        options=tool.options,
        session_grants=tool.session_grants,
    )


def _said(term: object) -> str:
    if isinstance(term, bool):
        return str(term).lower()
    return ascii(list(term)) if isinstance(term, tuple) else str(getattr(term, "value", term))


def _approver_failure(test: ApproverTest, snapshot: Snapshot) -> str:
    if not test.approver.startswith(USER):
        return f"{test.approver!a} is no person; write `{USER}NAME`"
    if test.tenant not in snapshot.registry.tenants:
        return f"there is no tenant {test.tenant!a}"
    if test.tool != QUESTION and test.tool not in snapshot.registry.tools:
        return f"there is no tool {test.tool!a}; `{QUESTION}` stands for what agents ask without a call"
    for priority in _priorities(test, snapshot):
        rule = snapshot.approvers.may_decide(test.approver, test.tenant, test.tool, priority)
        if (rule is not None) is not test.may_decide:
            by = f", by {rule}" if rule else ""
            may = "may not decide" if test.may_decide else "may decide"
            return f"{test.approver} {may} on {priority.value} requests of {test.tool!a}{by}"
    if not test.may_decide and test.approver not in snapshot.approvers.people():
        return f"no row names {test.approver!a}, so this says nothing; name somebody whom the rows name"
    return ""


def _contract_failure(test: ContractTest, snapshot: Snapshot, limits: Limits) -> str:
    if test.tool not in snapshot.contracts:
        return f"there is no tool {test.tool!a}"
    call = ToolCall(tenant="", agent="", tool=test.tool, arguments_json=test.arguments_json)
    arguments = arguments_of(call, limits)
    if not isinstance(arguments, Arguments):
        return f"the arguments cannot be read: {arguments.message}"
    found = _violations(snapshot.contracts[test.tool].violations(arguments.value))
    if found == test.violations:
        return ""
    return f"expected {_listed(test.violations)}, got {_listed(found)}"


def _priorities(test: ApproverTest, snapshot: Snapshot) -> list[Priority]:
    """Those that the test is about: its own, or all that requests of the tool can have."""
    if test.priority is not None:
        return [test.priority]
    tool = snapshot.registry.tools.get(test.tool)
    least = tool.priority.rank if tool is not None and tool.priority is not None else 0
    return [priority for priority in Priority if priority.rank >= least]
