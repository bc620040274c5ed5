"""The PostgreSQL of the tests is a real one, can be treated badly, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import psycopg
import pytest
from postgres import copy_package, open_to_all, package_folder, until
from postgres_reaper import residents

INTERRUPTED = """
import os, signal
from postgres import PostgresHome, package_folder
home = PostgresHome(package_folder())
servers = [home.server().start(), home.server().start()]
servers[0].pause()
print(home.folder, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def numbers_in(url):
    """What the table of these tests has."""
    with psycopg.connect(url) as connection:
        return [row[0] for row in connection.execute("SELECT number FROM numbers ORDER BY number")]


def with_table(url):
    """A connection to a database that has the table now."""
    connection = psycopg.connect(url, autocommit=True)
    connection.execute("CREATE TABLE numbers (number bigint PRIMARY KEY)")
    return connection


def test_the_server_is_that_of_the_package(postgres_home, shared_postgres):
    """What runs is the package's program, under an account that is not root."""
    process = psutil.Process(shared_postgres.process.pid)
    assert Path(process.exe()).is_relative_to(postgres_home.binaries)
    assert process.uids().effective != 0
    assert process.environ().keys() & os.environ.keys() == set()


def test_a_database_is_empty_and_apart(shared_postgres):
    """What is done in one new database is not seen in another."""
    first, second = shared_postgres.new_database(), shared_postgres.new_database()
    with with_table(first), psycopg.connect(second) as other:
        assert other.execute("SELECT to_regclass('numbers')").fetchone() == (None,)


def test_a_database_goes_although_somebody_is_connected(shared_postgres):
    """A test that left a connection open does not keep its database alive."""
    url = shared_postgres.new_database()
    with psycopg.connect(url):
        shared_postgres.drop_database(url)
        with pytest.raises(psycopg.OperationalError, match="does not exist"):
            psycopg.connect(url)


def test_nobody_comes_in_without_the_password(shared_postgres):
    """Another account of the machine reaches the port and no more."""
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(shared_postgres.url(), password="wrong")  # noqa: S106 - it is wrong


def test_what_was_committed_survives_a_kill(postgres_server):
    """A killed server starts again, on its port, with what was committed and nothing else."""
    url = postgres_server.new_database()
    with with_table(url) as connection:
        connection.execute("INSERT INTO numbers VALUES (1)")
        with psycopg.connect(url) as undecided:
            undecided.execute("INSERT INTO numbers VALUES (2)")
            postgres_server.kill()
            assert not postgres_server.is_running
            with pytest.raises(psycopg.OperationalError):
                connection.execute("SELECT 1")
            undecided.close()
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url)
    postgres_server.start()
    assert numbers_in(url) == [1]


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_a_stopped_server_starts_again(postgres_server, mode):
    """Both ways to stop end the clients, and what was committed is there afterwards."""
    url = postgres_server.new_database()
    with with_table(url) as connection:
        connection.execute("INSERT INTO numbers VALUES (1)")
        postgres_server.stop(mode)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    postgres_server.start()
    assert numbers_in(url) == [1]


def test_a_paused_server_is_silent_until_it_is_resumed(postgres_server):
    """While it is paused it takes connections and answers nobody; then it answers what it was asked."""
    connection = psycopg.connect(postgres_server.url(), autocommit=True)
    postgres_server.pause()
    connection.pgconn.send_query(b"SELECT 1")
    with pytest.raises(psycopg.errors.ConnectionTimeout):
        psycopg.connect(postgres_server.url(), connect_timeout=2)
    assert connection.pgconn.is_busy()
    postgres_server.resume()
    assert connection.pgconn.get_result().get_value(0, 0) == b"1"
    connection.close()


def test_a_paused_server_can_be_killed_and_stopped(postgres_server):
    """Whatever a test did to its server, it can be ended."""
    postgres_server.pause()
    postgres_server.kill()
    postgres_server.start().pause()
    postgres_server.stop()
    assert not postgres_server.is_running


def test_settings_are_the_servers_own(postgres_home):
    """A test that needs a server of another kind says so."""
    server = postgres_home.server(max_connections="7").start()
    with psycopg.connect(server.url()) as connection:
        assert connection.execute("SHOW max_connections").fetchone() == ("7",)
    server.stop()


def test_a_server_that_cannot_start_says_why(postgres_home):
    """The message of the server is in the error."""
    with pytest.raises(RuntimeError, match="nonsense"):
        postgres_home.server(nonsense="1").start()


def test_nothing_is_left_of_a_session_that_was_killed():
    """Running and paused servers end, and their folder goes, when the tests die without a word."""
    died = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL
    folder = Path(died.stdout.strip())
    until(lambda: not folder.exists())
    assert not list(residents(folder))


def test_binaries_in_a_closed_folder_are_copied_to_an_open_one(postgres_home, tmp_path):
    """An installation that only root can enter does not keep another account from running it."""
    tmp_path.chmod(0o700)
    assert not open_to_all(copy_package(package_folder(), tmp_path / "closed"))
    folder = postgres_home.folder / "copied"
    folder.mkdir()
    copy = copy_package(package_folder(), folder)
    postgres_home.run(copy / "pginstall" / "bin" / "initdb", "--pgdata", postgres_home.servers / "copied")
