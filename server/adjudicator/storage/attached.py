"""What hangs on traces (approvals, grants, questions): the rows that a transaction opens and changes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.grant import GrantState
from adjudicator.storage.approval_rows import ApprovalRow, approval_to_row
from adjudicator.storage.asks import insert_asks, update_asks
from adjudicator.storage.attached_rows import (
    GrantRow,
    QuestionRow,
    grant_from_row,
    grant_to_row,
    question_to_row,
)
from adjudicator.storage.contract import Barred, NewTrace
from adjudicator.storage.engine import Connection, Engine, Insert
from adjudicator.storage.rows import columns_of
from adjudicator.storage.statements import StoredCall

Attached = ApprovalRow | GrantRow | QuestionRow
_POSITIONS = (("opened_position", int), ("position", int))
_APPROVALS = Insert("approvals", (*columns_of(ApprovalRow), *_POSITIONS))
_GRANTS = Insert("grants", columns_of(GrantRow))
_QUESTIONS = Insert("questions", (*columns_of(QuestionRow), *_POSITIONS))
_UPDATE_APPROVAL = "UPDATE approvals SET state = ?, votes = ?, changed_at = ?, position = ? WHERE id = ?"
_UPDATE_GRANT = "UPDATE grants SET state = ?, used = ?, changed_at = ? WHERE id = ?"
_UPDATE_QUESTION = "UPDATE questions SET state = ?, answer = ?, changed_at = ?, position = ? WHERE id = ?"


@dataclass(slots=True)
class AttachedRows:
    """Rows by their ids. Approvals and questions get positions, in the order in which they are here."""

    approvals: dict[str, ApprovalRow] = field(default_factory=dict)
    grants: dict[str, GrantRow] = field(default_factory=dict)
    questions: dict[str, QuestionRow] = field(default_factory=dict)

    def add(self, row: Attached) -> None:
        """One more."""
        if isinstance(row, ApprovalRow):
            self.approvals[row.id] = row
        elif isinstance(row, GrantRow):
            self.grants[row.id] = row
        else:
            self.questions[row.id] = row

    def told(self, row: Attached) -> set[str]:
        """The id under which those who wait are told of the row: nobody waits for a grant."""
        return set() if isinstance(row, GrantRow) else {row.id}

    @property
    def positions(self) -> int:
        """How many positions it takes."""
        return len(self.approvals) + len(self.questions)

    def insert(self, db: Connection, engine: Engine, positions: Iterator[int]) -> None:
        """Write the approvals and questions as new ones."""
        for what, rows in ((_APPROVALS, self.approvals), (_QUESTIONS, self.questions)):
            if rows:
                placed = [(*row, at, at) for row, at in zip(rows.values(), positions)]  # noqa: B905 - more follow
                check_written(what.table, engine.insert(db, what, placed), len(rows))
        if self.approvals:
            insert_asks(db, engine, self.approvals.values())

    def update(self, db: Connection, positions: Iterator[int]) -> None:
        """Write the approvals and questions as changed ones."""
        if self.approvals:
            changed = [
                (row.state, row.votes, row.changed_at, next(positions), row.id)
                for row in self.approvals.values()
            ]
            _update(db, "approvals", _UPDATE_APPROVAL, changed)
            update_asks(db, self.approvals.values())
        if self.questions:
            answered = [
                (row.state, row.answer, row.changed_at, next(positions), row.id)
                for row in self.questions.values()
            ]
            _update(db, "questions", _UPDATE_QUESTION, answered)

    def insert_grants(self, db: Connection, engine: Engine) -> None:
        """Write the grants as new ones."""
        if self.grants:
            rows = list(self.grants.values())
            check_written("grants", engine.insert(db, _GRANTS, rows), len(rows))

    def update_grants(self, db: Connection) -> None:
        """Write the grants as changed ones."""
        if self.grants:
            rows = [(row.state, row.used, row.changed_at, row.id) for row in self.grants.values()]
            _update(db, "grants", _UPDATE_GRANT, rows)


def attached_row(new: NewTrace, number: int) -> Attached | None:
    """What hangs on a trace that is opened with that number."""
    if new.approval is not None:
        return approval_to_row(new.approval, number)
    if new.grant is not None:
        return grant_to_row(new.grant, number)
    return question_to_row(new.question, number) if new.question is not None else None


def check_live(
    grant: StoredCall | None, session: tuple[str, str], at: int, taken: int = 0
) -> tuple[StoredCall, GrantRow, int]:
    """A grant that covers calls of that tenant and session at that moment, its row, and its uses left.

    `taken` are uses that are not written down yet. Raises `Barred` for one that is over, or another
    session's, and RECORD_ALTERED for one that somebody changed.
    """
    if grant is None or grant.grant is None or (grant.row.tenant, grant.row.session) != session:
        raise Barred(None, "there is no such grant in this session")
    grant.check()
    row = grant.grant
    left = grant_from_row(row).uses - row.used - taken
    if row.state != GrantState.LIVE.value or not row.granted_at <= at < row.expires_at or left < 1:
        raise Barred(None, f"grant {row.id} is over")
    return grant, row, left


def check_written(table: str, written: int, asked: int) -> None:
    """Raise when the database passed over a row in silence, as a trigger or rule of somebody's can make it.

    Nothing may be answered of which there is no record.
    """
    if written != asked:
        text = f"the database took {written} of {asked} rows of {table}: see adjudicator trace verify"
        raise AdjudicatorError(ErrorReason.INTERNAL, text)


def _update(db: Connection, table: str, sql: str, rows: Sequence[tuple[object, ...]]) -> None:
    check_written(table, db.executemany(sql, rows).rowcount, len(rows))
