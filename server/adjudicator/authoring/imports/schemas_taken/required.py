"""Arguments that a call must have: each is described, and is neither null nor empty."""

from collections.abc import Iterator
from typing import Any

from adjudicator.authoring.imports.notes import Notes
from adjudicator.authoring.imports.schemas_taken.hoisting import NotTakenError
from adjudicator.authoring.imports.schemas_taken.types import TYPES, types_of
from adjudicator.domain.json_pointer import to_pointer

_NOTHING = (None, "")
_INTEGER = {"integer": "number"}


def with_required(taken: dict[str, Any], notes: Notes, above: tuple[str, ...]) -> dict[str, Any]:
    """The contract with each required argument described and not blank. Raises NotTakenError."""
    properties = dict(taken.get("properties", {}))
    others = taken.get("additionalProperties", True)
    for name in taken.get("required", ()):
        # What is no longer one of the others has to say what they say.
        part = properties.get(name, others or {})
        narrowed = _narrowed(taken, part)
        if narrowed != part:
            text = "; ".join(_changes(part, narrowed))
            notes.add(text, to_pointer((*above, "properties", name)))
        properties[name] = narrowed
    return taken | {"properties": properties} if properties else taken


def _narrowed(root: dict[str, Any], part: Any) -> dict[str, Any]:
    if part is False:
        raise NotTakenError("requires what it does not accept")
    found = {} if part is True else {"allOf": [part]} if "$ref" in part else dict(part)
    if "const" in found:
        if found["const"] in _NOTHING:
            raise NotTakenError("requires an argument that is always empty")
    elif "enum" in found:
        found["enum"] = [value for value in found["enum"] if value not in _NOTHING]
        if not found["enum"]:
            raise NotTakenError("requires an argument that is always empty")
    else:
        found |= _with_types(root, found)
    return found


def _with_types(root: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    stated = part.get("type", ())
    stated = [stated] if isinstance(stated, str) else stated
    possible = types_of(root, part)
    types = [each for each in (stated or TYPES) if _INTEGER.get(each, each) in possible and each != "null"]
    if not types:
        raise NotTakenError("requires an argument that is always null")
    text = {"minLength": 1} if "string" in types and "minLength" not in part else {}
    return {"type": types[0] if len(types) == 1 else types, **text}


def _changes(before: Any, after: dict[str, Any]) -> Iterator[str]:
    before = before if isinstance(before, dict) else {}
    if "minLength" in after and "minLength" not in before:
        yield "required, so an empty text is refused; write `minLength` 0 if empty is meant"
    if after.get("type") != before.get("type"):
        yield "required, so it is given a type without null"
    if after.get("enum") != before.get("enum"):
        yield "required, so null and the empty text are gone from its values"
