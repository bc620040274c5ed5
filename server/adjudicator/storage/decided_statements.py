"""The SQL of reading what people decide on: approvals, grants and questions. The same for both engines."""

from collections.abc import Sequence
from typing import Any

from adjudicator.config.limits import VIEW_BYTES
from adjudicator.domain.approval import Approval, ApprovalState, Before, Claim
from adjudicator.domain.grant import Grant
from adjudicator.domain.micros import from_micros
from adjudicator.domain.question import Question
from adjudicator.storage.approval_rows import ApprovalRow, approval_from_row
from adjudicator.storage.attached_rows import (
    GRANT_COLUMNS,
    QUESTION_COLUMNS,
    GrantRow,
    QuestionRow,
    grant_from_row,
    question_from_row,
)
from adjudicator.storage.contract import ApprovalEvent, ApprovalFilter, GrantFilter, QuestionEvent
from adjudicator.storage.engine import Connection
from adjudicator.storage.statements import equal

_OF_APPROVAL = ", ".join(f"a.{name}" for name in ApprovalRow._fields)
# A list holds no view that nobody could approve: an agent chooses how large those are.
_LISTED = _OF_APPROVAL.replace(
    "a.view", f"CASE WHEN length(a.view) <= {VIEW_BYTES} THEN a.view ELSE '' END"
)
_KNOWN = """
FROM approvals a LEFT JOIN asks k ON k.trace = a.trace
LEFT JOIN approvals b ON b.trace =
  (SELECT max(e.trace) FROM asks e WHERE e.likeness = k.likeness AND e.likeness <> '' AND e.trace < k.trace)
"""
_OF_KNOWN = "k.claimed_by, k.claimed_until, b.id, b.state"
"""What is known of an approval besides its row: who is on it, and the one before that was the same."""


def select_approval(db: Connection, column: str, value: str | int) -> Approval | None:
    """The one approval whose column, `id` or `trace`, has the value."""
    sql = f"SELECT {_OF_APPROVAL}, {_OF_KNOWN} {_KNOWN} WHERE a.{column} = ?"
    row = db.execute(sql, (value,)).fetchone()
    return _known(row) if row else None


def _known(row: Sequence[Any]) -> Approval:
    """An approval with what else is known of it."""
    *values, claimed_by, claimed_until, before, state = row
    claim = Claim(claimed_by, from_micros(claimed_until)) if claimed_by else None
    earlier = Before(before, ApprovalState(state)) if before is not None else None
    return approval_from_row(ApprovalRow(*values), claim, earlier)


def select_pending(
    db: Connection, wanted: ApprovalFilter, after: int, until: int | None, count: int
) -> list[Approval]:
    """Pending approvals, oldest first, without the views that are too large to be approved."""
    clauses, values = equal({"a.tenant": wanted.tenant, "a.tool": wanted.tool})
    clauses += ["a.state = 'pending'", "a.trace > ?"]  # the literal lets the partial index serve
    values.append(after)
    if wanted.least.rank > 0:
        clauses.append("k.priority >= ?")
        values.append(wanted.least.rank)
    if until is not None:
        clauses.append("a.opened_position <= ?")
        values.append(until)
    where = f"WHERE {' AND '.join(clauses)} ORDER BY a.trace LIMIT ?"
    rows = db.execute(f"SELECT {_LISTED}, {_OF_KNOWN} {_KNOWN} {where}", (*values, count)).fetchall()
    return [_known(row) for row in rows]


def select_standing(
    db: Connection, session: tuple[str, str] | None, after: int, count: int, flow: int | None = None
) -> list[Approval]:
    """Approvals that are pending or approved, of one tenant and session or of all, oldest first."""
    clauses: list[str]
    values: list[Any]
    if session is None:
        clauses, values = ["a.state IN ('pending', 'approved')"], []
    else:
        clauses, values = ["k.tenant = ?", "k.session = ?", "k.standing > 0"], list(session)
    if flow is not None:
        # Asked of each that stands, of which there are few, and not of each call of the flow.
        clauses.append("EXISTS (SELECT 1 FROM traces t WHERE t.number = a.trace AND t.flow = ?)")
        values.append(flow)
    where = f"WHERE {' AND '.join([*clauses, 'a.trace > ?'])} ORDER BY a.trace LIMIT ?"
    sql = f"SELECT {_OF_APPROVAL}, {_OF_KNOWN} {_KNOWN} {where}"
    return [_known(row) for row in db.execute(sql, (*values, after, count)).fetchall()]


