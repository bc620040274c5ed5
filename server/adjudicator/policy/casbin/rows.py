"""Casbin `.csv` files, read strictly: a line loads as stock Casbin loads it, or it is refused.

One difference is meant: a value in double quotes is read as RFC 4180 says. A row is kept as one text and
split when somebody looks, so that a million of them take little memory.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import methodcaller
from typing import overload

from adjudicator.domain.invisible import is_invisible, is_unprintable
from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source

_QUOTED = re.compile(r'[ \t]*"((?:[^"]|"")*)"[ \t]*(?:,|$)')
_BARE = re.compile(r'(?![ \t]*")[^,]*(?:,|$)')
_PIECE = 1 << 16
_TRAILING_COMMENT = re.compile(r"(^|[ \t])#")
_OPEN, _CLOSE = "([", ")]"
SEPARATOR = "\x1f"
"""Stands between the values of a row that was read; no value has a control character."""
_BLANKS = (f" {SEPARATOR}", f"{SEPARATOR} ", "\n ", " \n", "\t")
_MARKS = ('"', "(", ")", "[", "]")
"""What makes a comma, or a blank, part of a value."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: `kind` is its first column, `fields` are the others."""

    file: str
    line: int
    text: str
    kind: str
    fields: tuple[str, ...]

    @property
    def ref(self) -> RuleRef:
        """The row's place."""
        return RuleRef(self.file, self.line, self.text.strip(" \t"))

    def spans(self) -> list[tuple[int, int]]:
        """Where each field stands in the line, from 0, with its quotes; where an empty one would."""
        spans = [(column - 1, column - 1 + len(part.strip(" \t"))) for column, part in _split(self.text)]
        return spans[1:]

    def refuse(self, problems: Problems, field: int, message: str) -> None:
        """Note a problem at a field; the first column is -1."""
        problems.add(self.file, message, self.line, self.column(field))

    def column(self, field: int) -> int:
        """Where in its line a field begins, from 1; the first column of the row is -1."""
        return _split(self.text)[field + 1][0] if field >= 0 else 1


class Rows(Sequence[Row]):
    """The rows of one kind, over all files, in order."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._values: list[str] = []
        self._lines: array[int] = array("Q")
        self._files: list[tuple[int, str, list[str]]] = []

    def __len__(self) -> int:
        return len(self._values)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        name, number, line = self._at(index)
        return Row(name, number, line, self.kind, tuple(self.fields(index)))

    def fields(self, index: int) -> list[str]:
        """The row's fields after the first column."""
        return self._values[index].split(SEPARATOR)

    def all_fields(self) -> Iterator[list[str]]:
        """The fields of each row in turn, as `fields` has them."""
        return map(methodcaller("split", SEPARATOR), self._values)

    def ref(self, index: int) -> RuleRef:
        """The row's place."""
        name, number, line = self._at(index)
        return RuleRef(name, number, line.strip(" \t"))

    def all_texts(self) -> list[str]:
        """The fields of each row in turn as one text; equal exactly when all fields are."""
        return self._values

    def _at(self, index: int) -> tuple[str, int, str]:
        number = self._lines[index]
        _, name, lines = self._files[bisect_right(self._files, index, key=_first) - 1]
        return name, number, lines[number - 1]

    def begin_file(self, name: str, lines: list[str]) -> None:
        """What is added from now on stands in these lines."""
        self._files.append((len(self._values), name, lines))

    def add(self, number: int, values: str) -> None:
        """Put the next row in, with the line it is in."""
        self._values.append(values)
        self._lines.append(number)


def _first(file: tuple[int, str, list[str]]) -> int:
    return file[0]


def read_rows(sources: Sequence[Source], widths: Mapping[str, int], problems: Problems) -> dict[str, Rows]:
    """The rows of the files by their first column. `widths` says how many fields follow each of those."""
    by_kind = {kind: Rows(kind) for kind in widths}
    for source in sources:
        _read_file(source, widths, by_kind, problems)
    return by_kind


def _read_file(
    source: Source, widths: Mapping[str, int], by_kind: Mapping[str, Rows], problems: Problems
) -> None:
    """Most rows are plain, and those are read without looking at each character."""
    lines: list[str] = []
    for rows in by_kind.values():
        rows.begin_file(source.name, lines)
    add = {kind: rows.add for kind, rows in by_kind.items()}
    for text in _pieces(source.text):
        first = len(lines) + 1
        new = text.split("\n")
        lines += new
        split = text.replace(", ", SEPARATOR).replace(",", SEPARATOR)
        tidy = not any(odd in f"\n{split}\n" for odd in (*_BLANKS, *_MARKS))
        for number, (line, values) in enumerate(zip(new, split.split("\n"), strict=True), start=first):
            if (
                line.isascii()
                and line.isprintable()
                and "#" not in line
                and (tidy or _is_tidy(line, values))
            ):
                kind, others, values = values.partition(SEPARATOR)  # noqa: PLW2901 - what is left of it
                if others and values.count(SEPARATOR) + 1 == widths.get(kind):
                    add[kind](number, values)
                    continue
            read = _read_carefully(source.name, number, line, widths, problems)
            if read is not None:
                add[read[0]](number, SEPARATOR.join(read[1:]))


