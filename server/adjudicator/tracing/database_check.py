"""Verifies a database: every chain, every signature, and that the tables say what the chains say."""

import re
from bisect import bisect_right
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from adjudicator.domain.record import NOTHING_KEPT, Head, keep
from adjudicator.storage.engine import Connection
from adjudicator.storage.ledger import (
    COUNTERS,
    LARGEST,
    Chain,
    chain_pages,
    head_pages,
    kept_records,
    select_below_one,
    select_bounds,
    select_chains,
    select_counters,
    select_ends,
    select_identity,
    select_largest_position,
    select_strangers,
    select_trace_bounds,
    trace_pages,
)
from adjudicator.tracing.chain_check import ChainCheck
from adjudicator.tracing.findings import Fault, Finding, Progress, Verification
from adjudicator.tracing.head_lines import head_files
from adjudicator.tracing.row_check import RowCheck
from adjudicator.tracing.signing import Seal, fingerprint
from adjudicator.tracing.trust import Trust

_IDENTITY = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Outside:
    """What is known of a database from outside of it: heads, each with the file that has it, and keys."""

    heads: Sequence[tuple[Head, str]] = ()
    trust: Trust = field(default_factory=Trust)
    given: bool = False
    """Whether the files were named, so that all of their heads are meant."""

    def heads_of(self, identity: str, writers: Container[str]) -> Sequence[tuple[Head, str]]:
        """The heads of the database with that identity and these writers.

        A file that is named for another identity counts for its writers all the same: the identity is
        only a value in the database, and who changes it is not to lose the heads by that.
        """
        if self.given:
            return self.heads
        names = {path.name for path in head_files(Path(), identity)}
        return [
            (head, where)
            for head, where in self.heads
            if head.writer in writers or Path(where).name in names
        ]


class DatabaseCheck:
    """Verifies within a transaction that somebody else began, so that all is of one moment."""

    def __init__(
        self, db: Connection, outside: Outside, verification: Verification, progress: Progress
    ) -> None:
        self._db = db
        self._outside = outside
        self._found = verification
        self._progress = progress

    def run(self) -> list[Chain]:
        """Check everything; the chains, to be held against archives."""
        db, found = self._db, self._found
        found.identity = select_identity(db)
        if _IDENTITY.fullmatch(found.identity) is None:
            found.add(Finding(Fault.ROW, "the database has lost its identity"))
        chains = select_chains(db)
        for number in select_strangers(db):
            found.add(
                Finding(Fault.MISSING, f"there are records or heads of writer {number}, which is gone")
            )
        for table, column, number in select_below_one(db):
            text = f"{table} has a {column} of {number}, and all numbers begin with 1: nobody recorded that"
            found.add(Finding(Fault.ROW, text))
        self._check_trust(chains)
        heads = self._heads_by_writer(chains)
        bounds = {chain.number: select_bounds(db, chain.number) for chain in chains}
        whole = sum(last - first + 1 for first, last in bounds.values() if last)
        done = 0
        for chain in chains:
            done = self._check_chain(chain, heads.get(chain.writer.name, []), done, whole)
        self._check_rows()
        return chains

    def _check_trust(self, chains: Sequence[Chain]) -> None:
        trust = self._outside.trust
        for key in trust.problems(chain.writer.public_key for chain in chains):
            self._found.add(
                Finding(
                    Fault.KEY, f"a chain is signed by {fingerprint(key)}, which is no key to be trusted"
                )
            )

    def _heads_by_writer(self, chains: Sequence[Chain]) -> Mapping[str, list[tuple[Head, str]]]:
        """The heads from outside, each writer's in order; those of nobody are findings."""
        heads: dict[str, list[tuple[Head, str]]] = {chain.writer.name: [] for chain in chains}
        strangers: dict[str, str] = {}
        for head, where in self._outside.heads_of(self._found.identity, heads):
            if head.writer in heads:
                heads[head.writer].append((head, where))
            else:
                strangers[head.writer] = where
        for each in heads.values():
            each.sort(key=lambda one: one[0].sequence)
        for name, where in strangers.items():
            text = f"{where} has heads of writer {name}, which the database does not have"
            self._found.add(Finding(Fault.MISSING, text, writer=name))
        return heads

    def _check_chain(self, chain: Chain, outside: list[tuple[Head, str]], done: int, whole: int) -> int:
        db, start = self._db, chain.start
        trusted = chain.writer.public_key in self._outside.trust.keys
        check = ChainCheck(
            chain.writer,
            start,
            lambda: chain_pages(db, chain.number, start.sequence),
            self._found.add,
            trusted=trusted,
        )
        self._found.chains.append(check.report)
        check.report.kept = self._check_archives(chain)
        heads = _Heads(db, chain, outside, check, self._found)
        heads.expect(0, start.sequence)
        after = start.sequence
        for page in chain_pages(db, chain.number, after):
            heads.expect(after, page[-1][0])
            check.take(page)
            after = page[-1][0]
            done += len(page)
            self._progress("records", done, whole)
        heads.expect(after, None)
        check.finish()
        return done

    def _check_archives(self, chain: Chain) -> int:
        """The ends of its archives, and how many of the archived records are still there."""
        name = chain.writer.name
        seal = Seal(chain.writer.public_key)
        for end in select_ends(self._db, chain.number, name):
            if not seal.on_archive_end(end):
                text = "the end of an archive is not signed by the writer's key"
                self._found.add(Finding(Fault.ARCHIVE, text, name, end.sequence))
        if chain.end is None:
            return 0
        kept, count = NOTHING_KEPT, 0
        for record in kept_records(self._db, chain, chain.end.sequence):
            kept, count = keep(kept, record), count + 1
        if kept != chain.end.kept:
            text = "the records that stayed when others were archived are not what they were then"
            self._found.add(Finding(Fault.EDITED, text, name, chain.end.sequence))
        return count

    def _check_rows(self) -> None:
        check = RowCheck(self._found.add)
        first, last = select_trace_bounds(self._db)
        for page in trace_pages(self._db):
            check.take(page)
            self._progress("traces", min(page.until, last) - first + 1, last - first + 1)
        self._found.traces, self._found.approvals = check.traces, check.approvals
        if missing := COUNTERS - select_counters(self._db):
            self._found.add(Finding(Fault.ROW, f"the counter {min(missing)} is gone"))
        counter, largest = select_largest_position(self._db)
        if counter < largest:
            text = f"the counter of positions says {counter}, and an approval has position {largest}"
            self._found.add(Finding(Fault.ROW, text))


class _Heads:
    """The heads of one chain, from the database and from outside, in the order of its records."""

    def __init__(
        self,
        db: Connection,
        chain: Chain,
        outside: list[tuple[Head, str]],
        check: ChainCheck,
        found: Verification,
    ) -> None:
        self._db = db
        self._chain = chain
        self._outside = outside
        self._sequences = [head.sequence for head, _ in outside]
        self._check = check
        self._found = found

    def expect(self, after: int, until: int | None) -> None:
        """Those behind one record and up to another."""
        most = LARGEST if until is None else until
        for page in head_pages(self._db, self._chain, after, most):
            self._check.expect(page, "the database")
        first, last = bisect_right(self._sequences, after), bisect_right(self._sequences, most)
        for head, where in self._outside[first:last]:
            self._check.expect((head,), where)
            if until is not None and not self._is_inside(head):
                text = f"{where} has a head that is not in the database any more"
                self._found.add(Finding(Fault.HEAD, text, head.writer, head.sequence))

    def _is_inside(self, head: Head) -> bool:
        return any(True for _ in head_pages(self._db, self._chain, head.sequence - 1, head.sequence))
