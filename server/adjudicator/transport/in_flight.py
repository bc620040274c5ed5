"""How many calls are being judged or held at once, and the refusal of one too many."""

from types import TracebackType

from adjudicator.domain.errors import AdjudicatorError, ErrorReason


class InFlight:
    """Counts what is inside the block; refuses entry at once instead of queueing beyond the limit."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._now = 0

    def __enter__(self) -> None:
        if self._now >= self._most:
            raise AdjudicatorError(
                ErrorReason.LIMIT_EXCEEDED, f"{self._most} calls are being judged or held already"
            )
        self._now += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._now -= 1
