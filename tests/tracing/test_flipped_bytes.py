"""One byte of a database file is another: verification says so, or nothing that was recorded changed."""

import os
import random

import pytest
from ledgers import recorded, verified

ROUNDS = int(os.environ.get("ADJUDICATOR_TEST_FLIPS", "150"))


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
