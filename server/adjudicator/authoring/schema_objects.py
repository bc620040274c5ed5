"""The objects that a tool's schema speaks of, and what could stand in one of them and still satisfy it.

For warnings; no decision asks here. What cannot be told counts as possible.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from adjudicator.config.limits import SCHEMA_OBJECTS
from adjudicator.domain.json_pointer import to_pointer
from adjudicator.policy.schema_engine import compile_schema
from adjudicator.policy.schema_parts import BRANCHES, CHOICES, REFERENCES, resolve, subschemas, values_of

_OTHERS = ("additionalProperties", "unevaluatedProperties")
_ITEMS = ("prefixItems", "items", "additionalItems", "unevaluatedItems")
_CONDITIONAL = ("dependentSchemas", "dependencies")

Step = str | int
"""How a value is inside another one: by its name, or by the identity of the part that is for it."""


@dataclass(frozen=True, slots=True)
class ObjectPart:
    """A part of a schema that speaks of one object in a value.

    `pointer` is where the object is, as the registry writes it. `top` is the part that speaks of all of the
    object and brings this one in. `steps` lead from the root to the object; they are None when every such
    object has to satisfy `top`, wherever it is.
    """

    part: dict[str, Any]
    pointer: tuple[str, ...]
    top: dict[str, Any]
    steps: tuple[Step, ...] | None


class SchemaObjects:
    """Walks over one schema that was checked, from its root inwards, and once into what is inside itself.

    `complete` says afterwards whether it saw all of it.
    """

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema
        self.complete = True

    def __iter__(self) -> Iterator[ObjectPart]:
        waiting = deque([_Place(self._schema, (), (), sure=True, trail=frozenset())])
        seen = 0
        while waiting:
            place = waiting.popleft()
            seen += 1
            if seen > SCHEMA_OBJECTS:
                self.complete = False
                return
            for part, sure in _applied(self._schema, place.top, sure=place.sure):
                yield ObjectPart(part, place.pointer, place.top, None if place.sure else place.steps)
                waiting += place.inside(part, sure=sure)


@dataclass(frozen=True, slots=True)
class _Place:
    """One place in a value, and the part that speaks of it. `trail` are the parts around it."""

    top: dict[str, Any]
    pointer: tuple[str, ...]
    steps: tuple[Step, ...]
    sure: bool
    trail: frozenset[int]

    def inside(self, part: dict[str, Any], *, sure: bool) -> Iterator["_Place"]:
        trail = self.trail | {id(self.top)}
        for name, step, child in _children(part):
            if isinstance(child, dict) and id(child) not in trail:
                yield _Place(child, (*self.pointer, name), (*self.steps, step), sure, trail)


def _children(part: dict[str, Any]) -> Iterator[tuple[str, Step, Any]]:
    """The parts for what is inside of a value, each with its name in a pointer and its step."""
    for name, child in part.get("properties", {}).items():
        yield name, name, child
    for child in (*part.get("patternProperties", {}).values(), *values_of(part, _OTHERS)):
        yield "*", id(child), child
    for each in values_of(part, _ITEMS):
        for child in each if isinstance(each, list) else [each]:
            yield "*", id(child), child


def _applied(
    root: dict[str, Any], top: dict[str, Any], *, sure: bool
) -> Iterator[tuple[dict[str, Any], bool]]:
    """The parts that may demand something of what `top` speaks of, and whether each does for sure."""
    waiting: list[tuple[Any, bool]] = [(top, sure)]
    seen: set[tuple[int, bool]] = set()
    while waiting:
        part, is_sure = waiting.pop()
        if not isinstance(part, dict) or (id(part), is_sure) in seen:
            continue
        seen.add((id(part), is_sure))
        yield part, is_sure
        waiting += [(each, is_sure) for each in part.get("allOf", ())]
        waiting += [(resolve(root, part[keyword]), is_sure) for keyword in REFERENCES if keyword in part]
        waiting += [(each, False) for keyword in CHOICES for each in part.get(keyword, ())]
        waiting += [(each, False) for each in values_of(part, BRANCHES)]
        waiting += [(each, False) for named in values_of(part, _CONDITIONAL) for each in named.values()]


class Possible:
    """What may stand where, by one schema. It knows for sure what a text or null comes to in one part."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema
        self._numbers, self._validator = _parts_validator(schema)

    def in_object(self, found: ObjectPart, name: str, value: str | None) -> bool:
        """Whether some object there might have this value under the name and the arguments be valid."""
        if found.steps is None:
            return self._could(found.top, (name,), value)
        return self._could(self._schema, (*found.steps, name), value)

    def _could(self, part: Any, steps: Sequence[Step], value: str | None) -> bool:
        """Whether a value might satisfy the part with this text, or null, where the steps lead."""
        if not isinstance(part, dict):
            return part is not False
        if not steps:
            return self._accepts(part, value)
        return (
            _can_hold(part, steps[0])
            and all(self._could(child, steps[1:], value) for child in _held_to(part, steps[0]))
            and all(self._could(child, steps, value) for child in self._joined(part, steps[0]))
            and all(
                any(self._could(child, steps, value) for child in part[keyword])
                for keyword in CHOICES
                if keyword in part
            )
            and ("if" not in part or any(self._could(part.get(b, True), steps, value) for b in BRANCHES))
        )

    def _joined(self, part: dict[str, Any], step: Step) -> Iterator[Any]:
        """The parts that a value has to satisfy too, if it has what the step names."""
        yield from part.get("allOf", ())
        for keyword in REFERENCES:
            if keyword in part:
                yield resolve(self._schema, part[keyword])
        for named in values_of(part, _CONDITIONAL):
            if step in named and not isinstance(named[step], list):
                yield named[step]

    def _accepts(self, part: dict[str, Any], value: str | None) -> bool:
        return bool(self._validator.is_valid({self._numbers[id(part)]: value}))


