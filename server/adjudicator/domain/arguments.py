"""A call's arguments: one JSON object, read so strictly that no two readers could see two calls."""

from dataclasses import dataclass
from typing import Any

from adjudicator.domain.strict_json import Fault, read_json

__all__ = ["Arguments", "Fault", "read_arguments"]


@dataclass(frozen=True, slots=True)
class Arguments:
    """Arguments that were read. `canonical` is the UTF-8 JSON with sorted keys and no white space."""

    value: dict[str, Any]
    canonical: bytes


def read_arguments(text: str, *, max_bytes: int, max_depth: int, max_values: int) -> Arguments | Fault:
    """Read the text of one JSON object.

    `max_depth` counts nested objects and arrays, `max_values` all values in them: checking and
    redacting take time for each.
    """
    read = read_json(text, "arguments", max_bytes=max_bytes, max_depth=max_depth)
    if isinstance(read, Fault):
        return read
    if not isinstance(read.value, dict):
        return Fault(f"arguments are {_kind(read.value)}; send one JSON object")
    if _has_more_values(read.value, max_values):
        return Fault(
            f"arguments hold more than {max_values:,} values; send fewer in a call", too_large=True
        )
    return Arguments(read.value, read.canonical)


def _has_more_values(value: dict[str, Any], most: int) -> bool:
    count = 0
    waiting: list[Any] = [value]
    while waiting and count <= most:
        item = waiting.pop()
        children = item.values() if isinstance(item, dict) else item
        count += len(item)
        waiting += [child for child in children if isinstance(child, dict | list)]
    return count > most


def _kind(value: Any) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value), "null")
