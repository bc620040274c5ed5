"""A rule set that remembers answers gives no other answers, and asks again whatever it may not remember."""

import pytest
from adjudicator.domain.facet import ArgumentKind, Facet
from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.remembered_rules import REMEMBERED, RememberedRules
from adjudicator.policy.snapshot import Effect, EvaluationError, RuleQuestion


class Counting:
    """Allows `agent:a` everything, fails for `agent:broken`, and counts how often it is asked."""

    def __init__(self):
        self.asked = 0

    def match(self, effect, question):
        """Answer by the subject and the effect."""
        self.asked += 1
        if question.subject == "agent:broken":
            raise EvaluationError("broken")
        allows = effect is Effect.ALLOW and question.subject == "agent:a"
        return RuleRef("x.csv", self.asked) if allows else None


@pytest.fixture
def rules():
    """What is asked."""
    return Counting()


def question(subject="agent:a", tenant="t", wanted="o", facet=None):
    """A question."""
    return RuleQuestion(subject, tenant, wanted, facet)


def test_the_same_question_is_asked_once(rules):
    """An answer of None is an answer too."""
    remembered = RememberedRules(rules)
    for subject in ("agent:a", "agent:b"):
        first = remembered.match(Effect.ALLOW, question(subject))
        assert remembered.match(Effect.ALLOW, question(subject)) is first
    assert rules.asked == 2


@pytest.mark.parametrize("other", [{"subject": "agent:b"}, {"tenant": "u"}, {"wanted": "p"}])
def test_another_question_is_another(rules, other):
    """No subject, tenant or object gets the answer of another."""
    remembered = RememberedRules(rules)
    remembered.match(Effect.ALLOW, question())
    remembered.match(Effect.ALLOW, question(**other))
    assert rules.asked == 2


def test_an_effect_does_not_answer_for_another(rules):
    """What is allowed is not thereby denied, or the other way round."""
    remembered = RememberedRules(rules)
    assert remembered.match(Effect.DENY, question()) is None
    assert remembered.match(Effect.ALLOW, question()) is not None


def test_a_question_with_a_facet_is_asked_each_time(rules):
    """Facets are as many as calls, and the answer depends on them."""
    remembered = RememberedRules(rules)
    for path in ("a", "b", "b"):
        remembered.match(Effect.ALLOW, question(facet=Facet(ArgumentKind.PATH, path)))
    assert rules.asked == 3


def test_a_failure_is_a_failure_each_time(rules):
    """It never becomes an answer."""
    remembered = RememberedRules(rules)
    for _ in range(2):
        with pytest.raises(EvaluationError):
            remembered.match(Effect.ALLOW, question("agent:broken"))
    assert rules.asked == 2


def test_what_it_remembers_is_bounded(rules):
    """Past the bound it asks again, and answers the same."""
    remembered = RememberedRules(rules)
    for number in range(REMEMBERED + 1):
        remembered.match(Effect.ALLOW, question(wanted=str(number)))
    asked = rules.asked
    assert remembered.match(Effect.ALLOW, question(wanted="0")) is not None
    assert rules.asked == asked + 1
