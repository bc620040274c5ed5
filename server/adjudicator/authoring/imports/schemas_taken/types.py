"""Of which types the values may be that a schema accepts, and whether it says what an object holds."""

from typing import Any
from urllib.parse import unquote

from adjudicator.policy.schema_parts import resolve

TYPES = ("array", "boolean", "null", "number", "object", "string")
_ALL = frozenset(TYPES)
_IN_PLACE = ("allOf", "anyOf", "oneOf")


def target_of(root: Any, reference: str) -> Any:
    """What a reference within the schema points at. Raises KeyError for any other."""
    if reference != "#" and not reference.startswith("#/"):
        raise KeyError(reference)
    return resolve(root, unquote(reference))


def types_of(root: dict[str, Any], schema: Any, seen: frozenset[int] = frozenset()) -> frozenset[str]:
    """At least all types of values that the schema accepts; integers are numbers."""
    if schema is False:
        return frozenset()
    if not isinstance(schema, dict) or id(schema) in seen:
        return _ALL
    seen |= {id(schema)}
    found = _stated(schema)
    for value in (*schema.get("allOf", ()), *_referred(root, schema)):
        found &= types_of(root, value, seen)
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            found &= frozenset().union(*(types_of(root, each, seen) for each in schema[keyword]))
    return found


def describes_names(root: dict[str, Any], schema: Any, seen: frozenset[int] = frozenset()) -> bool:
    """Whether the schema, or what it combines, says which names an object has."""
    if not isinstance(schema, dict) or id(schema) in seen:
        return False
    if "properties" in schema or "patternProperties" in schema:
        return True
    parts = [*_referred(root, schema), *(schema[key] for key in ("then", "else") if key in schema)]
    parts += [each for keyword in _IN_PLACE for each in schema.get(keyword, ())]
    parts += schema.get("dependentSchemas", {}).values()
    return any(describes_names(root, each, seen | {id(schema)}) for each in parts)


def type_of(value: Any) -> str:
    """The type of a JSON value."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    known = ((str, "string"), (list, "array"), (dict, "object"))
    return next((name for kind, name in known if isinstance(value, kind)), "number")


def _stated(schema: dict[str, Any]) -> frozenset[str]:
    types = schema.get("type", TYPES)
    found = frozenset([types] if isinstance(types, str) else types)
    if "integer" in found:
        found = found - {"integer"} | {"number"}
    values = [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else ())]
    return found & (frozenset(map(type_of, values)) if values else _ALL)


def _referred(root: dict[str, Any], schema: dict[str, Any]) -> list[Any]:
    if not isinstance(schema.get("$ref"), str):
        return []
    try:
        return [target_of(root, schema["$ref"])]
    except KeyError:
        return []
