"""The tables of both engines, in SQL that both understand up to a few words.

Times are microseconds since 1970 in UTC. What must never change is guarded by triggers, so that a slip
in a statement of ours, or of anybody who opens the database, is refused. They are no lock: who may write
the database may also drop a trigger. What was done then is found by the chain of records.
"""

from collections.abc import Iterable
from dataclasses import dataclass

VERSION = 3

TABLES_2 = """
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE writers (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  public_key BLOB NOT NULL,
  started_at INTEGER NOT NULL
);

CREATE TABLE records (
  writer INTEGER NOT NULL REFERENCES writers (number),
  sequence INTEGER NOT NULL,
  trace INTEGER NOT NULL,
  place INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  state BLOB NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (writer, sequence)
);
CREATE UNIQUE INDEX records_by_trace ON records (trace, place);

CREATE TABLE heads (
  writer INTEGER NOT NULL REFERENCES writers (number),
  sequence INTEGER NOT NULL,
  hash BLOB NOT NULL,
  signed_at INTEGER NOT NULL,
  signature BLOB NOT NULL,
  PRIMARY KEY (writer, sequence)
);

CREATE TABLE archives (
  writer INTEGER NOT NULL REFERENCES writers (number),
  sequence INTEGER NOT NULL,
  hash BLOB NOT NULL,
  kept BLOB NOT NULL,
  signed_at INTEGER NOT NULL,
  signature BLOB NOT NULL,
  PRIMARY KEY (writer, sequence)
);

CREATE TABLE traces (
  number INTEGER PRIMARY KEY,
  keyed INTEGER NOT NULL,
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  call_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  tool TEXT NOT NULL,
  flow INTEGER,
  digest BLOB NOT NULL,
  opened_at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  step INTEGER NOT NULL,
  reason_code TEXT NOT NULL,
  cause TEXT NOT NULL,
  allowed INTEGER NOT NULL,
  verdict_place INTEGER NOT NULL,
  length INTEGER NOT NULL,
  finished_at INTEGER
);
CREATE UNIQUE INDEX traces_by_call ON traces (session, call_id, tenant, keyed) WHERE keyed > 0;
CREATE INDEX traces_without_key ON traces (session) WHERE keyed = 0;
CREATE INDEX traces_by_flow ON traces (flow) WHERE flow IS NOT NULL;

CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  trace INTEGER NOT NULL UNIQUE REFERENCES traces (number),
  tenant TEXT NOT NULL,
  tool TEXT NOT NULL,
  terms TEXT NOT NULL,
  view TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  votes TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  opened_position INTEGER NOT NULL,
  position INTEGER NOT NULL UNIQUE
);
CREATE INDEX approvals_pending ON approvals (trace) WHERE state = 'pending';
CREATE INDEX approvals_by_deadline ON approvals (expires_at) WHERE state IN ('pending', 'approved');

CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
);
INSERT INTO counters (name, value) VALUES ('approval_position', 0), ('archived_trace', 0);
"""
"""What schema 2 had. Schema 3 has all of it, unchanged."""

TABLES_3 = """
CREATE TABLE asks (
  trace INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  agent TEXT NOT NULL,
  likeness TEXT NOT NULL,
  priority INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  standing INTEGER NOT NULL,
  claimed_by TEXT NOT NULL,
  claimed_until INTEGER NOT NULL
);
CREATE INDEX asks_standing_by_session ON asks (tenant, session, standing) WHERE standing > 0;
CREATE INDEX asks_standing_by_agent ON asks (tenant, agent, standing) WHERE standing > 0;
CREATE INDEX asks_by_session ON asks (tenant, session, asked_at);
CREATE INDEX asks_by_agent ON asks (tenant, agent, asked_at);
CREATE INDEX asks_by_likeness ON asks (likeness, trace) WHERE likeness <> '';

CREATE TABLE grants (
  id TEXT PRIMARY KEY,
  trace INTEGER NOT NULL UNIQUE REFERENCES traces (number),
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  agent TEXT NOT NULL,
  tool TEXT NOT NULL,
  terms TEXT NOT NULL,
  granted_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  used INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
);
CREATE INDEX grants_live ON grants (tenant, session, agent, tool) WHERE state = 'live';
CREATE INDEX grants_by_deadline ON grants (expires_at) WHERE state = 'live';

CREATE TABLE questions (
  id TEXT PRIMARY KEY,
  trace INTEGER NOT NULL UNIQUE REFERENCES traces (number),
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  agent TEXT NOT NULL,
  terms TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  answer TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  opened_position INTEGER NOT NULL,
  position INTEGER NOT NULL UNIQUE
);
CREATE INDEX questions_open ON questions (trace) WHERE state = 'open';
CREATE INDEX questions_open_of_session ON questions (tenant, session, state) WHERE state = 'open';
CREATE INDEX questions_open_of_agent ON questions (tenant, agent, state) WHERE state = 'open';
CREATE INDEX questions_by_session ON questions (tenant, session, asked_at);
CREATE INDEX questions_by_agent ON questions (tenant, agent, asked_at);
CREATE INDEX questions_by_deadline ON questions (expires_at) WHERE state = 'open';

INSERT INTO counters (name, value) VALUES ('archived_position', 0);
"""
"""What schema 3 adds. `asks` has a row for each approval, by which approvals are counted, compared and
claimed: it is an index, and no part of what is recorded. Of `standing`, 2 is pending and 1 approved.

Positions of approvals and of questions come from one counter.
"""

