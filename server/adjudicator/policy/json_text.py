"""JSON read strictly, for files of a bundle: no duplicate keys, no NaN, exact integers."""

import json
from typing import Any, NoReturn

from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source

MAX_DEPTH = 64


def parse_json(source: Source, problems: Problems) -> Any:
    """The file's value, or None with a problem noted."""
    try:
        value = json.loads(source.text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        problems.add(source.name, f"not JSON: {error.msg}", error.lineno, error.colno)
    except (ValueError, RecursionError) as error:
        message = (
            f"nested deeper than {MAX_DEPTH} levels" if isinstance(error, RecursionError) else str(error)
        )
        problems.add(source.name, message)
    else:
        if value is None:
            problems.add(source.name, "the file is `null`; write an object")
        elif _is_deeper(value, MAX_DEPTH):
            problems.add(source.name, f"nested deeper than {MAX_DEPTH} levels")
        elif _has_surrogate(source.text, value):
            problems.add(source.name, "a lone surrogate such as `\\ud800`, which is not text; remove it")
        else:
            return value
    return None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!a} is twice in one object; keep one")
    return found


def _constant(word: str) -> NoReturn:
    raise ValueError(f"`{word}` is not JSON; write a number")


def _is_deeper(value: Any, levels: int) -> bool:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels == 0 or any(_is_deeper(child, levels - 1) for child in children)


def _has_surrogate(text: str, value: Any) -> bool:
    return "\\u" in text and any(
        "\ud800" <= char <= "\udfff" for char in json.dumps(value, ensure_ascii=False)
    )
