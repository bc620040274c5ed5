"""Calls on record, read back by `policy diff` from a database, an export, and beside a running sidecar."""

import json
import shutil
import subprocess
import sys

import pytest
from running import POLICIES, running

CALLS = (
    ("bash", '{"command": "git push origin main"}'),
    ("bash", '{"command": "pwd"}'),
    ("fetch", '{"url": "https://example.com/", "authorization": "Bearer s3cr3t"}'),
    ("read", '{"path": "a", "path": "b"}'),
    ("no-such-tool", '{"path": "a"}'),
)


def command(*words):
    """A command of its own process: its exit code, and the lines that it printed as JSON."""
    done = subprocess.run(
        [sys.executable, "-m", "adjudicator.cli.main", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A sidecar's data after some calls, of which one has a secret and one no readable arguments."""
    folder = tmp_path_factory.mktemp("replayed")
    with running(folder / "data") as sidecar:
        for number, (tool, arguments) in enumerate(CALLS, start=1):
            where = {"working_directory": "/srv/app", "call_id": f"c{number}"}
            sidecar.judge(tool=tool, arguments=arguments, **where)
    return folder


@pytest.fixture(scope="module")
def other(folder):
    """A bundle in which a push passes."""
    copy = shutil.copytree(POLICIES, folder / "other")
    rules = (copy / "rules.csv").read_text().replace("shell:git push *, , ask", "shell:git push *, , allow")
    (copy / "rules.csv").write_text(rules)
    return copy


def gaps(found):
    """Which traces cannot be judged anew, by why."""
    return {
        line["not_replayable"]["why"]: line["not_replayable"]["traces"]
        for line in found
        if "not_replayable" in line
    }


EXPECTED = {"redacted": ["3"], "unreadable": ["4"], "withheld": ["5"]}


def test_recorded_calls_are_judged_by_both_bundles(folder, other):
    """The push changes; what is not on record whole is counted by its trace and why."""
    code, found, _ = command(
        "policy", "diff", POLICIES, other, "--traces", "--data", folder / "data", "--json"
    )
    assert code == 6
    (call,) = [line["call"] for line in found if "call" in line]
    assert (call["source"], call["was"][:3], call["now"][:5]) == ("trace 1", "ASK", "ALLOW")
    assert gaps(found) == EXPECTED
    assert found[-1]["summary"]["compared"] == 2


def test_an_export_says_the_same_as_its_database(folder, other):
    """The calls of an export are found without the database, and the same of them are left out."""
    file = folder / "all.jsonl"
    assert command("trace", "export", "--data", folder / "data", "-o", file, "--json")[0] == 0
    code, found, _ = command("policy", "diff", POLICIES, other, "--export", file, "--json")
    assert code == 6
    assert [line["call"]["source"] for line in found if "call" in line] == ["trace 1"]
    assert gaps(found) == EXPECTED


def test_an_export_that_is_cut_off_is_an_error(folder, other):
    """Whatever was lost may have changed: the exit code is an error, and the file is named."""
    whole = folder / "whole.jsonl"
    assert command("trace", "export", "--data", folder / "data", "-o", whole, "--json")[0] == 0
    cut = folder / "cut.jsonl"
    cut.write_text("".join(whole.read_text().splitlines(keepends=True)[:-1]))
    code, _, err = command("policy", "diff", POLICIES, other, "--export", cut, "--json")
    assert code == 1
    assert "it is cut off" in err


@pytest.mark.parametrize(
    ("words", "compared"),
    [
        (("--last", "4"), 1),
        (("--tool", "bash"), 2),
        (("--agent", "critic", "--until", "1h"), 0),
    ],
)
def test_records_are_chosen_by_options(folder, other, words, compared):
    """The latest, those of a tool, an agent, a time."""
    _, found, err = command(
        "policy", "diff", POLICIES, other, "--traces", "--data", folder / "data", "--json", *words
    )
    assert found[-1]["summary"]["compared"] == compared, err


def test_the_database_stays_as_it_was(folder, other):
    """It is opened to be read and nothing else."""
    database = next((folder / "data").glob("*.db"))
    before = database.read_bytes()
    command("policy", "diff", POLICIES, other, "--traces", "--data", folder / "data", "--json")
    assert database.read_bytes() == before
