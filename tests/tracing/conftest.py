"""A database for each test of what is done to one."""

import shutil

import pytest
from ledgers import written


@pytest.fixture(scope="session")
def pristine(tmp_path_factory):
    """A folder with a database, its heads and its public key, which no test changes."""
    folder = tmp_path_factory.mktemp("pristine")
    written(folder / "a.db")
    return folder


@pytest.fixture
def database(pristine, tmp_path):
    """A copy of it."""
    shutil.copytree(pristine, tmp_path / "data")
    return tmp_path / "data" / "a.db"
