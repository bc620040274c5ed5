"""What a rule set promises: first row in file order, none without rows, and no answer when it fails."""

import pytest
from adjudicator.domain.facet import ArgumentKind, Facet
from adjudicator.policy.casbin_rules import CasbinRules
from adjudicator.policy.csv_rows import Row
from adjudicator.policy.functions import function_arity, matcher_functions
from adjudicator.policy.matcher import parse_matcher
from adjudicator.policy.model import RULES, SCOPE, Model
from adjudicator.policy.patterns import PatternError
from adjudicator.policy.snapshot import Effect, EvaluationError, RuleQuestion


def rows(kind, *lines):
    """Rows of a file with one row a line, from line 1."""
    fields = [tuple(field.strip() for field in line.split(",")) for line in lines]
    return [Row("x.csv", n, lines[n - 1], kind, f, ()) for n, f in enumerate(fields, start=1)]


def rule_set(shape, matcher, *lines, roles=()):
    """The rule set of these rows, as if they had been loaded."""
    parsed = parse_matcher(matcher, frozenset(shape.request), frozenset(shape.policy), function_arity())
    model = Model(shape, parsed, denies=True, line=1, column=1)
    return CasbinRules(model, rows("p", *lines), rows("g", *roles), matcher_functions())


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
    assert (ref.file, ref.line, ref.text) == ("x.csv", 2, "agent:a, t, read, allow")


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


def test_a_matcher_that_raises_is_an_error():
    """A pattern that slipped in and cannot be read denies its question and says where."""
    rules = rule_set(RULES, FACET, "agent:a, t, read, path:x, , deny, why")
    with pytest.raises(EvaluationError, match=r"rules\.conf") as raised:
        rules.match(Effect.DENY, RuleQuestion("agent:a", "t", "read", Facet(ArgumentKind.PATH, "/x")))
    assert isinstance(raised.value.__cause__, PatternError)


def test_asking_leaves_no_trace():
    """A question about somebody unknown changes no later answer."""
    rules = rule_set(SCOPE, SIMPLE, "role:x, t, read, allow", roles=["agent:a, role:x, t"])
    for number in range(50):
        assert rules.match(Effect.ALLOW, RuleQuestion(f"agent:{number}", "t", "read")) is None
    assert rules.match(Effect.ALLOW, ASKED).line == 1
