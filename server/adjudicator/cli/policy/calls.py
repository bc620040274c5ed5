"""Calls that are judged without a sidecar, from flags or from a line of JSON."""

from adjudicator.cli.tool_calls import CallError, CallFields
from adjudicator.domain.call import Mode, ToolCall


def offline_call(fields: CallFields) -> ToolCall:
    """The call as the chain sees it. Raises CallError, as when it were sent."""
    fields.tool_call()  # what could not be sent is not judged here either
    if fields.flow is not None:
        raise CallError("a call belongs to a flow in a sidecar only; leave `flow` out")
    return ToolCall(
        tenant=fields.tenant or "",
        agent=fields.agent or "",
        tool=fields.tool or "",
        arguments_json=fields.arguments or "",
        on_behalf_of=fields.on_behalf_of or (),
        principal=fields.principal or "",
        session=fields.session or "",
        call_id=fields.call_id or "",
        working_directory=fields.working_directory or "",
        resolved_paths=tuple((fields.resolved_paths or {}).items()),
        mode=Mode(fields.mode) if fields.mode else None,
    )
