"""One byte of a database file is another: verification says so, or nothing that was recorded changed."""

import contextlib
import os
import random
import sqlite3

import pytest
from ledgers import verified

ROUNDS = int(os.environ.get("ADJUDICATOR_TEST_FLIPS", "150"))
# What no record covers, because nothing is decided by it: docs/traces.md names it.
BOOKKEEPING = {"writers": "number, name, public_key", "counters": "name"}
TABLES = ("writers", "records", "heads", "archives", "traces", "approvals", "counters")
APPROVALS = "id, trace, tenant, tool, terms, view, created_at, expires_at, state, votes, changed_at"


def recorded(path):
    """Everything that readers see of what was recorded; an exception where it cannot be read."""
    uri = f"file:{path}?mode=ro&immutable=1"
    columns = BOOKKEEPING | {"approvals": APPROVALS}
    with contextlib.closing(sqlite3.connect(uri, uri=True)) as db:
        db.text_factory = bytes
        return {
            table: sorted(db.execute(f"SELECT {columns.get(table, '*')} FROM {table}").fetchall())  # noqa: S608 - ours
            for table in TABLES
        }


@pytest.mark.parametrize("seed", range(3))
def test_a_flipped_byte_is_found_or_changes_nothing(database, seed):
    """Anywhere in the file: headers, pages of tables and indexes, free space."""
    chance = random.Random(seed)  # noqa: S311 - places to flip
    whole = database.read_bytes()
    before = recorded(database)
    found = 0
    for _ in range(ROUNDS // 3):
        changed = bytearray(whole)
        place = chance.randrange(len(whole))
        changed[place] ^= chance.randrange(1, 256)
        database.write_bytes(changed)
        if not verified(database)["sound"]:
            found += 1
            continue
        assert recorded(database) == before, f"byte {place} was {whole[place]}, is {changed[place]}"
    assert found > 0
