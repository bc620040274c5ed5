"""The file beside the database that keeps the latest signed head of each database, outside of its reach.

Who cuts the end off a database cuts off the heads in it as well; this file still has them. One line of JSON
for each head, the latest last.
"""

import contextlib
import errno
import json
import os
from pathlib import Path

from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.record import Head

_KEPT_BYTES = 1 << 20


class HeadFile:
    """Appends heads, and remembers the last one of a database."""

    def __init__(self, folder: Path, identity: str) -> None:
        self.path = folder / f"heads-{identity}.jsonl"

    def last(self) -> Head | None:
        """The latest head, or None when there is none. Raises STORE_UNAVAILABLE when it cannot be read."""
        found = self.heads()
        return found[-1] if found else None

    def heads(self) -> list[Head]:
        """All heads in the file, in order; a last line that was cut short is left out."""
        try:
            text = self.path.read_text(encoding="ascii")
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            raise AdjudicatorError(
                ErrorReason.STORE_UNAVAILABLE, f"{self.path} cannot be read: {error}"
            ) from error
        heads = []
        for line in text.splitlines(keepends=True):
            with contextlib.suppress(ValueError):
                heads.append(head_from_json(line))
        return heads

    def append(self, head: Head) -> None:
        """Add a head; it is on disk when this returns. Raises OSError."""
        if self.path.exists() and self.path.stat().st_size > _KEPT_BYTES:
            self.path.replace(self.path.with_suffix(".old.jsonl"))
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            # A line that a full disk or a power cut left unfinished is not to spoil this one as well.
            torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
            line = (b"\n" if torn else b"") + head_to_json(head).encode("ascii") + b"\n"
            if os.write(descriptor, line) < len(line):
                raise OSError(errno.ENOSPC, "only a part of the head could be written")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def head_to_json(head: Head) -> str:
    """The head as one line of JSON: bytes are hexadecimal."""
    return json.dumps(
        {
            "head": head.writer,
            "sequence": head.sequence,
            "hash": head.hash.hex(),
            "signed_at": head.signed_at,
            "signature": head.signature.hex(),
        }
    )


def head_from_json(line: str) -> Head:
    """The head of `head_to_json`; raises ValueError for anything else."""
    try:
        read = json.loads(line)
        name, sequence, signed_at = read["head"], read["sequence"], read["signed_at"]
        digest, signature = bytes.fromhex(read["hash"]), bytes.fromhex(read["signature"])
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError("it is no head") from error
    if type(name) is not str or type(sequence) is not int or type(signed_at) is not int:
        raise ValueError("it is no head")
    return Head(name, sequence, digest, signed_at, signature)
