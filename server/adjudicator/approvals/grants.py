"""Session grants: what a wish comes to, which calls a grant covers, and whether a policy still allows it.

Pure. A grant only ever takes the place of a person's answer: the chain judges each call all the same.
"""

import posixpath
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from adjudicator.approvals.electorate import Electorate
from adjudicator.approvals.grant_schema import GrantSchema, Refusal, kinds_of, read_grant_schema
from adjudicator.domain.approval import Approval, ReceiptCode
from adjudicator.domain.arguments import Arguments
from adjudicator.domain.call import Mode, ToolCall, quoted
from adjudicator.domain.facet import ArgumentKind
from adjudicator.domain.grant import Grant, GrantScope, GrantState, GrantWish
from adjudicator.domain.json_pointer import parts_of
from adjudicator.domain.request import Priority
from adjudicator.policy.registry import SessionGrants, Tool
from adjudicator.policy.snapshot import EvaluationError, Snapshot

_ALONE = "approve the call alone"
_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AskingCall:
    """A call that asks, as grants are compared with it.

    `likeness` and `place` are those of `Digester`. `hidden` are the arguments of which something is not
    known here, because a view hides it. `opaque` says that part of it cannot be known before it runs.
    """

    call: ToolCall
    arguments: Arguments
    likeness: str
    place: str
    priority: Priority
    opaque: bool = False
    hidden: frozenset[str] = _NOTHING


@dataclass(frozen=True, slots=True)
class Giving:
    """Who gives a grant, with which approval and words, when, and under which id."""

    id: str
    approval: Approval
    actor: str
    reason: str
    at: datetime


def granted(giving: Giving, wish: GrantWish, asking: AskingCall, snapshot: Snapshot) -> Grant | Refusal:
    """The grant, or why there is none. `asking` is the approval's call, as its view shows it.

    It is never wider than the policy lets it be: uses and time are the least of what is wished for and what
    the policy says, and a schema that would be wider is refused.
    """
    tool = snapshot.registry.tools.get(asking.call.tool)
    if not asking.call.session:
        return _forbidden(f"the call is in no session that something could be granted to; {_ALONE}")
    if giving.approval.quorum > 1:
        return _forbidden(f"the approval waits for {giving.approval.quorum} people; {_ALONE}")
    if tool is None or asking.call.mode is Mode.ASK_ALWAYS:
        return _forbidden(f"the call is in the mode ask_always; {_ALONE}" if tool else _unknown_tool())
    schema = read_grant_schema(wish.schema_json, tool) if wish.schema_json else None
    if isinstance(schema, Refusal):
        return schema
    if schema is not None and (unnamed := _unnamed(schema, tool)) is not None:
        return Refusal(ReceiptCode.GRANT_TOO_WIDE, unnamed)
    grant = _made(giving, wish, asking, snapshot, _scope(schema, asking, tool))
    grant = grant if schema is None else replace(grant, schema_json=schema.text)
    if (why := objection_to(grant, snapshot)) is not None:
        return _forbidden(f"{why}; {_ALONE}")
    if schema is not None and (refusal := _schema_refusal(schema, asking, tool)) is not None:
        return refusal
    if grant.scope is GrantScope.ARGUMENTS and not grant.likeness:
        return _forbidden(
            f"the approval is from before grants, so it is not known what is like it; {_ALONE}"
        )
    return grant


def covers(grant: Grant, asking: AskingCall, tool: Tool, now: datetime) -> bool:
    """Whether the grant is live and reaches the call. Uses are checked, and counted, by the store."""
    live = grant.state is GrantState.LIVE and grant.used < grant.uses
    return live and grant.granted_at <= now < grant.expires_at and reaches(grant, asking, tool)


def reaches(grant: Grant, asking: AskingCall, tool: Tool) -> bool:
    """Whether the call is one of those that the grant was given for, whatever has become of it since."""
    if not grant.is_for(asking.call) or asking.priority.rank > grant.highest_priority.rank:
        return False
    if not grant.likeness or grant.likeness != _likeness(grant.scope, asking):
        return False
    if grant.scope is GrantScope.ARGUMENTS:
        return True
    if asking.opaque:
        return False
    return grant.scope is GrantScope.TOOL or _satisfies(grant, asking, tool)


