"""The key of the call digests, which the first start makes and only its owner reads."""

import re
import secrets
from pathlib import Path

from adjudicator.config.private_files import PrivateFileError, create_once, read_private

_KEY_BYTES = 32
_KEY = re.compile(rf"[0-9a-f]{{{2 * _KEY_BYTES}}}")


def digest_key(file: Path) -> bytes:
    """The key, of exactly 32 bytes, made when there is none. Raises PrivateFileError.

    Losing it only ever denies: what was approved under the old key matches no call any more.
    """
    create_once(file, secrets.token_hex(_KEY_BYTES))
    key = read_private(file)
    # A shorter key, or none, would make digests that anybody can compute.
    if _KEY.fullmatch(key) is None:
        raise PrivateFileError(
            file,
            f"it does not hold a key of {_KEY_BYTES} bytes; put the right one back, or remove the file: "
            "the next start makes a new key, under which no earlier approval serves any call",
        )
    return bytes.fromhex(key)
