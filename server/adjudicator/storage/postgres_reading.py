"""PostgreSQL databases opened to be read and nothing else, beside whoever uses them."""

import contextlib
from collections.abc import Iterator

from adjudicator.storage.engine import Connection
from adjudicator.storage.postgres import APPLICATION, PostgresEngine, function_of
from adjudicator.storage.schema import GUARDS

_PATIENCE_SECONDS = 3600.0
_TRIGGERS = """
SELECT t.tgname, c.relname, t.tgenabled, p.prosrc
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
"""


class PostgresDatabase:
    """Implements `storage.reading.Readable` for a URL."""

    failures = PostgresEngine.failures
    kind = PostgresEngine.kind

    def __init__(self, url: str) -> None:
        self._engine = PostgresEngine(url)
        self.name = self._engine.name

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """See the protocol."""
        with contextlib.closing(self._engine.connect_patiently(_PATIENCE_SECONDS)) as db:
            db.execute("SET statement_timeout = 0")
            db.execute("SET application_name = 'adjudicator, reading'")
            db.execute(self._engine.snapshot)
            yield db

    def version(self, db: Connection) -> int:
        """See the protocol."""
        return self._engine.version(db)

    def damage(self, db: Connection) -> list[str]:
        """See the protocol. What its pages are is the server's to know."""
        del db
        return []

    def foreign_parts(self, db: Connection) -> list[str]:
        """See the protocol."""
        theirs = {
            (name, table): (enabled, source)
            for name, table, enabled, source in db.execute(_TRIGGERS).fetchall()
        }
        ours = {(each.name, each.table): function_of(each) for each in GUARDS}
        gone = [f"the trigger {name} is gone" for name, _ in sorted(ours.keys() - theirs.keys())]
        added = [f"the trigger {name} is not ours" for name, _ in sorted(theirs.keys() - ours.keys())]
        changed = [
            f"the trigger {key[0]} was changed"
            for key in sorted(ours.keys() & theirs.keys())
            if theirs[key][0] not in ("O", b"O") or theirs[key][1].strip() != ours[key].strip()
        ]
        return gone + added + changed

    def size(self, db: Connection) -> int:
        """See the protocol."""
        return int(db.execute("SELECT pg_database_size(current_database())").fetchone()[0])

    def in_use(self, db: Connection) -> bool:
        """See the protocol."""
        sql = (
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = ?"
        )
        return bool(db.execute(sql, (APPLICATION,)).fetchone()[0])
