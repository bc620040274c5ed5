"""A store for each test, on each engine where the test is about the contract."""

import contextlib
import sqlite3
from functools import partial

import psycopg
import pytest
from opened import open_postgres, open_sqlite

ENGINES = ("sqlite", "postgresql")


class Place:
    """A database that a test opens and opens again, and that it can reach behind the store's back."""

    def __init__(self, engine, opener, connect, refused):
        self.engine = engine
        self.open = opener
        self.connect = connect
        self.refused = refused

    def tamper(self, sql):
        """Run one statement as somebody who has the database's password, or its file."""
        with contextlib.closing(self.connect()) as db:
            db.execute(sql)

    def drop_guard(self, name, table):
        """Take away what would refuse a statement."""
        self.tamper(f"DROP TRIGGER {name}" + (f" ON {table}" if self.engine == "postgresql" else ""))


@pytest.fixture(params=ENGINES)
def place(request, tmp_path):
    """An empty database of each engine."""
    if request.param == "sqlite":
        path = tmp_path / "a.db"
        connect = partial(sqlite3.connect, path, isolation_level=None)
        return Place("sqlite", partial(open_sqlite, path), connect, sqlite3.IntegrityError)
    url = request.getfixturevalue("postgres_url")
    connect = partial(psycopg.connect, url, autocommit=True)
    return Place("postgresql", partial(open_postgres, url), connect, psycopg.IntegrityError)


@pytest.fixture
async def store(place):
    """A store on a new database of each engine."""
    opened, _ = place.open()
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite_store(tmp_path):
    """A store on a new SQLite database."""
    opened, _ = open_sqlite(tmp_path / "a.db")
    yield opened
    await opened.close()
