"""The chain of records: what one change appended to one trace, linked by hashes, with signed heads.

docs/traces.md has the format for whoever wants to check a chain without this code.
"""

import hashlib
from dataclasses import dataclass

Numbers = tuple[int, int, int, int]
"""Of a record: its sequence, trace, place and moment."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Who appends to one chain. `name` is 16 random hexadecimal digits; the key is 32 bytes (Ed25519)."""

    name: str
    public_key: bytes


@dataclass(frozen=True, slots=True)
class Tail:
    """Where a writer's chain ends: `sequence` counts from 1; 0 is a chain without records."""

    sequence: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Record:
    """One link. `place` counts the records of the trace from 1.

    `recorded_at` is in microseconds since 1970, UTC. `body` is the elements as JSON text, `state` the
    SHA-256 of what the tables say of the trace after this change.
    """

    writer: str
    sequence: int
    trace: int
    place: int
    recorded_at: int
    body: str
    state: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class Head:
    """A signed statement of its writer: my chain has this record, and nothing before it ever changes."""

    writer: str
    sequence: int
    hash: bytes
    signed_at: int
    signature: bytes


@dataclass(frozen=True, slots=True)
class ArchiveEnd:
    """A signed statement of a writer: my records up to this one are in an archive.

    `kept` is `keep` over those of them that are still in the database, in their order.
    """

    writer: str
    sequence: int
    hash: bytes
    kept: bytes
    signed_at: int
    signature: bytes


NOTHING_KEPT = bytes(32)
"""What `keep` begins with."""


def genesis(writer: Writer) -> bytes:
    """What the first record of a chain is linked to: the SHA-256 of the writer's name and key."""
    text = f"adjudicator-chain-1\n{writer.name}\n{writer.public_key.hex()}\n"
    return hashlib.sha256(text.encode("ascii")).digest()


def start_of(writer: Writer, end: ArchiveEnd | None) -> Tail:
    """What the first record of a chain, or the first one behind its archive, is linked to."""
    return Tail(end.sequence, end.hash) if end else Tail(0, genesis(writer))


def link(previous: bytes, state: bytes, writer: str, numbers: Numbers, body: str) -> bytes:
    """The hash of a record: SHA-256 of `previous`, `state`, one line of its numbers, and its body."""
    line = f"{writer} {numbers[0]} {numbers[1]} {numbers[2]} {numbers[3]}\n"
    return hashlib.sha256(b"".join((previous, state, line.encode("ascii"), body.encode()))).digest()


def link_of(previous: bytes, record: Record) -> bytes:
    """The hash that the record has to have behind `previous`."""
    numbers = (record.sequence, record.trace, record.place, record.recorded_at)
    return link(previous, record.state, record.writer, numbers, record.body)


def keep(kept: bytes, record: Record) -> bytes:
    """`kept` after one more record that stays in the database although it is archived."""
    return link_of(kept + record.hash, record)


def archived_text(writer: str, sequence: int, digest: bytes, kept: bytes, signed_at: int) -> bytes:
    """What the signature of an archive's end is over; no head has a text that begins so."""
    line = f"{writer} {sequence} {digest.hex()} {kept.hex()} {signed_at}"
    return f"adjudicator-archive-1\n{line}\n".encode("ascii")


def signed_text(writer: str, sequence: int, digest: bytes, signed_at: int) -> bytes:
    """What the signature of a head is over."""
    return f"adjudicator-head-1\n{writer} {sequence} {digest.hex()} {signed_at}\n".encode("ascii")
