"""Casbin `.csv` files, read strictly: a line loads as stock Casbin loads it, or it is refused."""

import re
from dataclasses import dataclass

from adjudicator.domain.invisible import is_invisible, is_unprintable
from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source

_TRAILING_COMMENT = re.compile(r"(^|[ \t])#")
_OPEN, _CLOSE = "([", ")]"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: `kind` is its first column, `fields` are the others, `columns` where each begins."""

    file: str
    line: int
    text: str
    kind: str
    fields: tuple[str, ...]
    columns: tuple[int, ...]

    @property
    def ref(self) -> RuleRef:
        """The row's place."""
        return RuleRef(self.file, self.line, self.text)

    def refuse(self, problems: Problems, field: int, message: str) -> None:
        """Note a problem at a field; the first column is -1."""
        column = self.columns[field] if field >= 0 else 1
        problems.add(self.file, message, self.line, column)


def read_rows(source: Source, widths: dict[str, int], problems: Problems) -> list[Row]:
    """The rows of a file, in order. `widths` says how many fields follow each first column."""
    rows: list[Row] = []
    for number, line in enumerate(source.text.split("\n"), start=1):
        row = _read_line(source.name, number, line.removesuffix("\r"), widths, problems)
        if row is not None:
            rows.append(row)
    return rows


def _read_line(file: str, number: int, line: str, widths: dict[str, int], problems: Problems) -> Row | None:
    fault = _unreadable(line)
    if fault is not None:
        offset, message = fault
        problems.add(file, message, number, offset + 1)
        return None
    text = line.strip(" \t")
    if not text or text.startswith("#"):
        return None
    row = _split(file, number, line, text)
    return row if _has_shape(row, widths, problems) else None


def _unreadable(line: str) -> tuple[int, str] | None:
    """The offset and fault of a character that Casbins read differently, or that nobody can see."""
    for offset, char in enumerate(line):
        if char == '"':
            return offset, "a double quote: some Casbins keep it, others remove it; write the row without"
        if char == "\t" or (char.isascii() and char.isprintable()):
            continue
        if char == "\r":
            return offset, "a carriage return inside the line; end lines with a line feed"
        if is_invisible(char):
            return offset, f"an invisible character {char!a}; remove it"
        if char.isspace() or is_unprintable(char):
            return offset, f"a blank or control character {char!a}; write an ordinary blank, or remove it"
    return None


def _split(file: str, number: int, line: str, text: str) -> Row:
    fields: list[str] = []
    columns: list[int] = []
    start = 0
    for part in line.split(","):
        columns.append(start + len(part) - len(part.lstrip(" \t")) + 1)
        fields.append(part.strip(" \t"))
        start += len(part) + 1
    return Row(file, number, text, fields[0], tuple(fields[1:]), tuple(columns[1:]))


def _has_shape(row: Row, widths: dict[str, int], problems: Problems) -> bool:
    if row.kind not in widths:
        words = " or ".join(f"`{kind}`" for kind in widths)
        row.refuse(problems, -1, f"a row begins with {words}, not {row.kind!a}")
        return False
    for index, field in enumerate(row.fields):
        if _TRAILING_COMMENT.search(field):
            row.refuse(
                problems, index, "a `#` after a blank would be part of the value; comment on its own line"
            )
            return False
        if not _is_balanced(field):
            row.refuse(problems, index, "an open bracket makes stock Casbin take commas into the value")
            return False
    if len(row.fields) != widths[row.kind]:
        want, have = widths[row.kind], len(row.fields)
        row.refuse(
            problems,
            -1,
            f"a `{row.kind}` row has {want} fields after the first column, this one has {have}; "
            "a comma always separates, so write values without one, and keep the comma of an empty field",
        )
        return False
    return True


def _is_balanced(field: str) -> bool:
    depth = 0
    for char in field:
        depth += (char in _OPEN) - (char in _CLOSE)
        if depth < 0:
            return False
    return depth == 0
