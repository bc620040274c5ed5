"""The parts of a snapshot of what is pending, read once for the watchers that begin at the same position.

Who begins anew after an interruption does so with many others, and each wants all that is pending.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from adjudicator.domain.approval import Approval
from adjudicator.service.encoded_approval import EncodedApproval, fitting
from adjudicator.storage.contract import ApprovalFilter, Store

_COUNT = 50


@dataclass(frozen=True, slots=True)
class Part:
    """Some of what is pending, oldest first. The next part begins after the trace `following`, if any."""

    shown: Sequence[EncodedApproval]
    following: int | None


@dataclass(frozen=True, slots=True)
class _Place:
    wanted: ApprovalFilter
    until: int
    after: int
    version: str


class PendingParts:
    """Gives out one part at a time, and keeps the latest, up to so many bytes of messages."""

    def __init__(
        self,
        store: Store,
        encode: Callable[[Approval], bytes],
        version: Callable[[], str],
        part_bytes: int,
        most_bytes: int,
    ) -> None:
        """`version` is that of the rules by which people see approvals, and by which they are counted."""
        self._store = store
        self._encode = encode
        self._version = version
        self._part_bytes = part_bytes
        self._most_bytes = most_bytes
        self._parts: dict[_Place, Part] = {}
        self._bytes = 0
        self._turn = asyncio.Lock()

    async def part(self, wanted: ApprovalFilter, until: int, after: int) -> Part:
        """What is wanted of those that were opened by the position `until`, of traces over `after`.

        It may be as it was a while ago, but not before `until`: whoever goes on with the changes after
        `until` misses nothing.
        """
        place = _Place(wanted, until, after, self._version())
        async with self._turn:  # who wants the same finds it when his turn comes
            part = self._parts.get(place) or await self._read(place)
            await asyncio.sleep(0)  # so many parts that all are here would keep calls waiting
        return part

    def forget(self) -> None:
        """Keep nothing: nobody watches."""
        self._parts.clear()
        self._bytes = 0

    async def _read(self, place: _Place) -> Part:
        found = await self._store.pending(place.wanted, place.after, place.until, _COUNT)
        parts = self._split([EncodedApproval(each, self._encode(each)) for each in found])
        after = place.after
        for part in parts:
            self._keep(replace(place, after=after), part)
            after = part.following or after
        return parts[0]

    def _split(self, encoded: Sequence[EncodedApproval]) -> list[Part]:
        """Parts that are not too large; at least one, which may be empty."""
        more = len(encoded) == _COUNT
        parts: list[Part] = []
        while encoded or not parts:
            shown = list(fitting(encoded, self._part_bytes))
            encoded = encoded[len(shown) :]
            parts.append(Part(shown, shown[-1].approval.trace_number if encoded or more else None))
        return parts

    def _keep(self, place: _Place, part: Part) -> None:
        """Keep it in place of the oldest."""
        self._parts[place] = part
        self._bytes += _weight(part)
        while self._bytes > self._most_bytes and len(self._parts) > 1:
            self._bytes -= _weight(self._parts.pop(next(iter(self._parts))))


def _weight(part: Part) -> int:
    """Bytes that a part counts for, one without approvals too."""
    return 1024 + sum(each.size for each in part.shown)
