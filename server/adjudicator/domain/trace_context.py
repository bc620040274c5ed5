"""W3C Trace Context: where a request stands in its caller's distributed trace, which is none of ours."""

import re
from dataclasses import dataclass

_TRACEPARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?", re.DOTALL)
_SAMPLED = 0x01


@dataclass(frozen=True, slots=True)
class TraceContext:
    """Ids are lower-case hexadecimal and never all zeros.

    `span_id` is the request's own span, `parent_span_id` the caller's, empty where the trace begins here.
    `sampled` says whether spans of this trace are wanted; `state` is the caller's `tracestate`, unread.
    """

    trace_id: str
    span_id: str
    parent_span_id: str = ""
    sampled: bool = True
    state: str = ""

    def ids(self) -> dict[str, str]:
        """The ids by the names that a record has them under."""
        return {"trace_id": self.trace_id, "parent_span_id": self.parent_span_id, "span_id": self.span_id}


def continued(traceparent: str, state: str, span_id: str) -> TraceContext | None:
    """A new span in the trace that a `traceparent` names; None for one that the standard says to ignore.

    Of a version that does not exist yet it reads what the standard promises to stay: the same four fields
    in front, whatever follows them.
    """
    match = _TRACEPARENT.fullmatch(traceparent)
    if match is None:
        return None
    version, trace_id, parent, flags, more = match.groups()
    if version == "ff" or (version == "00" and more) or not trace_id.strip("0") or not parent.strip("0"):
        return None
    return TraceContext(trace_id, span_id, parent, bool(int(flags, 16) & _SAMPLED), state)
