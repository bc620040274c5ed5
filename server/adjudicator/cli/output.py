"""Where commands print: tables that cut nothing, JSON, and hints beside the answer."""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from adjudicator.cli.plain import plain

Cell = str | Text

LEAST_LAST_COLUMN = 20
INDENT_BELOW = 6
GAP = "  "


def out() -> Console:
    """The console for answers."""
    return Console(markup=False, highlight=False, emoji=False)


def err() -> Console:
    """The console for hints, progress and errors, which are no part of an answer."""
    return Console(stderr=True, markup=False, highlight=False, emoji=False)


def print_line(console: Console, *cells: Cell) -> None:
    """The cells one after the other on one line, which the terminal may wrap and nothing cuts."""
    console.print(Text("").join(shown(cell) for cell in cells), soft_wrap=True)


def print_json(data: Any) -> None:
    """One JSON value on one line."""
    sys.stdout.write(json.dumps(data, ensure_ascii=True, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def hint(message: str) -> None:
    """One line of advice."""
    print_line(err(), Text("hint: ", style="yellow"), message)


def problem(message: str) -> None:
    """One line that says what went wrong."""
    print_line(err(), Text("adjudicator: ", style="bold red"), message)


def shown(cell: Cell) -> Text:
    """A cell as it may be printed. A Text is made by us from parts that are plain already."""
    return cell if isinstance(cell, Text) else Text(plain(cell))


def print_table(
    console: Console,
    header: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    below: Callable[[int], None] = lambda _: None,
) -> None:
    """Aligned columns. No cell is ever cut; on a terminal the last column wraps within itself.

    `below` prints what comes below a row, of which it gets the number.
    """
    lines = [[Text(name, style="bold") for name in header]]
    lines += [[shown(cell) for cell in row] for row in rows]
    widths = [max(cell_len(line[column].plain) for line in lines) for column in range(len(header))]
    for number, line in enumerate(lines, start=-1):
        print_row(console, line, widths)
        if number >= 0:
            below(number)


def print_row(console: Console, cells: Sequence[Cell], widths: Sequence[int]) -> None:
    """One row of a table whose columns have these widths; a wider cell moves the rest of its row.

    Where a terminal leaves no room for the last cell, it goes below the others.
    """
    *texts, last = (shown(cell) for cell in cells)
    start = Text("")
    for text, width in zip(texts, widths, strict=False):
        start.append_text(text).append(" " * max(0, width - cell_len(text.plain)) + GAP)
    indent = cell_len(start.plain)
    room = console.width - indent
    if not console.is_terminal:
        _print_stripped(console, start.append_text(last))
        return
    if room < LEAST_LAST_COLUMN:
        _print_stripped(console, start)
        start, indent = Text(" " * INDENT_BELOW), INDENT_BELOW
        room = max(LEAST_LAST_COLUMN, console.width - indent)
    for number, part in enumerate(last.wrap(console, room)):
        _print_stripped(console, (start if number == 0 else Text(" " * indent)).append_text(part))


def _print_stripped(console: Console, line: Text) -> None:
    line.rstrip()
    console.print(line, soft_wrap=True)
