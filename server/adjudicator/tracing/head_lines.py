"""Files of signed heads, read strictly: what is no head is counted, not passed over in silence."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from adjudicator.config.limits import HEAD_LINE_BYTES
from adjudicator.config.regular_file import bounded_lines
from adjudicator.domain.record import Head
from adjudicator.tracing.head_file import head_from_json


@dataclass(frozen=True, slots=True)
class HeadLines:
    """The heads of one file, in order, and the numbers of the lines that are none."""

    heads: Sequence[Head]
    unreadable: Sequence[int]


def read_head_lines(file: Path) -> HeadLines:
    """The heads of a file. Raises OSError, for a line as well that is longer than any head."""
    heads, unreadable = [], []
    for number, line in enumerate(bounded_lines(file, HEAD_LINE_BYTES), 1):
        found = None
        with contextlib.suppress(ValueError):
            found = head_from_json(line.decode("ascii"))
        if found is None:
            unreadable.append(number)
        else:
            heads.append(found)
    return HeadLines(heads, unreadable)


def head_files(folder: Path, identity: str) -> list[Path]:
    """The files of a data folder that have the heads of that database, the older ones first."""
    return [folder / f"heads-{identity}.old.jsonl", folder / f"heads-{identity}.jsonl"]
