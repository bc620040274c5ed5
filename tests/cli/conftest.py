"""The command line, led to a scripted sidecar."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from adjudicator.cli.main import cli
from click.testing import CliRunner, Result
from scripted import TOKEN, Script

Run = Callable[..., Result]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder in which ann may approve."""
    folder = tmp_path / "data" / "approvers"
    for each in (folder.parent, folder):
        each.mkdir(mode=0o700)
    token = folder / "ann.token"
    token.touch(0o600)
    token.write_text(TOKEN + "\n")
    return tmp_path / "data"


@pytest.fixture
def run(script: Script, data: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command line against the scripted server."""
    for name in ("TENANT", "AGENT", "SESSION", "TOKEN_FILE", "POLICIES", "DATABASE"):
        monkeypatch.delenv(f"ADJUDICATOR_{name}", raising=False)
    environment = {
        "ADJUDICATOR_ADDRESS": script.address,
        "ADJUDICATOR_APPROVER_ADDRESS": script.address,
        "ADJUDICATOR_DATA": str(data),
        "ADJUDICATOR_AS": "ann",
        "TERM": "dumb",
    }

    def invoke(*words: str, **options: Any) -> Result:
        result = CliRunner(env=environment).invoke(cli, words, **options)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return invoke
