"""Rows that are deleted, edited, exchanged or made up at random are found, unless nothing is another."""

import os
import random

import pytest
from ledgers import TABLES, attack, rechain, recorded, verified

ROUNDS = int(os.environ.get("ADJUDICATOR_TEST_ATTACKS", "40"))


def values_like(chance, value):
    """Another value of the same type."""
    if isinstance(value, int):
        return chance.choice([value + 1, value - 1, 0, 2**40])
    if isinstance(value, bytes):
        return chance.choice([bytes(32), value[::-1], value[:-1], b""])
    if isinstance(value, str):
        return chance.choice([value + " ", value[:-1], value.swapcase(), "", "ALLOW", "approved"])
    return 1


def columns_of(db, table):
    """The names of its columns."""
    return [row[1] for row in db.execute(f"PRAGMA table_info({table})")]


def delete(chance, db, table, rowids):
    """Remove one or a few rows that follow one another."""
    first = chance.choice(rowids)
    last = first + chance.choice([0, 0, 2])
    db.execute(f"DELETE FROM {table} WHERE rowid BETWEEN ? AND ?", (first, last))  # noqa: S608 - ours


def edit(chance, db, table, rowids):
    """Change one cell."""
    column, rowid = chance.choice(columns_of(db, table)), chance.choice(rowids)
    (old,) = db.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", (rowid,)).fetchone()  # noqa: S608 - ours
    new = values_like(chance, old)
    db.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE rowid = ?", (new, rowid))  # noqa: S608 - ours


def exchange(chance, db, table, rowids):
    """Give two rows each other's value of one column."""
    column, pair = chance.choice(columns_of(db, table)), chance.sample(rowids, min(2, len(rowids)))
    sql = f"SELECT {column} FROM {table} WHERE rowid = ?"  # noqa: S608 - ours
    values = [db.execute(sql, (rowid,)).fetchone()[0] for rowid in pair]
    for rowid, value in zip(pair, reversed(values), strict=True):
        db.execute(f"UPDATE OR REPLACE {table} SET {column} = ? WHERE rowid = ?", (value, rowid))  # noqa: S608 - ours


def make_up(chance, db, table, rowids):
    """A row like one that is there, with another key."""
    columns = columns_of(db, table)
    row = list(db.execute(f"SELECT * FROM {table} WHERE rowid = ?", (chance.choice(rowids),)).fetchone())  # noqa: S608 - ours
    for place in chance.sample(range(len(row)), min(3, len(row))):
        row[place] = values_like(chance, row[place])
    marks = ", ".join("?" for _ in columns)
    db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)  # noqa: S608 - ours


@pytest.mark.parametrize("hashes_again", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_a_random_attack_is_found_or_changes_nothing(database, seed, hashes_again):
    """With the hashes as they were, and with all of them made right again; the heads are what they were."""
    chance = random.Random(seed)  # noqa: S311 - what to attack
    whole, before = database.read_bytes(), recorded(database)
    found = 0
    for _ in range(max(1, ROUNDS // 4)):
        database.write_bytes(whole)
        doing = chance.choice([delete, edit, exchange, make_up])
        table = chance.choice([each for each in TABLES if each not in ("archives", "counters")])
        with attack(database) as db:
            db.execute("PRAGMA foreign_keys = OFF")
            rowids = [row[0] for row in db.execute(f"SELECT rowid FROM {table}")]  # noqa: S608 - ours
            doing(chance, db, table, rowids)
            if hashes_again and db.execute("SELECT count(*) FROM writers WHERE number = 1").fetchone()[0]:
                rechain(db, 1)
        if verified(database)["sound"]:
            assert recorded(database) == before, (doing.__name__, table)
        else:
            found += 1
    assert found > 0
