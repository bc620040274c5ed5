"""The lines of an export: each kind written and read. docs/traces.md has the format for others.

An export is JSON lines in ASCII. The body of a record is the last member of its line, as exactly the text
that was hashed.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from adjudicator.domain.record import ArchiveEnd, Head, Tail, Writer, start_of
from adjudicator.storage.rows import to_json
from adjudicator.tracing.chain_check import Row
from adjudicator.tracing.head_file import head_from_json, head_to_json

FORMAT = "adjudicator-export-1"
_COUNT = r"(0|[1-9]\d{0,18})"
_RECORD = re.compile(
    rf'\{{"(record|kept)":"([0-9a-f]{{16}})","sequence":{_COUNT},"trace":{_COUNT},"place":{_COUNT},'
    r'"recorded_at":(-?\d{1,19}),"state":"([0-9a-f]{64})","hash":"([0-9a-f]{64})","body":(.*)\}'
)
_NUMBERS = ("sequence", "trace", "place", "recorded_at")
_MEMBERS = {
    "export": {"kind", "identity", "exported_at", "part", "writers"},
    "head": {"sequence", "hash", "signed_at", "signature"},
    "gap": {"sequence", "hash"},
    "rows": {"values"},
    "end": set(),
}
_KINDS = {"record", "kept", *_MEMBERS}
_RECORD_MEMBERS = {*_NUMBERS, "state", "hash"}


@dataclass(frozen=True, slots=True)
class ChainStart:
    """Where an export begins with a writer's chain: at its beginning, or behind a signed archive."""

    writer: Writer
    end: ArchiveEnd | None

    @property
    def tail(self) -> Tail:
        """What the first record is linked to."""
        return start_of(self.writer, self.end)


@dataclass(frozen=True, slots=True)
class Heading:
    """The first line. `kind` is `export` or `archive`; of a `part`, records were left out on purpose."""

    kind: str
    identity: str
    exported_at: int
    part: bool
    starts: tuple[ChainStart, ...]


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record; one that is `kept` is from before the chain's start and not linked to what follows."""

    writer: str
    row: Row
    kept: bool


@dataclass(frozen=True, slots=True)
class HeadLine:
    """A signed head, behind the record that it names."""

    head: Head


@dataclass(frozen=True, slots=True)
class GapLine:
    """Records of a writer up to this one were left out on purpose."""

    writer: str
    to: Tail


@dataclass(frozen=True, slots=True)
class RowsLine:
    """The rows of a trace and of its approval, behind the trace's last record. `values` is JSON data."""

    trace: int
    values: Any


@dataclass(frozen=True, slots=True)
class EndLine:
    """The last line, without which a file is cut off: how many lines of each kind there are before it."""

    records: int
    heads: int


Line = Heading | RecordLine | HeadLine | GapLine | RowsLine | EndLine


def heading_line(heading: Heading) -> str:
    """The first line."""
    return _line(
        {
            "export": FORMAT,
            "kind": heading.kind,
            "identity": heading.identity,
            "exported_at": heading.exported_at,
            "part": heading.part,
            "writers": [_start_to_json(start) for start in heading.starts],
        }
    )


def record_line(writer: str, row: Row, *, kept: bool = False) -> str:
    """One record. A body that is not JSON as we write it, which somebody edited, is a string: `text`."""
    sequence, trace, place, recorded_at, body, state, digest = row
    shown = f'"body":{body}' if _is_ours(body) else f'"text":{to_json(body)}'
    return (
        f'{{"{"kept" if kept else "record"}":"{writer}","sequence":{sequence},"trace":{trace},'
        f'"place":{place},"recorded_at":{recorded_at},"state":"{state.hex()}","hash":"{digest.hex()}",{shown}}}\n'
    )


def head_line(head: Head) -> str:
    """One head."""
    return f"{head_to_json(head)}\n"


def gap_line(writer: str, to: Tail) -> str:
    """Records that were left out, up to this one."""
    return _line({"gap": writer, "sequence": to.sequence, "hash": to.hash.hex()})


def rows_line(trace: int, values: Iterable[Any]) -> str:
    """The rows of one trace, whose SHA-256 as this JSON text is the state of its last record."""
    return _line({"rows": trace, "values": list(values)})


