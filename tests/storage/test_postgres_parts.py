"""Tables of a PostgreSQL database that somebody changed are told from those that we make."""

import contextlib

import psycopg
import pytest
from adjudicator.storage.migrations import migrate
from adjudicator.storage.postgres import PostgresEngine
from adjudicator.storage.postgres_reading import PostgresDatabase

NOT_OURS = {
    "DROP INDEX traces_by_call": "unique key (session, call_id, tenant, keyed) is gone",
    "ALTER TABLE records DROP CONSTRAINT records_pkey": "unique key (writer, sequence) is gone",
    "ALTER TABLE approvals DROP CONSTRAINT approvals_trace_key": "unique key (trace) is gone",
    "ALTER TABLE approvals ALTER trace DROP NOT NULL": "table approvals was changed",
    "ALTER TABLE traces ADD more TEXT": "table traces was changed",
    "ALTER TABLE traces ALTER allowed SET DEFAULT 1": "table traces was changed",
    "DROP TABLE heads": "table heads is gone",
    "CREATE RULE r AS ON INSERT TO heads DO INSTEAD NOTHING": "table heads is none, or has rules",
    "ALTER TABLE records ENABLE ROW LEVEL SECURITY": "table records is none, or has rules",
    "ALTER TABLE heads RENAME TO a; CREATE VIEW heads AS SELECT * FROM a": "table heads is none",
    "CREATE SCHEMA s; ALTER TABLE heads SET SCHEMA s; ALTER DATABASE {} SET search_path = public, s": (
        "table heads is in another schema"
    ),
    "ALTER TABLE traces DISABLE TRIGGER traces_stay": "trigger traces_stay was changed",
}


@pytest.fixture
def made(postgres_url):
    """A database with our tables and nothing in them."""
    engine = PostgresEngine(postgres_url)
    with contextlib.closing(engine.connect()) as db:
        migrate(engine, db, b"", 0)
    engine.close()
    return postgres_url


def changed(url, sql):
    """Run it; what is not ours then."""
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(sql.replace("{}", url.rpartition("/")[2]))
    database = PostgresDatabase(url)
    with database.reading() as db:
        return database.foreign_parts(db)


@pytest.mark.parametrize("sql", NOT_OURS)
def test_what_could_hide_rows_or_let_one_call_in_twice_is_named(made, sql):
    """Whatever was done to tables, their columns and their keys."""
    assert NOT_OURS[sql] in " ".join(changed(made, sql))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "CREATE INDEX more ON traces (agent)",
        "CREATE TABLE others (id INTEGER)",
        "CREATE SCHEMA postgres",  # of the user's name: it comes before ours on the search path
    ],
)
def test_what_changes_nothing_is_not_named(made, sql):
    """Tables and indexes of others, in our schema or in front of it."""
    assert changed(made, sql) == []
