"""The page on traces says what is so."""

import re
from datetime import timedelta

import pytest
from adjudicator.app.archiving import archive
from adjudicator.app.exporting import export
from adjudicator.config.settings import Settings
from adjudicator.storage.sqlite_reading import SqliteFile
from adjudicator.tracing.findings import Fault
from ledgers import attack, written
from opened import data_folder
from running import ROOT

PAGE = (ROOT / "docs" / "traces.md").read_text()
PROGRAM = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL).group(1)


def check(file):
    """What the program of the page says of a file."""
    names = {"__name__": "page"}
    exec(PROGRAM, names)  # noqa: S102 - the page's own text
    with file.open(encoding="ascii") as lines:
        return names["check"](lines)


def exported(database, file):
    """An export of it."""
    export(SqliteFile(database), file, progress=lambda *_: None)
    return file


def test_the_program_of_the_page_verifies_an_export(database, tmp_path):
    """With the standard library alone, and with the same result."""
    assert check(exported(database, tmp_path / "1.jsonl")) is None
    with attack(database) as db:
        db.execute("UPDATE records SET recorded_at = recorded_at + 1 WHERE sequence = 4")
    assert check(exported(database, tmp_path / "2.jsonl")).startswith("record 4 of ")


@pytest.mark.parametrize("column", ["hash", "sequence"])
def test_the_program_of_the_page_compares_heads(database, tmp_path, column):
    """What was signed is what has to be there."""
    file = exported(database, tmp_path / "all.jsonl")
    lines = file.read_text().splitlines()
    for place, line in enumerate(lines):
        if line.startswith('{"head"'):
            new = {"hash": '"hash": "00', "sequence": '"sequence": 9'}[column]
            old = {"hash": r'"hash": "..', "sequence": r'"sequence": \d'}[column]
            lines[place] = re.sub(old, new, line)
    file.write_text("\n".join(lines))
    assert "is not the one that was signed" in check(file)


def test_the_program_of_the_page_notices_a_file_that_was_cut(database, tmp_path):
    """By its last line."""
    file = exported(database, tmp_path / "all.jsonl")
    file.write_text("\n".join(file.read_text().splitlines()[:-3]))
    assert check(file) == "the file was cut off"


def test_the_program_of_the_page_goes_on_behind_an_archive(tmp_path):
    """The first line says where."""
    data_folder(tmp_path)
    database = written(tmp_path / "adjudicator.db")
    archive(Settings(data=tmp_path), timedelta(hours=1), tmp_path / "archive", lambda *_: None)
    (file,) = (tmp_path / "archive").iterdir()
    assert check(file) is None
    assert check(exported(database, tmp_path / "rest.jsonl")) is None


def test_the_page_names_every_fault():
    """And none that is not there."""
    assert set(re.findall(r"^\| `([a-z ]+)` \|", PAGE, re.MULTILINE)) - {"gap", "kept", "rows"} == {
        fault.value for fault in Fault
    }
