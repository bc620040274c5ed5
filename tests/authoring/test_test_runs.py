"""What a bundle's own tests notice beside the outcome, and what never passes for what they mean."""

import shutil

import pytest
from adjudicator.authoring.judging import case_of
from adjudicator.authoring.test_runs import failure_of
from adjudicator.chain.judge import denials, judge
from adjudicator.config.limits import Limits
from adjudicator.domain.verdict import Outcome
from adjudicator.policy.bundle_tests import CallTest
from adjudicator.policy.loader import read_bundle
from running import POLICIES

HEAD = "defaults: {tenant: studio, agent: coder, tool: read, working_directory: /w}\n"
DEPLOY = 'tool: deploy, principal: "user:ann", arguments: {"environment": "staging", "version": "1.4.0"}'


def failures(tmp_path, text):
    """How the tests of this file fail in the shipped bundle, those that do."""
    folder = shutil.copytree(POLICIES, tmp_path / "p", ignore=shutil.ignore_patterns("tests"))
    (folder / "tests").mkdir()
    (folder / "tests" / "a.yaml").write_text(HEAD + text)
    bundle = read_bundle(folder)
    assert bundle.tests
    return [failure for test in bundle.tests if (failure := failure_of(test, bundle.snapshot, Limits()))]


@pytest.mark.parametrize(
    "item",
    [
        'must_deny: [{arguments: {"path": ".env"}}]',
        'must_deny: [{arguments: {"path": "/srv/x"}}]',
        'must_deny: [{arguments: {"paht": "a"}, because: {cause: DEFAULT}}]',
        'must_deny: [{arguments: {"path": ".env", "off": 1}}]',
        'must_deny: [{agent: critic, tool: write, arguments: {"path": "a"}, because: {step: 5}}]',
        "must_deny: [{arguments: {}, tool: bash, because: {step: 8, violations: [required]}}]",
        'must_ask: [{tool: bash, arguments: {"command": "x"}}]',
        'must_allow: [{arguments: {"path": "a"}, because: {rule: "path:./**"}}]',
    ],
)
def test_what_must_become_of_a_call_does(tmp_path, item):
    """A list says no more than the outcome, and a reason if its author likes."""
    assert failures(tmp_path, item + "\n") == []


@pytest.mark.parametrize(
    ("item", "failure"),
    [
        ('must_deny: [{arguments: {"path": "a"}}]', "expected DENY, got ALLOW at step 7"),
        ('must_ask: [{arguments: {"path": "a"}}]', "expected ASK, got ALLOW"),
        ('must_allow: [{arguments: {"path": ".env"}}]', "expected ALLOW, got DENY"),
        ('must_deny: [{tool: raed, arguments: {"path": ".env"}}]', "TOOL_UNKNOWN"),
        ('must_deny: [{agent: codre, arguments: {"path": ".env"}}]', "AGENT_UNKNOWN"),
        ('must_deny: [{arguments: {"paht": "a", "path": "a"}}]', "CONTRACT_VIOLATION"),
        ("must_deny: [{tool: bash, arguments: {}}]", "CONTRACT_VIOLATION"),
        ('must_deny: [{arguments: {"paht": "a"}}]', "expect `cause: DEFAULT`"),
        ('must_deny: [{arguments: {"path": "/srv/x", "off": 1}, because: {}}]', "expect `cause: DEFAULT`"),
    ],
)
def test_a_slip_is_no_denial_that_a_list_is_content_with(tmp_path, item, failure):
    """An unknown name and an argument that the contract does not take: the policy was not even asked."""
    (found,) = failures(tmp_path, item + "\n")
    assert failure in found


def expecting(call, expect):
    """One test of this call."""
    return f"tests:\n  - name: one\n    call: {{{call}}}\n    expect: {{{expect}}}\n"


def test_what_stands_behind_the_first_denial_is_compared(tmp_path):
    """A critic is kept from writing by its permissions, by its kind and by the rows of its scope."""
    call = 'agent: critic, tool: write, arguments: {"path": "src/a", "content": ""}'
    all_of_them = "[PERMISSION_MISSING, AGENT_READ_ONLY, OUT_OF_SCOPE, DEFAULT]"
    assert failures(tmp_path, f"must_deny: [{{{call}, because: {{causes: {all_of_them}}}}}]\n") == []
    (tmp_path / "again").mkdir()
    (found,) = failures(
        tmp_path / "again", f"must_deny: [{{{call}, because: {{causes: [OUT_OF_SCOPE]}}}}]\n"
    )
    assert found == (
        "expected the causes OUT_OF_SCOPE, got AGENT_READ_ONLY, DEFAULT, OUT_OF_SCOPE, PERMISSION_MISSING"
    )


