"""The places of one kind of watch. Nobody takes more than half of them: others are to see something too."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from adjudicator.domain.errors import AdjudicatorError, ErrorReason


class WatchPlaces:
    """Counts the watches of each person. How many there are in all is bounded by who serves them."""

    def __init__(self, places: int) -> None:
        self._each = places // 2
        self._taken: Counter[str] = Counter()

    @contextmanager
    def of(self, actor: str) -> Iterator[None]:
        """A place of the actor's, until the end of the block; raises LIMIT_EXCEEDED."""
        if self._taken[actor] >= self._each:
            raise AdjudicatorError(
                ErrorReason.LIMIT_EXCEEDED,
                f"you have {self._each} of these watches already, as many as one person may; end one",
            )
        self._taken[actor] += 1
        try:
            yield
        finally:
            self._taken[actor] -= 1
            self._taken += Counter()  # whoever has none is forgotten
