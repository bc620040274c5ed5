"""PostgreSQL databases opened to be read and nothing else, beside whoever uses them."""

import contextlib
from collections.abc import Iterator

from adjudicator.storage.engine import Connection
from adjudicator.storage.postgres import APPLICATION, PostgresEngine
from adjudicator.storage.postgres_parts import foreign_parts

_PATIENCE_SECONDS = 3600.0


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
        return foreign_parts(db)

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
