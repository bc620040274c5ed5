"""The SQL of `asks`: approvals counted, compared and claimed. It is an index and no part of the record."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from adjudicator.domain.approval import ApprovalState, Claim
from adjudicator.domain.micros import to_micros
from adjudicator.domain.verdict import Cause
from adjudicator.storage.contract import Barred, NewTrace
from adjudicator.storage.engine import Connection, Engine, Insert
from adjudicator.storage.rows import APPROVAL_COLUMNS, ApprovalRow, approval_from_row

_STANDING = {ApprovalState.PENDING.value: 2, ApprovalState.APPROVED.value: 1}
_COLUMNS = (
    ("trace", int),
    ("tenant", str),
    ("session", str),
    ("agent", str),
    ("likeness", str),
    ("priority", int),
    ("asked_at", int),
    ("standing", int),
    ("claimed_by", str),
    ("claimed_until", int),
)
_INSERT = Insert("asks", _COLUMNS)
_UPDATE = "UPDATE asks SET standing = ? WHERE trace = ?"
_CLAIM = (
    "UPDATE asks SET claimed_by = ?, claimed_until = ?"
    " WHERE trace = ? AND (claimed_by IN ('', ?) OR claimed_until <= ?)"
)
_PENDING = "SELECT count(*) FROM (SELECT 1 FROM {} WHERE tenant = ? AND {} = ? AND {} LIMIT ?) a"
_ASKED = "SELECT count(*) FROM (SELECT 1 FROM {} WHERE tenant = ? AND {} = ? AND asked_at > ? LIMIT ?) a"
_Row = tuple[int, str, str, str, str, int, int, int, str, int]


def insert_asks(db: Connection, engine: Engine, rows: Iterable[ApprovalRow]) -> None:
    """The rows of approvals that were opened."""
    engine.insert(db, _INSERT, [_row(each) for each in rows])


def update_asks(db: Connection, rows: Iterable[ApprovalRow]) -> None:
    """The same of approvals that changed."""
    db.executemany(_UPDATE, [(_STANDING.get(row.state, 0), row.trace) for row in rows])


def update_claims(db: Connection, claims: Iterable[tuple[int, Claim, int]]) -> None:
    """Who is on the approvals of these traces from the moments given, unless somebody else is.

    A claim that is over at its moment lets go.
    """
    for trace, claim, at in claims:
        until = to_micros(claim.until)
        db.execute(_CLAIM, (claim.actor if until > at else "", until, trace, claim.actor, at))


def fill_asks(db: Connection) -> None:
    """The rows of what was pending or approved before there were any."""
    sql = f"SELECT {APPROVAL_COLUMNS} FROM approvals WHERE state IN ('pending', 'approved')"
    rows = [_row(ApprovalRow(*each)) for each in db.execute(sql).fetchall()]
    names = ", ".join(name for name, _ in _COLUMNS)
    marks = ", ".join("?" * len(_COLUMNS))
    db.executemany(f"INSERT INTO asks ({names}) VALUES ({marks})", rows)


@dataclass(frozen=True, slots=True)
class _Counted:
    """What is counted: its name, its table, and which rows of it are pending."""

    noun: str
    table: str
    pending: str


_APPROVALS = _Counted("approvals", "asks", "standing = 2")
_QUESTIONS = _Counted("questions", "questions", "state = 'open'")


class AskCounts:
    """Counts what each session and agent asks for, openings of the same transaction included."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._counts: dict[tuple[str, ...], int] = {}

    def check(self, new: NewTrace) -> None:
        """Count what is to be opened; raises `Barred`, and does not count it, when it is one too many."""
        asked = new.approval or new.question
        if asked is None or new.bounds is None:
            return
        what = _APPROVALS if new.approval else _QUESTIONS
        bounds, tenant = new.bounds, asked.tenant
        keys = [
            self._pending(what, "session", tenant, asked.session, bounds.pending_of_session),
            self._pending(what, "agent", tenant, asked.agent, bounds.pending_of_agent),
            self._asked(what, "session", tenant, asked.session, bounds.asked_of_session, bounds.since),
            self._asked(what, "agent", tenant, asked.agent, bounds.asked_of_agent, bounds.since),
        ]
        for key in keys:
            self._counts[key] += 1

    def _pending(self, what: _Counted, column: str, tenant: str, name: str, most: int) -> tuple[str, ...]:
        key = ("pending", what.noun, column, tenant, name)
        if key not in self._counts:
            sql = _PENDING.format(what.table, column, what.pending)
            self._counts[key] = self._db.execute(sql, (tenant, name, most)).fetchone()[0]
        if self._counts[key] >= most:
            raise Barred(
                Cause.TOO_MANY_PENDING,
                f"the {column} has {most:,} {what.noun} pending, which is all that the policy lets it; "
                f"have them decided first, or raise `approvals.pending_per_{column}`",
            )
        return key

    def _asked(
        self, what: _Counted, column: str, tenant: str, name: str, most: int, since: datetime
    ) -> tuple[str, ...]:
        key = ("asked", what.noun, column, tenant, name)
        if key not in self._counts:
            values = (tenant, name, to_micros(since), most)
            self._counts[key] = self._db.execute(_ASKED.format(what.table, column), values).fetchone()[0]
        if self._counts[key] >= most:
            raise Barred(
                Cause.ASKED_TOO_OFTEN,
                f"the {column} asked {most:,} times within a minute, which is all that the policy lets it; "
                f"wait, or raise `approvals.asks_per_minute_per_{column}`",
            )
        return key


def minute_before(now: datetime) -> datetime:
    """Since when asks are counted for the bounds on a minute."""
    return now - timedelta(minutes=1)


def _row(row: ApprovalRow) -> _Row:
    approval = approval_from_row(row)
    return (
        row.trace,
        row.tenant,
        approval.session,
        approval.agent,
        approval.likeness,
        approval.request.priority.rank,
        row.created_at,
        _STANDING.get(row.state, 0),
        "",
        0,
    )
