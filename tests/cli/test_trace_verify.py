"""`trace verify`, `trace export` and `db`, as a shell sees them."""

import json
import sys

import pytest
from ledgers import attack, written
from opened import data_folder

COMMAND = (sys.executable, "-m", "adjudicator.cli.main")


@pytest.fixture
def folder(tmp_path):
    """A data folder with a database and the key that signs."""
    folder = data_folder(tmp_path / "past")
    written(folder / "adjudicator.db")
    return folder


def test_a_sound_database_is_said_to_be_sound(run, folder):
    """With counts, the key's fingerprint, and how far signatures reach; the exit code is 0."""
    result = run("trace", "verify", "--data", str(folder))
    assert result.exit_code == 0
    first, *facts = result.stdout.splitlines()
    assert first.startswith("sound  ")
    assert first.endswith("adjudicator.db: 21 records, 12 traces, 9 approvals")
    assert any("(a trusted key)" in line for line in facts)
    assert any("up to the last record" in line for line in facts)


def test_the_first_bad_record_is_named_and_the_exit_code_is_1(run, folder):
    """For people and for scripts."""
    with attack(folder / "adjudicator.db") as db:
        db.execute("UPDATE records SET body = '[]' WHERE sequence = 4")
    result = run("trace", "verify", str(folder / "adjudicator.db"))
    assert result.exit_code == 1
    assert result.stdout.startswith("  edited  writer ")
    assert "record 4, trace 2: " in result.stdout
    report = run("trace", "verify", str(folder / "adjudicator.db"), "--json")
    assert report.exit_code == 1
    (finding,) = json.loads(report.stdout)["findings"]
    assert (finding["fault"], finding["sequence"], finding["trace"]) == ("edited", 4, 2)


def test_a_file_that_is_not_there_is_a_wrong_command_line(run, tmp_path):
    """So is a key that is none; it is said which."""
    assert run("trace", "verify", str(tmp_path / "no.db")).exit_code == 2
    assert run("trace", "verify", "--data", str(tmp_path)).exit_code == 2
    assert run("db", "info", "--data", str(tmp_path)).exit_code == 2
    database = written(tmp_path / "a.db")
    (tmp_path / "bad.pub").write_text("none")
    result = run("trace", "verify", str(database), "--key", str(tmp_path / "bad.pub"))
    assert result.exit_code == 2
    assert "bad.pub" in result.stderr


def test_a_number_is_still_one_trace(run, script):
    """`trace 12` is `trace show 12`, with options before or behind."""
    for words in (("12",), ("12", "--json"), ("--json", "12"), ("show", "12")):
        run("trace", *words)
    assert [each.number for each in script.requests] == [12] * 4
    assert "No such command" in run("trace", "verfy").stderr


def test_an_export_goes_to_a_file_or_to_standard_output(run, folder, tmp_path):
    """Nothing but lines of JSON on standard output."""
    file = tmp_path / "all.jsonl"
    said = run("trace", "export", "--data", str(folder), "--output", str(file))
    assert said.stdout == f"21 records and 2 heads in {file}\n"
    piped = run("trace", "export", "--data", str(folder), "--output", "-")
    lines = [json.loads(line) for line in piped.stdout.splitlines()]
    assert lines[-1] == {"end": {"records": 21, "heads": 2}}
    assert lines[1:] == [json.loads(line) for line in file.read_text().splitlines()][1:]
    assert run("trace", "verify", str(file)).exit_code == 0
    again = run("trace", "export", "--data", str(folder), "--output", str(file))
    assert again.exit_code == 1
    assert "there already" in again.stderr
    part = run("trace", "export", "--data", str(folder), "-o", "-", "--since", "2200-01-01")
    assert json.loads(part.stdout.splitlines()[0])["part"] is True
    assert run("trace", "export", "--data", str(folder), "-o", "-", "--since", "soon").exit_code == 2


def test_an_operator_looks_backs_up_and_archives(run, folder, tmp_path):
    """Each says what it did, and in JSON for scripts."""
    about = json.loads(run("db", "info", "--data", str(folder), "--json").stdout)
    assert (about["schema"], about["traces"], about["in_use"]) == (3, 12, False)
    assert about["approvals"] == {"consumed": 3, "denied": 3, "pending": 3}
    shown = run("db", "info", "--data", str(folder)).stdout
    assert "3 consumed, 3 denied, 3 pending" in shown
    assert "records 1 to 21, 2 heads" in shown
    made = run("db", "backup", "--data", str(folder), str(tmp_path / "b.db"))
    assert made.stdout.startswith("sound  ")
    assert "schema 3 already" in run("db", "migrate", "--data", str(folder)).stdout
    words = ("db", "archive", "--data", str(folder), "--to", str(tmp_path / "archive"), "--older-than")
    assert run(*words, "90 days").exit_code == 2
    assert run(*words, "99999d").stdout == "Nothing that is so old may go.\n"
    assert run(*words, "1d").stdout.startswith("17 records of 8 traces went to ")
    (file,) = (tmp_path / "archive").iterdir()
    joined = run("trace", "verify", "--data", str(folder), "--archive", str(file))
    assert joined.exit_code == 0
    assert "that stayed when others were archived" in joined.stdout
