"""Which questions a person sees and answers, by the policy of the moment."""

from adjudicator.approvals.electorate import Electorate
from adjudicator.domain.question import Question
from adjudicator.domain.request import QUESTION
from adjudicator.service.active_policy import ActivePolicy


class QuestionAccess:
    """Asks the active policy each time, so whoever loses an entitlement has lost it at once.

    Each method raises POLICY_INVALID when there is none.
    """

    def __init__(self, policy: ActivePolicy) -> None:
        self._policy = policy

    @property
    def version(self) -> str:
        """What changes whenever anybody may see others than before."""
        return self._policy.current().approvers.version

    def tenants(self, actor: str) -> frozenset[str]:
        """The tenants in which the person is entitled to anything; none for one named like an agent."""
        electorate = self._electorate()
        return frozenset() if electorate.is_agent(actor) else electorate.tenants(actor)

    def is_agent(self, actor: str) -> bool:
        """Whether the actor is named like an agent of any tenant, in whatever case."""
        return self._electorate().is_agent(actor)

    def may_answer(self, actor: str, question: Question) -> bool:
        """Whether the person is entitled to see and answer the question. A policy that fails says no."""
        return self._electorate().may_decide(actor, question.tenant, QUESTION, question.priority)

    def _electorate(self) -> Electorate:
        return Electorate(self._policy.current())
