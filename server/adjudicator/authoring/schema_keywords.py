"""The keywords of a schema that can reject a value, each by its place, and which of them a value meets."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from adjudicator.domain.json_pointer import to_pointer
from adjudicator.policy.schema_parts import PROBES, subschemas, values_of

_ALWAYS_WORDS = """
    type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength pattern format
    maxItems maxContains contains maxProperties not anyOf oneOf propertyNames
"""
_ALWAYS = frozenset(_ALWAYS_WORDS.split())
_UNLESS_ZERO = frozenset(("minLength", "minItems", "minContains", "minProperties"))
_UNLESS_EMPTY = frozenset(("required", "dependentRequired", "uniqueItems"))
_CLOSING = frozenset(("additionalProperties", "unevaluatedProperties", "unevaluatedItems"))


@dataclass(frozen=True, slots=True)
class Keyword:
    """One keyword that can reject: the path of the part of the schema that it stands in, and its value."""

    at: tuple[str, ...]
    name: str
    value: Any

    @property
    def path(self) -> tuple[str, ...]:
        """Where the keyword itself stands."""
        return (*self.at, self.name)

    @property
    def pointer(self) -> str:
        """The same as a JSON Pointer."""
        return to_pointer(self.path)


def rejecting_keywords(schema: dict[str, Any]) -> Iterator[Keyword]:
    """All of them in a schema of arguments, which are an object whatever it says.

    Those inside of `if` and `not` reject nothing: what they say of a value need not hold.
    """
    probed = {
        id(inner)
        for _, part in subschemas(schema)
        for probe in values_of(part, PROBES)
        for _, inner in subschemas(probe)
    }
    for at, part in subschemas(schema):
        if id(part) not in probed:
            for name, value in part.items():
                if _can_reject(name, value) and (at or name != "type"):
                    yield Keyword(at, name, value)


def _can_reject(name: str, value: Any) -> bool:
    if name in _UNLESS_ZERO:
        return bool(value != 0)
    if name in _UNLESS_EMPTY:
        return bool(value)
    if name in _CLOSING or name == "items":
        return value is False
    return name in _ALWAYS


def rejected_by(errors: Iterable[Any]) -> Iterator[tuple[str, ...]]:
    """The paths of the keywords behind a validator's errors, those behind a failed choice included."""
    for error in errors:
        yield tuple(map(str, error.schema_path))
        for choice in getattr(error.kind, "context", ()):
            yield from rejected_by(choice)
