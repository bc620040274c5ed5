"""Patterns of a schema: each one can be matched in linear time, and says which whole texts it means."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from adjudicator.policy.schema_engine import compile_schema

UNANCHORED = "x-unanchored"
_TOKEN = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:P?<\w+>|[:=!]|<[=!]|[a-zA-Z-]+)|.", re.DOTALL)
_UNCLEAR_CLASS = re.compile(r"\[\^?\]|\[.*(?:\[|&&|--|~~)", re.DOTALL)
_FLAGS = re.compile(r"\(\?(?!P<)[a-zA-Z-]+")
_QUANTIFIERS = "?*+{"
_REPEATS = "write repeat counts as `minLength` and `maxLength`"


def pattern_faults(schema: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """What is wrong with the patterns of one part of a schema, each with its place in the part."""
    mark = schema.get(UNANCHORED)
    if mark is not True and UNANCHORED in schema:
        yield (UNANCHORED,), "is `true` where a search is meant; take it away otherwise"
    patterns: list[tuple[tuple[str, ...], str]] = (
        [(("pattern",), schema["pattern"])] if "pattern" in schema else []
    )
    patterns += [(("patternProperties", name), name) for name in schema.get("patternProperties", {})]
    for at, pattern in patterns:
        fault = _fault(pattern, is_search=mark is True)
        if fault is not None:
            yield at, f"{pattern!a} {fault}"


def _fault(pattern: str, *, is_search: bool) -> str | None:
    try:
        compile_schema({"pattern": pattern})
    except Exception:  # noqa: BLE001 - the library has no common class for what it refuses
        return (
            "is not a pattern that can be matched in linear time, or it is too large; there is no "
            f"look-around, no back-reference, no `\\Z`, and {_REPEATS}"
        )
    tokens = _TOKEN.findall(pattern)
    if any(_UNCLEAR_CLASS.match(token) for token in tokens):
        return "has brackets that engines read differently; write `\\[`, `\\]`, `\\&`, `\\-` in them"
    if any(_FLAGS.fullmatch(token) for token in tokens):
        return "has inline flags, which change what the anchors mean; write the letters out, as `[aA]`"
    if is_search or all(_is_anchored(choice) for choice in _choices(tokens)):
        return None
    return (
        "would be searched for, and match a text that only contains it; write `^…$` around it and around "
        f'each choice, or `"{UNANCHORED}": true` beside it if a search is meant'
    )


def _choices(tokens: Sequence[str]) -> list[list[str]]:
    """The tokens of each choice outside of all groups."""
    depth = 0
    choices: list[list[str]] = [[]]
    for each in tokens:
        depth += each.startswith("(") - (each == ")")
        if each == "|" and depth == 0:
            choices.append([])
        else:
            choices[-1].append(each)
    return choices


def _is_anchored(choice: Sequence[str]) -> bool:
    both = len(choice) > 1 and choice[0] == "^" and choice[-1] == "$"
    return both and choice[1] not in _QUANTIFIERS