def test_all_violations_are_compared(tmp_path):
    """One that is missing, and one more than expected, fail the test."""
    call = 'tool: write, arguments: {"path": "", "x": 1}'
    (found,) = failures(tmp_path, expecting(call, "verdict: DENY, step: 8, violations: [required]"))
    assert "expected the violations 'required', got the violations " in found
    assert "'additionalProperties'" in found
    (tmp_path / "again").mkdir()
    call = 'arguments: {"path": "a"}'
    (found,) = failures(tmp_path / "again", expecting(call, "verdict: ALLOW, violations: [required]"))
    assert found == "expected the violations 'required', got no violation"


TERMS = [
    ("quorum: 2, four_eyes: true, seconds: 900, priority: critical, session_grants: never", ""),
    ("quorum: 1", "the approval has `quorum` 2, not 1"),
    ("four_eyes: false, seconds: 300", "`four_eyes` true, not false and `seconds` 900, not 300"),
    ("priority: high", "`priority` critical, not high"),
    ("options: [a]", "`options` [], not ['a']"),
    ("session_grants: tool", "`session_grants` never, not tool"),
]


@pytest.mark.parametrize(("terms", "failure"), TERMS)
def test_the_terms_of_an_approval_are_compared(tmp_path, terms, failure):
    """As the approval would have them that the sidecar opens."""
    found = failures(tmp_path, expecting(DEPLOY, f"verdict: ASK, approval: {{{terms}}}"))
    assert [failure in each for each in found] == ([True] if failure else [])


WHO = [
    ("may_decide: [{approver: 'user:ann', tool: deploy}]", ""),
    ("may_decide: [{approver: 'user:eve', tool: bash, priority: low}]", ""),
    ("may_not_decide: [{approver: 'user:eve', tool: deploy}]", ""),
    (
        "may_decide: [{approver: 'user:eve', tool: deploy}]",
        "may not decide on critical requests of",
    ),
    ("may_decide: [{approver: 'user:eve', tool: bash}]", "may not decide on critical requests of 'bash'"),
    (
        "may_not_decide: [{approver: 'user:eve', tool: bash}]",
        "may decide on medium requests of",
    ),
    ("may_not_decide: [{approver: 'user:evee', tool: bash}]", "no row names 'user:evee'"),
    ("may_not_decide: [{approver: 'agent:coder', tool: bash}]", "'agent:coder' is no person"),
    ("may_not_decide: [{approver: 'user:eve', tool: bsah}]", "there is no tool 'bsah'"),
    ("may_not_decide: [{approver: 'user:eve', tool: bash, tenant: x}]", "there is no tenant 'x'"),
    ("may_decide: [{approver: 'user:eve', tool: question, priority: low}]", ""),
]


@pytest.mark.parametrize(("item", "failure"), WHO)
def test_who_may_decide_is_asked_of_the_rows(tmp_path, item, failure):
    """For each priority that requests of the tool can have, unless one is stated; slips are none."""
    found = failures(tmp_path, item + "\n")
    assert [failure in each for each in found] == ([True] if failure else [])


def test_a_call_is_denied_exactly_when_something_denies_it():
    """The first of all that would deny a call is what denies it, in every test of the shipped bundle."""
    bundle = read_bundle(POLICIES)
    for test in bundle.tests:
        if isinstance(test, CallTest):
            case = case_of(test.call, bundle.snapshot, Limits())
            verdict = judge(case, lambda _check, _error: None)
            first = next(denials(case), None)
            found = (first.cause, first.reason) if first else None
            assert found == ((verdict.cause, verdict.reason) if verdict.outcome is Outcome.DENY else None)


@pytest.mark.parametrize(
    "item",
    [
        '{arguments: {"path": ".env", "line": 0}, violations: [/line minimum]}',
        "{tool: legacy_deploy, arguments: {}, violations: [required]}",
    ],
)
def test_a_schema_is_asked_by_itself(tmp_path, item):
    """What a rule denies, and a tool out of use, are no reason not to ask what its schema rejects."""
    assert failures(tmp_path, f"must_violate: [{item}]\n") == []


@pytest.mark.parametrize(
    ("item", "failure"),
    [
        ('{arguments: {"path": "a"}, violations: [/path type]}', "got no violation"),
        (
            '{arguments: {"path": "a", "line": 0}, violations: [required]}',
            "got the violations '/line minimum'",
        ),
        ("{tool: raed, arguments: {}, violations: [required]}", "there is no tool 'raed'"),
        ('{arguments: {"path": 1, "path": 1}, violations: [/path type]}', "the arguments cannot be read"),
        ("{arguments: '[]', violations: [type]}", "the arguments cannot be read"),
    ],
)
def test_what_a_schema_does_not_find_fails(tmp_path, item, failure):
    """Other violations, none, and arguments or a tool that nobody can look at."""
    (found,) = failures(tmp_path, f"must_violate: [{item}]\n")
    assert failure in found
