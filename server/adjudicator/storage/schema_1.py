"""Forward from schema 1, which kept each element in a row of its own and had no chain of records."""

import json
import secrets
from collections.abc import Iterator
from typing import Any

from adjudicator.domain.record import Tail, Writer, link, start_of
from adjudicator.domain.trace import ElementKind
from adjudicator.storage.approval_rows import APPROVAL_COLUMNS, ApprovalRow
from adjudicator.storage.engine import Connection, marks
from adjudicator.storage.rows import TRACE_COLUMNS, TraceRow, state_of, to_json
from adjudicator.storage.writers import OwnWriter

_TABLES = ("votes", "approvals", "elements", "traces", "counters", "meta")
_INDEXES = ("traces_by_call", "approvals_pending", "approvals_by_deadline", "approvals_by_position")


class Schema1:
    """The tables of schema 1, moved out of the way of those of schema 2."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        for name in _INDEXES:
            db.execute(f"DROP INDEX {name}")
        for name in _TABLES:
            db.execute(f"ALTER TABLE {name} RENAME TO {name}_1")

    def move(self, public_key: bytes, now: int) -> None:
        """Make one record of every trace, in the order of their numbers, by a new writer; drop the rest.

        The chain says what the database said at that moment; what was done to it before, nobody can know.
        """
        db = self._db
        own = OwnWriter(1, Writer(secrets.token_hex(8), public_key))
        db.execute("INSERT INTO writers VALUES (?, ?, ?, ?)", (1, own.writer.name, public_key, now))
        db.execute("UPDATE meta SET value = (SELECT value FROM meta_1 WHERE key = 'identity')")
        db.execute(
            "UPDATE counters SET value = (SELECT value FROM counters_1) WHERE name = 'approval_position'"
        )
        tail = start_of(own.writer, None)
        for trace, approval, body, positions in self._calls():
            tail = self._write(own, tail, trace, approval, body, positions, now)
        for name in _TABLES:
            db.execute(f"DROP TABLE {name}_1")

    def _calls(self) -> Iterator[tuple[TraceRow, ApprovalRow | None, str, tuple[int, int]]]:
        columns = "number, keyed, tenant, session, call_id, agent, tool, digest, opened_at, finished_at"
        last = 0
        while rows := self._db.execute(
            f"SELECT {columns} FROM traces_1 WHERE number > ? ORDER BY number LIMIT 500", (last,)
        ).fetchall():
            for *call, digest, opened_at, finished_at in rows:
                last = call[0]
                body, verdicts = self._elements(last)
                approval, positions = self._approval(last)
                verdict = verdicts[-1]
                trace = TraceRow._make(
                    (
                        *call,
                        None,
                        digest,
                        opened_at,
                        verdict["outcome"],
                        verdict["step"],
                        verdict["reason_code"],
                        verdict["cause"],
                        int(any(each["outcome"] == "ALLOW" for each in verdicts)),
                        1,
                        1,
                        finished_at,
                    )
                )
                yield trace, approval, body, positions

    def _elements(self, trace: int) -> tuple[str, list[dict[str, Any]]]:
        sql = "SELECT kind, recorded_at, body FROM elements_1 WHERE trace = ? ORDER BY sequence"
        rows = self._db.execute(sql, (trace,)).fetchall()
        elements = [[kind, json.loads(body), at] for kind, at, body in rows]
        verdicts = [body for kind, body, _ in elements if kind == ElementKind.VERDICT.value]
        return to_json(elements), verdicts

    def _approval(self, trace: int) -> tuple[ApprovalRow | None, tuple[int, int]]:
        columns = (
            "id, trace, tenant, tool, terms, view, created_at, expires_at, state, changed_at,"
            " opened_position, position"
        )
        row = self._db.execute(f"SELECT {columns} FROM approvals_1 WHERE trace = ?", (trace,)).fetchone()
        if row is None:
            return None, (0, 0)
        *values, changed_at, opened_position, position = row
        sql = (
            "SELECT actor, decision, reason, voted_at FROM votes_1 WHERE approval = ?"
            " ORDER BY voted_at, actor"
        )
        votes = [list(vote) for vote in self._db.execute(sql, (row[0],)).fetchall()]
        return ApprovalRow._make((*values, to_json(votes), changed_at)), (opened_position, position)

    def _write(
        self,
        own: OwnWriter,
        tail: Tail,
        trace: TraceRow,
        approval: ApprovalRow | None,
        body: str,
        positions: tuple[int, int],
        now: int,
    ) -> Tail:
        db, sequence, state = self._db, tail.sequence + 1, state_of(trace, approval)
        numbers = (sequence, trace.number, 1, now)
        digest = link(tail.hash, state, own.writer.name, numbers, body)
        db.execute(f"INSERT INTO traces ({TRACE_COLUMNS}) VALUES ({marks(trace)})", trace)
        if approval is not None:
            values = (*approval, *positions)
            columns = f"{APPROVAL_COLUMNS}, opened_position, position"
            db.execute(f"INSERT INTO approvals ({columns}) VALUES ({marks(values)})", values)
        db.execute(
            "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (own.number, sequence, trace.number, 1, now, body, state, digest),
        )
        return Tail(sequence, digest)
