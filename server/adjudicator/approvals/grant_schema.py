"""The schema of a session grant: the few forms that say exactly which arguments they let through.

A contract may say much that is hard to oversee. A grant is written by a person in a hurry, so that here
each property is one of a few values, a whole text, or a number between two bounds.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from adjudicator.config.limits import GRANT_SCHEMA_BYTES, GRANT_SCHEMA_DEPTH
from adjudicator.domain.approval import ReceiptCode
from adjudicator.domain.call import quoted
from adjudicator.domain.facet import ArgumentKind
from adjudicator.domain.json_pointer import parts_of
from adjudicator.domain.strict_json import Fault, canonical_json, read_json
from adjudicator.policy.registry import Tool
from adjudicator.policy.schema_engine import compile_schema
from adjudicator.policy.schema_patterns import pattern_faults

_NOTES = frozenset({"title", "description"})
_ROOT = frozenset({"type", "properties", "required", "additionalProperties"})
_TEXT = frozenset({"type", "pattern", "minLength", "maxLength"})
_NUMBER = frozenset({"type", "minimum", "maximum"})
# A pattern that matches all of one line is no bound: nobody means all of these together. None of them is
# short, so that a least length makes no bound either.
_UNLIKE = (
    ("/etc/passwd", "/home/ann/.ssh/id_rsa", "/srv/app/a-1_b.txt", "/srv/app/é ü/x"),
    ("etc/passwd", ".ssh/id_rsa", "src/app/a-1_b.txt", "docs/é ü/x"),
    ("0123456789", "drop table a", "a;b && c || d", "--force --all", "é ü in words", "ann@example.org"),
)
_FORMS = (
    'write `{"const": …}`, `{"enum": […]}`, `{"type": "string", "pattern": "^…$"}`, '
    'or `{"type": "integer", "minimum": …, "maximum": …}`'
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing is granted, as a receipt says it."""

    code: ReceiptCode
    message: str


class GrantSchema:
    """A schema that was checked. `text` is how it is stored, and `names` what it speaks of."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.text = canonical_json(schema).decode()
        self._properties: Mapping[str, dict[str, Any]] = schema["properties"]
        self.names = frozenset(self._properties)
        self._validator = compile_schema(schema)

    def accepts(self, arguments: Mapping[str, Any]) -> bool:
        """Whether the arguments satisfy it. Values are the same only when their JSON text is."""
        return bool(self._validator.is_valid(arguments)) and all(
            _is_listed(part, arguments[name]) for name, part in self._properties.items()
        )

    def is_pattern(self, name: str) -> bool:
        """Whether it describes the property by a pattern, and does not list its values."""
        return "pattern" in self._properties[name]


def read_grant_schema(text: str, tool: Tool) -> GrantSchema | Refusal:
    """The schema for later calls of the tool, or why it cannot be one."""
    read = read_json(
        text,
        "the contents of the grant's schema",
        max_bytes=GRANT_SCHEMA_BYTES,
        max_depth=GRANT_SCHEMA_DEPTH,
        verb="write",
    )
    if isinstance(read, Fault):
        return _invalid(read.message)
    schema = read.value
    refusal = _root_refusal(schema) or next(_property_refusals(schema["properties"], tool), None)
    if refusal is not None:
        return refusal
    try:
        return GrantSchema(schema)
    except Exception as error:  # noqa: BLE001 - the library has no common class for what it refuses
        return _invalid(f"the grant's schema cannot be compiled: {type(error).__name__}")


def kinds_of(tool: Tool, name: str) -> frozenset[ArgumentKind]:
    """What the registry says that the property is, or holds."""
    return frozenset(spec.kind for spec in tool.arguments if parts_of(spec.pointer)[0] == name)


def _root_refusal(schema: Any) -> Refusal | None:
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return _invalid('the grant\'s schema has to say `"type": "object"`')
    if unknown := sorted(schema.keys() - _ROOT - _NOTES):
        return _wide(f"the grant's schema says {quoted(unknown[0])}, which may mean more than it seems to")
    if schema.get("additionalProperties", False) is not False:
        return _wide("`additionalProperties` of the grant's schema can only be false")
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict) or not properties:
        return _wide("the grant's schema names no property, so it would let through everything")
    if not isinstance(required, list) or sorted(map(str, required)) != sorted(properties):
        return _wide("a property that may be left out is no bound: name exactly all of them in `required`")
    return None


def _property_refusals(properties: Mapping[str, Any], tool: Tool) -> Iterator[Refusal]:
    for name, part in properties.items():
        refusal = _property_refusal(name, part, kinds_of(tool, name), tool)
        if refusal is not None:
            yield refusal


def _property_refusal(name: str, part: Any, kinds: frozenset[ArgumentKind], tool: Tool) -> Refusal | None:
    if not isinstance(part, dict):
        return _wide(f"property {quoted(name)} is no bound; {_FORMS}")
    words = part.keys() - _NOTES
    if words in ({"const"}, {"type", "const"}):
        return None
    if words in ({"enum"}, {"type", "enum"}):
        listed = isinstance(part["enum"], list) and part["enum"]
        return None if listed else _invalid(f"`enum` of property {quoted(name)} has to be a list of values")
    if kinds and not _is_plain(name, tool):
        return _wide(
            f"property {quoted(name)} is a command line, a URL or a list, where a pattern lets through "
            'more than it shows; write `{"const": …}` or `{"enum": […]}`'
        )
    if words <= _TEXT and "pattern" in words and part.get("type") == "string":
        return _pattern_refusal(name, part)
    if words == _NUMBER and part["type"] in ("integer", "number"):
        return None
    return _wide(f"property {quoted(name)} is no bound; {_FORMS}")


def _is_plain(name: str, tool: Tool) -> bool:
    """Whether the property is itself one path, or one text."""
    declared = [spec for spec in tool.arguments if parts_of(spec.pointer)[0] == name]
    plain = (ArgumentKind.PATH, ArgumentKind.TEXT)
    return all(len(parts_of(spec.pointer)) == 1 and spec.kind in plain for spec in declared)


def _pattern_refusal(name: str, part: dict[str, Any]) -> Refusal | None:
    if not isinstance(part["pattern"], str):
        return _invalid(f"`pattern` of property {quoted(name)} has to be a text")
    for _, fault in pattern_faults(part):
        return _invalid(f"the pattern of property {quoted(name)}: {fault}")
    validator = compile_schema({"pattern": part["pattern"]})
    if any(all(validator.is_valid(text) for text in texts) for texts in _UNLIKE):
        return _wide(f"the pattern of property {quoted(name)} matches whatever there is; bound it")
    return None


def _is_listed(part: Mapping[str, Any], value: Any) -> bool:
    """Whether a value that satisfies the part is one of those that it lists, if it lists any.

    JSON Schema takes 1 and 1.0 for the same number, and libraries have taken true for 1.
    """
    listed = [part["const"]] if "const" in part else part.get("enum")
    return listed is None or canonical_json(value) in [canonical_json(each) for each in listed]


def _invalid(message: str) -> Refusal:
    return Refusal(ReceiptCode.GRANT_SCHEMA_INVALID, message)


def _wide(message: str) -> Refusal:
    return Refusal(ReceiptCode.GRANT_TOO_WIDE, message)
