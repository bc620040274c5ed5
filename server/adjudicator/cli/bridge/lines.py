"""The editor's lines as they come, and ours as they go, on the plain files of the process."""

import os
from collections.abc import Iterator

_CHUNK = 64 * 1024


class TooLong:
    """Stands for a line that is longer than lines may be; the next one is read as usual."""


def lines_of(descriptor: int, most_bytes: int) -> Iterator[bytes | TooLong]:
    """Every line without its end; the last one may have none. At most `most_bytes` are held."""
    held, too_long = bytearray(), False
    while chunk := os.read(descriptor, _CHUNK):
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            whole = too_long or len(held) + len(end) > most_bytes
            yield TooLong() if whole else bytes(held + end)
            held.clear()
            too_long = False
        too_long = too_long or len(held) + len(rest) > most_bytes
        held = bytearray() if too_long else held + rest
    if held or too_long:
        yield TooLong() if too_long else bytes(held)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of it; waits while nobody reads. Raises OSError when nobody can."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
