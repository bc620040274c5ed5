"""The SQL of `asks`: approvals counted, compared and claimed. It is an index and no part of the record."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from adjudicator.domain.approval import ApprovalState, Claim
from adjudicator.domain.micros import to_micros
from adjudicator.domain.verdict import Cause
from adjudicator.storage.approval_rows import APPROVAL_COLUMNS, ApprovalRow, approval_from_row
from adjudicator.storage.contract import Barred, NewTrace
from adjudicator.storage.engine import Connection, Engine, Insert

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
_COUNT = "SELECT count(*) FROM (SELECT 1 FROM {} WHERE tenant = ? AND {} = ? AND {} LIMIT ?) a"
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
    """Counts what each session and agent asks for, openings of the same transaction included.

    Calls without a session have no session to be counted with: the bounds on their agent hold.
    """

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._found: dict[tuple[_Of, str, int], int] = {}
        self._opened: Counter[_Of] = Counter()

    def check(self, new: NewTrace) -> None:
        """Count what is to be opened; raises `Barred`, and does not count it, when it is one too many."""
        asked = new.approval or new.question
        if asked is None or new.bounds is None:
            return
        what = _APPROVALS if new.approval else _QUESTIONS
        bounds = new.bounds
        by = _Of(what, "agent", asked.tenant, asked.agent)
        counted = [by]
        self._check(by, bounds.pending_of_agent, bounds.asked_of_agent, bounds.since)
        if asked.session:
            within = _Of(what, "session", asked.tenant, asked.session)
            self._check(within, bounds.pending_of_session, bounds.asked_of_session, bounds.since)
            counted.append(within)
        self._opened.update(counted)

    def _check(self, of: "_Of", pending: int, asked: int, since: datetime) -> None:
        if self._count(of, of.what.pending, pending) >= pending:
            raise Barred(
                Cause.TOO_MANY_PENDING,
                f"the {of.column} has {pending:,} {of.what.noun} pending, which is all that the policy lets"
                f" it; have them decided first, or raise `approvals.pending_per_{of.column}`",
            )
        if self._count(of, "asked_at > ?", asked, to_micros(since)) >= asked:
            raise Barred(
                Cause.ASKED_TOO_OFTEN,
                f"the {of.column} asked {asked:,} times within a minute, which is all that the policy lets "
                f"it; wait, or raise `approvals.asks_per_minute_per_{of.column}`",
            )

    def _count(self, of: "_Of", condition: str, most: int, *since: int) -> int:
        """How many there are with those to be opened, as far as it matters up to `most`."""
        key = (of, condition, most)
        if key not in self._found:
            sql = _COUNT.format(of.what.table, of.column, condition)
            row = self._db.execute(sql, (of.tenant, of.name, *since, most)).fetchone()
            self._found[key] = row[0]
        return self._found[key] + self._opened[of]


@dataclass(frozen=True, slots=True)
class _Of:
    """Whose asks are counted."""

    what: _Counted
    column: str
    tenant: str
    name: str


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
