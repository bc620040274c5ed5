"""Whoever can write to a database is found out, and the first bad record is named."""

import contextlib
import json
import sqlite3

import pytest
from adjudicator.domain.record import Tail
from adjudicator.storage.approval_rows import ApprovalRow
from adjudicator.storage.rows import TraceRow, state_of
from adjudicator.tracing.head_file import HeadFile
from adjudicator.tracing.signing import Signer
from ledgers import attack, faults, rechain, verified, written
from opened import SIGNER

OTHER = Signer(b"o" * 32)
RECORDS = 21  # of the pristine database
SIGNED = 14  # the last record that a head before the end names


def heads_of(database):
    """The file with its heads."""
    (file,) = database.parent.glob("heads-*.jsonl")
    return file


def without_heads(database):
    """As one who removes the file of heads, and those in the database."""
    heads_of(database).unlink()
    with attack(database) as db:
        db.execute("DELETE FROM heads")


def test_what_nobody_touched_is_sound(database):
    """All of it is counted, its key is the trusted one, and the signature covers the last record."""
    report = verified(database)
    assert faults(report) == []
    assert (report["records"], report["traces"], report["approvals"]) == (RECORDS, 12, 9)
    (writer,) = report["writers"]
    assert (writer["trusted"], writer["signed_up_to"], writer["unsigned"]) == (True, RECORDS, 0)


def test_a_tail_without_a_signature_is_counted(tmp_path):
    """It is sound as far as anybody can know, and the report says how many records that are."""
    report = verified(written(tmp_path / "a.db", tail=False))
    assert report["sound"]
    assert report["writers"][0]["unsigned"] == RECORDS - SIGNED


EDITS = [
    "UPDATE records SET body = replace(body, 'e', 'E') WHERE sequence = 4",
    "UPDATE records SET body = body || ' ' WHERE sequence = 4",
    "UPDATE records SET recorded_at = recorded_at + 1 WHERE sequence = 4",
    "UPDATE records SET state = zeroblob(32) WHERE sequence = 4",
    "UPDATE records SET hash = zeroblob(32) WHERE sequence = 4",
    "UPDATE records SET trace = 99 WHERE sequence = 4",
]


@pytest.mark.parametrize("sql", EDITS)
def test_an_edited_record_is_named(database, sql):
    """Whatever of it was changed."""
    with attack(database) as db:
        db.execute(sql)
    assert faults(verified(database))[0] == ("edited", 4)


def test_a_hash_that_was_changed_alone_is_told_from_contents_that_were(database):
    """The next record confirms the contents."""
    with attack(database) as db:
        db.execute("UPDATE records SET hash = zeroblob(32) WHERE sequence = 4")
    assert "hash is not that of its contents" in verified(database)["findings"][0]["text"]


def test_a_record_edited_with_its_hash_shows_at_the_next_one(database):
    """Both are named, because nobody can tell which of the two it was."""
    with attack(database) as db:
        db.execute("UPDATE records SET body = '[]' WHERE sequence = 4")
        right = db.execute("SELECT hash FROM records WHERE sequence = 5").fetchone()
        rechain(db, 4)
        db.execute("UPDATE records SET hash = ? WHERE sequence = 5", right)
        for sequence in range(6, RECORDS + 1):
            db.execute("UPDATE records SET hash = zeroblob(32) WHERE sequence = ?", (sequence,))
    report = verified(database)
    assert faults(report)[0] == ("edited", 5)
    assert "or 4 was together with its hash" in report["findings"][0]["text"]


@pytest.mark.parametrize("keep_file", [True, False])
def test_a_rewritten_chain_is_not_the_one_that_was_signed(database, keep_file):
    """All hashes fit again; the heads do not, in the database or in the file beside it."""
    with attack(database) as db:
        db.execute("UPDATE records SET body = '[]' WHERE sequence = 4")
        rechain(db, 4)
        if keep_file:
            db.execute("DELETE FROM heads")
    if not keep_file:
        heads_of(database).unlink()
    found = faults(verified(database))
    assert found[0][0] in ("rewritten", "head")
    assert ("rewritten", SIGNED) in found


def test_the_last_record_edited_with_its_hash_is_not_the_one_that_was_signed(database):
    """Nothing follows it, so only the signature knows."""
    with attack(database) as db:
        db.execute("UPDATE records SET body = '[]' WHERE sequence = ?", (RECORDS,))
        rechain(db, RECORDS)
    report = verified(database)
    assert faults(report) == [("rewritten", RECORDS)]
    assert f"records {SIGNED + 1} to {RECORDS}" in report["findings"][0]["text"]


