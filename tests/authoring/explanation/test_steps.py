"""What every check says about a call, reached or not."""

import pytest

STEPS = [
    ({"tenant": "nowhere"}, "tenant_context", "TENANT_UNKNOWN"),
    ({"tenant": "archive", "agent": "designer"}, "agent_registered", "AGENT_UNKNOWN"),
    (
        {"tenant": "archive", "tool": "bash", "arguments": {"command": "ls"}},
        "tool_registered",
        "TOOL_NOT_LISTED",
    ),
    ({"tool": "legacy_deploy", "arguments": {"server": "web-1"}}, "tool_enabled", "TOOL_DISABLED"),
    (
        {"agent": "designer", "tool": "command_execution", "arguments": {"command": "make"}},
        "permission_domain",
        "PERMISSION_MISSING",
    ),
    (
        {"agent": "critic", "tool": "write", "arguments": {"path": "a", "content": ""}},
        "permission_domain",
        "PERMISSION_MISSING",
    ),
    (
        {"tool": "write", "on_behalf_of": ("critic",), "arguments": {"path": "a", "content": ""}},
        "agent_scope",
        "AGENT_READ_ONLY",
    ),
    ({"arguments": {"path": ".env"}}, "rule_chain", "RULE_DENY"),
    ({"arguments": {"path": "/srv/x"}}, "rule_chain", "DEFAULT"),
    (
        {"tool": "deploy", "arguments": {"environment": "staging", "version": "1.0.0"}},
        "approval_gate",
        "PRINCIPAL_MISSING",
    ),
    ({"arguments": {"path": "a", "follow": True}}, "input_contract", "CONTRACT_VIOLATION"),
    ({"arguments": '{"path": "a", "path": ".env"}'}, "input_contract", "ARGUMENTS_MALFORMED"),
    ({"tool": "fetch", "arguments": {"url": "no url"}}, "input_contract", "ARGUMENT_INVALID"),
    ({}, "rule_chain", "RULE_ALLOW"),
]


@pytest.mark.parametrize(("fields", "check", "cause"), STEPS, ids=[cause for _, _, cause in STEPS])
def test_the_check_that_decides_is_marked_and_says_what_the_verdict_says(shipped, fields, check, cause):
    """One check decides: the verdict's own, with its cause and its sentence."""
    found = shipped.of(shipped.call(**fields))
    (decides,) = [each for each in found.steps if each.decides]
    assert (decides.check.name, decides.finding.cause.value) == (check, cause)
    assert decides.finding.reason == found.verdict.reason
    assert [each.check.name for each in found.steps][-1] == "input_contract"


def test_a_step_that_is_not_reached_says_what_it_would_say(shipped):
    """The next obstacle is seen at once: the tool is not listed, and the mode would deny as well."""
    call = shipped.call(tenant="archive", tool="bash", arguments={"command": "ls"})
    steps = {each.check.name: each for each in shipped.of(call).steps}
    assert not steps["rule_chain"].reached
    assert steps["rule_chain"].finding.cause.value == "MODE_READ_ONLY"
    assert steps["permission_domain"].finding.cause.value == "PERMISSION_MISSING"
    assert steps["agent_scope"].answer.value == "passed"


def test_what_cannot_be_told_is_not_called_passed(shipped):
    """Without a tenant nobody can say whether its list has the tool."""
    steps = {each.check.name: each for each in shipped.of(shipped.call(tenant="nowhere")).steps}
    assert steps["tool_registered"].answer.value == "untold"
    assert steps["rule_chain"].answer.value == "untold"


def test_arguments_that_no_rule_can_look_at_are_the_contracts_to_deny(shipped):
    """The rule chain found it, and the contract answers for it, as in the verdict."""
    steps = {each.check.name: each for each in shipped.of(shipped.call(arguments="[")).steps}
    assert steps["rule_chain"].note
    assert steps["input_contract"].decides


def test_a_gate_that_is_not_reached_is_asked_with_what_the_rules_would_say(shipped):
    """A release by a critic is denied long before; the gate would want to know for whom it is."""
    arguments = {"environment": "staging", "version": "1.0.0"}
    call = shipped.call(agent="critic", tool="deploy", arguments=arguments)
    steps = {each.check.name: each for each in shipped.of(call).steps}
    assert not steps["approval_gate"].reached
    assert steps["approval_gate"].finding.cause.value == "PRINCIPAL_MISSING"


def test_an_error_in_a_check_is_a_denial_in_the_explanation_too(conditional):
    """A condition that fails denies, and the rows that could not be asked say so instead of nothing."""
    condition = "\"ipMatch(r.facet.text, '10.0.0.0/8')\""
    conditional.append("rules.csv", f"p, role:reader, studio, read, path:./**, , {condition}, deny, net")
    found = conditional.of(conditional.call(), "ALLOW")
    assert found.verdict.cause.value == "EVALUATION_FAILED"
    assert [each.check.name for each in found.steps if each.decides] == ["rule_chain"]
    assert found.facets[0].failure
    assert found.facets[0].matches == ()
    assert not any(each.is_of_policy for each in found.ways[0].suggestions)
