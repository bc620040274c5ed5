"""What is wrong with a value that a schema rejects, found in little time whatever the schema combines.

For every choice of an `anyOf` or a `oneOf` the library would collect all that is wrong with it, at every
level anew, and for every violation copy the value that it is about. So the choices become mere
conditions here, and of a value over the bounds less is told.
"""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import jsonschema_rs

from adjudicator.config.limits import EXPLAINED_PARTS, EXPLAINED_VALUES, KIB, VIOLATIONS
from adjudicator.domain.json_pointer import to_pointer
from adjudicator.policy.schema_engine import MASK, compile_schema
from adjudicator.policy.schema_parts import BRANCHES, CHOICES, brought_in, subschemas, values_of

_OF_OTHER_NAMES = ("additionalProperties", "unevaluatedProperties")
_OF_ITEMS = ("prefixItems", "items", "additionalItems", "unevaluatedItems")
# What is copied into a violation, and what is looked at again to tell why there is one.
_TOLD = ("enum", "const", "not", *CHOICES)
_NONE = f"{MASK} satisfies none of the choices"
_SEVERAL = f"{MASK} satisfies more than one of the choices"


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that is wrong: where, by which keyword, and a message with the mask in it."""

    path: tuple[str | int, ...]
    keyword: str
    message: str


class Explanation:
    """Explains what one schema rejects. Build it only from a schema that was checked."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema
        self._told = {
            id(part): sum(_measure(told, {}) for told in values_of(part, _TOLD)) + len(part)
            for _, part in subschemas(schema)
        }
        self._choices: dict[str, tuple[str, str]] = {}
        self._validator = compile_schema(self._with_conditions())

    def of(self, rejected: Any) -> list[Wrong]:
        """All that is wrong with a rejected value, up to a limit; never empty.

        Where there would be too much to copy it is only the first thing; where there is too much to look
        at, only that it was rejected.
        """
        sizes: dict[int, int] = {}
        _measure(rejected, sizes)
        copied = 0
        for parts, (part, value) in enumerate(_Meetings(self._schema, rejected)):
            if parts == EXPLAINED_PARTS:
                return [Wrong((), "schema", "the value is rejected, and holds too much to say where")]
            copied += self._copied(part, value, sizes)
        errors = self._all(rejected) if copied <= EXPLAINED_VALUES else self._first(rejected)
        return errors or [Wrong((), "schema", "the value is rejected")]

    def _copied(self, part: Any, value: Any, sizes: dict[int, int]) -> int:
        """At most how many values the violations of one part by one value hold."""
        size = sizes.get(id(value)) or _measure(value, sizes)
        if part is False:
            return size
        violations = 1
        if isinstance(value, dict):
            violations += len(part.get("required", ())) + len(value) * ("propertyNames" in part)
        return violations * size + self._told[id(part)]

    def _all(self, rejected: Any) -> list[Wrong]:
        return [self._wrong(error) for error in islice(self._validator.iter_errors(rejected), VIOLATIONS)]

    def _first(self, rejected: Any) -> list[Wrong]:
        try:
            self._validator.validate(rejected)
        except jsonschema_rs.ValidationError as error:
            return [self._wrong(error)]
        return []

    def _wrong(self, error: Any) -> Wrong:
        path = tuple(error.instance_path)
        choice = self._choices.get(to_pointer(error.schema_path))
        if choice is not None:
            return Wrong(path, *choice)
        return Wrong(path, error.kind.name, str(error.message))

    def _with_conditions(self) -> dict[str, Any]:
        """The schema with every choice as a condition of the same meaning that fails without details."""
        schema = copy.deepcopy(self._schema)
        for at, part in list(subschemas(schema)):
            for keyword in CHOICES:
                if keyword in part:
                    self._make_condition(at, part, keyword)
        return schema

    def _make_condition(self, at: tuple[str, ...], part: dict[str, Any], keyword: str) -> None:
        choices = part.pop(keyword)
        conditions = part.setdefault("allOf", [])
        failing = to_pointer((*at, "allOf", len(conditions), "else"))
        otherwise: Any = False
        self._choices[failing] = keyword, f"{_NONE} in `{keyword}`"
        if keyword == "oneOf":
            otherwise = {"if": {"anyOf": choices}, "then": False, "else": False}
            self._choices[f"{failing}/then"] = keyword, f"{_SEVERAL} in `{keyword}`"
            self._choices[f"{failing}/else"] = self._choices[failing]
        conditions.append({"if": {keyword: choices}, "else": otherwise})


class _Meetings:
    """Every part of a schema with every value that it may find something wrong with, as often as it may."""

    def __init__(self, schema: dict[str, Any], rejected: Any) -> None:
        self._schema = schema
        self._waiting: list[tuple[Any, Any]] = [(schema, rejected)]

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        while self._waiting:
            part, value = self._waiting.pop()
            if part is False:
                yield part, value
            elif isinstance(part, dict):
                yield part, value
                self._meet(part, value)

    def _meet(self, part: dict[str, Any], value: Any) -> None:
        found = brought_in(self._schema, part, combined=("allOf",), branches=BRANCHES)
        self._waiting += [(each, value) for each in found]
        if isinstance(value, dict):
            for name, child in value.items():
                self._waiting += [(each, child) for each in _of_name(part, name)]
        elif isinstance(value, list):
            for index, child in enumerate(value):
                self._waiting += [(each, child) for each in _of_item(part, index)]


def _of_name(part: dict[str, Any], name: str) -> Iterator[Any]:
    properties = part.get("properties", {})
    if name in properties:
        yield properties[name]
    else:
        yield from values_of(part, _OF_OTHER_NAMES)
    yield from part.get("patternProperties", {}).values()


def _of_item(part: dict[str, Any], index: int) -> Iterator[Any]:
    for each in values_of(part, _OF_ITEMS):
        if isinstance(each, list):
            yield from each[index : index + 1]
        else:
            yield each


def _measure(value: Any, sizes: dict[int, int]) -> int:
    """How many values there are in a value, itself included; notes it for every object and list in it.

    A long text counts for several.
    """
    if isinstance(value, str):
        return 1 + len(value) // KIB
    if not isinstance(value, dict | list):
        return 1
    children = value.values() if isinstance(value, dict) else value
    size = sizes[id(value)] = 1 + sum(_measure(child, sizes) for child in children)
    return size