def _can_hold(part: dict[str, Any], step: Step) -> bool:
    """Whether the part lets through anything with something inside, such as the step leads to."""
    kinds = {"object": dict} if isinstance(step, str) else {"object": dict, "array": list}
    types = part.get("type", list(kinds))
    listed = [*part.get("enum", ()), *values_of(part, ("const",))]
    return not kinds.keys().isdisjoint([types] if isinstance(types, str) else types) and (
        not listed or any(isinstance(each, tuple(kinds.values())) for each in listed)
    )


def _held_to(part: dict[str, Any], step: Step) -> Iterator[Any]:
    """The parts to which the part certainly holds the value that the step leads to."""
    if isinstance(step, int):
        yield from (child for _, each, child in _children(part) if each == step)
    elif step in part.get("properties", {}):
        yield part["properties"][step]
    elif "patternProperties" not in part:
        yield from values_of(part, _OTHERS[:1])


def _parts_validator(schema: dict[str, Any]) -> tuple[dict[int, str], Any]:
    """A validator of objects that holds each property to one part, and the property of each part."""
    whole = deepcopy(schema)
    dialect = {"$schema": whole.pop("$schema")} if "$schema" in whole else {}
    numbers: dict[int, str] = {}
    properties: dict[str, Any] = {}
    for number, (at, part) in enumerate(subschemas(schema)):
        numbers[id(part)] = str(number)
        properties[str(number)] = {"$ref": f"#/$defs/whole{quote(to_pointer(at))}"}
    for _, part in list(subschemas(whole)):
        _move_references(part)
    return numbers, compile_schema({**dialect, "$defs": {"whole": whole}, "properties": properties})


def _move_references(part: dict[str, Any]) -> None:
    """The same references, from a schema that stands deeper. The recursive one can only lead to the top."""
    for keyword in REFERENCES:
        if keyword in part:
            part[keyword] = f"#/$defs/whole{part[keyword].removeprefix('#')}"
    if "$recursiveRef" in part:
        part["allOf"] = [*part.get("allOf", ()), {"$ref": part.pop("$recursiveRef")}]
