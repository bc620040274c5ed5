"""What a schema is made of: its parts, and where its local references lead. Judges nothing."""

from collections.abc import Iterator
from typing import Any

from adjudicator.domain.json_pointer import parts_of

OWN_MARK = "x-secret"
"""Our own keyword, for what JSON Schema has no word for: a value that is a secret in an output."""
SECRET_MARKS = ("writeOnly", OWN_MARK)
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
COMBINED = ("allOf", "anyOf", "oneOf")
CHOICES = ("anyOf", "oneOf")
BRANCHES = ("then", "else")
# What these say of a value need not hold of it, so it does not describe the value.
PROBES = ("if", "not")

_LISTS = (*COMBINED, "prefixItems", "items")
_NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_SINGLE = (
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "items",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "contentSchema",
    *BRANCHES,
    *PROBES,
)


def subschemas(schema: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """The schema and every schema in it, each with its place."""
    if not isinstance(schema, dict):
        return
    yield at, schema
    for keyword, value in schema.items():
        if keyword in _NAMED and isinstance(value, dict):
            for name, child in value.items():
                yield from subschemas(child, (*at, keyword, name))
        elif keyword in _LISTS and isinstance(value, list):
            for index, child in enumerate(value):
                yield from subschemas(child, (*at, keyword, str(index)))
        elif keyword in _SINGLE:
            yield from subschemas(value, (*at, keyword))


def resolve(root: Any, reference: str) -> Any:
    """What a local `#/…` reference points at. Raises KeyError when it points at nothing."""
    value = root
    for name in parts_of(reference.removeprefix("#")):
        if isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        elif isinstance(value, dict) and name in value:
            value = value[name]
        else:
            raise KeyError(reference)
    return value


def brought_in(
    root: dict[str, Any],
    schema: dict[str, Any],
    *,
    combined: tuple[str, ...] = COMBINED,
    branches: tuple[str, ...] = (*BRANCHES, *PROBES),
) -> Iterator[Any]:
    """The parts that a part applies to the very value that it is applied to itself."""
    for keyword in combined:
        yield from schema.get(keyword, ())
    yield from values_of(schema, branches)
    for keyword in ("dependentSchemas", "dependencies"):
        yield from schema.get(keyword, {}).values()
    for keyword in REFERENCES:
        if keyword in schema:
            yield resolve(root, schema[keyword])


def is_marked(schema: dict[str, Any]) -> bool:
    """Whether the part says that a value it applies to is a secret."""
    return any(schema.get(mark, False) is not False for mark in SECRET_MARKS)


def values_of(schema: dict[str, Any], keywords: tuple[str, ...]) -> Iterator[Any]:
    """What the part says under each of these keywords that it has."""
    return (schema[keyword] for keyword in keywords if keyword in schema)
