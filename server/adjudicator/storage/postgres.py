"""PostgreSQL: one database that several sidecars share, each with a chain of its own."""

import functools
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.storage.engine import Connection, Insert, Values
from adjudicator.storage.postgres_connection import BoundedConnection
from adjudicator.storage.postgres_listener import CHANNEL, Listener
from adjudicator.storage.schema import Guard, emptying_guards

APPLICATION = "adjudicator"
"""How the server names our sessions."""
OLDEST_VERSION = 14
_CONNECT_SECONDS = 3
_ALONE_SECONDS = 60.0
_ALONE_KEY = 74_117_412  # of an advisory lock: any number that no other program takes
_TYPES = {int: "bigint", str: "text", bytes: "bytea"}
_PAYLOAD_CHARS = 7_000  # PostgreSQL takes less than 8,000 bytes
# What the server ends by itself, so that a sidecar that stands still holds no lock for long.
_SESSION = (
    "-c lock_timeout=4s -c statement_timeout=20s -c idle_in_transaction_session_timeout=10s"
    " -c client_min_messages=warning"
)


class PostgresEngine:
    """Implements `storage.engine.Engine` for a database URL of libpq."""

    kind = "postgresql"
    shared = True
    snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    lock = " FOR UPDATE"
    refusals: tuple[type[Exception], ...] = (psycopg.IntegrityError, psycopg.DataError)
    failures: tuple[type[Exception], ...] = (psycopg.Error, OSError)

    def __init__(self, url: str) -> None:
        self._url = url
        self.name = without_password(url)
        self._token = secrets.token_hex(8)  # by which this sidecar knows its own announcements
        self._listener: Listener | None = None

    def connect(self) -> Connection:
        """See the protocol."""
        return _Connection(self._connect())

    def connect_patiently(self, seconds: float) -> Connection:
        """A connection each of whose statements may take so long."""
        connection = self._connect()
        connection.usual = seconds
        return _Connection(connection)

    def begin(self, db: Connection) -> None:
        """See the protocol."""
        db.execute("BEGIN")

    def begin_steady(self, db: Connection) -> None:
        """See the protocol."""
        db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")

    def begin_alone(self, db: Connection) -> None:
        """See the protocol."""
        db.execute("BEGIN")
        db.execute("SET LOCAL lock_timeout = 0")
        db.execute("SET LOCAL statement_timeout = 0")
        if isinstance(db, _Connection):
            db.patient(_ALONE_SECONDS)
        db.execute(f"SELECT pg_advisory_xact_lock({_ALONE_KEY})")

    def create(self, db: Connection, tables: str) -> None:
        """See the protocol."""
        translated = tables.replace("INTEGER", "BIGINT").replace("BLOB", "BYTEA")
        for statement in (*translated.split(";\n"), "CREATE SEQUENCE IF NOT EXISTS trace_numbers"):
            if statement.strip():
                db.execute(statement)

    def guard(self, db: Connection, guards: Iterable[Guard]) -> None:
        """See the protocol."""
        guards = tuple(guards)
        for each in (*guards, *emptying_guards(guards)):
            body = function_of(each)
            db.execute(f"CREATE FUNCTION {each.name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$")
            db.execute(
                f"CREATE TRIGGER {each.name} BEFORE {each.event} ON {each.table}"
                f" FOR EACH {'ROW' if each.of_rows else 'STATEMENT'} EXECUTE FUNCTION {each.name}()"
            )

    def version(self, db: Connection) -> int:
        """See the protocol."""
        if db.execute("SELECT to_regclass('meta')").fetchone()[0] is None:
            return 0
        row = db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
        if row and not str(row[0]).isdecimal():
            raise AdjudicatorError(
                ErrorReason.STORE_UNAVAILABLE,
                f"{self.name} has a table meta that is another program's: choose an empty database",
            )
        return int(row[0]) if row else 0

    def set_version(self, db: Connection, version: int) -> None:
        """See the protocol."""
        db.execute(
            "INSERT INTO meta (key, value) VALUES ('schema', ?)"
            " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (str(version),),
        )

    def insert(self, db: Connection, what: Insert, rows: Sequence[Values]) -> int:
        """See the protocol. One statement with a list for each column costs a third of one for each row."""
        return db.execute(_insert(what), [list(column) for column in zip(*rows, strict=True)]).rowcount

    def reserve(self, db: Connection, count: int) -> Sequence[int]:
        """See the protocol."""
        rows = db.execute("SELECT nextval('trace_numbers') FROM generate_series(1, ?)", (count,)).fetchall()
        return sorted(row[0] for row in rows)

    def announce(self, db: Connection, approval_ids: Iterable[str]) -> None:
        """See the protocol."""
        payload = f"{self._token} {','.join(approval_ids)}"
        if len(payload) > _PAYLOAD_CHARS:
            payload = self._token
        db.execute("SELECT pg_notify(?, ?)", (CHANNEL, payload))

    def listen(self, heard: Callable[[frozenset[str] | None], None]) -> None:
        """See the protocol."""
        self._listener = Listener(self._connect, self._token, heard)

    def check(self) -> None:
        """See the protocol: the server has to have answered the listener lately."""
        if self._listener is not None and not self._listener.in_touch:
            raise psycopg.OperationalError("the database server does not answer")

    def close(self) -> None:
        """See the protocol."""
        if self._listener is not None:
            self._listener.close()

    def _connect(self) -> BoundedConnection:
        connection = BoundedConnection.connect(
            self._url,
            autocommit=True,
            connect_timeout=_CONNECT_SECONDS,
            options=_SESSION,
            application_name=APPLICATION,
        )
        version = connection.info.server_version // 10_000
        if version < OLDEST_VERSION:
            connection.close()
            raise psycopg.NotSupportedError(
                f"the server is PostgreSQL {version}; {OLDEST_VERSION} is the oldest that is supported"
            )
        return connection


