"""JSON read strictly: nothing ambiguous, nothing lost.

Whatever readers are known to disagree on (duplicate keys, NaN, lone surrogates, numbers beyond a
double) is a fault and not a guess.
"""

import json
import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NoReturn

# A double holds every number of up to 15 digits in this range; one more character is a dot or an e.
_SURELY_HELD_CHARS = 16
_SMALLEST_SURE, _LARGEST_SURE = 1e-300, 1e300


@dataclass(frozen=True, slots=True)
class Json:
    """Any JSON value that was read, with its canonical form."""

    value: Any
    canonical: bytes


@dataclass(frozen=True, slots=True)
class Fault:
    """JSON text that cannot be read: a sentence that says what is wrong and what to do instead.

    `offset` is the place of the first character that is wrong, from 0, where it is known; the
    sentence does not repeat it.
    """

    sentence: str
    too_large: bool = False
    offset: int | None = None

    @property
    def message(self) -> str:
        """The sentence, with the place if it is known."""
        return self.sentence if self.offset is None else f"{self.sentence} at character {self.offset + 1}"


class _FaultError(ValueError):
    """Carries out of the JSON reader's hooks what is wrong, and what to send instead.

    `quoting` is what is wrong with a word of the text in it.
    """

    def __init__(self, what: str, instead: str, quoting: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.instead = instead
        self.quoting = quoting or what


def read_json(
    text: str,
    name: str,
    *,
    max_bytes: int,
    max_depth: int,
    max_values: int | None = None,
    verb: str = "send",
    quoting: bool = False,
) -> Json | Fault:
    """Read the text of any one JSON value; `max_depth` counts nested objects and arrays.

    With `max_values` a text that has clearly more values is not even read: reading takes time for each.
    One that has a few more may pass.

    `name` says in a fault what it is that fails, in the plural; `verb` is what to do with the text
    that should be there instead. Without `quoting` a fault repeats nothing of the text: nobody knows which
    of it is secret.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        return Fault(f"{name} are {size:,} bytes; the limit is {max_bytes:,}", too_large=True)
    if max_values is not None and _holds_more(text, max_values):
        return Fault(f"{name} hold more than {max_values:,} values; {verb} fewer", too_large=True)
    try:
        value = _DECODER.decode(text)
        # Most texts have too few brackets to be nested so deep.
        if text.count("{") + text.count("[") > max_depth and _deeper_than(value, max_depth):
            return _too_deep(name, max_depth)
        return Json(value, canonical_json(value))
    except RecursionError:
        return _too_deep(name, max_depth)
    except json.JSONDecodeError as error:
        return Fault(f"{name} are not JSON: {error.msg}", offset=error.pos)
    except UnicodeEncodeError:
        return Fault(f"{name} hold half of a surrogate pair; {verb} whole characters")
    except _FaultError as error:
        what = error.quoting if quoting else error.what
        return Fault(f"{name} {what}; {verb} {error.instead}")
    except ValueError:  # Python refuses to read integers of more than 4,300 digits
        return Fault(f"{name} hold a number with too many digits; {verb} fewer, or a string")


def canonical_json(value: Any) -> bytes:
    """Sorted keys, no white space, UTF-8. Raises UnicodeEncodeError for a lone surrogate."""
    return _CANONICAL.encode(value).encode()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _FaultError("name a key twice", "it once", f"name the key {ascii(key)[:80]} twice")
            seen.add(key)
    return value


def _holds_more(text: str, values: int) -> bool:
    """Whether the commas, or the opening brackets, outside of strings say so: each is of another value."""
    if not _marks_exceed(text, values):
        return False
    quotes_end_strings = text.replace("\\\\", "").replace('\\"', "")
    return _marks_exceed("".join(quotes_end_strings.split('"')[::2]), values)


def _marks_exceed(text: str, values: int) -> bool:
    # The outermost bracket is of no value inside.
    return text.count(",") > values or text.count("[") + text.count("{") > values + 1


def _float(literal: str) -> float:
    value = float(literal)
    if len(literal) <= _SURELY_HELD_CHARS and _SMALLEST_SURE < abs(value) < _LARGEST_SURE:
        return value
    if math.isinf(value):
        raise _FaultError("hold a number that is out of range", "a smaller one, or a string")
    if not _holds(value, literal):
        # Two readers would hold two different numbers, and one approval would cover both.
        what = "hold a number that a double cannot hold"
        raise _FaultError(what, "fewer digits, or a string")
    return value


def _holds(value: float, literal: str) -> bool:
    try:
        return Decimal(literal) == Decimal(repr(value))
    except ArithmeticError:  # an exponent beyond what decimals have
        return False


def _constant(name: str) -> NoReturn:
    raise _FaultError(f"hold {name}, which is not JSON", "null, or leave it out")


_CANONICAL = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), check_circular=False
)
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
