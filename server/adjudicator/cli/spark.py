"""Bars and columns of characters, for any width, without colour, and in ASCII where it has to be."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from math import ceil

from rich.console import Console
from rich.text import Text

from adjudicator.api.v1.trace_service_pb2 import SummarizeTracesResponse
from adjudicator.cli.moments import moment, span
from adjudicator.cli.output import Cell
from adjudicator.cli.verdicts import STYLES

_EIGHTHS: tuple[str, ...] = ("", *"▏▎▍▌▋▊▉")
_LEVELS = " ▁▂▃▄▅▆▇█"
_ASCII_LEVELS = " .:-=+*%#"
_OUTCOMES = ("ALLOW", "DENY", "ASK")
_LABEL = 8
_LEAST_COLUMNS = 10
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def bar(share: float, width: int, console: Console) -> str:
    """A bar of that share of the width; whatever is more than nothing shows."""
    if not share:
        return ""
    if console.options.ascii_only:
        return "#" * max(1, round(share * width))
    whole, eighths = divmod(max(1, round(share * width * 8)), 8)
    return "█" * whole + _EIGHTHS[eighths]


def timeline(found: SummarizeTracesResponse, console: Console) -> Iterator[Cell]:
    """The calls over time: a row of columns to each outcome, each row to its own scale."""
    width = found.bucket.ToTimedelta()
    places = [(moment(each.starts_at) - _EPOCH) // width for each in found.buckets]
    first, count = places[0], places[-1] - places[0] + 1
    merged = ceil(count / max(_LEAST_COLUMNS, console.width - 2 * _LABEL - 2))
    yield Text(f"CALLS OVER TIME, {span(width * merged)} A COLUMN", style="bold")
    for outcome in _OUTCOMES:
        values = [0] * ceil(count / merged)
        for place, bucket in zip(places, found.buckets, strict=True):
            values[(place - first) // merged] += sum(
                each.count for each in bucket.outcomes if each.name == outcome
            )
        if any(values):
            yield _row(outcome, values, console)
    yield _axis(moment(found.buckets[0].starts_at), width * merged, ceil(count / merged))


def _row(outcome: str, values: Sequence[int], console: Console) -> Text:
    levels = _ASCII_LEVELS if console.options.ascii_only else _LEVELS
    most = max(values)
    columns = "".join(levels[ceil(value / most * (len(levels) - 1))] for value in values)
    row = Text(outcome.ljust(_LABEL), style=STYLES[outcome]).append(columns, style="not bold")
    return row.append(f"  {most:,} max", style="not bold dim")


def _axis(start: datetime, width: timedelta, columns: int) -> Text:
    """The moments of the first column and of the last, below them where there is room."""
    form = "%Y-%m-%d %H:%M" if width >= timedelta(minutes=1) else "%Y-%m-%d %H:%M:%S"
    begin = start.astimezone().strftime(form)
    end = (start + width * (columns - 1)).astimezone().strftime(form)
    gap = columns - len(begin) - len(end)
    between = " " * gap if gap > 0 else " to "
    return Text(" " * _LABEL + (begin + between + end if columns > 1 else begin), style="dim")
