"""What a rule set promises: first row in file order, none without rows, and no answer when it fails."""

import pytest
from adjudicator.domain.facet import ArgumentKind, Facet
from adjudicator.policy.casbin.engine import Engine
from adjudicator.policy.casbin.model import Model
from adjudicator.policy.casbin.parser import parse_expression
from adjudicator.policy.casbin.roles import RoleGraph
from adjudicator.policy.casbin.rows import read_rows
from adjudicator.policy.compiled_rules import CompiledRules
from adjudicator.policy.functions import condition_functions, rule_functions
from adjudicator.policy.model import RULES, RULES_WHEN, SCOPE
from adjudicator.policy.problem import Problems
from adjudicator.policy.snapshot import Effect, EvaluationError, RuleQuestion
from adjudicator.policy.source import Source


def rule_set(shape, matcher, *lines, roles=()):
    """The rule set of these rows, from line 1, as if they had been loaded."""
    model = Model(
        shape.request, shape.policy, {"g": True}, denies=True, matcher=parse_expression(matcher), at={}
    )
    problems = Problems()
    source = Source("x.csv", "\n".join(f"p, {line}" for line in lines))
    rows = read_rows([source], {"p": len(shape.policy)}, problems)["p"]
    problems.raise_any()
    graph = RoleGraph(tuple(part.strip() for part in role.split(",")) for role in roles)
    functions = {**condition_functions(), **rule_functions()}
    return CompiledRules(shape, Engine(model, rows, {"g": graph}, functions), rows)


TENANT = "r.tenant == p.tenant"
SIMPLE = f"{TENANT} && r.obj == p.obj && g(r.sub, p.sub, r.tenant)"
FACET = f"{TENANT} && facet_match(r.facet, p.argument, p.unless, p.eft)"
ASKED = RuleQuestion("agent:a", "t", "read")


def test_without_rows_nothing_matches():
    """Pycasbin evaluates an empty policy once with empty strings; that must not become a match."""
    rules = rule_set(SCOPE, "r.tenant == p.tenant && r.obj == p.obj && g(r.sub, p.sub, r.tenant)")
    for effect in Effect:
        assert rules.match(effect, RuleQuestion("", "", "")) is None
        assert rules.match(effect, ASKED) is None


def test_the_first_row_in_file_order_answers():
    """Of two rows that match, the one further up is named, with its text."""
    matcher = f"{TENANT} && g(r.sub, p.sub, r.tenant) || {TENANT} && r.obj == p.obj"
    texts = ["agent:x, t, other, allow", "agent:a, t, read, allow", "agent:b, t, read, allow"]
    rules = rule_set(SCOPE, matcher, *texts)
    ref = rules.match(Effect.ALLOW, ASKED)
    assert (ref.file, ref.line, ref.text) == ("x.csv", 2, "p, agent:a, t, read, allow")


@pytest.mark.parametrize("effect", list(Effect))
def test_only_rows_of_the_effect_answer(effect):
    """A row answers for its own effect and no other, and ask rows are found like the rest."""
    shape_rows = [f"agent:a, t, read, *, , {effect.value}, why"]
    matcher = (
        f"{TENANT} && r.tool == p.tool && g(r.sub, p.sub, r.tenant) "
        "&& facet_match(r.facet, p.argument, p.unless, p.eft)"
    )
    rules = rule_set(RULES, matcher, *shape_rows)
    question = RuleQuestion("agent:a", "t", "read", Facet(kind=None, text=""))
    assert [other for other in Effect if rules.match(other, question)] == [effect]


def test_an_agent_named_like_a_role_does_not_have_it():
    """Subjects and roles live in separate namespaces."""
    rules = rule_set(SCOPE, SIMPLE, "role:admin, t, read, allow", roles=["agent:boss, role:admin, t"])
    assert rules.match(Effect.ALLOW, RuleQuestion("agent:boss", "t", "read"))
    for subject in ("agent:admin", "admin", "agent:role:admin"):
        assert rules.match(Effect.ALLOW, RuleQuestion(subject, "t", "read")) is None


def test_a_role_of_one_tenant_is_nothing_in_another():
    """Rows and roles of a tenant never answer for another, or for a tenant called `*`."""
    rules = rule_set(
        SCOPE, SIMPLE, "role:x, t, read, allow", "role:x, u, read, allow", roles=["agent:a, role:x, t"]
    )
    found = [
        tenant
        for tenant in ("t", "u", "*", "")
        if rules.match(Effect.ALLOW, RuleQuestion("agent:a", tenant, "read"))
    ]
    assert found == ["t"]


def test_a_question_without_a_facet_is_an_error():
    """Rules judge facets; the chain has to bring one."""
    rules = rule_set(RULES, FACET, "agent:a, t, read, *, , allow, why")
    with pytest.raises(EvaluationError, match="allow rows cannot be evaluated"):
        rules.match(Effect.ALLOW, ASKED)


def test_a_pattern_that_slipped_in_is_an_error():
    """A row that cannot be read denies its question."""
    rules = rule_set(RULES, FACET, "agent:a, t, read, path:x, , deny, why")
    with pytest.raises(EvaluationError, match=r"rules\.conf"):
        rules.match(Effect.DENY, RuleQuestion("agent:a", "t", "read", Facet(ArgumentKind.PATH, "/x")))


WHEN = f"{TENANT} && eval(p.when) && facet_match(r.facet, p.argument, p.unless, p.eft)"
NOTHING_INSIDE = Facet(ArgumentKind.PATH, "/x")


@pytest.mark.parametrize("order", [1, -1])
def test_a_condition_that_fails_denies_and_names_its_row(order):
    """Whichever row stands first: that another one matches does not hide the failure."""
    lines = [
        "agent:a, t, read, *, , 1 == 1, allow, fine",
        "agent:a, t, read, *, , r.facet.inside == 'a', allow, fails",
    ]
    rules = rule_set(RULES_WHEN, WHEN, *lines[::order])
    with pytest.raises(
        EvaluationError, match="the row fails on the call: LookupError: Facet has no attribute 'inside'"
    ) as raised:
        rules.match(Effect.ALLOW, RuleQuestion("agent:a", "t", "read", NOTHING_INSIDE))
    assert "fails" in raised.value.rule.text


def test_a_condition_sees_what_the_facet_is():
    """Its kind, text and access are texts to compare with."""
    condition = "r.facet.kind == 'path' && r.facet.access == 'read' && regexMatch(r.facet.text, '^/x$')"
    rules = rule_set(RULES_WHEN, WHEN, f'agent:a, t, read, *, , "{condition}", allow, why')
    asked = RuleQuestion("agent:a", "t", "read", NOTHING_INSIDE)
    assert rules.match(Effect.ALLOW, asked)
    other = RuleQuestion("agent:a", "t", "read", Facet(ArgumentKind.PATH, "/xy"))
    assert rules.match(Effect.ALLOW, other) is None


def test_asking_leaves_no_trace():
    """A question about somebody unknown changes no later answer."""
    rules = rule_set(SCOPE, SIMPLE, "role:x, t, read, allow", roles=["agent:a, role:x, t"])
    for number in range(50):
        assert rules.match(Effect.ALLOW, RuleQuestion(f"agent:{number}", "t", "read")) is None
    assert rules.match(Effect.ALLOW, ASKED).line == 1
