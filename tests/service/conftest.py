"""A stage for each test."""

import pytest
from service.stage import Stage


@pytest.fixture
async def stage(tmp_path):
    """A stage whose policy asks for everything."""
    made = await Stage.set_up(tmp_path)
    yield made
    await made.store.close()
