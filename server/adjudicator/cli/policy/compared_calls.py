"""Where the calls come from by which two bundles are compared: files of calls, and recorded traces."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from adjudicator.cli.policy.calls import offline_call
from adjudicator.cli.tool_calls import CallError, CallFields, call_fields, decoded
from adjudicator.config.limits import Limits
from adjudicator.domain.call import ToolCall
from adjudicator.domain.errors import AdjudicatorError

if TYPE_CHECKING:
    from adjudicator.app.recorded_calls import Replay

_EVERY = 200
_MOST_LINE_BYTES = Limits().message_bytes

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Found:
    """A call and where it is from; without one, why there is none, or in a word why a trace has none."""

    source: str
    call: ToolCall | None = None
    problem: str = ""
    trace: int = 0
    gap: str = ""


def calls_of_file(lines: IO[bytes], name: str, defaults: CallFields, progress: Progress) -> Iterator[Found]:
    """The calls of a file with one on each line; blank lines are none."""
    size, done = _size(lines), 0
    for number, line in enumerate(_bounded(lines), start=1):
        done += len(line)
        if number % _EVERY == 0:
            progress(name, done, size)
        if line.strip():
            yield _call_of(line, f"{name}:{number}", defaults)


def calls_of_traces(replays: "Iterable[Replay]", name: str, progress: Progress) -> Iterator[Found]:
    """The calls of recorded traces, and what keeps one from being judged anew."""
    try:
        for number, replay in enumerate(replays, start=1):
            if number % _EVERY == 0:
                progress(f"{name}: {number:,} traces", 0, 0)
            yield Found(f"trace {replay.trace}", replay.call, trace=replay.trace, gap=replay.gap)
    except AdjudicatorError as error:  # the other sources are compared all the same
        yield Found(name, problem=error.message)


def _call_of(line: bytes, source: str, defaults: CallFields) -> Found:
    if len(line) > _MOST_LINE_BYTES:
        return Found(source, problem=f"the line has more than {_MOST_LINE_BYTES:,} bytes")
    try:
        return Found(source, offline_call(call_fields(decoded(line)).or_else(defaults)))
    except CallError as error:
        return Found(source, problem=str(error))


def _bounded(lines: IO[bytes]) -> Iterator[bytes]:
    """The lines, of each no more than a byte over the bound, whatever the rest of it is."""
    while line := lines.readline(_MOST_LINE_BYTES + 1):
        yield line
        while not line.endswith(b"\n") and (line := lines.readline(_MOST_LINE_BYTES)):
            pass


def _size(lines: IO[bytes]) -> int:
    """How many bytes there are; 0 where nobody knows."""
    if not lines.seekable():
        return 0
    size = lines.seek(0, 2)
    lines.seek(0)
    return size
