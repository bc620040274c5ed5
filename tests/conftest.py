"""Fixtures that several folders share."""

import pytest
from running import Running
from scripted import Script, serve


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
