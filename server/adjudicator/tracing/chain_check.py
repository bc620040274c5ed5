"""One chain, followed record by record, and held against what its writer signed.

It is given pages of plain tuples, because a value made of each record would cost more than its hash.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence

from adjudicator.domain.record import Head, Tail, Writer
from adjudicator.tracing.findings import ChainReport, Fault, Finding
from adjudicator.tracing.signing import Seal, fingerprint

Row = tuple[int, int, int, int, str, bytes, bytes]
"""Of a record: sequence, trace, place, moment, body, state, hash."""
Pages = Iterable[Sequence[Row]]

_MOST_SHIFTED = 1000


class ChainCheck:
    """Takes the records behind `start` in the order in which they are found.

    `again` gives them once more, to find out what became of the first record that is wrong; `found` is
    called with each finding, of which there is at most one about the records themselves.
    """

    def __init__(
        self,
        writer: Writer,
        start: Tail,
        again: Callable[[], Pages],
        found: Callable[[Finding], None],
        *,
        trusted: bool,
    ) -> None:
        self.report = ChainReport(
            writer.name, fingerprint(writer.public_key), trusted, first=start.sequence + 1
        )
        self._writer = writer
        self._seal = Seal(writer.public_key)
        self._start = start
        self._again = again
        self._found = found
        self._last = start  # where the chain is right up to
        self._seen = start.sequence  # the largest sequence, right or not
        self._broken = False
        self._rewritten = False
        self._heads: dict[int, Head] = {}  # signed, of records that did not come yet
        self._farthest: Head | None = None

    def expect(self, heads: Iterable[Head], where: str) -> None:
        """Heads of this chain, before the records that they name, or right behind them."""
        for head in heads:
            self.report.heads += 1
            if not self._seal.on_head(head):
                self._add(Fault.HEAD, head.sequence, f"a head in {where} is not signed by the writer's key")
                continue
            if self._farthest is None or head.sequence > self._farthest.sequence:
                self._farthest = head
            if head.sequence == self._last.sequence and not self._broken:
                self._compare(head, self._last.hash)
            elif head.sequence > self._seen:
                rival = self._heads.setdefault(head.sequence, head)
                if rival.hash != head.hash:
                    self._add(Fault.HEAD, head.sequence, "its writer signed two different records here")

    def take(self, page: Sequence[Row]) -> None:
        """The next records."""
        self.report.records += len(page)
        if self._broken:
            self._seen = max(self._seen, *(row[0] for row in page))
            return
        name, heads, sha256 = self._writer.name, self._heads, hashlib.sha256
        expected, previous = self._last.sequence + 1, self._last.hash
        for row in page:
            sequence, trace, place, recorded_at, body, state, digest = row
            try:
                line = f"{name} {sequence} {trace} {place} {recorded_at}\n{body}".encode()
                right = sha256(previous + state + line).digest() == digest and sequence == expected
            except (UnicodeEncodeError, TypeError):
                right = False  # a text that is none, or a value of another type: nobody recorded that
            if not right:
                self._last = Tail(expected - 1, previous)
                self._break(row)
                self._seen = max(self._seen, *(each[0] for each in page))
                return
            expected, previous = sequence + 1, digest
            if sequence in heads:
                self._compare(heads.pop(sequence), digest)
        self._last = Tail(expected - 1, previous)
        self._seen = self._last.sequence

    def skip(self, to: Tail) -> None:
        """Records up to this one were left out on purpose; the chain goes on behind it."""
        self.report.left_out += max(0, to.sequence - self._seen)
        self._seen = max(self._seen, to.sequence)
        if not self._broken:
            self._last = to
            for sequence in [each for each in self._heads if each <= to.sequence]:
                head = self._heads.pop(sequence)
                if sequence == to.sequence:
                    self._compare(head, to.hash)

    def finish(self) -> Tail:
        """There are no more records; where the chain is right up to."""
        self.report.last = self._seen
        head = self._farthest
        if head is not None and head.sequence > self._seen:
            self._add(
                Fault.CUT_TAIL,
                self._seen + 1,
                f"its writer signed record {head.sequence}, and the chain ends with {self._seen}: "
                f"the last {head.sequence - self._seen} or more are gone",
            )
        return self._last

    def _compare(self, head: Head, digest: bytes) -> None:
        if head.hash == digest:
            self.report.covered = max(self.report.covered, head.sequence)
        elif not self._rewritten:
            self._rewritten = True
            first = max(self.report.covered, self._start.sequence) + 1
            self._add(
                Fault.REWRITTEN,
                head.sequence,
                f"it is not the record that its writer signed: one or more of the records {first} to "
                f"{head.sequence} were changed, and the hashes with them",
            )

    def _break(self, row: Row) -> None:
        """Say what is wrong at the first place that is; what follows cannot be judged."""
        self._broken = True
        expected, found = self._last.sequence + 1, row[0]
        clues = _Clues(self._writer.name, self._last, row)
        for page in self._again():
            for other in page:
                clues.look_at(other)
        if clues.fitting is not None:
            at = clues.fitting if clues.fitting != expected else "a later place"
            self._add(Fault.REORDERED, expected, f"the record that belongs here is at {at}")
        elif found > expected:
            gone = (
                f"record {expected} is"
                if found - 1 == expected
                else f"records {expected} to {found - 1} are"
            )
            self._add(Fault.MISSING, expected, f"{gone} gone")
        elif found < expected:
            self._add(Fault.REORDERED, expected, f"record {found} comes here, once more or too late")
        elif clues.shift:
            text = f"{clues.shift} of the records are gone from here on, and the next have other numbers"
            self._add(Fault.MISSING, expected, text)
        else:
            self._add(Fault.EDITED, expected, self._edit(clues), trace=row[1])

    def _edit(self, clues: "_Clues") -> str:
        if clues.only_hash:
            return "its hash is not that of its contents, which the next record confirms"
        before = self._last.sequence
        if before == 0:
            return "it does not follow from its writer's name and key: it was changed, or those were"
        if before in (self.report.covered, self._start.sequence):
            return f"it does not follow from record {before}: it was changed"
        return (
            f"it does not follow from record {before}: it was changed, or {before} was together with its "
            "hash"
        )

    def _add(self, fault: Fault, sequence: int, text: str, trace: int = 0) -> None:
        self._found(Finding(fault, text, self._writer.name, sequence, trace))


class _Clues:
    """What other records tell of the first one that is wrong."""

    def __init__(self, writer: str, last: Tail, wrong: Row) -> None:
        self._writer = writer
        self._last = last
        self._wrong = wrong
        self._next = last.sequence + 2
        self.fitting: int | None = None  # the number at which the record is that belongs here
        self.only_hash = False  # whether the next record follows from the wrong one's contents
        self.shift = 0  # by how much the numbers would have to be larger to be right

    def look_at(self, row: Row) -> None:
        """One more record of the chain."""
        if self.fitting is None and self._follows(self._last.hash, row, self._last.sequence + 1):
            self.fitting = row[0]
        if row[0] == self._next and self._wrong[0] == self._next - 1:
            own = _hash(self._writer, self._last.hash, self._wrong, self._next - 1)
            self.only_hash = own is not None and self._follows(own, row, self._next)
            shifts = range(1, _MOST_SHIFTED)
            hashed = self._wrong[6]
            found = (each for each in shifts if self._follows(hashed, row, self._next + each))
            self.shift = next(found, 0)

    def _follows(self, previous: bytes, row: Row, sequence: int) -> bool:
        return _hash(self._writer, previous, row, sequence) == row[6]


def _hash(writer: str, previous: bytes, row: Row, sequence: int) -> bytes | None:
    _, trace, place, recorded_at, body, state, _ = row
    try:
        line = f"{writer} {sequence} {trace} {place} {recorded_at}\n{body}".encode()
        return hashlib.sha256(previous + state + line).digest()
    except (UnicodeEncodeError, TypeError):
        return None