def objection_to(grant: Grant, snapshot: Snapshot) -> str | None:
    """Why the policy of the snapshot does not allow the grant, in a sentence without its end; or None.

    What the chain says of calls under it is not asked: that is asked of each of them.
    """
    registry = snapshot.registry
    tenant, tool = registry.tenants.get(grant.tenant), registry.tools.get(grant.tool)
    if tenant is None or not tenant.enabled:
        return f"there is no tenant {quoted(grant.tenant)} that is enabled"
    if tool is None or grant.tool not in tenant.tools:
        return _unknown_tool()
    if tenant.mode is Mode.ASK_ALWAYS:
        return f"tenant {quoted(grant.tenant)} is in the mode ask_always"
    return (
        _tool_objection(grant, tool)
        or _schema_objection(grant, tool)
        or _giver_objection(grant, tool, snapshot)
    )


def is_entitled(actor: str, grant: Grant, snapshot: Snapshot) -> bool:
    """Whether the actor may decide such calls as the grant lets through, and so may see and end it."""
    return _entitled(actor, grant, snapshot) is None


def _tool_objection(grant: Grant, tool: Tool) -> str | None:
    name = f"tool {quoted(tool.code)}"
    if tool.session_grants is SessionGrants.NEVER:
        return f"nothing is granted to a session for {name}"
    if tool.session_grants is SessionGrants.NARROWED and grant.scope is GrantScope.TOOL:
        return f"{name} is granted narrowly only"
    if tool.require_approval:
        return f"{name} always requires an approval"
    return f"{name} needs {tool.quorum} people for each call" if tool.quorum > 1 else None


def _schema_objection(grant: Grant, tool: Tool) -> str | None:
    if grant.scope is not GrantScope.SCHEMA:
        return None
    schema = read_grant_schema(grant.schema_json, tool)
    return schema.message if isinstance(schema, Refusal) else _unnamed(schema, tool)


def _giver_objection(grant: Grant, tool: Tool, snapshot: Snapshot) -> str | None:
    if tool.four_eyes and grant.principal.casefold() in ("", grant.granted_by.casefold()):
        return f"tool {quoted(tool.code)} needs four eyes, and who gives the grant is whom it is for"
    return _entitled(grant.granted_by, grant, snapshot)


def _entitled(actor: str, grant: Grant, snapshot: Snapshot) -> str | None:
    """Why the actor may not decide such calls; whatever fails entitles nobody."""
    if Electorate(snapshot).is_agent(actor):
        return f"{quoted(actor)} is named like an agent, and an agent never decides"
    try:
        row = snapshot.approvers.may_decide(actor, grant.tenant, grant.tool, grant.highest_priority)
    except EvaluationError as error:
        return f"the policy on approvers failed: {error.message}"
    return None if row else f"no row entitles {quoted(actor)} to decide such calls"


def _scope(schema: GrantSchema | None, asking: AskingCall, tool: Tool) -> GrantScope:
    """As far as the tool lets it reach; what cannot be known is granted as exactly the same call."""
    if schema is not None:
        return GrantScope.SCHEMA
    wide = tool.session_grants is SessionGrants.TOOL and not asking.opaque
    return GrantScope.TOOL if wide else GrantScope.ARGUMENTS


def _made(
    giving: Giving, wish: GrantWish, asking: AskingCall, snapshot: Snapshot, scope: GrantScope
) -> Grant:
    approval, terms = giving.approval, snapshot.approvals
    lifetime = timedelta(seconds=terms.grant_seconds)
    return Grant(
        id=giving.id,
        state=GrantState.LIVE,
        tenant=approval.tenant,
        session=approval.session,
        agent=approval.agent,
        on_behalf_of=approval.on_behalf_of,
        principal=approval.principal,
        tool=approval.tool,
        scope=scope,
        schema_json="",
        likeness=_likeness(scope, asking),
        highest_priority=asking.priority,
        uses=min(wish.uses or terms.grant_uses, terms.grant_uses),
        used=0,
        granted_by=giving.actor,
        approval_id=approval.id,
        reason=giving.reason,
        granted_at=giving.at,
        expires_at=giving.at + (min(wish.lifetime, lifetime) if wish.lifetime else lifetime),
        changed_at=giving.at,
    )


