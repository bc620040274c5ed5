"""The sidecar's own keys, which the first start makes and only their owner reads."""

import re
import secrets
from pathlib import Path

from adjudicator.config.private_files import PrivateFileError, create_once, read_private

_KEY_BYTES = 32
_KEY = re.compile(rf"[0-9a-f]{{{2 * _KEY_BYTES}}}")


def digest_key(file: Path) -> bytes:
    """The key of the call digests, of exactly 32 bytes, made when there is none. Raises PrivateFileError.

    Losing it only ever denies: what was approved under the old key matches no call any more.
    """
    return _key(file, "under which no earlier approval serves any call")


def signing_key(file: Path) -> bytes:
    """The secret key that signs heads, of exactly 32 bytes, made when there is none.

    Raises PrivateFileError. Under a new key a new chain begins; what the old one signed is checked by
    the old public key.
    """
    return _key(file, "by which a new chain of records begins")


def _key(file: Path, of_a_new_one: str) -> bytes:
    create_once(file, secrets.token_hex(_KEY_BYTES))
    key = read_private(file)
    # A shorter key, or none, would be one that anybody can have.
    if _KEY.fullmatch(key) is None:
        raise PrivateFileError(
            file,
            f"it does not hold a key of {_KEY_BYTES} bytes; put the right one back, or remove the file: "
            f"the next start makes a new key, {of_a_new_one}",
        )
    return bytes.fromhex(key)
