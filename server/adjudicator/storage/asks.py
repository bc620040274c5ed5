"""The SQL of `asks`: approvals counted, compared and claimed. It is an index and no part of the record."""

from collections import Counter
from collections.abc import Iterable
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
_CLAIM = "UPDATE asks SET claimed_by = ?, claimed_until = ? WHERE trace = ?"
_PENDING = (
    "SELECT count(*) FROM (SELECT 1 FROM asks WHERE tenant = ? AND {} = ? AND standing = 2 LIMIT ?) a"
)
_ASKED = "SELECT count(*) FROM (SELECT 1 FROM asks WHERE tenant = ? AND {} = ? AND asked_at > ? LIMIT ?) a"
_Row = tuple[int, str, str, str, str, int, int, int, str, int]


def insert_asks(db: Connection, engine: Engine, rows: Iterable[ApprovalRow]) -> None:
    """The rows of approvals that were opened."""
    engine.insert(db, _INSERT, [_row(each) for each in rows])


def update_asks(db: Connection, rows: Iterable[ApprovalRow]) -> None:
    """The same of approvals that changed."""
    db.executemany(_UPDATE, [(_STANDING.get(row.state, 0), row.trace) for row in rows])


def update_claims(db: Connection, claims: Iterable[tuple[int, Claim]]) -> None:
    """Who is on the approvals of these traces."""
    rows = [(claim.actor, to_micros(claim.until), trace) for trace, claim in claims]
    db.executemany(_CLAIM, rows)


def fill_asks(db: Connection) -> None:
    """The rows of what was pending or approved before there were any."""
    sql = f"SELECT {APPROVAL_COLUMNS} FROM approvals WHERE state IN ('pending', 'approved')"
    rows = [_row(ApprovalRow(*each)) for each in db.execute(sql).fetchall()]
    names = ", ".join(name for name, _ in _COLUMNS)
    marks = ", ".join("?" * len(_COLUMNS))
    db.executemany(f"INSERT INTO asks ({names}) VALUES ({marks})", rows)


class AskCounts:
    """Counts what each session and agent asks for, openings of the same transaction included.

    Calls without a session have no session to be counted with: the bounds on their agent hold.
    """

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._found: dict[tuple[str, str, str, str, int], int] = {}
        self._opened: Counter[tuple[str, str, str]] = Counter()

    def check(self, new: NewTrace) -> None:
        """Count the approval to open; raises `Barred`, and does not count it, when it is one too many."""
        if new.approval is None or new.bounds is None:
            return
        approval, bounds = new.approval, new.bounds
        if approval.session:
            within = ("session", approval.tenant, approval.session)
            self._check(within, bounds.pending_of_session, bounds.asked_of_session, bounds.since)
        by = ("agent", approval.tenant, approval.agent)
        self._check(by, bounds.pending_of_agent, bounds.asked_of_agent, bounds.since)
        self._opened[by] += 1
        if approval.session:
            self._opened[within] += 1

    def _check(self, of: tuple[str, str, str], pending: int, asked: int, since: datetime) -> None:
        column = of[0]
        if self._count(of, _PENDING, pending) >= pending:
            raise Barred(
                Cause.TOO_MANY_PENDING,
                f"the {column} has {pending:,} approvals pending, which is all that the policy lets it; "
                f"have them decided first, or raise `approvals.pending_per_{column}`",
            )
        if self._count(of, _ASKED, asked, to_micros(since)) >= asked:
            raise Barred(
                Cause.ASKED_TOO_OFTEN,
                f"the {column} asked {asked:,} times within a minute, which is all that the policy lets "
                f"it; wait, or raise `approvals.asks_per_minute_per_{column}`",
            )

    def _count(self, of: tuple[str, str, str], sql: str, most: int, *since: int) -> int:
        """How many there are with those to be opened, as far as it matters up to `most`."""
        column, *names = of
        key = (sql, *of, most)
        if key not in self._found:
            row = self._db.execute(sql.format(column), (*names, *since, most)).fetchone()
            self._found[key] = row[0]
        return self._found[key] + self._opened[of]


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
