"""A file that one process at a time holds, and that says which."""

import contextlib
import fcntl
import os
from pathlib import Path


class HeldError(Exception):
    """Another process holds the file; `holder` is its id."""

    def __init__(self, holder: str) -> None:
        super().__init__(f"process {holder}")
        self.holder = holder


def hold(path: Path) -> int:
    """Hold the file until the descriptor is closed. Raises HeldError or OSError."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with contextlib.ExitStack() as undo:
        undo.callback(os.close, descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise HeldError(os.read(descriptor, 32).decode("ascii", "replace").strip()) from error
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        undo.pop_all()
    return descriptor
