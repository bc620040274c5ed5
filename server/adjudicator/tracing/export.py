"""Writes chains as JSON lines: the whole of a database, or a part that says that it is one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator.domain.record import Head, Tail
from adjudicator.storage.engine import Connection
from adjudicator.storage.ledger import (
    LARGEST,
    Chain,
    chain_pages,
    head_pages,
    select_bounds,
    select_chains,
    select_identity,
    select_traces_of,
)
from adjudicator.tracing.export_lines import (
    ChainStart,
    Heading,
    end_line,
    gap_line,
    head_line,
    heading_line,
    record_line,
)
from adjudicator.tracing.findings import Progress


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which records to export, by their moment and by the tenant of their trace; "" and None want all."""

    since: int | None = None
    until: int | None = None
    tenant: str = ""

    @property
    def everything(self) -> bool:
        """Whether nothing is to be left out."""
        return self == Wanted()

    def choose(self, db: Connection, page: Sequence[Any]) -> set[int]:
        """The sequences of those records that are wanted."""
        chosen = [
            row
            for row in page
            if (self.since is None or row[3] >= self.since) and (self.until is None or row[3] < self.until)
        ]
        if self.tenant:
            traces = select_traces_of(db, self.tenant, {row[1] for row in chosen})
            chosen = [row for row in chosen if row[1] in traces]
        return {row[0] for row in chosen}


class Export:
    """Writes within a transaction that somebody else began, so that all is of one moment."""

    def __init__(self, db: Connection, wanted: Wanted, progress: Progress) -> None:
        self._db = db
        self._wanted = wanted
        self._progress = progress
        self.records = 0
        self.heads = 0

    def lines(self, now: int) -> Iterator[str]:
        """All lines; `now` is in microseconds since 1970."""
        db = self._db
        chains = select_chains(db)
        bounds = [select_bounds(db, chain.number) for chain in chains]
        whole = sum(last - first + 1 for first, last in bounds if last)
        starts = tuple(ChainStart(chain.writer, chain.end) for chain in chains)
        part = not self._wanted.everything
        yield heading_line(Heading("export", select_identity(db), now, part, starts))
        for chain in chains:
            if chain.end is not None and not part:
                yield from self._kept(chain, chain.end.sequence)
            for line in self._chain(chain):
                yield line
                self._progress("records", self.records, whole)
        yield end_line(self.records, self.heads)

    def _kept(self, chain: Chain, until: int) -> Iterator[str]:
        for page in chain_pages(self._db, chain.number, 0, until):
            for row in page:
                yield self._record(chain.writer.name, row, kept=True)

    def _chain(self, chain: Chain) -> Iterator[str]:
        """The records behind the chain's start, each head behind the record that it names."""
        db, name, after = self._db, chain.writer.name, chain.start.sequence
        left_out: Tail | None = None
        for page in chain_pages(db, chain.number, after):
            chosen = self._wanted.choose(db, page)
            heads = {head.sequence: head for head in self._heads(chain, after, page[-1][0])}
            for row in page:
                if row[0] not in chosen:
                    left_out = Tail(row[0], row[6])
                    continue
                if left_out is not None:
                    yield gap_line(name, left_out)
                    left_out = None
                yield self._record(name, row)
                if row[0] in heads:
                    yield self._head(heads[row[0]])
            after = page[-1][0]
        if left_out is not None:
            yield gap_line(name, left_out)
        for head in self._heads(chain, after):
            yield self._head(head)

    def _record(self, name: str, row: Any, *, kept: bool = False) -> str:
        self.records += 1
        return record_line(name, row, kept=kept)

    def _head(self, head: Head) -> str:
        self.heads += 1
        return head_line(head)

    def _heads(self, chain: Chain, after: int, until: int = LARGEST) -> Iterator[Head]:
        for page in head_pages(self._db, chain, after, until):
            yield from page
