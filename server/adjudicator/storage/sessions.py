"""Which sessions are closed. A session has a trace of its own from the moment that it is."""

from collections.abc import Iterable

from adjudicator.domain.verdict import Cause
from adjudicator.storage.contract import Barred
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
