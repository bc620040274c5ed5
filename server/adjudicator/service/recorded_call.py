"""From a call's trace back to the call, where its arguments are on record whole."""

import json
from dataclasses import dataclass
from typing import Any

from adjudicator.config.limits import Limits
from adjudicator.domain.arguments import Arguments, read_arguments
from adjudicator.domain.call import Mode, ToolCall
from adjudicator.domain.trace import ElementKind, Recorded, Trace
from adjudicator.service.seen_call import hides


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call as its trace has it, to be judged anew. It names no flow: no step of the chain asks."""

    call: ToolCall
    arguments: Arguments


def recorded_call(trace: Trace, limits: Limits) -> RecordedCall | None:
    """The call of a trace that was read with its elements; None where something of it is not there.

    Arguments that were recorded redacted are whole when nothing in them was hidden. A text that is the
    marker itself counts as hidden.
    """
    context = _body_of(trace, ElementKind.INPUT_CONTEXT)
    action = _body_of(trace, ElementKind.PROPOSED_ACTION)
    value, paths = action.get("arguments"), action.get("resolved_paths", {})
    whole = action.get("arguments_recorded") == Recorded.FULL.value
    if not context or value is None or not (whole or not hides([value, paths])):
        return None
    text = json.dumps(value)
    arguments = read_arguments(
        text,
        max_bytes=limits.arguments_bytes,
        max_depth=limits.arguments_depth,
        max_values=limits.arguments_values,
        max_digits=limits.arguments_digits,
    )
    if not isinstance(arguments, Arguments):
        return None
    call = ToolCall(
        tenant=trace.tenant,
        agent=trace.agent,
        tool=trace.tool,
        arguments_json=text,
        on_behalf_of=tuple(context.get("on_behalf_of", ())),
        principal=context.get("principal", ""),
        session=trace.session,
        call_id=context.get("call_id", ""),
        working_directory=context.get("working_directory", ""),
        resolved_paths=tuple(paths.items()),
        mode=Mode(context["mode"]) if context.get("mode") else None,
    )
    return RecordedCall(call, arguments)


def _body_of(trace: Trace, kind: ElementKind) -> dict[str, Any]:
    return next((each.body for each in trace.elements if each.kind is kind), {})
