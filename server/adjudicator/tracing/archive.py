"""Moves what is old from a database to a file, so that both can still be verified.

The file is written first, whole and on disk. Then, a piece at a time, the writer signs that its chain goes
on behind a later record, and what may go goes, in one transaction. Records of traces that have to stay do
so; the signature covers them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from adjudicator.domain.record import NOTHING_KEPT, Record, Tail, keep
from adjudicator.storage.engine import Connection
from adjudicator.storage.ledger import (
    Chain,
    chain_pages,
    head_pages,
    select_chains,
    select_identity,
)
from adjudicator.storage.removal import (
    delete_traces,
    insert_end,
    select_end,
    select_going,
    select_hash,
    select_rows,
)
from adjudicator.storage.rows import TraceRow, state_values
from adjudicator.tracing.export_lines import (
    ChainStart,
    Heading,
    end_line,
    head_line,
    heading_line,
    record_line,
    rows_line,
)
from adjudicator.tracing.signing import Signer

_LENGTH = TraceRow._fields.index("length")


@dataclass(frozen=True, slots=True)
class Stretch:
    """What of one chain is to be archived: from behind its start up to and with a record."""

    chain: Chain
    until: int


@dataclass(frozen=True, slots=True)
class Moved:
    """What went in one piece."""

    records: int
    traces: int


class Archive:
    """Archives the chains of one key. `now` and `before` are in microseconds since 1970."""

    def __init__(self, signer: Signer, before: int, now: int) -> None:
        self._signer = signer
        self._before = before
        self._now = now

    def plan(self, db: Connection) -> list[Stretch]:
        """What is older than `before`, of each chain that has any."""
        key = self._signer.public_key
        chains = [chain for chain in select_chains(db) if chain.writer.public_key == key]
        stretches = [
            Stretch(chain, select_end(db, chain.number, chain.start.sequence, self._before))
            for chain in chains
        ]
        return [each for each in stretches if each.until > each.chain.start.sequence]

    def lines(self, db: Connection, plan: Sequence[Stretch]) -> Iterator[str]:
        """The archive, from within the transaction that the plan is of."""
        starts = tuple(ChainStart(each.chain.writer, each.chain.end) for each in plan)
        yield heading_line(Heading("archive", select_identity(db), self._now, part=False, starts=starts))
        records = heads = 0
        ends = {each.chain.number: each.until for each in plan}
        for stretch in plan:
            chain, start = stretch.chain, stretch.chain.start.sequence
            name = chain.writer.name
            for page in chain_pages(db, chain.number, 0, stretch.until):
                going = select_rows(db, select_going(db, {row[1] for row in page}, ends))
                signed = {
                    head.sequence: head
                    for some in head_pages(db, chain, max(start, page[0][0] - 1), page[-1][0])
                    for head in some
                }
                for row in page:
                    records += 1
                    yield record_line(name, row, kept=row[0] <= start)
                    if row[1] in going and row[2] == going[row[1]][0][_LENGTH]:
                        yield rows_line(row[1], state_values(*going[row[1]]))
                    if row[0] in signed:
                        heads += 1
                        yield head_line(signed[row[0]])
            tail = Tail(stretch.until, select_hash(db, chain.number, stretch.until))
            heads += 1
            yield head_line(self._signer.head(chain.writer, tail, self._now))
        yield end_line(records, heads)

    def move(self, db: Connection, ends: Mapping[int, int]) -> Moved:
        """Within a transaction: let go what is archived up to these ends, which the file has to have.

        Each has to be behind the end of the writer's earlier archives.
        """
        chains = {chain.number: chain for chain in select_chains(db)}
        numbers = {
            row[1]
            for number, until in ends.items()
            for page in chain_pages(db, number, chains[number].start.sequence, until)
            for row in page
        }
        going = select_going(db, numbers, ends)
        for number, until in ends.items():
            name = chains[number].writer.name
            tail = Tail(until, select_hash(db, number, until))
            kept = _kept(db, number, name, until, going)
            insert_end(db, number, self._signer.archive_end(name, tail, kept, self._now))
        return Moved(delete_traces(db, going), len(going))


def pieces(plan: Sequence[Stretch], size: int) -> Iterator[dict[int, int]]:
    """The ends of one piece after the other, each of at most so many records of each chain."""
    reached = {each.chain.number: each.chain.start.sequence for each in plan}
    while True:
        ends = {
            each.chain.number: min(each.until, reached[each.chain.number] + size)
            for each in plan
            if reached[each.chain.number] < each.until
        }
        if not ends:
            return
        yield ends
        reached |= ends


def _kept(db: Connection, number: int, name: str, until: int, going: set[int]) -> bytes:
    """What stands for the records up to there that stay."""
    kept = NOTHING_KEPT
    for page in chain_pages(db, number, 0, until):
        for row in page:
            if row[1] not in going:
                kept = keep(kept, Record(name, *row))
    return kept
