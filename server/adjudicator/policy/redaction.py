"""Hiding what a schema marks `writeOnly`. Where the schema leaves it open, it hides."""

from collections.abc import Callable
from typing import Any

from adjudicator.policy.schema_checks import resolve

MARKER = "[redacted]"
_ALL_OF = ("allOf", "anyOf", "oneOf")
_BRANCHES = ("if", "then", "else", "not")


class Redactor:
    """Redacts values by one schema. Every branch counts, whether or not the value would satisfy it.

    `matches` says whether a pattern of the schema matches a property's name.
    """

    def __init__(self, schema: dict[str, Any], matches: Callable[[str, str], bool]) -> None:
        self._root = schema
        self._matches = matches

    def redact(self, value: Any) -> Any:
        """A copy in which every value that any branch of the schema marks is replaced."""
        return self._redact(value, self._applying([self._root]))

    def _redact(self, value: Any, schemas: list[dict[str, Any]]) -> Any:
        if any(
            schema.get("writeOnly") is not None and schema["writeOnly"] is not False for schema in schemas
        ):
            return MARKER
        if isinstance(value, dict):
            return {
                name: self._redact(child, self._applying(self._for_property(name, schemas)))
                for name, child in value.items()
            }
        if isinstance(value, list):
            return [
                self._redact(child, self._applying(self._for_item(index, schemas)))
                for index, child in enumerate(value)
            ]
        return value

    def _applying(self, schemas: list[Any]) -> list[dict[str, Any]]:
        """These schemas and all that they bring in for the same value."""
        found: list[dict[str, Any]] = []
        waiting = list(schemas)
        while waiting:
            schema = waiting.pop()
            if not isinstance(schema, dict) or any(schema is known for known in found):
                continue
            found.append(schema)
            waiting.extend(self._brought_in(schema))
        return found

    def _brought_in(self, schema: dict[str, Any]) -> list[Any]:
        brought = [part for keyword in _ALL_OF for part in schema.get(keyword, [])]
        brought += [schema[keyword] for keyword in _BRANCHES if keyword in schema]
        brought += list(schema.get("dependentSchemas", {}).values())
        brought += list(schema.get("dependencies", {}).values())
        brought += [
            resolve(self._root, schema[keyword])
            for keyword in ("$ref", "$dynamicRef", "$recursiveRef")
            if keyword in schema
        ]
        return brought

    def _for_property(self, name: str, schemas: list[dict[str, Any]]) -> list[Any]:
        found: list[Any] = []
        for schema in schemas:
            declared = [schema["properties"][name]] if name in schema.get("properties", {}) else []
            for pattern, part in schema.get("patternProperties", {}).items():
                declared += [part] if self._matches(pattern, name) else []
            others = [
                schema[key] for key in ("additionalProperties", "unevaluatedProperties") if key in schema
            ]
            found += declared or others
        return found

    def _for_item(self, index: int, schemas: list[dict[str, Any]]) -> list[Any]:
        found: list[Any] = []
        for schema in schemas:
            places = schema.get("prefixItems", []), schema.get("items", {})
            for place in places:
                if isinstance(place, list):
                    found += place[index : index + 1]
                else:
                    found.append(place)
            found += [
                schema[key] for key in ("additionalItems", "unevaluatedItems", "contains") if key in schema
            ]
        return found
