"""The tables, and the way forward from every earlier schema.

Times are microseconds since 1970 in UTC. What must never change is guarded by triggers, so that a slip
in a statement of ours, or of anybody who opens the database, is refused. They are no lock: who may write
the file may also drop a trigger.
"""

import secrets
import sqlite3

from adjudicator.domain.errors import AdjudicatorError, ErrorReason

VERSION = 1

_FIRST = """
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE traces (
  number INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  agent TEXT NOT NULL,
  tool TEXT NOT NULL,
  call_id TEXT NOT NULL,
  keyed INTEGER NOT NULL,
  digest BLOB NOT NULL,
  outcome TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE UNIQUE INDEX traces_by_call ON traces (tenant, session, call_id) WHERE keyed = 1;

CREATE TABLE elements (
  trace INTEGER NOT NULL REFERENCES traces (number),
  sequence INTEGER NOT NULL,
  kind TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (trace, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  trace INTEGER NOT NULL UNIQUE REFERENCES traces (number),
  tenant TEXT NOT NULL,
  tool TEXT NOT NULL,
  state TEXT NOT NULL,
  terms TEXT NOT NULL,
  view TEXT NOT NULL,
  opened_position INTEGER NOT NULL,
  position INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX approvals_pending ON approvals (trace) WHERE state = 'pending';
CREATE INDEX approvals_by_deadline ON approvals (expires_at) WHERE state IN ('pending', 'approved');

CREATE TABLE votes (
  approval TEXT NOT NULL REFERENCES approvals (id),
  actor TEXT NOT NULL,
  decision TEXT NOT NULL,
  reason TEXT NOT NULL,
  voted_at INTEGER NOT NULL,
  PRIMARY KEY (approval, actor, decision)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX approvals_by_position ON approvals (position);

CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO counters (name, value) VALUES ('approval_position', 0);

CREATE TRIGGER elements_never_change BEFORE UPDATE ON elements
BEGIN SELECT RAISE(ABORT, 'an element never changes'); END;
CREATE TRIGGER elements_never_go BEFORE DELETE ON elements
BEGIN SELECT RAISE(ABORT, 'an element is never removed'); END;
CREATE TRIGGER elements_never_replaced BEFORE INSERT ON elements
WHEN EXISTS (SELECT 1 FROM elements WHERE trace = NEW.trace AND sequence = NEW.sequence)
BEGIN SELECT RAISE(ABORT, 'an element is never replaced'); END;
CREATE TRIGGER elements_not_after_finish BEFORE INSERT ON elements
WHEN (SELECT finished_at FROM traces WHERE number = NEW.trace) IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a finished trace takes no more'); END;

CREATE TRIGGER traces_not_after_finish BEFORE UPDATE ON traces WHEN OLD.finished_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a finished trace never changes'); END;
CREATE TRIGGER traces_keep_their_call
BEFORE UPDATE OF number, tenant, session, agent, tool, call_id, keyed, digest, opened_at ON traces
BEGIN SELECT RAISE(ABORT, 'the call of a trace never changes'); END;
CREATE TRIGGER traces_never_go BEFORE DELETE ON traces
BEGIN SELECT RAISE(ABORT, 'a trace is never removed'); END;
CREATE TRIGGER traces_never_replaced BEFORE INSERT ON traces
WHEN EXISTS (SELECT 1 FROM traces WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'a trace is never replaced'); END;
-- Passed over and not refused: whoever comes second with a call_id reads what the first has recorded.
CREATE TRIGGER traces_keep_their_key BEFORE INSERT ON traces
WHEN NEW.keyed = 1 AND EXISTS (
  SELECT 1 FROM traces
  WHERE tenant = NEW.tenant AND session = NEW.session AND call_id = NEW.call_id AND keyed = 1
)
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER approvals_final BEFORE UPDATE ON approvals
WHEN OLD.state NOT IN ('pending', 'approved')
BEGIN SELECT RAISE(ABORT, 'a final state never changes'); END;
CREATE TRIGGER approvals_keep_their_terms
BEFORE UPDATE OF id, trace, tenant, tool, terms, view, opened_position, created_at, expires_at ON approvals
BEGIN SELECT RAISE(ABORT, 'what an approval was opened with never changes'); END;
CREATE TRIGGER approvals_never_go BEFORE DELETE ON approvals
BEGIN SELECT RAISE(ABORT, 'an approval is never removed'); END;
CREATE TRIGGER approvals_never_replaced BEFORE INSERT ON approvals
WHEN EXISTS (SELECT 1 FROM approvals WHERE id = NEW.id OR trace = NEW.trace OR position = NEW.position)
BEGIN SELECT RAISE(ABORT, 'an approval is never replaced'); END;

CREATE TRIGGER votes_never_change BEFORE UPDATE ON votes
BEGIN SELECT RAISE(ABORT, 'a vote never changes'); END;
CREATE TRIGGER votes_never_go BEFORE DELETE ON votes
BEGIN SELECT RAISE(ABORT, 'a vote is never removed'); END;
CREATE TRIGGER votes_never_replaced BEFORE INSERT ON votes
WHEN EXISTS (
  SELECT 1 FROM votes WHERE approval = NEW.approval AND actor = NEW.actor AND decision = NEW.decision
)
BEGIN SELECT RAISE(ABORT, 'a vote is never replaced'); END;
"""

# From the schema of this version to the next one.
_MIGRATIONS: dict[int, str] = {0: _FIRST}


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the database forward to VERSION; refuse one that a newer sidecar wrote."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE,
            f"the database has schema {version} and this sidecar knows {VERSION}: start a newer sidecar",
        )
    for step in range(version, VERSION):
        connection.executescript(
            f"BEGIN IMMEDIATE;{_MIGRATIONS[step]}PRAGMA user_version = {step + 1};COMMIT;"
        )
    connection.execute(
        "INSERT INTO meta (key, value) VALUES ('identity', ?) ON CONFLICT DO NOTHING",
        (secrets.token_hex(8),),
    )
