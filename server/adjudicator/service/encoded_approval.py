"""Approvals with what is sent of them, which is made once and then shared by everybody who watches."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from adjudicator.domain.approval import Approval

Encode = Callable[[Approval], bytes]
"""Makes what is sent of an approval. The transport knows how."""


@dataclass(frozen=True, slots=True)
class EncodedApproval:
    """An approval and what is sent of it."""

    approval: Approval
    message: bytes

    @property
    def size(self) -> int:
        """Bytes of what is sent."""
        return len(self.message)


@dataclass(frozen=True, slots=True)
class ApprovalChange:
    """One approval changed, and the position of the change."""

    position: int
    encoded: EncodedApproval

    @property
    def approval(self) -> Approval:
        """The approval as it is since then."""
        return self.encoded.approval

    @property
    def size(self) -> int:
        """Bytes of what is sent."""
        return self.encoded.size


class Sized(Protocol):
    """What is sent, in so many bytes."""

    @property
    def size(self) -> int:
        """Bytes of what is sent."""
        ...


S = TypeVar("S", bound=Sized)


def fitting(sent: Iterable[S], most_bytes: int) -> Iterator[S]:
    """The first ones that are at most so large together; the very first however large it is."""
    total = 0
    for each in sent:
        if total and total + each.size > most_bytes:
            return
        total += each.size
        yield each