TABLES = TABLES_2 + TABLES_3


@dataclass(frozen=True, slots=True)
class Guard:
    """A statement that the database refuses: BEFORE `event` ON `table` when `condition`, with `message`."""

    name: str
    event: str
    table: str
    condition: str
    message: str

    @property
    def of_rows(self) -> bool:
        """Whether it is asked for each row, and not once for a statement."""
        return self.event != "TRUNCATE"


def _never(event: str, table: str, message: str) -> Guard:
    return Guard(f"{table}_never_{event.split(maxsplit=1)[0].lower()}", event, table, "1 = 1", message)


_CALL = "number, keyed, tenant, session, call_id, agent, tool, flow, digest, opened_at"
_TERMS = "id, trace, tenant, tool, terms, view, created_at, expires_at, opened_position"
_STILL_RECORDED = "EXISTS (SELECT 1 FROM records WHERE trace = OLD.{})"

_GRANT_TERMS = "id, trace, tenant, session, agent, tool, terms, granted_at, expires_at"
_QUESTION_TERMS = "id, trace, tenant, session, agent, terms, asked_at, expires_at, opened_position"

GUARDS_2 = (
    _never("UPDATE", "records", "a record never changes"),
    Guard(
        "records_stay",
        "DELETE",
        "records",
        "NOT EXISTS (SELECT 1 FROM archives WHERE writer = OLD.writer AND sequence >= OLD.sequence)",
        "a record is never removed before it is archived",
    ),
    _never("UPDATE", "heads", "a head never changes"),
    _never("DELETE", "heads", "a head is never removed"),
    _never("UPDATE", "archives", "the end of an archive never changes"),
    Guard(
        "archives_stay",
        "DELETE",
        "archives",
        "NOT EXISTS (SELECT 1 FROM archives WHERE writer = OLD.writer AND sequence > OLD.sequence)",
        "the end of an archive is never removed before there is a later one",
    ),
    _never("UPDATE", "writers", "a writer never changes"),
    _never("DELETE", "writers", "a writer is never removed"),
    Guard(
        "traces_not_after_finish",
        "UPDATE",
        "traces",
        "OLD.finished_at IS NOT NULL",
        "a finished trace never changes",
    ),
    _never(f"UPDATE OF {_CALL}", "traces", "the call of a trace never changes"),
    Guard(
        "traces_stay",
        "DELETE",
        "traces",
        _STILL_RECORDED.format("number"),
        "a trace is never removed before it is archived",
    ),
    Guard(
        "approvals_final",
        "UPDATE",
        "approvals",
        "OLD.state NOT IN ('pending', 'approved')",
        "a final state never changes",
    ),
    _never(f"UPDATE OF {_TERMS}", "approvals", "what an approval was opened with never changes"),
    Guard(
        "approvals_keep_their_votes",
        "UPDATE",
        "approvals",
        "substr(NEW.votes, 1, length(OLD.votes) - 1) <> substr(OLD.votes, 1, length(OLD.votes) - 1)",
        "a vote never changes",
    ),
    Guard(
        "approvals_stay",
        "DELETE",
        "approvals",
        _STILL_RECORDED.format("trace"),
        "an approval is never removed before it is archived",
    ),
)
GUARDS_3 = (
    Guard("grants_final", "UPDATE", "grants", "OLD.state <> 'live'", "a grant that is over never changes"),
    _never(f"UPDATE OF {_GRANT_TERMS}", "grants", "what a grant was given with never changes"),
    Guard("grants_used", "UPDATE", "grants", "NEW.used < OLD.used", "a use of a grant is never taken back"),
    Guard(
        "grants_stay",
        "DELETE",
        "grants",
        _STILL_RECORDED.format("trace"),
        "a grant is never removed before it is archived",
    ),
    Guard("questions_final", "UPDATE", "questions", "OLD.state <> 'open'", "an answer never changes"),
    _never(f"UPDATE OF {_QUESTION_TERMS}", "questions", "what was asked never changes"),
    Guard(
        "questions_stay",
        "DELETE",
        "questions",
        _STILL_RECORDED.format("trace"),
        "a question is never removed before it is archived",
    ),
)
GUARDS = GUARDS_2 + GUARDS_3


def emptying_guards(guards: Iterable[Guard]) -> tuple[Guard, ...]:
    """The same for an engine that can empty a table without deleting a row of it: one for each table."""
    return tuple(
        Guard(f"{table}_never_emptied", "TRUNCATE", table, "1 = 1", "what is on record is never emptied")
        for table in dict.fromkeys(each.table for each in guards)
    )
