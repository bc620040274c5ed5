"""Whether the votes that an approval has would also do under the policy of now."""

from dataclasses import replace

from adjudicator.approvals.states import ACTOR_PREFIX, satisfies
from adjudicator.domain.approval import Approval
from adjudicator.domain.request import Priority
from adjudicator.policy.snapshot import EvaluationError, Snapshot

_STRICTER = "the tool now asks for more than this approval was given with; call with a new call_id"
_NOT_ENTITLED = "too few of those who approved this call may still decide on it; call with a new call_id"


def shortfall(approval: Approval, snapshot: Snapshot) -> str:
    """Why the votes do not release the call any more; empty when they do. The tool has to be registered.

    A vote counts while who gave it may decide, and is called like no agent.
    """
    tool = snapshot.registry.tools[approval.tool]
    if not satisfies(approval, tool.quorum, four_eyes=tool.four_eyes):
        return _STRICTER
    kept = tuple(vote for vote in approval.votes if is_entitled(vote.actor, approval, snapshot))
    entitled = replace(approval, votes=kept)
    return "" if satisfies(entitled, tool.quorum, four_eyes=tool.four_eyes) else _NOT_ENTITLED


def is_entitled(actor: str, approval: Approval, snapshot: Snapshot) -> bool:
    """Whether the actor may decide on the approval now. A policy that fails on the question entitles none.

    The call is as urgent as it was when it asked, and as its tool is now.
    """
    name = actor.removeprefix(ACTOR_PREFIX).casefold()
    if any(name == agent.casefold() for agent in snapshot.registry.agents):
        return False
    of_tool = snapshot.registry.tools[approval.tool].priority or Priority.LOW
    priority = max(approval.request.priority, of_tool, key=lambda each: each.rank)
    try:
        return snapshot.approvers.may_decide(actor, approval.tenant, approval.tool, priority) is not None
    except EvaluationError:
        return False
