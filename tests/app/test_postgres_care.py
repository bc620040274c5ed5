"""What is done to a PostgreSQL database besides serving from it: look, verify, export, archive."""

import json
import subprocess
import sys
from datetime import timedelta

import psycopg
import pytest
from adjudicator.app.archiving import archive
from adjudicator.config.settings import Settings
from running import Running, running

ALLOWED = {"tool": "bash", "arguments": {"command": "git status"}}
ASKED = {"tool": "bash", "arguments": {"command": "make deploy"}}


def adjudicator(*words):
    """The command's exit code and what it printed, as JSON where it is that."""
    command = [sys.executable, "-m", "adjudicator.cli.main", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr


@pytest.fixture
def written(tmp_path, postgres_url):
    """A database that two sidecars have written to, and the data folder of the first."""
    group = [
        Running(tmp_path / name, extra=("--database", postgres_url)).start() for name in ("one", "two")
    ]
    for number in range(12):
        group[number % 2].judge(call_id=f"c{number}", **ALLOWED)
    asked = group[0].judge(call_id="asked", **ASKED)
    group[1].approve(asked.approval_id)
    group[1].judge(call_id="asked", **ASKED)
    for sidecar in group:
        sidecar.stop()
    return postgres_url, tmp_path / "one"


def verify(url, data, *more):
    """The exit code and the report of `trace verify`."""
    return adjudicator("trace", "verify", "--database", url, "--data", str(data), "--json", *more)


def test_two_chains_are_verified_in_one_database(written):
    """Each sidecar's, with its own key; the password is not repeated."""
    url, data = written
    code, report = verify(url, data)
    assert code == 0, report["findings"]
    assert (report["records"], report["traces"], report["approvals"]) == (15, 13, 1)
    assert sorted(each["unsigned"] for each in report["writers"]) == [0, 0]
    assert url.split(":")[2].split("@")[0] not in json.dumps(report)


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("UPDATE records SET body = replace(body, 'ALLOW', 'DENY') WHERE sequence = 3", "edited"),
        ("DELETE FROM records WHERE sequence = 3", "missing"),
        ("UPDATE approvals SET votes = '[]'", "row"),
        ("UPDATE traces SET agent = 'other' WHERE number = 2", "row"),
    ],
)
def test_what_is_done_to_it_is_found(written, sql, fault):
    """By somebody who may drop what refuses them."""
    url, data = written
    with psycopg.connect(url, autocommit=True) as db:
        for table in ("records", "approvals", "traces"):
            db.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        db.execute(sql)
        for table in ("records", "approvals", "traces"):
            db.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
    code, report = verify(url, data)
    assert code == 1
    assert fault in {each["fault"] for each in report["findings"]}, report["findings"]


def test_a_guard_that_was_taken_away_is_found(written):
    """Disabled, or with another function."""
    url, data = written
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("ALTER TABLE traces DISABLE TRIGGER traces_stay")
        db.execute(
            "CREATE OR REPLACE FUNCTION records_stay() RETURNS trigger LANGUAGE plpgsql"
            " AS $$BEGIN RETURN OLD; END$$"
        )
    code, report = verify(url, data)
    assert code == 1
    texts = " ".join(each["text"] for each in report["findings"])
    assert "traces_stay was changed" in texts
    assert "records_stay was changed" in texts


def test_it_is_exported_and_the_export_verified(written, tmp_path):
    """Without the database."""
    url, data = written
    file = tmp_path / "all.jsonl"
    code, said = adjudicator(
        "trace", "export", "--database", url, "--data", str(data), "--output", str(file), "--json"
    )
    assert (code, said["records"]) == (0, 15)
    code, report = adjudicator("trace", "verify", str(file), "--json")
    assert (code, report["records"]) == (0, 15)


def test_old_traces_of_one_writer_are_archived_and_both_parts_verified(written, tmp_path):
    """Traces that another sidecar wrote to as well stay; numbers are not given twice."""
    url, data = written
    folder = tmp_path / "archive"
    moved = archive(Settings(data=data, database=url), timedelta(0), folder, lambda *_: None)
    assert moved["traces"] == 6  # all but the one that the other wrote to as well
    (file,) = folder.iterdir()
    code, report = verify(url, data, "--archive", str(file))
    assert code == 0, report["findings"]
    assert report["traces"] == 7
    with running(data, extra=("--database", url)) as again:
        assert again.judge(**ALLOWED).trace_number > 13
    code, report = verify(url, data, "--archive", str(file))
    assert code == 0, report["findings"]


def test_info_shows_it_and_a_backup_is_left_to_its_own_tools(written):
    """With a sentence that says which."""
    url, data = written
    code, about = adjudicator("db", "info", "--database", url, "--data", str(data), "--json")
    assert (code, about["engine"], about["traces"], len(about["writers"])) == (0, "postgresql", 13, 2)
    assert about["in_use"] is False
    code, said = adjudicator("db", "backup", "--database", url, "--data", str(data), "x.db")
    assert code == 1
    assert "pg_dump" in said
