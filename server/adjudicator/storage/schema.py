"""The tables, and the way forward from every earlier schema.

Times are microseconds since 1970 in UTC. What must never change is guarded by the database itself:
elements cannot be edited or removed, and a finished trace takes no more.
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
CREATE TRIGGER elements_not_after_finish BEFORE INSERT ON elements
WHEN (SELECT finished_at FROM traces WHERE number = NEW.trace) IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a finished trace takes no more'); END;
CREATE TRIGGER traces_not_after_finish BEFORE UPDATE ON traces WHEN OLD.finished_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a finished trace never changes'); END;
CREATE TRIGGER approvals_final BEFORE UPDATE OF state ON approvals
WHEN OLD.state NOT IN ('pending', 'approved')
BEGIN SELECT RAISE(ABORT, 'a final state never changes'); END;
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
