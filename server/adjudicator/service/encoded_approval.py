"""Approvals with what is sent of them, which is made once and then shared by everybody who watches."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from adjudicator.domain.approval import Approval


@dataclass(frozen=True, slots=True)
class Encoding:
    """Makes what is sent. The transport knows how."""

    approval: Callable[[Approval], bytes]
    """Of an approval, as a part of other messages."""
    change: Callable[[str, bytes], bytes]
    """Of a change, whole: from the cursor that continues after it and what is sent of the approval."""


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
    """One approval changed: the position of the change, the cursor after it, and what is sent of it."""

    position: int
    cursor: str
    approval: Approval
    message: bytes

    @property
    def size(self) -> int:
        """Bytes of what is sent."""
        return len(self.message)


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
