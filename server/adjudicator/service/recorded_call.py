"""From a call's trace back to the call, where its arguments are on record whole."""

import json
from dataclasses import dataclass
from typing import Any

from adjudicator.config.limits import Limits
from adjudicator.domain.arguments import Arguments, read_arguments
from adjudicator.domain.call import Mode, ToolCall
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.trace import ElementKind, Recorded, Trace
from adjudicator.service.seen_call import hides


class Gap(Symbol):
    """Why the call of a trace cannot be judged anew."""

    REDACTED = "redacted"
    """Something of its arguments, or of where its paths lead, was hidden."""
    DIGEST = "digest"
    """Of its arguments only a digest was kept."""
    WITHHELD = "withheld"
    """Nothing of its arguments was kept, since no contract said which of them are secret."""
    UNREADABLE = "unreadable"
    """Its arguments could not be read when it was judged, or not by the bounds of now."""
    ABSENT = "absent"
    """The trace does not say what was called."""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call as its trace has it, to be judged anew. It names no flow: no step of the chain asks."""

    call: ToolCall
    arguments: Arguments


def recorded_call(trace: Trace, limits: Limits) -> RecordedCall | Gap:
    """The call of a trace that was read with its elements; what keeps it from being judged anew.

    Arguments that were recorded redacted are whole when nothing in them was hidden. A text that is the
    marker itself counts as hidden.
    """
    context = _body_of(trace, ElementKind.INPUT_CONTEXT)
    action = _body_of(trace, ElementKind.PROPOSED_ACTION)
    gap = _gap(action) if context else Gap.ABSENT
    if gap is not None:
        return gap
    value, paths = action["arguments"], action.get("resolved_paths", {})
    text = json.dumps(value)
    arguments = read_arguments(
        text,
        max_bytes=limits.arguments_bytes,
        max_depth=limits.arguments_depth,
        max_values=limits.arguments_values,
        max_digits=limits.arguments_digits,
    )
    if not isinstance(arguments, Arguments):
        return Gap.UNREADABLE
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


def _gap(action: dict[str, Any]) -> Gap | None:
    """What is not there of the arguments; None when they are whole."""
    recorded = action.get("arguments_recorded")
    if not action or recorded == Recorded.DIGEST.value:
        return Gap.DIGEST if action else Gap.ABSENT
    if action.get("arguments") is None:
        return Gap.UNREADABLE if "unreadable" in action else Gap.WITHHELD
    hidden = hides([action["arguments"], action.get("resolved_paths", {})])
    return Gap.REDACTED if hidden and recorded != Recorded.FULL.value else None


def _body_of(trace: Trace, kind: ElementKind) -> dict[str, Any]:
    return next((each.body for each in trace.elements if each.kind is kind), {})
