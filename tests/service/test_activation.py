"""The activation gate: the bundle's own tests are run, and pass only for the right reason."""

import shutil
from dataclasses import replace

import pytest
from adjudicator.authoring import judging
from adjudicator.chain import judge as judge_module
from adjudicator.chain.judge import CHAIN
from adjudicator.config.limits import Limits
from adjudicator.policy.loader import BundleError
from adjudicator.policy.snapshot import EvaluationError
from adjudicator.service.activation import admit
from running import POLICIES

HEAD = "defaults: {tenant: studio, agent: coder, tool: read, working_directory: /w}\ntests:\n"


@pytest.fixture
def folder(tmp_path):
    """A copy of the shipped bundle without its tests."""
    return shutil.copytree(POLICIES, tmp_path / "p", ignore=shutil.ignore_patterns("tests"))


def failures(folder, call, expect):
    """What is said of a bundle with this one test; empty when it is admitted."""
    (folder / "tests").mkdir(exist_ok=True)
    text = f"{HEAD}  - name: one\n    call: {{{call}}}\n    expect: {{{expect}}}\n"
    (folder / "tests" / "a.yaml").write_text(text)
    try:
        assert len(admit(folder, Limits()).tests) == 1
    except BundleError as error:
        return [str(problem) for problem in error.problems]
    return []


READ = 'arguments: {"path": "a"}'
ENV = 'arguments: {"path": ".env"}'

RIGHT = [
    (READ, "verdict: ALLOW"),
    (READ, "verdict: ALLOW, step: 7, check: rule_chain, reason_code: ALLOWED, cause: RULE_ALLOW"),
    (READ, 'verdict: ALLOW, rule: "path:./**"'),
    (ENV, "verdict: DENY, step: 7"),
    (ENV, "verdict: DENY, cause: RULE_DENY, rule: environment files hold secrets"),
    (f"tool: raed, {READ}", "verdict: DENY, cause: TOOL_UNKNOWN"),
    ("arguments: '{'", "verdict: DENY, cause: ARGUMENTS_MALFORMED"),
]


@pytest.mark.parametrize(("call", "expect"), RIGHT)
def test_a_test_that_gets_what_it_expects_passes(folder, call, expect):
    """What is not stated is not compared."""
    assert failures(folder, call, expect) == []


WRONG = [
    (
        ENV,
        "verdict: ALLOW",
        "expected ALLOW, got DENY at step 7 by rule_chain (FORBIDDEN, RULE_DENY, rules.csv:",
    ),
    (READ, "verdict: ASK", "expected ASK, got ALLOW at step 7"),
    (READ, "verdict: DENY, step: 7", "expected DENY at step 7, got ALLOW at step 7"),
    (ENV, "verdict: DENY, step: 6", "expected DENY at step 6, got DENY at step 7"),
    (ENV, "verdict: DENY, check: approval_gate", "by approval_gate, got DENY at step 7 by rule_chain"),
    (ENV, "verdict: DENY, reason_code: VALIDATION", "with VALIDATION, got DENY"),
    (ENV, "verdict: DENY, cause: DEFAULT", "if that is meant, expect `cause: RULE_DENY`"),
    (READ, "verdict: ALLOW, rule: drafts", "by rule 'drafts', got ALLOW at step 7"),
    (READ, "verdict: ALLOW, rule: rules.csv:1", "by rule 'rules.csv:1', got ALLOW"),
    ("arguments: {}", "verdict: DENY, rule: a", "got DENY at step 7 by rule_chain (FORBIDDEN, DEFAULT): "),
    (ENV, "verdict: DENY, check: rules", "there is no check 'rules'; the checks are tenant_context, "),
    (f"principal: ann, {READ}", "verdict: ALLOW", "the call would not be judged at all: call.principal: "),
    (
        f"working_directory: w, {READ}",
        "verdict: ALLOW",
        "call.working_directory: has to be an absolute path",
    ),
    # A slip in the test is no denial that it may be content with.
    (f"tenant: studoi, {READ}", "verdict: DENY, step: 1", "expect `cause: TENANT_UNKNOWN`"),
    (f"agent: codr, {READ}", "verdict: DENY, step: 2", "expect `cause: AGENT_UNKNOWN`"),
    (f"on_behalf_of: [codr], {READ}", "verdict: DENY, step: 2", "expect `cause: AGENT_UNKNOWN`"),
    (f"tool: raed, {READ}", "verdict: DENY, step: 3", "expect `cause: TOOL_UNKNOWN`"),
    ("arguments: '{'", "verdict: DENY, step: 8", "expect `cause: ARGUMENTS_MALFORMED`"),
]


