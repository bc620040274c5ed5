"""Arguments that look like a command, a path or an address, and that no rule looks at."""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from adjudicator.authoring.argument_looks import looks_like
from adjudicator.authoring.schema_objects import SchemaObjects
from adjudicator.authoring.warnings.tool_schemas import ToolSchema, tool_schemas
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.domain.facet import ArgumentKind
from adjudicator.domain.json_pointer import parts_of, to_pointer
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.schema_parts import CHOICES, REFERENCES, is_marked, resolve, values_of

_JOINING = frozenset(("allOf", *REFERENCES))


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
            look = None if _is_declared(pointer, declared) else _look(schema.value, name, written)
            if look is not None:
                shown = to_pointer((*pointer, "*") if look.is_list else pointer)
                message = (
                    f"`{shown}` looks like a {look.kind.value} and is not declared, so no rule looks at "
                    f"it; declare it in registry/tools.yaml under `{schema.tool.code}`, `arguments`"
                )
                yield schema.at(found.part, name, Code.UNDECLARED_ARGUMENT, message)


class _Look(NamedTuple):
    kind: ArgumentKind
    is_list: bool


def _look(root: dict[str, Any], name: str, written: Any) -> _Look | None:
    """What the property looks like by the first of its alternatives that looks like anything."""
    alternatives = list(_alternatives(root, written, set()))
    if any(is_marked(each) for each in alternatives):
        return None
    for each in alternatives:
        kind = None if _is_known(each) else looks_like(name, each)
        if kind is not None:
            return _Look(kind, _is_list(each))
    return None


def _is_declared(pointer: tuple[str, ...], declared: set[tuple[str, ...]]) -> bool:
    """Whether it is, or it is inside of what is, or all of a list is that it is."""
    return (*pointer, "*") in declared or any(
        pointer[:length] in declared for length in range(1, len(pointer) + 1)
    )


def _alternatives(root: dict[str, Any], written: Any, seen: set[int]) -> Iterator[dict[str, Any]]:
    """What the schema says of a value, for each of its choices; the same of a list's items.

    Each choice is looked at once, however many lead to it.
    """
    described = _merged(root, written)
    if not any(keyword in described for keyword in CHOICES):
        items = described.get("items")
        yield {**described, "items": _merged(root, items)} if isinstance(items, dict) else described
        return
    own = {keyword: value for keyword, value in described.items() if keyword not in CHOICES}
    for choice in (each for keyword in CHOICES for each in described.get(keyword, ())):
        if isinstance(choice, dict) and id(choice) not in seen:
            seen.add(id(choice))
            yield from _alternatives(root, {**own, **_merged(root, choice)}, seen)


def _merged(root: dict[str, Any], written: Any) -> dict[str, Any]:
    """A part with all that it refers to and joins; what stands nearest counts."""
    described: dict[str, Any] = {}
    waiting, seen = deque([written]), set()
    while waiting:
        part = waiting.popleft()
        if isinstance(part, dict) and id(part) not in seen:
            seen.add(id(part))
            described = {**part, **described}
            waiting += [resolve(root, each) for each in values_of(part, REFERENCES)]
            waiting += part.get("allOf", ())
    return {keyword: value for keyword, value in described.items() if keyword not in _JOINING}


def _is_known(described: Mapping[str, Any]) -> bool:
    """Whether its few values are listed."""
    return "enum" in described or "const" in described


def _is_list(described: Mapping[str, Any]) -> bool:
    types = described.get("type", ())
    return "array" in ([types] if isinstance(types, str) else types)
