"""What the first start makes and only its owner reads: the digest key and the operator's token."""

import os
import secrets
from pathlib import Path

from adjudicator.domain.errors import AdjudicatorError, ErrorReason

_KEY_BYTES = 32
FIRST_APPROVER = "operator"


def private_folder(folder: Path) -> None:
    """Make the folder, for its owner only, unless it is there."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise _unusable(folder, error.strerror or str(error)) from error


def digest_key(file: Path) -> bytes:
    """The key of the call digests, made when there is none. Raises when others could read it.

    Losing it only ever denies: what was approved under the old key matches no call any more.
    """
    _make_once(file, secrets.token_hex(_KEY_BYTES))
    try:
        if file.stat().st_mode & 0o077:
            raise _unusable(file, "others can read it; make it yours alone with chmod 600")
        return bytes.fromhex(file.read_text("ascii").strip())
    except (OSError, ValueError) as error:
        raise _unusable(file, str(error)) from error


def first_approver(folder: Path) -> Path | None:
    """Make the first approver's token when the folder has none; where it is, or None."""
    private_folder(folder)
    if any(folder.glob("*.token")):
        return None
    file = folder / f"{FIRST_APPROVER}.token"
    _make_once(file, secrets.token_urlsafe(_KEY_BYTES))
    return file


def _make_once(file: Path, text: str) -> None:
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    except OSError as error:
        raise _unusable(file, str(error)) from error
    with os.fdopen(descriptor, "w") as out:
        out.write(f"{text}\n")
        out.flush()
        os.fsync(out.fileno())


def _unusable(path: Path, why: str) -> AdjudicatorError:
    return AdjudicatorError(ErrorReason.STORE_UNAVAILABLE, f"{path} cannot be used: {why}")
