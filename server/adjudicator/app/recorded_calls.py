"""Recorded calls read back, to be judged anew without a sidecar: of a database, an export, an archive."""

import contextlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from adjudicator.config.limits import EXPORT_LINE_BYTES, Limits
from adjudicator.config.regular_file import bounded_lines
from adjudicator.domain.call import ToolCall
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.trace import Element, ElementKind, Trace, TraceKind
from adjudicator.service.recorded_call import RecordedCall, recorded_call
from adjudicator.storage.bodies import elements_from_body
from adjudicator.storage.contract import TraceFilter
from adjudicator.storage.engine import Connection
from adjudicator.storage.migrations import check_version
from adjudicator.storage.reading import Readable
from adjudicator.storage.rows import TraceRow, trace_from_row
from adjudicator.storage.statements import select_trace, select_traces
from adjudicator.tracing.export_lines import EndLine, Heading, RecordLine, read_line

_PAGE = 100
# What reading something that somebody damaged may raise, beside the failures of the database.
_ODD: tuple[type[Exception], ...] = (ValueError, TypeError, KeyError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which calls: by their moment, and by who called what. `last` wants so many of the latest of them."""

    since: datetime | None = None
    until: datetime | None = None
    tenant: str = ""
    agent: str = ""
    tool: str = ""
    last: int | None = None

    def has(self, trace: Trace) -> bool:
        """Whether a trace is one of them, but for `last`."""
        return (
            (self.since is None or trace.opened_at >= self.since)
            and (self.until is None or trace.opened_at < self.until)
            and self.tenant in ("", trace.tenant)
            and self.agent in ("", trace.agent)
            and self.tool in ("", trace.tool)
        )


@dataclass(frozen=True, slots=True)
class Replay:
    """The call of a trace; None where it cannot be judged anew, and then `gap` says in a word why."""

    trace: int
    call: ToolCall | None
    gap: str = ""


def calls_of_database(database: Readable, wanted: Wanted, limits: Limits) -> Iterator[Replay]:
    """The wanted calls of a database, the latest first; all of one moment. Raises STORE_UNAVAILABLE."""
    with _readable(database.name, database.failures), database.reading() as db:
        check_version(database, db)
        for number in _numbers(db, wanted):
            trace = select_trace(db, number)
            if trace is not None:
                yield _replay(trace, limits)


def calls_of_export(file: Path, wanted: Wanted, limits: Limits) -> Iterator[Replay]:
    """The same of an export or an archive, in the order in which they are in it.

    It is not verified, as `verification.verify` would. Raises STORE_UNAVAILABLE for a file that is none.
    """
    with _readable(str(file), (OSError,)):
        traces = filter(wanted.has, _traces_of(file))
        for trace in traces if wanted.last is None else deque(traces, wanted.last):
            yield _replay(trace, limits)


def _numbers(db: Connection, wanted: Wanted) -> Iterator[int]:
    which = TraceFilter(
        tenant=wanted.tenant,
        agent=wanted.agent,
        tool=wanted.tool,
        since=wanted.since,
        until=wanted.until,
    )
    before, left = None, wanted.last
    while page := select_traces(db, which, before, _PAGE):
        before = page[-1].number
        for each in page:
            if each.kind is not TraceKind.CALL:
                continue
            if left == 0:
                return
            left = None if left is None else left - 1
            yield each.number


def _traces_of(file: Path) -> Iterator[Trace]:
    """The calls, each from its first record, which has all that was said of it when it was judged."""
    lines = map(_line_of, bounded_lines(file, EXPORT_LINE_BYTES))
    said: object = next(lines, None)
    if not isinstance(said, Heading):
        raise ValueError("it is no export")  # noqa: TRY004 - of what the file says, not of a type
    for said in lines:
        if isinstance(said, RecordLine) and said.row[2] == 1:
            _, number, place, recorded_at, body, *_ = said.row
            row = _row_of(number, recorded_at)
            elements = elements_from_body(body, place, recorded_at, row)
            if (trace := _trace_of(row, elements)) is not None:
                yield trace
    if not isinstance(said, EndLine):
        raise ValueError("it is cut off: its last line is missing")  # noqa: TRY004 - the same


def _line_of(line: bytes) -> object:
    return read_line(line.decode("ascii", "surrogateescape").removesuffix("\n"))


def _row_of(number: int, recorded_at: int) -> TraceRow:
    return TraceRow(number, 0, "", "", "", "", "", None, b"", recorded_at)


def _trace_of(row: TraceRow, elements: list[Element]) -> Trace | None:
    """The trace as far as its first elements say what it is of; None of what is no call."""
    bodies = {each.kind: each.body for each in elements}
    who, what = bodies.get(ElementKind.INPUT_CONTEXT, {}), bodies.get(ElementKind.PROPOSED_ACTION, {})
    if "arguments_bytes" not in what:
        return None
    named = row._replace(
        tenant=who.get("tenant", ""),
        session=who.get("session", ""),
        agent=who.get("agent", ""),
        tool=what.get("tool", ""),
    )
    return trace_from_row(named, None, tuple(elements))


def _replay(trace: Trace, limits: Limits) -> Replay:
    recorded = recorded_call(trace, limits)
    if isinstance(recorded, RecordedCall):
        return Replay(trace.number, recorded.call)
    return Replay(trace.number, None, recorded.value)


@contextlib.contextmanager
def _readable(name: str, failures: tuple[type[Exception], ...]) -> Iterator[None]:
    try:
        yield
    except (*failures, *_ODD) as error:
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE, f"{name} cannot be read on: {error}"
        ) from error
