"""A call's arguments: one JSON object, read so strictly that no two readers could see two calls."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from adjudicator.domain.numbers import digits_beyond_word
from adjudicator.domain.strict_json import Fault, read_json

__all__ = ["Arguments", "Fault", "read_arguments"]


@dataclass(frozen=True, slots=True)
class Arguments:
    """Arguments that were read. `canonical` is the UTF-8 JSON with sorted keys and no white space."""

    value: dict[str, Any]
    canonical: bytes


def read_arguments(
    text: str, *, max_bytes: int, max_depth: int, max_values: int, max_digits: int
) -> Arguments | Fault:
    """Read the text of one JSON object.

    `max_depth` counts nested objects and arrays, `max_values` all values in them, `max_digits` the
    digits of all integers beyond 64 bits: checking and redacting take time for each.
    """
    read = read_json(text, "arguments", max_bytes=max_bytes, max_depth=max_depth, max_values=max_values)
    if isinstance(read, Fault):
        return read
    if not isinstance(read.value, dict):
        return Fault(f"arguments are {_kind(read.value)}; send one JSON object")
    if len(text) <= min(max_values, max_digits):
        return Arguments(read.value, read.canonical)  # each value, and each digit, takes a character
    heavy = weighed(read.value, "arguments", max_values=max_values, max_digits=max_digits)
    return heavy or Arguments(read.value, read.canonical)


def weighed(value: Any, name: str, *, max_values: int, max_digits: int) -> Fault | None:
    """What makes a value that was read too much to be checked and redacted, if anything does."""
    values = list(islice(_values([value]), max_values + 2))
    if len(values) > max_values + 1:
        return Fault(f"{name} hold more than {max_values:,} values; send fewer", too_large=True)
    if sum(map(digits_beyond_word, values)) > max_digits:
        return Fault(
            f"{name} hold integers beyond 64 bits with more than {max_digits:,} digits together; "
            "send strings",
            too_large=True,
        )
    return None


def _values(value: list[Any]) -> Iterator[Any]:
    """All values inside, at every depth."""
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        children = item.values() if isinstance(item, dict) else item
        yield from children
        waiting += [child for child in children if isinstance(child, dict | list)]


def _kind(value: Any) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value), "null")
