"""SummarizeTraces: counts over the calls that a filter selects."""

from datetime import datetime, timedelta

from adjudicator.config.limits import Limits
from adjudicator.domain.errors import malformed
from adjudicator.storage.contract import Store, TraceFilter
from adjudicator.storage.trace_summary import TraceSummary

_FEW = 60
_DAY = 24 * 3600
_WIDTHS = tuple(
    timedelta(seconds=seconds)
    for seconds in (1, 5, 15, 60, 300, 900, 3600, 3 * 3600, 6 * 3600, _DAY, 7 * _DAY, 28 * _DAY)
)


class SummarizeTraces:
    """The use case behind `SummarizeTraces`."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store = store
        self._most = limits.buckets

    async def __call__(self, wanted: TraceFilter, width: timedelta) -> TraceSummary:
        """The counts, in buckets of that width; zero chooses one.

        Raises MALFORMED_REQUEST for a width under a second, or one that gives too many buckets.
        """
        if timedelta(0) < width < timedelta(seconds=1):
            raise malformed("bucket", "is shorter than a second")
        return await self._store.summarize(
            wanted, lambda first, last: self._checked(width, first, last) if width else chosen(first, last)
        )

    def _checked(self, width: timedelta, first: datetime, last: datetime) -> timedelta:
        if (last - first) // width >= self._most:
            raise malformed(
                "bucket", f"gives more than {self._most:,} buckets; make it wider or select a shorter time"
            )
        return width


def chosen(first: datetime, last: datetime) -> timedelta:
    """The narrowest round width that gives at most sixty buckets."""
    for width in _WIDTHS:
        if (last - first) // width < _FEW - 1:  # the first one may begin before the first call
            return width
    return timedelta(days=(last - first).days // (_FEW - 2) + 1)
