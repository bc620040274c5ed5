"""Structured logs on standard error: JSON for machines, or a line that a person can read."""

import contextlib
import logging
import sqlite3
import sys
import traceback
from typing import Literal, TextIO, cast

import structlog

# What may be wrong with a disk or a socket is for an operator to read. Any other library may repeat in its
# message what it was given, and that may be a call's.
_SPEAKING = (OSError, sqlite3.Error)
_OPERATIONAL = "OperationalError"
"""The class, in every package for a database (PEP 249), of what it says of itself and not of a value."""
_OURS = "adjudicator."


class _Lossy:
    """A log that cannot be written costs the line, and never the work that it tells of."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def write(self, text: str) -> int:
        """Write what can be written."""
        with contextlib.suppress(OSError):
            self._out.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush what can be flushed."""
        with contextlib.suppress(OSError):
            self._out.flush()


def configure(log_format: Literal["text", "json"], level: str) -> None:
    """Set up logging for the process. Values are escaped: nothing that is logged can forge a line."""
    renderer: structlog.typing.Processor
    if log_format == "json":
        renderer = structlog.processors.JSONRenderer()
    else:
        renderer = structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"])
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.ExceptionRenderer(lambda info: _told(info[1])),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", _Lossy(sys.stderr))),
        cache_logger_on_first_use=False,
    )


def _told(error: BaseException) -> str:
    """Where the error was raised and what it is, with its causes; its message if no argument is in it."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    said = f"{frames}{type(error).__qualname__}" + (f": {error}" if _speaks(error) else "")
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return said if cause is None else f"{_told(cause)}\n\nand then\n{said}"


def _speaks(error: BaseException) -> bool:
    kind = type(error)
    operational = any(each.__name__ == _OPERATIONAL for each in kind.__mro__)
    return operational or isinstance(error, _SPEAKING) or kind.__module__.startswith(_OURS)
