"""A store for each test."""

import pytest
from opened import open_sqlite


@pytest.fixture
async def store(tmp_path):
    """A store on a new database."""
    opened, _ = open_sqlite(tmp_path / "a.db")
    yield opened
    await opened.close()
