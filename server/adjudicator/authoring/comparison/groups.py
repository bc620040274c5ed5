"""Changes gathered by what one edit explains: how many calls, and a few or all of them as examples."""

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from adjudicator.authoring.comparison.changes import Change, Kind, decided
from adjudicator.authoring.comparison.examples import Example, Shelf


@dataclass(slots=True)
class Group:
    """Calls that change for one reason; `change` is that of the first of them."""

    change: Change
    calls: int = 0
    places: "array[int]" = field(default_factory=lambda: array("Q"))

    @property
    def was(self) -> str:
        """What decided before on the first of them; on the others it may have been something else."""
        return decided(self.change.was)


class Groups:
    """All groups. At most `examples` calls of each are kept; None keeps all of them, on disk."""

    def __init__(self, shelf: Shelf, examples: int | None) -> None:
        self._shelf = shelf
        self._most = examples
        self._groups: dict[tuple[object, ...], Group] = {}

    def add(self, change: Change, example: Callable[[], Example]) -> None:
        """Count a change; `example` is only made where it is kept."""
        group = self._groups.get(change.key)
        if group is None:
            group = self._groups[change.key] = Group(change)
        group.calls += 1
        if self._most is None or len(group.places) < self._most:
            group.places.append(self._shelf.put(example()))

    def in_order(self) -> list[Group]:
        """What is loosened first; then by what it was and is, and by where the deciding rule stands."""
        return sorted(self._groups.values(), key=_order)

    def examples(self, group: Group) -> Iterator[Example]:
        """The examples of a group, in the order in which they came."""
        return self._shelf.read(group.places)

    def count(self, kind: Kind) -> int:
        """How many calls changed in this way."""
        return sum(group.calls for group in self._groups.values() if group.change.kind is kind)


def _order(group: Group) -> tuple[object, ...]:
    change = group.change
    rule = change.decided_by
    place = (rule.file, rule.line) if rule else ("", 0)
    return *change.rank, rule is None, place, change.now.cause.value, change.was.cause.value