class _Connection:
    """A connection of psycopg that takes statements as the protocol has them."""

    def __init__(self, connection: BoundedConnection) -> None:
        self._connection = connection

    def execute(self, sql: str, values: Values = (), /) -> "psycopg.Cursor[Any]":
        if sql.startswith("SELECT"):
            values = [None if _holds_nul(each) else each for each in values]
        return self._connection.execute(_marked(sql), values or None)

    def executemany(self, sql: str, rows: Iterable[Values], /) -> "psycopg.Cursor[Any]":
        cursor = self._connection.cursor()
        cursor.executemany(_marked(sql), rows)
        return cursor

    def patient(self, seconds: float) -> None:
        """Wait so long for the next statement."""
        self._connection.patience = seconds

    def close(self) -> None:
        self._connection.close()


def _holds_nul(value: object) -> bool:
    """Whether it is a text that the server cannot hold: like NULL it is equal to nothing there."""
    return isinstance(value, str) and "\0" in value


@functools.cache
def _insert(what: Insert) -> str:
    lists = ", ".join(f"?::{_TYPES[kind]}[]" for _, kind in what.columns)
    return f"INSERT INTO {what.table} ({what.names}) SELECT * FROM unnest({lists}){what.ending}"


@functools.lru_cache(maxsize=1024)
def _marked(sql: str) -> bytes:
    return sql.replace("?::", "%b::").replace("?", "%s").encode("ascii")


def function_of(guard: Guard) -> str:
    """The body of the function by which a trigger refuses."""
    row = "NULL" if not guard.of_rows else "OLD" if guard.event.startswith("DELETE") else "NEW"
    return (
        f"BEGIN IF {guard.condition} THEN"
        f" RAISE EXCEPTION USING ERRCODE = 'check_violation', MESSAGE = '{guard.message}';"
        f" END IF; RETURN {row}; END"
    )


def without_password(url: str) -> str:
    """The URL as it may be shown. Raises STORE_UNAVAILABLE, without repeating it, for any other."""
    try:
        read = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        # Its message may have the password in it, and so may the traceback.
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE,
            "the URL of the database cannot be read; write postgresql://USER@HOST:PORT/NAME",
        ) from None
    if _is_torn(url, str(read.get("port", ""))):
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE,
            "the URL of the database cannot be read: in a password, write %40 for @, %2F for /, %3A for :",
        )
    user = f"{read['user']}@" if read.get("user") else ""
    port = f":{read['port']}" if read.get("port") else ""
    return f"postgresql://{user}{read.get('host', '')}{port}/{read.get('dbname', '')}"


def _is_torn(url: str, port: str) -> bool:
    """Whether a password with signs that mean something in a URL was read as host, port or name."""
    authority, _, rest = url.partition("?")[0].partition("://")[2].partition("/")
    ports_are_numbers = all(each.isdecimal() for each in port.split(",") if each)
    return authority.count("@") > 1 or "@" in rest or not ports_are_numbers
