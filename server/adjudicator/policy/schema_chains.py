"""How much a schema says about one and the same value, through combinations and references.

Parts that lead to one another overrun the stack when there are too many in a row, and where they branch,
or ask what others left unevaluated, the time to judge grows with every level of them.
"""

from collections.abc import Iterator
from typing import Any

from adjudicator.config.limits import SCHEMA_CHAIN, SCHEMA_EFFORT
from adjudicator.policy.schema_parts import CHOICES, brought_in, subschemas

# How often the library looks at a choice, and at all that is beside a keyword for what is unevaluated:
# found by measuring schemas in which they are nested.
_LOOKS_AT_CHOICE = 3
_LOOKS_FOR_UNEVALUATED = 8
_ENDLESS = (
    "leads back to itself about the same value, so it says nothing; take the reference away, or put it "
    "under `properties` or `items`"
)
_LONG = f"goes on for more than {SCHEMA_CHAIN} parts about the same value; combine fewer parts"
_BROAD = (
    "combines so many parts about the same value, each one through others, that judging would take long; "
    "nest fewer `anyOf`, `oneOf` and `unevaluated…`"
)


def chain_faults(schema: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The first part whose combinations and references do not end, end too late, or branch too much."""
    chains = _Chains(schema)
    for at, part in subschemas(schema):
        fault = chains.fault(part, ())
        if fault is not None:
            yield at, fault
            return


class _Chains:
    """The chains of one schema. It remembers the height and the effort of each part without a fault."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema
        self._heights: dict[int, int] = {}
        self._efforts: dict[int, int] = {}

    def fault(self, part: Any, above: tuple[int, ...]) -> str | None:
        """What is wrong with the chains that begin at the part; `above` are those that led to it."""
        if not isinstance(part, dict):
            return None
        if id(part) in above:
            return _ENDLESS
        if len(above) + self._heights.get(id(part), 0) >= SCHEMA_CHAIN:
            return _LONG
        if id(part) in self._heights:
            return None
        return self._fault_of_children(part, (*above, id(part)))

    def _fault_of_children(self, part: dict[str, Any], above: tuple[int, ...]) -> str | None:
        children = [child for child in brought_in(self._schema, part) if isinstance(child, dict)]
        for child in children:
            fault = self.fault(child, above)
            if fault is not None:
                return fault
        effort = self._effort(part, children)
        if effort > SCHEMA_EFFORT:
            return _BROAD
        self._efforts[id(part)] = effort
        self._heights[id(part)] = 1 + max((self._heights[id(child)] for child in children), default=0)
        return None

    def _effort(self, part: dict[str, Any], children: list[dict[str, Any]]) -> int:
        choices = [each for keyword in CHOICES for each in part.get(keyword, ()) if isinstance(each, dict)]
        effort = 1 + sum(self._efforts[id(child)] for child in children)
        effort += (_LOOKS_AT_CHOICE - 1) * sum(self._efforts[id(choice)] for choice in choices)
        looks = "unevaluatedProperties" in part or "unevaluatedItems" in part
        return effort * _LOOKS_FOR_UNEVALUATED if looks else effort
