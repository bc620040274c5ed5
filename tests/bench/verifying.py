"""How fast a database is verified, and what of that is reading, hashing and the text that is hashed."""

import asyncio
import contextlib
import cProfile
import hashlib
import pstats
import sqlite3
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from adjudicator.app.verification import Inquiry, verify
from ledgers import sign
from opened import open_sqlite
from records import a_trace

BOUND = {
    "reading": ("fetchall", "execute"),
    "hashing": ("openssl_sha256", "digest", "verify"),
    "texts to hash": ("iterencode", "encode"),
}


def database(folder, records):
    """A database with that many records of one writer, a quarter of them with an approval."""
    path = folder / "a.db"
    asyncio.run(_write(path, records))
    return path


async def _write(path, records):
    store, _ = open_sqlite(path)
    for first in range(1, records, 1000):
        plain = {"approval": None}
        numbers = range(first, first + 1000)
        await asyncio.gather(
            *(store.open_trace(a_trace(n, **({} if n % 4 == 0 else plain))) for n in numbers)
        )
        await sign(store, path)
    await store.close()


def verified(path):
    """Seconds of the processor to verify it."""
    started = time.process_time()
    report = verify(Inquiry(path), lambda *_: None)
    assert report["sound"], report["findings"]
    return time.process_time() - started


def shares(path):
    """The share of the time, by what it goes to."""
    profile = cProfile.Profile()
    profile.runcall(verify, Inquiry(path), lambda *_: None)
    stats = pstats.Stats(profile).stats
    whole = sum(own for _, _, own, _, _ in stats.values())
    return {
        what: sum(
            own for (_, _, name), (_, _, own, _, _) in stats.items() if any(each in name for each in names)
        )
        / whole
        for what, names in BOUND.items()
    }


def read_and_hashed(path):
    """Seconds of the processor to do no more than read every row once and hash its bytes."""
    started = time.process_time()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA integrity_check").fetchall()
        for table in ("records", "traces", "approvals"):
            for row in db.execute(f"SELECT * FROM {table}"):  # noqa: S608 - ours
                hashlib.sha256(repr(row).encode()).digest()
    return time.process_time() - started