def _pieces(text: str) -> Iterator[str]:
    """The text in pieces that end where a line does, so that no step on one holds up other threads."""
    place = 0
    while place < len(text):
        end = text.find("\n", place + _PIECE)
        piece = text[place:] if end < 0 else text[place:end]
        yield piece.replace("\r\n", "\n").removesuffix("\r") if "\r" in piece else piece
        place += len(piece) + 1


def _is_tidy(line: str, values: str) -> bool:
    """Whether the values of a line are what stands between its separators."""
    if any(mark in line for mark in _MARKS) or values[:1] == " " or values[-1:] == " ":
        return False
    return f" {SEPARATOR}" not in values and f"{SEPARATOR} " not in values


def row_values(text: str) -> list[str]:
    """The values of a sound row as it is written, the kind first; blanks around them do not count."""
    return [_value(part) for _, part in _split(text)]


def _read_carefully(
    file: str, number: int, line: str, widths: Mapping[str, int], problems: Problems
) -> list[str] | None:
    """The values of a sound row, its kind first; None for a comment, a blank line, and what is refused."""
    text = line.strip(" \t")
    fault = _unreadable(line)
    if fault is None and (not text or text.startswith("#")):
        return None
    fault = fault or _fault(line, widths)
    if fault is None:
        return row_values(line)
    column, message = fault
    problems.add(file, message, number, column)
    return None


def _unreadable(line: str) -> tuple[int, str] | None:
    """The column and fault of a character that Casbins read differently, or that nobody can see."""
    for column, char in enumerate(line, start=1):
        if char == "\t" or (char.isascii() and char.isprintable()):
            continue
        if char == "\r":
            return column, "a carriage return inside the line; end lines with a line feed"
        if is_invisible(char):
            return column, f"an invisible character {char!a}; remove it"
        if char.isspace() or is_unprintable(char):
            return column, f"a blank or control character {char!a}; write an ordinary blank, or remove it"
    return None


def _fault(line: str, widths: Mapping[str, int]) -> tuple[int, str] | None:
    """What is wrong with the shape of a row, and the column."""
    parts = _split(line)
    covered = sum(len(part) for _, part in parts)
    if not parts or covered + len(parts) - 1 != len(line):
        column = covered + len(parts) + 1
        return column, (
            "a double quote that does not fit: a quoted value begins right after its comma and ends on its "
            'line, and a quote in it is written twice, as in `"say ""yes"""`'
        )
    (_, first), *others = parts
    kind = first.strip(" \t")
    if kind not in widths:
        words = " or ".join(f"`{known}`" for known in widths)
        return 1, f"a row begins with {words}, not {kind!a}"
    for column, part in others:
        if not part.lstrip(" \t").startswith('"') and (fault := _bare_fault(part)):
            return column, fault
    if len(others) != widths[kind]:
        return 1, (
            f"a `{kind}` row has {widths[kind]} fields after the first column, this one has {len(others)}; "
            "put a value with a comma in double quotes, and keep the comma of an empty field"
        )
    return None


def _bare_fault(part: str) -> str | None:
    if _TRAILING_COMMENT.search(part.strip(" \t")):
        return "a `#` after a blank would be part of the value; comment on its own line"
    if not _is_balanced(part):
        return (
            "stock Casbin takes commas after an open bracket into the value; put the value in double quotes"
        )
    return None


def _is_balanced(field: str) -> bool:
    depth = 0
    for char in field:
        depth += (char in _OPEN) - (char in _CLOSE)
        if depth < 0:
            return False
    return depth == 0


def _value(part: str) -> str:
    text = part.strip(" \t")
    return text[1:-1].replace('""', '"') if text.startswith('"') else text


def _split(line: str) -> list[tuple[int, str]]:
    """The parts between the commas as they are written, and the column where the value of each begins."""
    parts: list[tuple[int, str]] = []
    place = 0
    while place <= len(line):
        found = _QUOTED.match(line, place) or _BARE.match(line, place)
        if found is None:
            return parts
        part = found[0].removesuffix(",")
        parts.append((place + len(part) - len(part.lstrip(" \t")) + 1, part))
        place += len(part) + 1
    return parts
