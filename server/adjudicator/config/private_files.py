"""Files and folders that are one user's alone: how they are made, and which are not taken for such."""

import errno
import os
import stat
import tempfile
from pathlib import Path

from adjudicator.config.whole_file import sync
from adjudicator.domain.errors import AdjudicatorError, ErrorReason

_MOST_BYTES = 4096


class PrivateFileError(AdjudicatorError):
    """A file or folder that cannot be used. `why` says the reason without its path, never its content."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(ErrorReason.STORE_UNAVAILABLE, f"{path} cannot be used: {why}")
        self.why = why


def private_folder(folder: Path) -> None:
    """Make the folder, for its owner only. One that is there stays as it is.

    Raises PrivateFileError when others can write to it: who can put a file there can make themselves
    an approver.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
    except OSError as error:
        raise PrivateFileError(folder, error.strerror or str(error)) from error
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PrivateFileError(folder, "others can write to it; make it yours alone with chmod 700")
    if found.st_uid not in (0, os.geteuid()):
        raise PrivateFileError(folder, "it is another user's; take one that is yours, or chown it")


def create_once(file: Path, text: str) -> bool:
    """Make the file, whole or not at all, for its owner only; False when there is one, which stays.

    Raises PrivateFileError.
    """
    if os.path.lexists(file):
        return False
    try:
        descriptor, name = tempfile.mkstemp(prefix=".new-", dir=file.parent)
        new = Path(name)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as out:
                out.write(f"{text}\n")
                out.flush()
                os.fsync(descriptor)
            # A link, not a rename: it fails when somebody else was faster, and replaces nothing.
            os.link(new, file)
        finally:
            new.unlink()
        sync(file.parent)
    except FileExistsError:
        return False
    except OSError as error:
        raise PrivateFileError(file, error.strerror or str(error)) from error
    return True


def publish_key(file: Path, key: bytes) -> None:
    """Write a public key, in hexadecimal, for everybody to read. Raises PrivateFileError."""
    try:
        if not file.exists() or file.read_text(encoding="utf-8", errors="replace").strip() != key.hex():
            file.write_text(f"{key.hex()}\n", encoding="ascii")
    except OSError as error:
        raise PrivateFileError(file, error.strerror or str(error)) from error


def read_private(file: Path) -> str:
    """The one word in the file. Raises PrivateFileError.

    The file has to be regular, no symbolic link, and closed to all but its owner; the word is
    printable ASCII, and may be empty.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            # Looked at through the descriptor: what is checked is what is read.
            found = os.fstat(descriptor)
            _check_closed(file, found.st_mode)
            if found.st_uid != os.geteuid():
                raise PrivateFileError(file, "it is another user's; make it anew, or chown it")
            data = os.read(descriptor, _MOST_BYTES + 1)
        finally:
            os.close(descriptor)
    except OSError as error:
        why = "it is a symbolic link" if error.errno == errno.ELOOP else error.strerror or str(error)
        raise PrivateFileError(file, why) from error
    return _word(file, data)


def _check_closed(file: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise PrivateFileError(file, "it is not a regular file")
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise PrivateFileError(file, "others can reach it; make it yours alone with chmod 600")


def _word(file: Path, data: bytes) -> str:
    word = data.strip(b" \t\r\n")
    if len(data) > _MOST_BYTES or not all(0x21 <= byte <= 0x7E for byte in word):  # noqa: PLR2004 - ! to ~
        raise PrivateFileError(file, "it does not hold one word of printable ASCII")
    return word.decode("ascii")