@pytest.mark.parametrize("gone", [(1, 1), (4, 4), (4, 9)])
def test_a_gap_is_named_by_its_first_record(database, gone):
    """Anywhere before the end."""
    with attack(database) as db:
        db.execute("DELETE FROM records WHERE sequence BETWEEN ? AND ?", gone)
    assert faults(verified(database))[0] == ("missing", gone[0])


def test_a_gap_that_was_closed_by_renumbering_is_a_gap(database):
    """Those behind it have other numbers than their hashes say."""
    with attack(database) as db:
        db.execute("DELETE FROM records WHERE sequence IN (4, 5)")
        db.execute("UPDATE records SET sequence = -(sequence - 2) WHERE sequence > 5")
        db.execute("UPDATE records SET sequence = -sequence WHERE sequence < 0")
    report = verified(database)
    assert faults(report)[0] == ("missing", 4)
    assert report["findings"][0]["text"].startswith("2 of the records")


def test_two_records_that_changed_places_are_reordered(database):
    """With their hashes; the first place is named, and where its record is."""
    with attack(database) as db:
        db.execute("UPDATE records SET sequence = -4 WHERE sequence = 4")
        db.execute("UPDATE records SET sequence = 4 WHERE sequence = 9")
        db.execute("UPDATE records SET sequence = 9 WHERE sequence = -4")
    report = verified(database)
    assert faults(report)[0] == ("reordered", 4)
    assert report["findings"][0]["text"].endswith("is at 9")


def test_a_record_put_in_between_is_found(database):
    """The record that belongs there is one further on."""
    with attack(database) as db:
        db.execute("UPDATE records SET sequence = -(sequence + 1) WHERE sequence >= 4")
        db.execute("UPDATE records SET sequence = -sequence WHERE sequence < 0")
        db.execute(
            "INSERT INTO records SELECT writer, 4, 1, 9, recorded_at, body, state, hash FROM records"
            " WHERE sequence = 3"
        )
    assert faults(verified(database))[0] == ("reordered", 4)


@pytest.mark.parametrize("table", ["the file", "the database"])
def test_a_cut_tail_is_found_by_a_head_that_is_left(database, table):
    """Whoever cuts the heads in the database too has not cut the file, and the other way round."""
    with attack(database) as db:
        db.execute("DELETE FROM records WHERE sequence > 16")
        if table == "the file":
            db.execute("DELETE FROM heads WHERE sequence > 16")
    if table == "the database":
        heads_of(database).unlink()
    assert ("cut tail", 17) in faults(verified(database))


def test_a_tail_cut_back_with_all_traces_of_it_shows_only_in_a_head(database):
    """The tables agree with what is left; the signature is the witness, and without it there is none."""
    with attack(database) as db:
        (last,) = db.execute("SELECT max(trace) FROM records WHERE sequence <= 16").fetchone()
        db.execute("DELETE FROM records WHERE sequence > 16")
        db.execute("DELETE FROM approvals WHERE trace > ?", (last,))
        db.execute("DELETE FROM traces WHERE number > ?", (last,))
        db.execute("DELETE FROM heads WHERE sequence > 16")
    assert faults(verified(database)) == [("cut tail", 17)]
    assert faults(verified(database, look_for_heads=False)) == []


def test_a_head_that_was_removed_is_missed(database):
    """The file beside the database still has it."""
    with attack(database) as db:
        db.execute("DELETE FROM heads WHERE sequence = ?", (SIGNED,))
    assert faults(verified(database)) == [("head", SIGNED)]


@pytest.mark.parametrize("column", ["signature", "hash", "signed_at"])
def test_a_head_with_a_flipped_bit_is_named(database, column):
    """Nobody signed that."""
    new = "signed_at + 1" if column == "signed_at" else f"zeroblob(length({column}))"
    with attack(database) as db:
        db.execute(f"UPDATE heads SET {column} = {new} WHERE sequence = {SIGNED}")  # noqa: S608 - names of ours
    assert faults(verified(database)) == [("head", SIGNED)]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM writers",
        "UPDATE writers SET name = '0123456789abcdef'",
        "UPDATE writers SET public_key = zeroblob(32)",
        "UPDATE writers SET number = 7",
    ],
)
def test_a_writer_that_was_changed_or_removed_is_missed(database, sql):
    """By its records, and by its heads."""
    with attack(database) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute(sql)
    assert {fault for fault, _ in faults(verified(database))} & {"missing", "edited", "key"}


