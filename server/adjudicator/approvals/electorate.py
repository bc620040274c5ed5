"""Who may decide on an approval now: by the policy, who is there, and who is too close to the call."""

from dataclasses import dataclass, replace

from adjudicator.domain.approval import Approval, ReceiptCode
from adjudicator.domain.request import Priority
from adjudicator.policy.snapshot import ROLE, USER, EvaluationError, Snapshot

_STRICTER = "the tool now asks for more than this approval was given with; call with a new call_id"
_NOT_ENTITLED = "too few of those who approved this call may still decide on it; call with a new call_id"


@dataclass(frozen=True, slots=True)
class Electorate:
    """The people under one snapshot: everybody whom it names, whether or not they have a token yet."""

    snapshot: Snapshot

    def is_agent(self, actor: str) -> bool:
        """Whether the actor is named like a registered agent, which never decides whatever the rows say."""
        return actor.removeprefix(USER).casefold() in self.snapshot.registry.agent_names

    def may_decide(self, actor: str, tenant: str, tool: str, priority: Priority) -> bool:
        """Whether the actor is a person whom some row entitles. A policy that fails entitles nobody."""
        if not actor.startswith(USER) or self.is_agent(actor):
            return False
        try:
            return self.snapshot.approvers.may_decide(actor, tenant, tool, priority) is not None
        except EvaluationError:
            return False

    def is_entitled(self, actor: str, approval: Approval) -> bool:
        """Whether the actor may decide on the approval: as urgent as it was, and as its tool is now."""
        tool = self.snapshot.registry.tools.get(approval.tool)
        priorities = [approval.request.priority, *([tool.priority] if tool and tool.priority else [])]
        priority = max(priorities, key=lambda each: each.rank)
        return self.may_decide(actor, approval.tenant, approval.tool, priority)

    def objection(self, actor: str, approval: Approval) -> ReceiptCode | None:
        """Why the actor decides nothing here; None when they may.

        Who is entitled in other tenants only is told what they are told of an id that does not exist; and
        who is entitled nowhere is told so of every id, so that neither learns which ids exist.
        """
        if self.is_agent(actor):
            return ReceiptCode.NOT_A_PERSON
        if self.is_entitled(actor, approval):
            return None
        tenants = self.tenants(actor)
        here = approval.tenant in tenants or not tenants
        return ReceiptCode.NOT_ENTITLED if here else ReceiptCode.UNKNOWN

    def objection_to_all(self, actor: str) -> ReceiptCode | None:
        """Why the actor decides nothing anywhere; None when there may be something."""
        if self.is_agent(actor):
            return ReceiptCode.NOT_A_PERSON
        return None if self.tenants(actor) else ReceiptCode.NOT_ENTITLED

    def tenants(self, actor: str) -> frozenset[str]:
        """The tenants in which the policy entitles the actor to anything; none where it fails."""
        try:
            return self.snapshot.approvers.tenants(actor)
        except EvaluationError:
            return frozenset()

    def names(self, delegate: str, actor: str, tenant: str) -> bool:
        """Whether a delegate, which is a person or a role, names the actor."""
        if delegate.startswith(ROLE):
            return self.snapshot.approvers.has_role(actor, delegate, tenant)
        return delegate == actor

    def eligible(self, approval: Approval) -> frozenset[str]:
        """The people who could approve it: entitled, none of its own, and named if it was handed on."""
        delegate = approval.delegated_to
        return frozenset(
            actor
            for actor in self.snapshot.approvers.people()
            if self.is_entitled(actor, approval)
            and not is_own_call(approval, actor)
            and (not delegate or self.names(delegate, actor, approval.tenant))
        )

    def standing(self, approval: Approval) -> frozenset[str]:
        """Those who have approved it and may decide on it still: nobody else's vote counts any more."""
        return frozenset(
            vote.actor for vote in approval.approvals if self.is_entitled(vote.actor, approval)
        )

    def can_reach_quorum(self, approval: Approval) -> bool:
        """Whether enough people can still approve it, with those who already have."""
        return len(self.eligible(approval) | self.standing(approval)) >= approval.quorum

    def shortfall(self, approval: Approval) -> str:
        """Why the votes release the call no more; empty when they do.

        The tool's terms may be stricter than when it was opened, and of those who voted some may not decide
        on it any more.
        """
        tool = self.snapshot.registry.tools.get(approval.tool)
        if tool is None:
            return _STRICTER
        terms = replace(approval, four_eyes=tool.four_eyes)
        approvers = {vote.actor for vote in approval.approvals}
        if len(approvers) < tool.quorum or any(is_own_call(terms, actor) for actor in approvers):
            return _STRICTER
        return "" if len(self.standing(approval)) >= tool.quorum else _NOT_ENTITLED


def is_own_call(approval: Approval, actor: str) -> bool:
    """Whether the actor is the agent, one that it acts for, or with four eyes the principal.

    With four eyes and no principal it is everybody's own call: nobody can say that it is not.
    """
    barred = [approval.agent, *approval.on_behalf_of]
    actor = actor.casefold()
    bare = actor.removeprefix(USER)
    if bare in {name.casefold() for name in barred}:
        return True
    return approval.four_eyes and approval.principal.casefold() in (actor, "")
