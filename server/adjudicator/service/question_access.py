"""Which questions a person sees and answers, by the policy of the moment."""

import structlog

from adjudicator.approvals.states import ACTOR_PREFIX
from adjudicator.domain.question import Question
from adjudicator.policy.snapshot import EvaluationError, Snapshot
from adjudicator.service.active_policy import ActivePolicy

TOOL = "question"
"""What rows of the approvers' policy name in the place of a tool."""
_log = structlog.get_logger("adjudicator.questions")


class QuestionAccess:
    """Asks the active policy each time, so whoever loses an entitlement has lost it at once."""

    def __init__(self, policy: ActivePolicy) -> None:
        self._policy = policy
        self._agents: tuple[str, frozenset[str]] = ("", frozenset())

    @property
    def version(self) -> str:
        """The policy by which it answers now; raises POLICY_INVALID when there is none."""
        return self._policy.current().version

    def tenants(self, actor: str) -> frozenset[str]:
        """The tenants in which the person is entitled to anything; none for one named like an agent."""
        if self.is_agent(actor):
            return frozenset()
        return self._policy.current().approvers.tenants(actor)

    def is_agent(self, actor: str) -> bool:
        """Whether the actor is named like an agent of any tenant, in whatever case."""
        return actor.removeprefix(ACTOR_PREFIX).casefold() in self._agent_names(self._policy.current())

    def may_answer(self, actor: str, question: Question) -> bool:
        """Whether the person is entitled to see and answer the question. A policy that fails says no."""
        if self.is_agent(actor):
            return False
        rules = self._policy.current().approvers
        try:
            return rules.may_decide(actor, question.tenant, TOOL, question.priority) is not None
        except EvaluationError as error:
            _log.error("whether a person may answer could not be told, so they may not", exc_info=error)
            return False

    def _agent_names(self, snapshot: Snapshot) -> frozenset[str]:
        version, names = self._agents
        if version != snapshot.version:
            names = frozenset(code.casefold() for code in snapshot.registry.agents)
            self._agents = (snapshot.version, names)
        return names
