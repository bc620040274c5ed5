"""The trace service by itself."""

import asyncio

from adjudicator.domain.trace import Element, ElementKind, Trace, TraceKind
from adjudicator.transport import convert
from adjudicator.transport.trace import whole
from records import NOW


async def test_others_get_their_turn_while_a_long_trace_is_made():
    """The trace of a flow has thousands of elements, and the agents' plane has the same thread."""
    turns = 0

    async def others():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    elements = tuple(Element(ElementKind.TOOL_CALL, {"trace": n}, NOW, n) for n in range(1, 5001))
    trace = Trace(
        1, NOW, None, "studio", "s", "coder", "", None, kind=TraceKind.FLOW, own_id="f1", elements=elements
    )
    task = asyncio.create_task(others())
    message = await whole(trace)
    task.cancel()
    assert message == convert.trace(trace)
    assert turns > 20
