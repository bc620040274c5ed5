"""An export is verified without the database, and shows what was done to it."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from adjudicator.app.exporting import export
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.storage.sqlite_reading import SqliteFile
from ledgers import attack, faults, rechain, verified
from records import NOW


@pytest.fixture
def exported(database, tmp_path):
    """An export of it."""
    return made(database, tmp_path / "all.jsonl")


def made(database, file, **wanted):
    """An export into that file."""
    export(SqliteFile(database), file, progress=lambda *_: None, **wanted)
    return file


def edit(file, change):
    """Write the file again with its lines changed, as a script would that knows nothing of the format."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    file.write_text("".join(f"{json.dumps(each)}\n" for each in change(lines)))


def place_of(lines, sequence):
    """Where the record is among the lines."""
    return next(
        place for place, each in enumerate(lines) if "record" in each and each["sequence"] == sequence
    )


def test_an_export_is_sound_and_has_everything(exported):
    """All records and heads, and a last line that counts them."""
    report = verified(exported)
    assert faults(report) == []
    assert (report["kind"], report["records"], report["writers"][0]["signed_up_to"]) == ("export", 21, 21)
    assert json.loads(exported.read_text().splitlines()[-1]) == {"end": {"records": 21, "heads": 2}}


def test_an_export_that_was_formatted_anew_is_still_the_same(exported):
    """Blanks between the parts of a line, and their order, are no part of what was hashed."""
    edit(exported, lambda lines: [dict(sorted(line.items())) for line in lines])
    assert faults(verified(exported)) == []


def replaced(lines, sequence, **fields):
    """The lines with one record changed."""
    place = place_of(lines, sequence)
    return [*lines[:place], lines[place] | fields, *lines[place + 1 :]]


def without(lines, unwanted):
    """The lines but some."""
    return [line for line in lines if not unwanted(line)]


def swapped(lines):
    """Two records in each other's places."""
    one, other = place_of(lines, 4), place_of(lines, 9)
    lines[one], lines[other] = lines[other], lines[one]
    return lines


def of_another_key(lines):
    """As if somebody else had written the chain."""
    writer = lines[0]["writers"][0] | {"public_key": "00" * 32}
    return [lines[0] | {"writers": [writer]}, *lines[1:]]


def begun_later(lines):
    """A gap in place of the first record, in what says that it is whole."""
    gap = {"gap": lines[1]["record"], "sequence": 1, "hash": lines[1]["hash"]}
    return [lines[0], gap, *lines[2:]]


def unsigned(lines):
    """Heads with a signature that is none."""
    return [line | {"signature": "00" * 64} if "head" in line else line for line in lines]


def said_twice(lines):
    """A record with what was hashed as `text`, and beside it a `body` that people would read."""
    text = json.dumps(lines[place_of(lines, 4)]["body"], separators=(",", ":"))
    return replaced(lines, 4, text=text, body=[["verdict", {"outcome": "ALLOW"}]])


def two_of_a_name(lines):
    """A trusted writer with no records, and one of the same name whose key is another's."""
    writer = lines[0]["writers"][0]
    return [lines[0] | {"writers": [writer, writer | {"public_key": "00" * 32}]}, *lines[1:]]


