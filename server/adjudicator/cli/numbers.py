"""Numbers on the command line, refused there when the wire cannot carry them."""

import math
from typing import Any

import click

LONGEST_SECONDS = 7 * 24 * 60 * 60


class Seconds(click.FloatRange):
    """A finite span of time in seconds, at most a week."""

    name = "seconds"

    def __init__(self, *, min_open: bool = False) -> None:
        super().__init__(min=0, max=LONGEST_SECONDS, min_open=min_open)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number of seconds."""
        seconds = float(super().convert(value, param, ctx))
        if not math.isfinite(seconds):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return seconds

    def _describe_range(self) -> str:
        return "at most a week"


TRACE_NUMBER = click.IntRange(min=1, max=2**64 - 1)
