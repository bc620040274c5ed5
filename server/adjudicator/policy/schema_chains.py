"""How long a schema goes on about one and the same value. Too long, and judging would overrun the stack."""

from collections.abc import Iterator
from typing import Any

from adjudicator.config.limits import SCHEMA_CHAIN
from adjudicator.policy.schema_parts import brought_in, subschemas

_ENDLESS = (
    "leads back to itself about the same value, so it says nothing; take the reference away, or put it "
    "under `properties` or `items`"
)
_LONG = f"goes on for more than {SCHEMA_CHAIN} parts about the same value; combine fewer parts"


def chain_faults(schema: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The first part whose combinations and references do not end, or end too late."""
    heights: dict[int, int] = {}
    for at, part in subschemas(schema):
        fault = _fault(schema, part, heights, ())
        if fault is not None:
            yield at, fault
            return


def _fault(root: dict[str, Any], part: Any, heights: dict[int, int], above: tuple[int, ...]) -> str | None:
    """The fault of the chains that begin here; `heights` remembers the parts that have none."""
    if not isinstance(part, dict):
        return None
    if id(part) in above:
        return _ENDLESS
    if len(above) + heights.get(id(part), 0) >= SCHEMA_CHAIN:
        return _LONG
    if id(part) in heights:
        return None
    children = list(brought_in(root, part))
    for child in children:
        fault = _fault(root, child, heights, (*above, id(part)))
        if fault is not None:
            return fault
    heights[id(part)] = 1 + max((heights.get(id(child), 0) for child in children), default=0)
    return None
