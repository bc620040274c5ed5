"""Which sessions are closed, and what is left in them. A session has a trace from the moment that it is."""

from collections.abc import Iterable

from adjudicator.domain.trace import TraceKind
from adjudicator.domain.verdict import Cause
from adjudicator.storage.contract import Barred, Stranded
from adjudicator.storage.engine import Connection, marks
from adjudicator.storage.rows import SESSION

SESSION_IS_CLOSED = "the session is closed and takes no more calls; a new one needs a new id"
Session = tuple[str, str]
"""Tenant and session."""


def select_closed_sessions(db: Connection, sessions: Iterable[Session]) -> set[Session]:
    """Those of the sessions that are closed."""
    names = sorted({session for _, session in sessions if session})
    if not names:
        return set()
    sql = (
        "SELECT tenant, session FROM traces"
        f" WHERE session IN ({marks(names)}) AND call_id = '' AND keyed = {SESSION} AND keyed > 0"
    )
    return {(tenant, session) for tenant, session in db.execute(sql, names).fetchall()}


def check_session(closed: set[Session], tenant: str, session: str) -> None:
    """Raise `Barred` when the session is one of those that are closed."""
    if (tenant, session) in closed:
        raise Barred(Cause.SESSION_CLOSED, SESSION_IS_CLOSED)


_OPEN = (("asks", "standing > 0"), ("grants", "state = 'live'"), ("questions", "state = 'open'"))
# A cross join, so that the few that are open are looked at first, and for each of them its session.
_IN_SESSIONS = " UNION ALL ".join(
    f"SELECT o.trace AS trace, 1 AS of_session FROM {table} o CROSS JOIN traces s"
    f" WHERE o.{still_open} AND s.session = o.session AND s.call_id = '' AND s.tenant = o.tenant"
    f" AND s.keyed = {SESSION} AND s.keyed > 0"
    for table, still_open in _OPEN
)
_IN_FLOWS = (
    "SELECT o.trace, 0 FROM asks o CROSS JOIN traces c CROSS JOIN traces f"
    " WHERE o.standing > 0 AND c.number = o.trace AND f.number = c.flow AND f.finished_at IS NOT NULL"
)
# The sum keeps an engine from looking for the traces first, of which nearly all have nothing open any more.
STRANDED = (
    f"SELECT trace, max(of_session) FROM ({_IN_SESSIONS} UNION ALL {_IN_FLOWS}) o"
    " WHERE trace + 0 > ? GROUP BY trace ORDER BY trace LIMIT ?"
)


def select_stranded(db: Connection, after: int, count: int) -> list[Stranded]:
    """See `Store.stranded`."""
    rows = db.execute(STRANDED, (after, count)).fetchall()
    return [Stranded(trace, TraceKind.SESSION if session else TraceKind.FLOW) for trace, session in rows]
