"""The latest changes of approvals, for watchers that are nearly up to date."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter

from adjudicator.service.encoded_approval import ApprovalChange

_position = attrgetter("position")


class RecentChanges:
    """Every change after the position `floor` and up to `end`; the oldest go when they are too much."""

    def __init__(self, position: int, most: int, most_bytes: int) -> None:
        """Begin at the position with nothing."""
        self.floor = self.end = position
        self._most = most
        self._most_bytes = most_bytes
        self._changes: list[ApprovalChange] = []
        self._bytes = 0

    def add(self, changes: Sequence[ApprovalChange]) -> None:
        """Add what comes after `end`, in the order of the positions."""
        if not changes:
            return
        self._changes += changes
        self._bytes += sum(each.size for each in changes)
        self.end = changes[-1].position
        self._drop_oldest()

    def after(self, position: int) -> Iterable[ApprovalChange]:
        """The changes after the position, which is `floor` or later; read them before the next `add`."""
        start = bisect_right(self._changes, position, key=_position)
        return map(self._changes.__getitem__, range(start, len(self._changes)))

    def _drop_oldest(self) -> None:
        dropped = 0
        while len(self._changes) - dropped > self._most or self._bytes > self._most_bytes:
            self._bytes -= self._changes[dropped].size
            self.floor = self._changes[dropped].position
            dropped += 1
        del self._changes[:dropped]
