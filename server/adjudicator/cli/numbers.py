"""Numbers on the command line, refused there when the wire cannot carry them."""

import math
from typing import Any

import click

DAY = 24 * 60 * 60
_NOTHING = 1e-9


class Seconds(click.FloatRange):
    """A finite span of time in seconds, at most as long as the sidecar takes it."""

    name = "seconds"

    def __init__(self, most: int, *, min_open: bool = False) -> None:
        super().__init__(min=0, max=most, min_open=min_open)
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number of seconds."""
        seconds = float(super().convert(value, param, ctx))
        if not math.isfinite(seconds):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return seconds

    def _describe_range(self) -> str:
        days = f", which is {self._most // DAY} days" if self._most > DAY else ""
        return f"at most {self._most:,}{days}"


class Percent(click.FloatRange):
    """A part in hundred. Under what is no number nothing could ever fall."""

    name = "percent"

    def __init__(self) -> None:
        super().__init__(min=0, max=100)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The percentage."""
        percent = float(super().convert(value, param, ctx))
        if not math.isfinite(percent):
            self.fail(f"{value!r} is not a percentage.", param, ctx)
        return percent


def rounded_down(percent: float, digits: int = 1) -> float:
    """A percentage as it is told: never more than it is, so what is told will do as a least one.

    The last digits of a float are not its own: what lacks nothing else is not taken for less.
    """
    scale: int = 10**digits
    return math.floor(percent * scale + _NOTHING) / scale


TRACE_NUMBER = click.IntRange(min=1, max=2**64 - 1)
