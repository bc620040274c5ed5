"""The caller's trace context, from the metadata of its request."""

import secrets

from adjudicator.config.limits import TRACE_STATE_CHARS
from adjudicator.domain.trace_context import TraceContext, continued
from adjudicator.transport.errors import Context


def trace_context(context: Context) -> TraceContext | None:
    """The caller's place in its own trace, with a new span for this request; None when it names none.

    What is malformed is ignored, as the standard says: it never costs a caller its answer.
    """
    metadata = context.invocation_metadata() or ()
    parent = next((value for name, value in metadata if name == "traceparent"), None)
    if not isinstance(parent, str):
        return None
    state = ",".join(str(value) for name, value in metadata if name == "tracestate")
    if len(state) > TRACE_STATE_CHARS:
        state = ""
    return continued(parent, state, secrets.token_hex(8))
