"""Policies under which something may be granted to a session, and how a test grants it."""

from dataclasses import replace

from adjudicator.approvals.grant_schema import Refusal
from adjudicator.domain.approval import ApprovalState, Decision, Vote
from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec
from adjudicator.domain.grant import GrantWish
from adjudicator.policy.registry import SessionGrants
from adjudicator.storage.contract import Change
from chain.bundle import TOOLS, Schema, a_snapshot, a_tool
from chain.people import Only
from service.stage import ASK_ALL

SHELL = ArgumentSpec("/command", ArgumentKind.SHELL, Access.WRITE)
AS_FAR_AS_IT_GOES = GrantWish()


def granting_snapshot(**changes):
    """Everything asks; `read` is granted as a tool, `write` and `bash` narrowly, `deploy` never."""
    tools = TOOLS | {
        "read": a_tool("read", session_grants=SessionGrants.TOOL),
        "write": replace(TOOLS["write"], session_grants=SessionGrants.NARROWED),
        "bash": a_tool(
            "bash", access=Access.WRITE, arguments=(SHELL,), session_grants=SessionGrants.NARROWED
        ),
    }
    snapshot = a_snapshot(rules=ASK_ALL, approvers=Only("ann", "bob"))
    registry = snapshot.registry
    tenant = registry.tenants["studio"]
    tenants = {"studio": replace(tenant, tools=tenant.tools | {"bash"})}
    contracts = {code: Schema() for code in tools}
    snapshot = replace(
        snapshot, registry=replace(registry, tools=tools, tenants=tenants), contracts=contracts
    )
    return replace(snapshot, **changes)


def with_tool(snapshot, code, **changes):
    """The same with another registry entry of one tool."""
    tools = dict(snapshot.registry.tools)
    tools[code] = replace(tools[code], **changes)
    return replace(snapshot, registry=replace(snapshot.registry, tools=tools))


async def grant(stage, approval_id, wish=AS_FAR_AS_IT_GOES, actor="user:ann", *, release=True):
    """Approve for the session, as `Resolve` does; the grant, or why there is none."""
    approval = await stage.store.approval(approval_id)
    now = stage.clock.now()
    planned = stage.plan_grant(approval, wish, actor, "", stage.policy.current(), now)
    if isinstance(planned, Refusal):
        return planned
    given, opens = planned
    vote = Vote(actor, Decision.APPROVE_SESSION, "", now)
    change = Change(now, ApprovalState.APPROVED, vote, opens=opens)
    await stage.store.change_approval(approval_id, lambda _: (change, None))
    if release:
        await stage.release_siblings(given.id)
    return await stage.store.grant(given.id)
