"""A mapping with a few values in the place of others, at the same cost however many there are."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, eq=False)
class Overlay(Mapping[str, Value], Generic[Value]):
    """The values of `before` but for those of `changed`, which brings no new key along."""

    changed: Mapping[str, Value]
    before: Mapping[str, Value]

    def __getitem__(self, key: str) -> Value:
        return self.changed[key] if key in self.changed else self.before[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.before)

    def __len__(self) -> int:
        return len(self.before)
