"""Verifies an export or an archive, line by line: its chains, its signatures, and that it is whole."""

import hashlib
from collections.abc import Callable, Container, Iterator, Sequence
from pathlib import Path

from adjudicator.config.limits import EXPORT_LINE_BYTES
from adjudicator.config.regular_file import bounded_lines
from adjudicator.domain.record import NOTHING_KEPT, Head, Record, Tail, keep
from adjudicator.storage.rows import to_json
from adjudicator.tracing.chain_check import ChainCheck, Pages, Row
from adjudicator.tracing.database_check import Outside
from adjudicator.tracing.export_lines import (
    ChainStart,
    EndLine,
    GapLine,
    Heading,
    HeadLine,
    Line,
    RecordLine,
    RowsLine,
    read_line,
)
from adjudicator.tracing.findings import Fault, Finding, Progress, Verification
from adjudicator.tracing.signing import Seal, fingerprint

_PAGE = 500


def _lines_of(file: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers. What is not ASCII is read all the same. Raises OSError."""
    for number, line in enumerate(bounded_lines(file, EXPORT_LINE_BYTES), 1):
        yield number, line.decode("ascii", "surrogateescape")


def heading_of(file: Path) -> Heading | None:
    """The first line of an export; None when it is none. Raises OSError."""
    try:
        line = read_line(next(_lines_of(file), (1, ""))[1].removesuffix("\n"))
    except ValueError:
        return None
    return line if isinstance(line, Heading) else None


class ExportCheck:
    """Reads one file from its start to its end, and once more for each chain that is broken."""

    def __init__(
        self,
        file: Path,
        outside: Outside,
        verification: Verification,
        progress: Progress,
        marks: Container[tuple[str, int]] = (),
    ) -> None:
        self._marks = marks  # of which records to remember the hash, by writer and sequence
        self.marked: dict[tuple[str, int], bytes] = {}
        self._file = file
        self._outside = outside
        self._found = verification
        self._progress = progress
        self._chains: dict[str, _OpenChain] = {}
        self._page: list[Row] = []
        self._writer = ""  # whose records are in the page that is gathered
        self._latest: tuple[int, bytes] = (0, b"")  # trace and state of the record on the line before
        self._counted = EndLine(0, 0)
        self._end: EndLine | None = None

    def run(self) -> dict[str, Tail]:
        """Check everything; where each chain is right up to."""
        size, done = self._file.stat().st_size, 0
        lines = _lines_of(self._file)
        if not self._begin(next(lines, (1, ""))[1]):
            return {}
        for number, text in lines:
            done += len(text)
            line = self._read(number, text)
            if line is not None:
                self._take(line)
            if number % _PAGE == 0:
                self._progress("lines", done, size)
        self._flush()
        if self._end is None:
            self._add(Fault.UNREADABLE, "the file is cut off: its last line is missing")
        elif self._end != self._counted:
            self._add(
                Fault.MISSING,
                f"the last line counts {self._end.records} records and {self._end.heads} heads, "
                f"and there are {self._counted.records} and {self._counted.heads}",
            )
        return {name: chain.finish() for name, chain in self._chains.items()}

    def _begin(self, text: str) -> bool:
        try:
            heading = read_line(text.removesuffix("\n"))
        except ValueError as error:
            self._add(Fault.UNREADABLE, f"the first line is not that of an export: {error}")
            return False
        if not isinstance(heading, Heading):
            self._add(Fault.UNREADABLE, "the first line, which says what the export is, is missing")
            return False
        found, outside = self._found, self._outside
        found.kind, found.identity = heading.kind, heading.identity
        if heading.part:
            found.notes.append("a part: records were left out when it was made, which cannot be verified")
        for key in outside.trust.problems(start.writer.public_key for start in heading.starts):
            self._add(Fault.KEY, f"a chain is signed by {fingerprint(key)}, which is no key to be trusted")
        for start in heading.starts:
            heads = [head for head, _ in outside.heads if head.writer == start.writer.name]
            chain = _OpenChain(start, self._again, heads, found, outside, part=heading.part)
            self._chains[start.writer.name] = chain
            found.chains.append(chain.check.report)
        return True

    def _read(self, number: int, text: str) -> Line | None:
        if self._end is not None:
            self._add(Fault.UNREADABLE, f"line {number} comes behind the last one")
            return None
        try:
            return read_line(text.removesuffix("\n"))
        except ValueError as error:
            self._add(Fault.UNREADABLE, f"line {number}: {error}")
            return None

    def _take(self, line: Line) -> None:
        if isinstance(line, RecordLine):
            self._counted = EndLine(self._counted.records + 1, self._counted.heads)
            self._latest = (line.row[1], line.row[5])
            self._take_record(line)
            return
        if isinstance(line, RowsLine):
            self._take_rows(line)
            return
        self._flush()
        if isinstance(line, HeadLine):
            self._counted = EndLine(self._counted.records, self._counted.heads + 1)
            chain = self._chain(line.head.writer)
            if chain:
                chain.check.expect((line.head,), "the export")
        elif isinstance(line, GapLine):
            chain = self._chain(line.writer)
            if chain:
                chain.skip(line.to)
        elif isinstance(line, EndLine):
            self._end = line
        else:
            self._add(Fault.UNREADABLE, "the first line of an export is there once more")

    def _take_record(self, line: RecordLine) -> None:
        chain = self._chain(line.writer)
        if chain is None:
            return
        if line.kept:
            chain.keep(Record(line.writer, *line.row))
            return
        if line.writer != self._writer or len(self._page) == _PAGE:
            self._flush()
            self._writer = line.writer
        self._page.append(line.row)

    def _take_rows(self, line: RowsLine) -> None:
        """The rows are right if their text has the state of the record before them, which is hashed."""
        self._found.traces += 1
        state = hashlib.sha256(to_json(line.values).encode("ascii")).digest()
        if self._latest != (line.trace, state):
            text = f"the rows of trace {line.trace} do not say what its last record says"
            self._found.add(Finding(Fault.ROW, text, trace=line.trace))

    def _flush(self) -> None:
        page, self._page = self._page, []
        if page:
            self._chains[self._writer].take(page)
        if self._marks:
            marked = {(self._writer, row[0]): row[6] for row in page}
            self.marked |= {mark: digest for mark, digest in marked.items() if mark in self._marks}

    def _chain(self, writer: str) -> "_OpenChain | None":
        chain = self._chains.get(writer)
        if chain is None:
            self._add(Fault.MISSING, f"there are records or heads of writer {writer}, which is not named")
        return chain

    def _again(self, writer: str) -> Pages:
        for _, text in _lines_of(self._file):
            try:
                line = read_line(text.removesuffix("\n"))
            except ValueError:
                continue
            if isinstance(line, RecordLine) and line.writer == writer and not line.kept:
                yield [line.row]

    def _add(self, fault: Fault, text: str) -> None:
        self._found.add(Finding(fault, text))


class _OpenChain:
    """One chain of an export while it is read."""

    def __init__(
        self,
        start: ChainStart,
        again: Callable[[str], Pages],
        heads: Sequence[Head],
        found: Verification,
        outside: Outside,
        *,
        part: bool,
    ) -> None:
        name = start.writer.name
        self._start = start
        self._found = found
        self._part = part
        self._kept = NOTHING_KEPT
        trusted = start.writer.public_key in outside.trust.keys
        self.check = ChainCheck(start.writer, start.tail, lambda: again(name), found.add, trusted=trusted)
        self.check.expect(heads, "a file of heads")
        if start.end is not None and not Seal(start.writer.public_key).on_archive_end(start.end):
            self._add("where its chain begins is not signed by the writer's key")

    def keep(self, record: Record) -> None:
        """A record from before the start."""
        self.check.report.kept += 1
        try:
            self._kept = keep(self._kept, record)
        except UnicodeEncodeError:
            self._kept = b""

    def take(self, page: Sequence[Row]) -> None:
        """The next records of the chain."""
        self.check.take(page)

    def skip(self, to: Tail) -> None:
        """Records that were left out, which only a part may have."""
        if not self._part:
            self._add("records were left out, and the first line says that none were")
        self.check.skip(to)

    def finish(self) -> Tail:
        """There is nothing more."""
        if self._start.end is not None and not self._part and self._kept != self._start.end.kept:
            self._add("the records that stayed when others were archived are not what they were then")
        return self.check.finish()

    def _add(self, text: str) -> None:
        end = self._start.end
        sequence = end.sequence if end else 0
        self._found.add(Finding(Fault.ARCHIVE, text, self._start.writer.name, sequence))
