"""`adjudicator policy import tools`."""

import json
import shutil
from pathlib import Path

import pytest
from adjudicator.policy.loader import open_bundle
from mcp_tools import EDIT, FETCH, READ_TEXT, REMOTE
from running import POLICIES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped bundle."""
    return shutil.copytree(POLICIES, tmp_path / "p")


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    """The answer of a server."""
    file = tmp_path / "list.json"
    file.write_text(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": [READ_TEXT, EDIT, FETCH]}}))
    return file


def test_without_write_it_says_what_it_would_write(run, folder, listed):
    """As a diff, with all notes, and the folder stays as it is."""
    before = open_bundle(folder).sources.contents
    result = run("policy", "import", "tools", str(listed), "--into", str(folder), "--tenant", "studio")
    assert result.exit_code == 0, result.output
    assert "+++ registry/tools.yaml" in result.stdout
    assert "+    - fetch_page" in result.stdout
    assert "a guess by its name" in result.stdout
    assert "not written" in result.stdout
    assert "--write" in result.stderr
    assert open_bundle(folder).sources.contents == before


def test_with_write_the_bundle_passes_its_tests(run, folder, listed):
    """What is in the files before is there as it was, and every comment with it."""
    words = (
        "policy",
        "import",
        "tools",
        str(listed),
        "--into",
        str(folder),
        "--tenant",
        "studio",
        "--write",
    )
    assert run(*words).exit_code == 0
    assert run("policy", "check", str(folder)).exit_code == 0
    text = (folder / "registry/tools.yaml").read_text()
    assert text.startswith((POLICIES / "registry/tools.yaml").read_text())
    assert "# Imported from list.json. Nobody holds `imported.use` yet." in text
    again = run(*words)
    assert again.exit_code == 1
    assert "there is a tool 'fetch_page' already" in again.stdout
    assert "nothing to write" in again.stdout


def test_a_tool_that_is_left_out_is_an_error_for_scripts(run, folder):
    """The others are written; standard input is a file as well."""
    result = run(
        *("policy", "import", "tools", "-", "--into", str(folder), "--json", "--write", "--prefix", "m"),
        input=json.dumps([REMOTE, FETCH]),
    )
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert (data["ok"], data["written"]) == (False, True)
    assert data["tools"] == [
        {"name": "fetch_page", "code": "m.fetch_page", "access": "write", "arguments": {"/url": "url"}}
    ]
    assert "left out" in data["notes"][0]["text"]
    assert (folder / "schemas/m.fetch_page.json").read_text() == data["files"]["schemas/m.fetch_page.json"]
    assert "Imported from standard input" in data["files"]["registry/tools.yaml"]


@pytest.mark.parametrize(
    ("text", "told"),
    [(b"{", "not JSON"), (b"\xff", "not UTF-8"), (b"[]", "empty"), (b'{"tools": [], "x": 1}', "empty")],
)
def test_what_is_no_list_is_one_line(run, folder, text, told):
    """And nothing is written."""
    result = run("policy", "import", "tools", "-", "--into", str(folder), input=text)
    assert result.exit_code == 1
    assert told in result.stderr


def test_a_bundle_that_does_not_load_is_not_added_to(run, folder, listed):
    """Its problems are listed as `policy check` lists them."""
    (folder / "scope.csv").unlink()
    result = run("policy", "import", "tools", str(listed), "--into", str(folder), "--write")
    assert result.exit_code == 1
    assert "scope.csv: the file is missing" in result.stdout