@pytest.mark.parametrize(("call", "expect", "message"), WRONG)
def test_a_test_that_gets_anything_else_is_a_problem_of_the_bundle(folder, call, expect, message):
    """With its place, its name, what it expects, and all that explains what it got."""
    (problem,) = failures(folder, call, expect)
    assert problem.startswith("tests/a.yaml:3:5: test 'one': ")
    assert message in problem


def test_all_failing_tests_are_listed(folder):
    """Not only the first; those that pass are not mentioned."""
    (folder / "tests").mkdir()
    one = '  - name: {0}\n    call: {{arguments: {{"path": "{0}"}}}}\n    expect: {{verdict: ALLOW}}\n'
    (folder / "tests" / "a.yaml").write_text(HEAD + "".join(map(one.format, [".env", "a", ".ssh/x"])))
    with pytest.raises(BundleError) as raised:
        admit(folder, Limits())
    assert [(each.file, each.line) for each in raised.value.problems] == [
        ("tests/a.yaml", 3),
        ("tests/a.yaml", 9),
    ]


@pytest.mark.parametrize("error", [EvaluationError("division by zero"), ZeroDivisionError("x")])
def test_a_check_that_fails_is_no_denial_to_be_content_with(folder, monkeypatch, error):
    """A policy that cannot be evaluated denies, and no test that expects a denial passes for that."""

    def fails(_case, _so_far):
        raise error

    broken = tuple(replace(each, run=fails) if each.name == "rule_chain" else each for each in CHAIN)
    monkeypatch.setattr(judge_module, "CHAIN", broken)
    (problem,) = failures(folder, ENV, "verdict: DENY, step: 7")
    assert "EVALUATION_FAILED" in problem


def test_a_bundle_with_other_problems_is_refused_for_those(folder):
    """Its tests would tell of consequences, not of causes."""
    (folder / "rules.csv").write_text("")
    (problem,) = failures(folder, READ, "verdict: ALLOW")
    assert problem.startswith("rules.csv")


def test_a_bundle_without_tests_is_admitted(folder):
    """Tests are a help and not a duty."""
    assert admit(folder, Limits()).tests == ()


def test_tests_are_judged_within_the_limits_of_calls(folder):
    """What is too large for a call is too large for a test."""
    shutil.copytree(POLICIES / "tests", folder / "tests")
    with pytest.raises(BundleError, match="ARGUMENTS_TOO_LARGE"):
        admit(folder, Limits(arguments_bytes=4))


@pytest.mark.parametrize("left_out", CHAIN, ids=lambda check: check.name)
def test_the_shipped_tests_fail_without_any_one_of_the_checks(left_out, monkeypatch):
    """Each check of the chain is there for a test of the shipped bundle: none can be lost unseen."""
    assert admit(POLICIES, Limits()).tests
    remaining = tuple(check for check in CHAIN if check is not left_out)
    monkeypatch.setattr(judge_module, "CHAIN", remaining)
    with pytest.raises(BundleError) as raised:
        admit(POLICIES, Limits())
    assert all(": expected " in str(problem) for problem in raised.value.problems)


def test_the_gate_judges_with_the_chain_that_judges_calls():
    """There is no second chain that could be kinder."""
    assert judging.judge is judge_module.judge