def forged(database):
    """As one who writes another history, with a key of their own, from the first record on."""
    with attack(database) as db:
        db.execute("DELETE FROM heads")
        db.execute("UPDATE writers SET public_key = ?", (OTHER.public_key,))
        db.execute("UPDATE records SET body = '[]' WHERE sequence = 4")
        rechain(db, 1)
        name, tail = (
            db.execute("SELECT name FROM writers").fetchone()[0],
            db.execute("SELECT sequence, hash FROM records ORDER BY sequence DESC").fetchone(),
        )
        head = OTHER.head(type("W", (), {"name": name})(), Tail(*tail), 1)
        db.execute("INSERT INTO heads VALUES (1, ?, ?, 1, ?)", (*tail, head.signature))


def test_a_forged_chain_is_signed_by_a_key_that_nobody_trusts(database):
    """Neither the key in the data folder nor one that is named, nor the heads of before, agree."""
    key = database.parent / "named.pub"
    key.write_text(SIGNER.public_key.hex())
    forged(database)
    assert ("key", 0) in faults(verified(database))
    heads_of(database).unlink()
    assert faults(verified(database)) == [("key", 0)]
    (database.parent / "signing.pub").unlink()
    assert faults(verified(database, keys=(key,))) == [("key", 0)]


def test_a_key_that_only_the_database_knows_is_said_to_be_one(database):
    """It proves nothing about whose it is."""
    forged(database)
    heads_of(database).unlink()
    (database.parent / "signing.pub").unlink()
    report = verified(database)
    assert report["sound"]
    assert report["writers"][0]["trusted"] is False


@pytest.mark.parametrize(
    "line",
    [
        '{"head":"a","sequence":1e999,"hash":"","signed_at":1,"signature":""}',
        '{"head":"a","sequence":"1","hash":"","signed_at":1,"signature":""}',
        '{"head":"a","sequence":1,"hash":1,"signed_at":1,"signature":""}',
        "[" * 4000,
        "[]",
        "\x1b[2J",
    ],
)
def test_a_line_that_is_no_head_is_counted(database, line):
    """Whatever it is; the heads before and after it count."""
    file = heads_of(database)
    file.write_text(f"{line}\n{file.read_text()}")
    report = verified(database)
    assert faults(report) == []
    assert report["notes"] == [f"{file}: 1 lines are no heads"]
    assert HeadFile(database.parent, report["identity"]).last().sequence == RECORDS


def test_heads_of_a_writer_that_is_gone_are_a_finding(database):
    """The chain of a whole writer can be removed; a head remembers it."""
    head = OTHER.head(type("W", (), {"name": "f" * 16})(), Tail(3, b"h" * 32), 1)
    line = {
        "head": head.writer,
        "sequence": 3,
        "hash": head.hash.hex(),
        "signed_at": 1,
        "signature": head.signature.hex(),
    }
    with heads_of(database).open("a") as file:
        file.write(json.dumps(line) + "\n")
    assert faults(verified(database)) == [("missing", 0)]


ROWS = [
    "UPDATE traces SET outcome = 'ALLOW' WHERE number = 3",
    "UPDATE traces SET cause = '' WHERE number = 3",
    "UPDATE traces SET finished_at = NULL WHERE number = 4",
    "UPDATE traces SET length = 1 WHERE number = 2",
    "UPDATE traces SET digest = zeroblob(32) WHERE number = 3",
    "UPDATE approvals SET state = 'approved' WHERE trace = 3",
    "UPDATE approvals SET votes = '[]' WHERE trace = 2",
    "UPDATE approvals SET view = '{}' WHERE trace = 3",
    "UPDATE approvals SET expires_at = expires_at + 1 WHERE trace = 3",
    "UPDATE approvals SET trace = 4 WHERE trace = 3",
    "DELETE FROM approvals WHERE trace = 3",
    "DELETE FROM traces WHERE number = 4",
    "DELETE FROM traces WHERE number = 3",
    """INSERT INTO traces SELECT 99, 0, tenant, session, 'x', agent, tool, flow, digest, opened_at, outcome,
    step, reason_code, cause, allowed, verdict_place, length, finished_at FROM traces WHERE number = 4""",
    """INSERT INTO approvals SELECT 'apr-x', 4, tenant, tool, terms, view, created_at, expires_at,
    'approved', votes, changed_at, opened_position, 99 FROM approvals WHERE trace = 3""",
    "UPDATE counters SET value = 0 WHERE name = 'approval_position'",
    "UPDATE meta SET value = 'nobody' WHERE key = 'identity'",
    "DELETE FROM meta",
    "DELETE FROM counters",
    "DELETE FROM counters WHERE name = 'archived_trace'",
]


@pytest.mark.parametrize("sql", ROWS)
def test_tables_that_do_not_say_what_was_recorded_are_found(database, sql):
    """The chain is whole; what is decided from are the tables."""
    with attack(database) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute(sql)
    found = faults(verified(database))
    assert found
    assert {fault for fault, _ in found} == {"row"}