def select_grant(db: Connection, grant_id: str) -> Grant | None:
    """The grant with the id."""
    row = db.execute(f"SELECT {GRANT_COLUMNS} FROM grants WHERE id = ?", (grant_id,)).fetchone()
    return grant_from_row(GrantRow(*row)) if row else None


def select_grants(db: Connection, wanted: GrantFilter, before: int | None, count: int) -> list[Grant]:
    """Grants, newest first."""
    clauses, values = equal({"tenant": wanted.tenant, "session": wanted.session})
    if not wanted.ended:
        clauses.append("state = 'live'")
    if before is not None:
        clauses.append("trace < ?")
        values.append(before)
    where = f"WHERE {' AND '.join(clauses)}" if clauses else ""
    sql = f"SELECT {GRANT_COLUMNS} FROM grants {where} ORDER BY trace DESC LIMIT ?"
    return [grant_from_row(GrantRow(*row)) for row in db.execute(sql, (*values, count)).fetchall()]


def select_live_grants(db: Connection, tenant: str, session: str, agent: str, tool: str) -> list[Grant]:
    """Live grants for calls of that agent and tool in that session, oldest first."""
    sql = (
        f"SELECT {GRANT_COLUMNS} FROM grants"
        " WHERE tenant = ? AND session = ? AND agent = ? AND tool = ? AND state = 'live' ORDER BY trace"
    )
    rows = db.execute(sql, (tenant, session, agent, tool)).fetchall()
    return [grant_from_row(GrantRow(*row)) for row in rows]


def select_question(db: Connection, question_id: str) -> Question | None:
    """The question with the id."""
    sql = f"SELECT {QUESTION_COLUMNS} FROM questions WHERE id = ?"
    row = db.execute(sql, (question_id,)).fetchone()
    return question_from_row(QuestionRow(*row)) if row else None


def select_open_questions(
    db: Connection, tenant: str, session: str, after: int, until: int | None, count: int
) -> list[Question]:
    """Open questions, oldest first."""
    clauses, values = equal({"tenant": tenant, "session": session})
    clauses += ["state = 'open'", "trace > ?"]
    values.append(after)
    if until is not None:
        clauses.append("opened_position <= ?")
        values.append(until)
    where = f"WHERE {' AND '.join(clauses)} ORDER BY trace LIMIT ?"
    sql = f"SELECT {QUESTION_COLUMNS} FROM questions {where}"
    return [question_from_row(QuestionRow(*row)) for row in db.execute(sql, (*values, count)).fetchall()]


def select_question_events(db: Connection, after: int, count: int) -> list[QuestionEvent]:
    """Questions that changed after the position, in the order of their latest change."""
    sql = f"SELECT position, {QUESTION_COLUMNS} FROM questions WHERE position > ? ORDER BY position LIMIT ?"
    rows = db.execute(sql, (after, count)).fetchall()
    return [QuestionEvent(position, question_from_row(QuestionRow(*row))) for position, *row in rows]


_DEADLINES = (
    ("approvals", "state IN ('pending', 'approved')"),
    ("grants", "state = 'live'"),
    ("questions", "state = 'open'"),
)


def select_due(db: Connection, now: int, count: int) -> list[int]:
    """Traces of what is open and whose time is over, of each kind the longest over first."""
    found: list[int] = []
    for table, still_open in _DEADLINES:
        sql = (
            f"SELECT trace FROM {table} WHERE {still_open} AND expires_at <= ? ORDER BY expires_at LIMIT ?"
        )
        found += [row[0] for row in db.execute(sql, (now, count - len(found))).fetchall()]
    return found


def select_next_deadline(db: Connection) -> int | None:
    """The earliest time limit that still runs."""
    deadlines = [
        db.execute(f"SELECT min(expires_at) FROM {table} WHERE {still_open}").fetchone()[0]
        for table, still_open in _DEADLINES
    ]
    return min((each for each in deadlines if each is not None), default=None)


def select_events(db: Connection, after: int, count: int) -> list[ApprovalEvent]:
    """Approvals that changed after the position, in the order of their latest change; views as above."""
    where = "WHERE a.position > ? ORDER BY a.position LIMIT ?"
    sql = f"SELECT a.position, {_LISTED}, {_OF_KNOWN} {_KNOWN} {where}"
    return [ApprovalEvent(position, _known(row)) for position, *row in db.execute(sql, (after, count))]


def select_archived_position(db: Connection) -> int:
    """The latest position of an approval or a question that was archived."""
    return int(db.execute("SELECT value FROM counters WHERE name = 'archived_position'").fetchone()[0])


def select_last_position(db: Connection) -> int:
    """The position of the latest change of an approval or a question."""
    return int(db.execute("SELECT value FROM counters WHERE name = 'approval_position'").fetchone()[0])