CHANGES = {
    "edited": (lambda lines: replaced(lines, 4, body=[]), ("edited", 4)),
    "hash": (lambda lines: replaced(lines, 4, hash="00" * 32), ("edited", 4)),
    "missing": (
        lambda lines: without(lines, lambda x: "record" in x and x["sequence"] == 4),
        ("missing", 4),
    ),
    "swapped": (swapped, ("reordered", 4)),
    "twice": (lambda lines: [*lines[:4], lines[3], *lines[4:]], ("reordered", 4)),
    "cut": (lambda lines: without(lines, lambda x: "record" in x and x["sequence"] > 18), ("cut tail", 19)),
    "key": (of_another_key, ("edited", 1)),
    "writer": (lambda lines: [lines[0] | {"writers": []}, *lines[1:]], ("missing", 0)),
    "first": (lambda lines: lines[1:], ("unreadable", 0)),
    "last": (lambda lines: lines[:-1], ("unreadable", 0)),
    "more": (lambda lines: [*lines, lines[1]], ("unreadable", 0)),
    "gap": (begun_later, ("archive", 0)),
    "head": (unsigned, ("head", 14)),
    "heads": (lambda lines: without(lines, lambda x: "head" in x), ("missing", 0)),
    "rubbish": (lambda lines: [*lines[:3], {"what": 1}, *lines[3:]], ("unreadable", 0)),
    "more to read": (said_twice, ("unreadable", 0)),
    "a comment": (lambda lines: replaced(lines, 4, comment="approved"), ("unreadable", 0)),
    "both kinds": (lambda lines: replaced(lines, 4, kept="0" * 16), ("unreadable", 0)),
    "two of a name": (two_of_a_name, ("unreadable", 0)),
    "head as text": (
        lambda lines: [
            line | {"sequence": "14"} if line.get("sequence") == 14 and "head" in line else line
            for line in lines
        ],
        ("unreadable", 0),
    ),
    "odd": (lambda lines: replaced(lines, 4, place=True), ("unreadable", 0)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_was_done_to_an_export_is_named(exported, name):
    """By the same words as for a database."""
    change, fault = CHANGES[name]
    edit(exported, change)
    assert fault in faults(verified(exported))


@pytest.mark.parametrize("left", [0, 1, 2, 10, 500, 4000])
def test_an_export_that_was_cut_off_is_no_whole_one(exported, left):
    """Wherever it was, between lines or within one."""
    exported.write_bytes(exported.read_bytes()[:left])
    assert not verified(exported)["sound"]


def test_a_part_is_sound_and_says_that_it_is_one(database, tmp_path):
    """What is in it is linked as far as it goes; what was left out is counted, and nothing is claimed."""
    since, until = NOW + timedelta(seconds=4), NOW + timedelta(seconds=9)
    part = made(database, tmp_path / "part.jsonl", since=since, until=until)
    report = verified(part)
    assert report["sound"]
    assert "a part" in report["notes"][0]
    assert report["writers"][0]["left_out"] == 21 - report["records"]
    edit(part, lambda lines: replaced(lines, 9, body=[]))
    assert ("edited", 9) in faults(verified(part))


def test_a_part_of_a_tenant_has_no_other_tenants_records(database, tmp_path):
    """A gap has nothing but a number and a hash."""
    part = made(database, tmp_path / "part.jsonl", tenant="nobody")
    report = verified(part)
    assert (report["sound"], report["records"], report["writers"][0]["left_out"]) == (True, 0, 21)
    assert "studio" not in part.read_text()


def test_an_export_keeps_what_an_attacker_wrote_in_place_of_json(database, tmp_path):
    """It is not the exporter's to judge; verification of the export finds what it finds in the database."""
    with attack(database) as db:
        db.execute("UPDATE records SET body = 'no } json\n' WHERE sequence = 4")
    assert ("edited", 4) in faults(verified(made(database, tmp_path / "1.jsonl")))
    with attack(database) as db:
        db.execute("DELETE FROM heads")
        rechain(db, 4)
    assert faults(verified(made(database, tmp_path / "2.jsonl"))) == []


def test_a_file_that_is_there_is_not_replaced(database, exported):
    """Nor is anything left beside it."""
    before = exported.read_bytes()
    with pytest.raises(AdjudicatorError, match="there already"):
        made(database, exported)
    assert exported.read_bytes() == before
    assert [each.name for each in exported.parent.glob(".*")] == []


def test_the_moment_of_an_export_is_said(exported):
    """In the first line, with the database that it is of."""
    heading = json.loads(exported.read_text().splitlines()[0])
    assert abs(heading["exported_at"] / 1e6 - datetime.now(UTC).timestamp()) < 60
    assert heading["identity"] in next(exported.parent.rglob("heads-*.jsonl")).name
