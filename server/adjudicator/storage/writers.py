"""The writers of a database: each sidecar appends to a chain of its own."""

import secrets
from dataclasses import dataclass

from adjudicator.domain.record import Head, Tail, Writer, start_of
from adjudicator.storage.engine import Connection


@dataclass(frozen=True, slots=True)
class OwnWriter:
    """The writer of this store, and the number that the database gave it."""

    number: int
    writer: Writer


def claim_writer(db: Connection, public_key: bytes, known: Head | None, now: int) -> OwnWriter:
    """The writer that goes on with the chain of this key, within a transaction that writes.

    It is a new one when there is none yet, or when the newest one's chain does not contain `known`, the
    last head that the owner of the key remembers: then the database was restored or cut, and going on with
    the same numbers would give two records one name.
    """
    sql = "SELECT number, name FROM writers WHERE public_key = ? ORDER BY number DESC LIMIT 1"
    row = db.execute(sql, (public_key,)).fetchone()
    if row is not None:
        own = OwnWriter(row[0], Writer(row[1], public_key))
        if known is None or (
            known.writer == own.writer.name and contains(db, own, Tail(known.sequence, known.hash))
        ):
            return own
    new = Writer(secrets.token_hex(8), public_key)
    number = db.execute("SELECT coalesce(max(number), 0) + 1 FROM writers").fetchone()[0]
    db.execute(
        "INSERT INTO writers (number, name, public_key, started_at) VALUES (?, ?, ?, ?)",
        (number, new.name, public_key, now),
    )
    return OwnWriter(number, new)


def claim_key(db: Connection) -> bytes:
    """The key of the call digests that the database's sidecars share, made by the first of them."""
    db.execute(
        "INSERT INTO meta (key, value) VALUES ('digest_key', ?) ON CONFLICT DO NOTHING",
        (secrets.token_hex(32),),
    )
    return bytes.fromhex(db.execute("SELECT value FROM meta WHERE key = 'digest_key'").fetchone()[0])


def select_tail(db: Connection, own: OwnWriter) -> Tail:
    """Where the writer's chain ends: its last record, or else where its archive ends."""
    for table in ("records", "archives"):
        sql = f"SELECT sequence, hash FROM {table} WHERE writer = ? ORDER BY sequence DESC LIMIT 1"
        row = db.execute(sql, (own.number,)).fetchone()
        if row is not None:
            return Tail(row[0], row[1])
    return start_of(own.writer, None)


def select_latest(db: Connection, own: OwnWriter | None) -> int | None:
    """The moment of the last record of the writer, or of any writer."""
    where = "" if own is None else "WHERE number = ?"
    sql = f"""
    SELECT max(recorded_at) FROM (
      SELECT (SELECT recorded_at FROM records WHERE writer = number ORDER BY sequence DESC LIMIT 1)
        AS recorded_at
      FROM writers {where}
    ) AS latest
    """
    latest: int | None = db.execute(sql, () if own is None else (own.number,)).fetchone()[0]
    return latest


def insert_head(db: Connection, own: OwnWriter, head: Head) -> None:
    """Keep a head; one at a place that has one is passed over."""
    db.execute(
        "INSERT INTO heads (writer, sequence, hash, signed_at, signature) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        (own.number, head.sequence, head.hash, head.signed_at, head.signature),
    )


def contains(db: Connection, own: OwnWriter, known: Tail) -> bool:
    """Whether the writer's chain has this record; one that was archived counts as had."""
    if known.sequence == 0 or select_tail(db, own) == known:
        return True
    sql = "SELECT hash FROM records WHERE writer = ? AND sequence = ?"
    row = db.execute(sql, (own.number, known.sequence)).fetchone()
    if row is not None:
        return bool(row[0] == known.hash)
    sql = "SELECT max(sequence) FROM archives WHERE writer = ?"
    archived = db.execute(sql, (own.number,)).fetchone()[0]
    return archived is not None and archived >= known.sequence
