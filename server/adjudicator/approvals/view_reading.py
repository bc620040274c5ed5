"""From a view back to what it shows of a call, before what deceives the eye was written out."""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from adjudicator.domain.json_pointer import to_pointer

_ESCAPED = re.compile(r"\\(?:(\\)|u([0-9a-f]{4})|U([0-9a-f]{8}))")
_OURS = frozenset({"request", "flags", "more_flags", "too_large"})


def shown_in(view_json: str) -> dict[str, Any]:
    """The members of the call that a view shows, each text as it came; the marker stands for secrets.

    The flags of the view tell what was written out from what was typed like that. A view from before there
    were flags has none, and is as it came.
    """
    body: dict[str, Any] = json.loads(view_json)
    flags = body.get("flags", [])
    reading = _Reading(
        everywhere="more_flags" in body or "too_large" in body,
        values=frozenset(flag["at"] for flag in flags if "name" not in flag),
        names=frozenset(flag["at"] for flag in flags if "name" in flag),
    )
    return {name: reading.of(value, (name,)) for name, value in body.items() if name not in _OURS}


@dataclass(frozen=True, slots=True)
class _Reading:
    everywhere: bool
    values: Collection[str]
    names: Collection[str]

    def of(self, value: Any, parts: tuple[str | int, ...]) -> Any:
        if isinstance(value, str):
            return _as_it_came(value) if self.everywhere or to_pointer(parts) in self.values else value
        if isinstance(value, list):
            return [self.of(item, (*parts, place)) for place, item in enumerate(value)]
        return self._object(value, parts) if isinstance(value, dict) else value

    def _object(self, value: dict[str, Any], parts: tuple[str | int, ...]) -> dict[str, Any]:
        written = self.everywhere or any(to_pointer((*parts, name)) in self.names for name in value)
        return {
            _as_it_came(name) if written else name: self.of(item, (*parts, name))
            for name, item in value.items()
        }


def _as_it_came(text: str) -> str:
    return _ESCAPED.sub(lambda match: "\\" if match[1] else chr(int(match[2] or match[3], 16)), text)
