"""How wide the buckets of a summary are."""

from datetime import UTC, datetime, timedelta

import pytest
from adjudicator.config.limits import Limits
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.service.summarize_traces import SummarizeTraces, chosen
from adjudicator.storage.contract import TraceFilter
from hypothesis import given
from hypothesis import strategies as some

START = datetime(2026, 1, 1, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@given(
    some.timedeltas(timedelta(0), timedelta(days=100_000)),
    some.timedeltas(timedelta(0), timedelta(days=30)),
)
def test_a_width_that_is_chosen_gives_few_buckets(length, offset):
    """At most sixty, wherever the first begins."""
    first, last = START + offset, START + offset + length
    width = chosen(first, last)
    assert (last - EPOCH) // width - (first - EPOCH) // width < 60


@pytest.mark.parametrize(
    ("length", "width"),
    [
        (timedelta(0), timedelta(seconds=1)),
        (timedelta(minutes=10), timedelta(seconds=15)),
        (timedelta(hours=2), timedelta(minutes=5)),
        (timedelta(days=1), timedelta(hours=1)),
        (timedelta(days=365), timedelta(days=7)),
    ],
)
def test_a_width_that_is_chosen_is_a_round_one(length, width):
    """The narrowest that does."""
    assert chosen(START, START + length) == width


@pytest.mark.parametrize("width", [timedelta(milliseconds=5), timedelta(seconds=1)])
async def test_a_width_that_is_too_narrow_is_refused(stage, width):
    """Under a second, or with too many buckets for the time that there is."""
    await stage.judge("c1")
    stage.clock.forward(1200)
    await stage.judge("c2")
    summarize = SummarizeTraces(stage.store, Limits())
    with pytest.raises(AdjudicatorError) as caught:
        await summarize(TraceFilter(), width)
    assert list(caught.value.fields) == ["bucket"]
    assert (await summarize(TraceFilter(), timedelta(seconds=2))).calls == 2