def _likeness(scope: GrantScope, asking: AskingCall) -> str:
    """What a later call has to have in common with this one: all of it, or where it runs.

    How urgent a call is depends on where: what is outside of one working directory is inside of another,
    which the caller names.
    """
    return asking.likeness if scope is GrantScope.ARGUMENTS else asking.place


def _schema_refusal(schema: GrantSchema, asking: AskingCall, tool: Tool) -> Refusal | None:
    """Why the schema does not do for the call that it is given with."""
    if asking.opaque:
        why = "part of the call cannot be known before it runs, so only exactly the same call is granted"
        return Refusal(ReceiptCode.GRANT_TOO_WIDE, f"{why}; leave the schema out")
    if unknown := sorted(schema.names - asking.arguments.value.keys()):
        return _excludes(f"the call has no argument {quoted(unknown[0])}")
    if hidden := sorted(schema.names & asking.hidden):
        return _excludes(f"argument {quoted(hidden[0])} is hidden, so nobody can say whether it fits")
    if not schema.accepts(asking.arguments.value):
        return _excludes("the schema does not accept the call's own arguments")
    if not _is_where_it_says(schema, asking, tool):
        return _excludes("a path of the call leads elsewhere than its text says")
    return None


def _satisfies(grant: Grant, asking: AskingCall, tool: Tool) -> bool:
    """Whether all that a schema speaks of is known, satisfies it, and means what it says."""
    schema = read_grant_schema(grant.schema_json, tool)
    return (
        isinstance(schema, GrantSchema)
        and _unnamed(schema, tool) is None
        and not schema.names & asking.hidden
        and schema.accepts(asking.arguments.value)
        and _is_where_it_says(schema, asking, tool)
    )


def _unnamed(schema: GrantSchema, tool: Tool) -> str | None:
    """What a tool that is granted narrowly has the schema name, and it does not."""
    if tool.session_grants is not SessionGrants.NARROWED:
        return None
    declared = {parts_of(spec.pointer)[0] for spec in tool.arguments}
    missing = sorted(declared - schema.names)
    return f"the schema says nothing of {quoted(missing[0])}, which rules look at" if missing else None


def _is_where_it_says(schema: GrantSchema, asking: AskingCall, tool: Tool) -> bool:
    """Whether the paths that the schema speaks of lead where their texts say.

    A pattern is read from the left: `/srv/app/../../etc` begins like a file of the application. And a link
    leads anywhere.
    """
    by_pattern = [name for name in schema.names if schema.is_pattern(name)]
    paths = [name for name in by_pattern if ArgumentKind.PATH in kinds_of(tool, name)]
    return all(_is_normal(asking.arguments.value[name]) for name in paths) and all(
        _at(asking, pointer) == path
        for pointer, path in asking.call.resolved_paths
        if parts_of(pointer)[0] in schema.names
    )


def _is_normal(path: str) -> bool:
    plain = posixpath.normpath(path) == path and not path.startswith("//")
    return plain and ".." not in path.split("/")


def _at(asking: AskingCall, pointer: str) -> str | None:
    """The path that the argument's text names, or None when there is no text."""
    value: Any = asking.arguments.value
    for part in parts_of(pointer):
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isascii() and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    if not isinstance(value, str):
        return None
    return posixpath.normpath(posixpath.join(asking.call.working_directory, value))


def _unknown_tool() -> str:
    return "the tool is not registered for the tenant"


def _forbidden(message: str) -> Refusal:
    return Refusal(ReceiptCode.GRANT_FORBIDDEN, message)


def _excludes(why: str) -> Refusal:
    return Refusal(ReceiptCode.GRANT_EXCLUDES_CALL, f"{why}: the grant has to cover the call itself")
