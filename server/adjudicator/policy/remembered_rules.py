"""What a rule set answered, kept for the next call: agents, tenants and tools are few and come again."""

from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.snapshot import Effect, RuleQuestion, RuleSet

REMEMBERED = 4096
"""Answers that are kept; then it begins anew."""


class RememberedRules:
    """A rule set that asks `rules` once for each question without a facet.

    It belongs to one snapshot, whose rules never change. A failure is not kept: it fails every time.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._answers: dict[tuple[Effect, str, str, str], RuleRef | None] = {}

    def match(self, effect: Effect, question: RuleQuestion) -> RuleRef | None:
        """What `rules` matches."""
        if question.facet is not None:
            return self._rules.match(effect, question)
        key = (effect, question.subject, question.tenant, question.object)
        if key in self._answers:
            return self._answers[key]
        answer = self._rules.match(effect, question)
        if len(self._answers) >= REMEMBERED:
            self._answers.clear()
        self._answers[key] = answer
        return answer
