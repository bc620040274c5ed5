"""Where in the text of a JSON file its values stand. For a file that was read without a fault."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_OPENING, _CLOSING = "{[", "}]"


class JsonPlaces:
    """The places of one file: of a member of an object that of its name, of an item that of its value."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._offsets = dict(_offsets(text))

    def at(self, path: tuple[str, ...]) -> tuple[int, int]:
        """The line and column, from 1, of what these names and indexes lead to."""
        offset = self._offsets[path]
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def _offsets(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Each value's path with its offset; `at` is where the next one belongs, `lists` who counts items."""
    at: list[str] = []
    lists: list[bool] = []
    is_name = False
    for found in _TOKEN.finditer(text):
        mark = found[0]
        if mark in _CLOSING:
            lists.pop()
            at.pop()
        elif mark == ",":
            is_name = not lists[-1]
            at[-1] = str(int(at[-1]) + 1) if lists[-1] else ""
        elif is_name and mark.startswith('"'):
            at[-1] = json.loads(mark)
            yield tuple(at), found.start()
            is_name = False
        elif mark != ":":
            if not lists or lists[-1]:
                yield tuple(at), found.start()
            if mark in _OPENING:
                is_name = mark == "{"
                lists.append(mark == "[")
                at.append("0" if mark == "[" else "")
