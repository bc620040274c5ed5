"""Arguments that look like a command, a path or an address, and that no rule looks at."""

from collections.abc import Iterator, Mapping
from typing import Any

from adjudicator.authoring.argument_looks import looks_like
from adjudicator.authoring.schema_objects import SchemaObjects
from adjudicator.authoring.warnings.tool_schemas import ToolSchema, tool_schemas
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.domain.json_pointer import parts_of, to_pointer
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.schema_parts import is_marked, resolve


def undeclared_arguments(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """Each property that looks like one, at any depth, and that the registry declares as nothing.

    Not a secret, which cannot be declared, and not one whose few values are listed.
    """
    for schema in tool_schemas(bundle):
        yield from dict.fromkeys(_of_schema(schema))


def _of_schema(schema: ToolSchema) -> Iterator[BundleWarning]:
    declared = {tuple(parts_of(spec.pointer)) for spec in schema.tool.arguments}
    for found in SchemaObjects(schema.value):
        for name, written in found.part.get("properties", {}).items():
            pointer = (*found.pointer, name)
            described = _described(schema.value, written)
            kind = None if _is_declared(pointer, declared) else looks_like(name, described)
            if kind is not None and not _is_known(described):
                shown = to_pointer((*pointer, "*") if _is_list(described) else pointer)
                message = (
                    f"`{shown}` looks like a {kind.value} and is not declared, so no rule looks at it; "
                    f"declare it in registry/tools.yaml under `{schema.tool.code}`, `arguments`"
                )
                yield schema.at(found.part, name, Code.UNDECLARED_ARGUMENT, message)


def _is_declared(pointer: tuple[str, ...], declared: set[tuple[str, ...]]) -> bool:
    """Whether it is, or it is inside of what is, or all of a list is that it is."""
    return (*pointer, "*") in declared or any(
        pointer[:length] in declared for length in range(1, len(pointer) + 1)
    )


def _described(root: dict[str, Any], written: Any) -> Mapping[str, Any]:
    """What the schema says of a value, with what its reference leads to; the same of a list's items."""
    described = _resolved(root, written)
    items = described.get("items")
    return {**described, "items": _resolved(root, items)} if isinstance(items, dict) else described


def _resolved(root: dict[str, Any], written: Any) -> dict[str, Any]:
    described: dict[str, Any] = {}
    while isinstance(written, dict):
        described = {**written, **described}
        written = resolve(root, written["$ref"]) if "$ref" in written else None
    return described


def _is_known(described: Mapping[str, Any]) -> bool:
    return "enum" in described or "const" in described or is_marked(dict(described))


def _is_list(described: Mapping[str, Any]) -> bool:
    types = described.get("type", ())
    return "array" in ([types] if isinstance(types, str) else types)
