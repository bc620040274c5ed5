"""Calls that are kept as examples: on disk, so that a million of them take little memory."""

import json
import tempfile
from array import array
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Self


@dataclass(frozen=True, slots=True)
class Example:
    """One call as it may be shown: `source` is where it is from, as FILE:LINE, a test, or a trace."""

    source: str
    tenant: str
    agent: str
    tool: str
    arguments: str
    was: str
    now: str


class Shelf:
    """Keeps examples in a temporary file that is gone when it is closed."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile("w+b")  # noqa: SIM115 - closed with the shelf
        self._end = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def put(self, example: Example) -> int:
        """The place at which it is kept."""
        place = self._end
        line = f"{json.dumps(asdict(example))}\n".encode("ascii")
        self._file.seek(place)
        self._file.write(line)
        self._end += len(line)
        return place

    def read(self, places: "array[int]") -> Iterator[Example]:
        """The examples at these places, one at a time."""
        for place in places:
            self._file.seek(place)
            yield Example(**json.loads(self._file.readline()))
