"""Holds archives against what follows them: each chain goes on where an archive ended."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudicator.domain.record import Tail
from adjudicator.tracing.findings import Fault, Finding


@dataclass(frozen=True, slots=True)
class Joint:
    """Where a chain begins, in the database or file of this name."""

    name: str
    writer: str
    start: Tail
    in_archive: bool


def open_joints(joints: Sequence[Joint], archived: Mapping[tuple[str, int], set[bytes]]) -> list[Joint]:
    """Those whose beginning is in none of the archives; `archived` has hashes by writer and sequence."""
    return [
        each
        for each in joints
        if each.start.sequence and not archived.get((each.writer, each.start.sequence))
    ]


def wrong_joints(joints: Sequence[Joint], archived: Mapping[tuple[str, int], set[bytes]]) -> list[Finding]:
    """Those that begin behind another record than the archives have there."""
    found = []
    for each in joints:
        hashes = archived.get((each.writer, each.start.sequence))
        if hashes and hashes != {each.start.hash}:
            text = f"{each.name} goes on behind another record {each.start.sequence} than the archive has"
            found.append(Finding(Fault.ARCHIVE, text, each.writer, each.start.sequence))
    return found
