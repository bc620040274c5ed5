"""The tool lists of `bundle.yaml` as rules for every agent and tenant, beside the rows of a model."""

from dataclasses import dataclass

from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.snapshot import Effect, RuleQuestion, RuleSet


@dataclass(frozen=True, slots=True)
class ListedTools:
    """A rule set that asks `rows` first and then the lists: the more particular answer explains better."""

    rows: RuleSet
    listed: dict[str, tuple[Effect, RuleRef]]

    def match(self, effect: Effect, question: RuleQuestion) -> RuleRef | None:
        """The first matching row of that effect, else the tool's place in a list of that effect.

        A list speaks of the tool, so it says nothing of a mention, for which another facet answers.
        """
        row = self.rows.match(effect, question)
        if row is not None or (question.facet is not None and question.facet.mention):
            return row
        listed_effect, place = self.listed.get(question.object, (None, None))
        return place if listed_effect is effect else None