LEAST = -(2**63)


@pytest.mark.parametrize(
    ("writer", "sequence", "trace"),
    [(1, 0, 99), (1, -5, 99), (1, LEAST, 99), (0, 1, 99), (LEAST, 1, 99), (1, None, LEAST), (1, None, 0)],
)
def test_an_approval_that_was_forged_below_the_first_number_is_found(database, writer, sequence, trace):
    """Its rows and its record agree with each other, and no chain begins before its first record."""
    with attack(database) as db:
        row = TraceRow(*db.execute("SELECT * FROM traces WHERE number = 3").fetchone())
        *values, _, _ = db.execute("SELECT * FROM approvals WHERE trace = 3").fetchone()
        row = row._replace(number=trace, call_id="forged")
        approval = ApprovalRow(*values)._replace(id="apr-x", trace=trace, state="approved")
        for table, values in (("traces", row), ("approvals", (*approval, -1, -1))):
            marks = ", ".join("?" * len(values))
            db.execute(f"INSERT INTO {table} VALUES ({marks})", values)  # noqa: S608 - names of ours
        if sequence is not None:
            db.execute(
                "INSERT INTO records SELECT ?, ?, ?, 1, recorded_at, body, ?, hash FROM records"
                " WHERE trace = 3",
                (writer, sequence, trace, state_of(row, approval)),
            )
    assert ("row", 0) in faults(verified(database))


@pytest.mark.parametrize("table", ["heads", "archives"])
def test_a_head_or_the_end_of_an_archive_below_the_first_number_is_found(database, table):
    """Nobody looks for one there."""
    with attack(database) as db:
        kept = "zeroblob(32), " if table == "archives" else ""
        db.execute(f"INSERT INTO {table} VALUES (1, -1, zeroblob(32), {kept}1, zeroblob(64))")  # noqa: S608 - names of ours
    assert ("row", 0) in faults(verified(database))


def test_another_identity_does_not_hide_the_heads_beside_the_database(database):
    """Their file is named for the identity, which is only a value in the database; the writer is theirs."""
    with attack(database) as db:
        (last,) = db.execute("SELECT max(trace) FROM records WHERE sequence <= 16").fetchone()
        db.execute("DELETE FROM records WHERE sequence > 16")
        db.execute("DELETE FROM approvals WHERE trace > ?", (last,))
        db.execute("DELETE FROM traces WHERE number > ?", (last,))
        db.execute("DELETE FROM heads WHERE sequence > 16")
        db.execute("UPDATE meta SET value = '0123456789abcdef' WHERE key = 'identity'")
    assert faults(verified(database)) == [("cut tail", 17)]


def test_a_view_and_its_record_changed_together_do_not_have_the_digest_that_was_approved(database):
    """What a person saw is bound by its digest as well."""
    without_heads(database)
    with attack(database) as db:
        db.execute("UPDATE approvals SET view = '{}' WHERE trace = 11")
        trace = TraceRow(*db.execute("SELECT * FROM traces WHERE number = 11").fetchone())
        *values, _, _ = db.execute("SELECT * FROM approvals WHERE trace = 11").fetchone()
        approval = ApprovalRow(*values)
        db.execute("UPDATE records SET state = ? WHERE trace = 11", (state_of(trace, approval),))
        (first,) = db.execute("SELECT sequence FROM records WHERE trace = 11").fetchone()
        rechain(db, first)
    assert [each["trace"] for each in verified(database)["findings"]] == [11]


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TRIGGER records_never_update",
        "DROP INDEX traces_by_call",
        "CREATE TRIGGER mine AFTER INSERT ON approvals BEGIN DELETE FROM heads; END",
        "CREATE VIEW mine AS SELECT * FROM traces",
    ],
)
def test_a_schema_that_is_not_ours_is_a_finding(database, sql):
    """A guard that is gone was dropped by somebody."""
    with contextlib.closing(sqlite3.connect(database)) as db:
        db.execute(sql)
        db.commit()
    assert ("schema", 0) in faults(verified(database))


def test_an_archive_that_nobody_made_does_not_hide_the_beginning_of_a_chain(database):
    """The signature of a head is none of an archive's end."""
    with attack(database) as db:
        db.execute(
            "INSERT INTO archives SELECT writer, sequence, hash, zeroblob(32), signed_at, signature"
            " FROM heads WHERE sequence = ?",
            (SIGNED,),
        )
        db.execute("DELETE FROM approvals WHERE trace <= 8")
        db.execute("DELETE FROM traces WHERE number <= 8")
        db.execute("DELETE FROM records WHERE sequence <= ?", (SIGNED,))
    assert faults(verified(database)) == [("archive", SIGNED)]
