"""Files that appear whole, on disk, or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """Write ASCII text to a new file, for its owner only, that gets its name when all of it is on disk.

    Raises FileExistsError for a name that is taken, before anything is written and after, and OSError.
    """
    descriptor, new = new_beside(path)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii", newline="\n") as out:
            yield out
            out.flush()
            os.fsync(descriptor)
        publish(new, path)
    finally:
        new.unlink(missing_ok=True)


def new_beside(path: Path) -> tuple[int, Path]:
    """A new file, for its owner only, that can be given that name; its descriptor, and what it is called.

    Raises FileExistsError for a name that is taken, and OSError.
    """
    if os.path.lexists(path):
        raise FileExistsError(f"{path} is there already; it is not replaced")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent}")
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    return descriptor, Path(name)


def publish(new: Path, path: Path) -> None:
    """Give a file that is on disk its name, on disk. Raises FileExistsError and OSError."""
    os.link(new, path)  # a rename would replace what is there
    new.unlink()
    sync(path.parent)


def sync(path: Path) -> None:
    """Put a file, or the names in a folder, on disk. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