def end_line(records: int, heads: int) -> str:
    """The last line."""
    return _line({"end": {"records": records, "heads": heads}})


def read_line(line: str) -> Line:
    """What a line says, without its end. Raises ValueError for one that no export has."""
    fast = _RECORD.fullmatch(line)
    if fast is not None:
        kind, writer, sequence, trace, place, recorded_at, state, digest, body = fast.groups()
        numbers = int(sequence), int(trace), int(place), int(recorded_at)
        row = (*numbers, body, bytes.fromhex(state), bytes.fromhex(digest))
        return RecordLine(writer, row, kept=kind == "kept")
    try:
        return _read(json.loads(line, object_pairs_hook=_once), line)
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("it is no line of an export") from error


def _read(said: Any, line: str) -> Line:
    kinds = said.keys() & _KINDS
    if len(kinds) != 1:
        raise ValueError("it is no line of an export")
    (kind,) = kinds
    if kind in ("record", "kept"):
        return _record(said, kept=kind == "kept")
    # What nobody wrote is refused: a reader might take it for what was recorded.
    _check_members(said, {kind} | _MEMBERS[kind])
    if kind == "head":
        return HeadLine(head_from_json(line))
    if kind == "gap":
        return GapLine(_text(said["gap"]), Tail(_number(said["sequence"]), bytes.fromhex(said["hash"])))
    if kind == "rows":
        return RowsLine(_number(said["rows"]), said["values"])
    if kind == "end":
        _check_members(said["end"], {"records", "heads"})
        return EndLine(_number(said["end"]["records"]), _number(said["end"]["heads"]))
    return _heading(said)


def _record(said: Any, *, kept: bool) -> RecordLine:
    kind, content = "kept" if kept else "record", "text" if "text" in said else "body"
    _check_members(said, {kind, content} | _RECORD_MEMBERS)
    numbers = tuple(_number(said[name]) for name in _NUMBERS)
    body = _text(said["text"]) if content == "text" else to_json(said["body"])
    row = (*numbers, body, bytes.fromhex(said["state"]), bytes.fromhex(said["hash"]))
    return RecordLine(_text(said[kind]), row, kept=kept)  # type: ignore[arg-type]


def _check_members(said: Any, expected: set[str]) -> None:
    if said.keys() != expected:
        raise ValueError("it has not the members of such a line, or others")


def _heading(said: Any) -> Heading:
    if said["export"] != FORMAT:
        raise ValueError(f"it is an export of another format than {FORMAT}")
    starts = tuple(_start(each) for each in said["writers"])
    if len({start.writer.name for start in starts}) != len(starts):
        raise ValueError("a writer is there twice")
    return Heading(
        _text(said["kind"]),
        _text(said["identity"]),
        _number(said["exported_at"]),
        said["part"] is not False,
        starts,
    )


def _start_to_json(start: ChainStart) -> dict[str, Any]:
    said: dict[str, Any] = {"writer": start.writer.name, "public_key": start.writer.public_key.hex()}
    if start.end is not None:
        said["archived"] = {
            "sequence": start.end.sequence,
            "hash": start.end.hash.hex(),
            "kept": start.end.kept.hex(),
            "signed_at": start.end.signed_at,
            "signature": start.end.signature.hex(),
        }
    return said


def _start(said: Any) -> ChainStart:
    name = _text(said["writer"])
    writer, end = Writer(name, bytes.fromhex(said["public_key"])), None
    if "archived" in said:
        archived = said["archived"]
        end = ArchiveEnd(
            name,
            _number(archived["sequence"]),
            bytes.fromhex(archived["hash"]),
            bytes.fromhex(archived["kept"]),
            _number(archived["signed_at"]),
            bytes.fromhex(archived["signature"]),
        )
    return ChainStart(writer, end)


def _number(value: Any) -> int:
    if type(value) is not int:
        raise ValueError("a number is missing")
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise ValueError("a text is missing")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    said = dict(pairs)
    if len(said) != len(pairs):
        raise ValueError("a name is there twice")
    return said


def _is_ours(body: str) -> bool:
    try:
        return to_json(json.loads(body)) == body
    except (ValueError, RecursionError):
        return False


def _line(said: dict[str, Any]) -> str:
    return f"{to_json(said)}\n"
