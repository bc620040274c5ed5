"""`adjudicator policy import permissions`."""

import json
from pathlib import Path

import pytest
from adjudicator.authoring.judging import judged
from adjudicator.config.limits import Limits
from adjudicator.domain.call import ToolCall
from adjudicator.policy.loader import load_bundle, open_bundle

RULES = {
    "permissions": {
        "allow": ["Bash(git diff:*)", "Bash(npm *)", "Read(docs/**)"],
        "ask": ["Bash(npm publish:*)"],
        "deny": ["Bash(curl:*)", "Read(~/.aws/**)"],
    }
}


@pytest.fixture
def folder(run, tmp_path: Path) -> Path:
    """The first bundle."""
    assert run("policy", "new", str(tmp_path / "p")).exit_code == 0
    return tmp_path / "p"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Rules of another command line."""
    (tmp_path / "settings.json").write_text(json.dumps(RULES))
    return tmp_path / "settings.json"


def outcome(folder: Path, command: str) -> str:
    """What becomes of a command line."""
    call = ToolCall("main", "assistant", "bash", json.dumps({"command": command}), working_directory="/w")
    return judged(call, load_bundle(folder), Limits()).outcome.value


def test_the_rows_are_shown_and_written_only_if_that_is_wanted(run, folder, file):
    """Each says where it comes from, behind a comment; the bundle still passes its tests."""
    words = ("policy", "import", "permissions", str(file), "--into", str(folder))
    words += ("--tenant", "main", "--role", "builder")
    before = open_bundle(folder).sources.contents
    shown = run(*words)
    assert shown.exit_code == 0, shown.output
    assert (
        '+p, role:builder, main, bash, shell:git diff *, , allow, "`Bash(git diff:*)` of settings.json"'
        in (shown.stdout)
    )
    assert "all but `shell:npm publish *`" in shown.stdout
    assert open_bundle(folder).sources.contents == before
    assert run(*words, "--write").exit_code == 0
    assert run("policy", "check", str(folder)).exit_code == 0
    assert [outcome(folder, each) for each in ("npm test", "npm publish", "curl x", "make")] == [
        *("ALLOW", "ASK", "DENY", "ASK")
    ]
    again = run(*words, "--write")
    assert "nothing to write" in again.stdout


def test_a_denial_that_is_lost_is_first_and_an_error(run, folder):
    """Nothing is written, unless somebody says what it is about or accepts the loss."""
    rules = json.dumps({"deny": ["Bash(curl:*)", "WebSearch"]})
    words = ("policy", "import", "permissions", "-", "--into", str(folder), "--tenant", "main", "--agent")
    result = run(*words, "assistant", "--json", "--write", input=rules)
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert (data["ok"], data["written"], len(data["lost"])) == (False, False, 1)
    assert "--accept-lost" in result.stderr
    assert data["notes"][0]["about"] == "`WebSearch`"
    assert data["rows"][0]["argument"] == "shell:curl *"
    assert outcome(folder, "curl x") == "ASK"
    assert run(*words, "assistant", "--write", "--accept-lost", input=rules).exit_code == 1
    assert outcome(folder, "curl x") == "DENY"
    assert run(*words, "assistant", "--tool", "WebSearch=", input=rules).exit_code == 0


def test_rows_that_the_loader_would_refuse_are_not_written(run, folder):
    """An ask that a row of the bundle allows: its author has to say which of the two counts."""
    rules = json.dumps({"ask": ["Bash(git log:*)"]})
    before = open_bundle(folder).sources.contents
    words = ("policy", "import", "permissions", "-", "--into", str(folder), "--tenant", "main", "--role")
    result = run(*words, "builder", "--write", input=rules)
    assert result.exit_code == 1
    assert "nothing is written" in result.stderr
    assert "this ask can never fire" in result.stdout
    assert open_bundle(folder).sources.contents == before


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--tenant", "main"), 2, "give one of them"),
        (("--tenant", "main", "--role", "builder", "--agent", "assistant"), 2, "give only one"),
        (("--tenant", "main", "--role", "builder", "--tool", "Bash"), 2, "NAME=CODE"),
        (("--tenant", "main", "--role", "builder", "--tool", "Bash=sh"), 1, "not a registered tool"),
        (("--tenant", "nowhere", "--role", "builder"), 1, "not a registered tenant"),
        (("--tenant", "main", "--role", "builder", "--form", "x"), 1, "not of the form"),
    ],
)
def test_a_wish_that_cannot_be_met_is_told(run, folder, file, words, code, told):
    """And nothing is written."""
    result = run("policy", "import", "permissions", str(file), "--into", str(folder), "--write", *words)
    assert result.exit_code == code
    assert told in result.stderr


def test_a_role_that_nobody_has_is_a_problem_of_the_rows(run, folder, file):
    """As it is in a file that somebody wrote."""
    words = ("--into", str(folder), "--tenant", "main", "--role", "nobody", "--write")
    result = run("policy", "import", "permissions", str(file), *words)
    assert result.exit_code == 1
    assert "unknown role" in result.stdout
