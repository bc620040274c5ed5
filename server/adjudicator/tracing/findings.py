"""What a verification says: findings, each naming a place, and how far the signatures reach."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

MOST_FINDINGS = 100
"""Findings of one verification that are listed; the others are counted."""

Progress = Callable[[str, int, int], None]
"""Told what is being checked, how much of it is done, and how much there is."""


class Fault(Enum):
    """What is wrong."""

    EDITED = "edited"
    """A record is not what was recorded."""
    MISSING = "missing"
    """Records are gone from within a chain."""
    REORDERED = "reordered"
    """A record is at another place of the chain than it was."""
    CUT_TAIL = "cut tail"
    """A chain ends before a record that its writer signed."""
    REWRITTEN = "rewritten"
    """A chain is whole, and has another record than its writer signed."""
    HEAD = "head"
    """A signed head is wrong, gone, or nobody's."""
    ARCHIVE = "archive"
    """The end of an archive is wrong, or an archive does not fit."""
    KEY = "key"
    """A chain is signed by a key that is not trusted."""
    ROW = "row"
    """The tables do not say what the records say."""
    SCHEMA = "schema"
    """The tables themselves are not ours."""
    UNREADABLE = "unreadable"
    """The file is damaged, cut off, or not what it should be."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong. `sequence` and `trace` are 0 where it is not about one."""

    fault: Fault
    text: str
    writer: str = ""
    sequence: int = 0
    trace: int = 0


@dataclass(slots=True)
class ChainReport:
    """One chain: its records `first` to `last`, and up to which of them a signature reaches.

    `kept` counts the records from before `first` that are still there although they are archived.
    """

    writer: str
    fingerprint: str
    trusted: bool
    records: int = 0
    first: int = 0
    last: int = 0
    covered: int = 0
    heads: int = 0
    left_out: int = 0
    kept: int = 0

    @property
    def uncovered(self) -> int:
        """How many records at the end no signature covers yet."""
        return max(0, self.last - max(self.covered, self.first - 1))


@dataclass(slots=True)
class Verification:
    """All that was found out about one database or export. It is sound when nothing is wrong."""

    name: str
    kind: str
    identity: str = ""
    chains: list[ChainReport] = field(default_factory=list)
    traces: int = 0
    approvals: int = 0
    findings: list[Finding] = field(default_factory=list)
    more_findings: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    def add(self, finding: Finding) -> None:
        """One more finding, which is only counted once there are many."""
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(finding)
        else:
            self.more_findings += 1
