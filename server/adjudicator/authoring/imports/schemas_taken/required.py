"""Arguments that a call must have: each is described, and is neither null nor empty."""

from collections.abc import Iterator
from typing import Any

from adjudicator.authoring.imports.notes import Notes
from adjudicator.authoring.imports.schemas_taken.hoisting import NotTakenError
from adjudicator.authoring.imports.schemas_taken.types import TYPES, types_of
from adjudicator.domain.call import quoted
from adjudicator.domain.json_pointer import to_pointer
from adjudicator.policy.schema_engine import compile_schema

_OPEN: tuple[Any, ...] = (True, {})
_NOTHING = (None, "")
_INTEGER = {"integer": "number"}


def with_required(
    source: dict[str, Any], taken: dict[str, Any], notes: Notes, above: tuple[str, ...]
) -> dict[str, Any]:
    """The contract with each required argument described and not blank. Raises NotTakenError.

    `source` is the schema that it was made of, which may have been open where the contract is closed.
    """
    properties = dict(taken.get("properties", {}))
    for name in taken.get("required", ()):
        part = properties[name] if name in properties else _other(source, taken, name)
        narrowed = _narrowed(taken, part)
        if narrowed != part:
            text = "; ".join(_changes(part, narrowed))
            notes.add(text, to_pointer((*above, "properties", name)))
        properties[name] = narrowed
    return taken | {"properties": properties} if properties else taken


def _other(source: dict[str, Any], taken: dict[str, Any], name: str) -> Any:
    """What is to be said of a name that `properties` does not have. Raises NotTakenError.

    Once it is there it is none of the other names any more: so it has to say what is said of those.
    """
    if "unevaluatedProperties" in taken and source.get("unevaluatedProperties", True) not in _OPEN:
        # Whether it is one of those depends on the call.
        raise NotTakenError(f"requires {quoted(name)}, of which its own `properties` say nothing")
    others = source.get("additionalProperties", True)
    if others in _OPEN or _is_in_pattern(taken, name):
        return {}
    return taken["additionalProperties"]


def _is_in_pattern(taken: dict[str, Any], name: str) -> bool:
    probe = {"patternProperties": dict.fromkeys(taken.get("patternProperties", {}), False)}
    return not compile_schema(probe).is_valid({name: None})


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
