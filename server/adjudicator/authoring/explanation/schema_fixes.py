"""Arguments that a schema rejects, put right where the schema itself says how."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from adjudicator.authoring.explanation.changes import CallEdit, Change
from adjudicator.domain.json_pointer import parts_of, to_pointer
from adjudicator.domain.verdict import Violation

_MISSING = object()
_MARKS = ("writeOnly", "x-secret")


def fixes(schema: Any, arguments: Any, violation: Violation) -> tuple[Change, ...]:
    """The changes of the arguments that clear this violation; none where nobody can tell.

    Only what is written plainly is followed, `properties` and `items`; who uses a change verifies it.
    """
    path, part, value = _descend(schema, arguments, parts_of(violation.path))
    if part is None or any(part.get(mark) for mark in _MARKS):  # no secret is repeated
        return ()
    return tuple(_fixes(part, path, value, violation.keyword))


def _descend(schema: Any, value: Any, parts: Sequence[str]) -> tuple[tuple[str | int, ...], Any, Any]:
    path: list[str | int] = []
    for part in parts:
        if not isinstance(schema, dict):
            return (), None, None
        if isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            path.append(int(part))
            schema, value = schema.get("items"), value[int(part)]
        elif isinstance(value, dict) and part in value:
            path.append(part)
            schema, value = schema.get("properties", {}).get(part), value[part]
        else:
            return (), None, None
    return tuple(path), schema if isinstance(schema, dict) else None, value


def _fixes(part: dict[str, Any], path: tuple[str | int, ...], value: Any, keyword: str) -> Iterator[Change]:
    if keyword == "additionalProperties" and isinstance(value, dict):
        unknown = [name for name in value if name not in part.get("properties", {})]
        if unknown and "patternProperties" not in part:
            edits = tuple(CallEdit("arguments", None, (*path, name), removes=True) for name in unknown)
            listed = ", ".join(f"`{to_pointer((*path, name))}`" for name in unknown)
            yield Change(f"leave out {listed}, which the contract does not know", call=edits)
    elif keyword == "required" and isinstance(value, dict):
        yield from _required(part, path, value)
    elif path:
        for other in _values(part, value, keyword):
            what = f"give `{to_pointer(path)}` as {_told(other)}"
            yield Change(what, call=(CallEdit("arguments", other, path),))


def _required(part: dict[str, Any], path: tuple[str | int, ...], value: dict[str, Any]) -> Iterator[Change]:
    """A required value that the schema itself has: there is but one, or a default."""
    missing = [name for name in part.get("required", ()) if name not in value]
    found = [(name, _only(part.get("properties", {}).get(name))) for name in missing]
    if missing and all(each is not _MISSING for _, each in found):
        edits = tuple(CallEdit("arguments", each, (*path, name)) for name, each in found)
        listed = ", ".join(f"`{to_pointer((*path, name))}` as {_told(each)}" for name, each in found)
        yield Change(f"give {listed}", call=edits)


def _only(schema: Any) -> Any:
    if isinstance(schema, dict):
        for keyword in ("const", "default"):
            if keyword in schema:
                return schema[keyword]
        if len(schema.get("enum", ())) == 1:
            return schema["enum"][0]
    return _MISSING


def _values(part: dict[str, Any], value: Any, keyword: str) -> Iterator[Any]:
    """The nearest values that satisfy the keyword."""
    wanted = part.get(keyword)
    if keyword in ("maximum", "minimum", "const"):
        yield wanted
    elif keyword == "enum" and isinstance(wanted, list):
        yield from wanted[:3]
    elif keyword in ("maxLength", "maxItems") and isinstance(value, str | list) and isinstance(wanted, int):
        yield value[:wanted]
    elif keyword == "type":
        yield from _of_type(wanted, value)


def _of_type(wanted: Any, value: Any) -> Iterator[Any]:
    if wanted == "integer" and isinstance(value, str) and value.lstrip("-").isdecimal() and value.isascii():
        yield int(value)
    elif wanted == "string" and isinstance(value, int) and not isinstance(value, bool):
        yield str(value)
    elif wanted == "boolean" and value in ("true", "false"):
        yield value == "true"
    elif wanted == "array" and not isinstance(value, list | dict):
        yield [value]


def _told(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return f"`{text}`" if len(text) <= 60 else f"`{text[:60]}…`"  # noqa: PLR2004 - a line of a page
