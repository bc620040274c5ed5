"""Files from anybody's hand, opened so that nothing hangs and no line of one fills the memory."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


def open_regular(path: Path) -> BinaryIO:
    """Open a file to be read. Raises OSError, at once for a pipe or device, which might never end."""
    # Without O_NONBLOCK the opening of a pipe waits for somebody who writes to it.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path} is not a regular file")
    return os.fdopen(descriptor, "rb")


def bounded_lines(path: Path, most: int) -> Iterator[bytes]:
    """The lines of a file with their ends. Raises OSError for one of more than so many bytes."""
    with open_regular(path) as opened:
        number = 0
        while line := opened.readline(most + 1):
            number += 1
            if len(line) > most:
                raise OSError(f"{path}: line {number} has more than {most:,} bytes")
            yield line
