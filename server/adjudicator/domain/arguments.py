"""Arguments read strictly: one JSON object, nothing ambiguous, nothing lost.

Two readers must never see two different calls, so whatever readers are known to disagree on
(duplicate keys, NaN, lone surrogates, numbers beyond a double) is a fault and not a guess.
"""

import json
import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NoReturn


@dataclass(frozen=True, slots=True)
class Arguments:
    """Arguments that were read. `canonical` is the UTF-8 JSON with sorted keys and no white space."""

    value: dict[str, Any]
    canonical: bytes


@dataclass(frozen=True, slots=True)
class Json:
    """Any JSON value that was read, with its canonical form."""

    value: Any
    canonical: bytes


@dataclass(frozen=True, slots=True)
class Fault:
    """JSON text that cannot be read, with a sentence that says what to send instead."""

    message: str
    too_large: bool = False


class _FaultError(ValueError):
    """Carries a sentence out of the JSON reader's hooks."""


def read_arguments(text: str, *, max_bytes: int, max_depth: int) -> Arguments | Fault:
    """Read the text of one JSON object; `max_depth` counts nested objects and arrays."""
    read = read_json(text, "arguments", max_bytes=max_bytes, max_depth=max_depth)
    if isinstance(read, Fault):
        return read
    if not isinstance(read.value, dict):
        return Fault(f"arguments are {_kind(read.value)}; send one JSON object")
    return Arguments(read.value, read.canonical)


def read_json(text: str, name: str, *, max_bytes: int, max_depth: int) -> Json | Fault:
    """Read the text of any one JSON value as strictly; `name` says in a fault what it is that fails."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        return Fault(f"{name} are {size:,} bytes; the limit is {max_bytes:,}", too_large=True)
    try:
        value = _DECODER.decode(text)
        if _deeper_than(value, max_depth):
            return _too_deep(name, max_depth)
        return Json(value, canonical_json(value))
    except RecursionError:
        return _too_deep(name, max_depth)
    except json.JSONDecodeError as error:
        return Fault(f"{name} are not JSON: {error.msg} at character {error.pos + 1}")
    except UnicodeEncodeError:
        return Fault(f"{name} hold half of a surrogate pair; send whole characters")
    except _FaultError as error:
        return Fault(f"{name} {error}")
    except ValueError:  # Python refuses to read integers of more than 4,300 digits
        return Fault(f"{name} hold a number with too many digits; send it as a string")


def canonical_json(value: Any) -> bytes:
    """Sorted keys, no white space, UTF-8. Raises UnicodeEncodeError for a lone surrogate."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _FaultError(f"name the key {ascii(key)[:80]} twice; send it once")
            seen.add(key)
    return value


def _float(literal: str) -> float:
    value = float(literal)
    if math.isinf(value):
        raise _FaultError(f"hold the number {literal[:40]}, which is out of range; send it as a string")
    if Decimal(literal) != Decimal(repr(value)):
        # Two readers would hold two different numbers, and one approval would cover both.
        raise _FaultError(
            f"hold the number {literal[:40]}, which a double cannot hold; send it as a string"
        )
    return value


def _constant(name: str) -> NoReturn:
    raise _FaultError(f"hold {name}, which is not JSON; leave it out or send null")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_constant=_constant)


def _deeper_than(value: Any, max_depth: int) -> bool:
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(max_depth):
        level = [
            child
            for item in level
            for child in (item.values() if isinstance(item, dict) else item)
            if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return True


def _too_deep(name: str, max_depth: int) -> Fault:
    return Fault(f"{name} are nested more than {max_depth} levels deep", too_large=True)


def _kind(value: Any) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value), "null")
