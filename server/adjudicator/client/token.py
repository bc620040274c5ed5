"""The token files in which a data folder keeps who may approve, one per person."""

import os
import re
import secrets
from pathlib import Path

NAME = re.compile(r"[a-z0-9._-]{1,64}")
SUFFIX = ".token"
_TOKEN_BYTES = 32


class TokenError(Exception):
    """A token that cannot be read, or a name that can have none."""


def approvers_folder(data: Path) -> Path:
    """Where the data folder keeps the tokens."""
    return data / "approvers"


def token_path(data: Path, name: str) -> Path:
    """The token file of one person. Raises TokenError for a name that is none."""
    if NAME.fullmatch(name) is None:
        raise TokenError(f"{name!a} is not an approver's name: 1 to 64 of a-z 0-9 . _ -")
    return approvers_folder(data) / f"{name}{SUFFIX}"


def token_from(data: Path, name: str) -> str:
    """The token of one person. Raises TokenError."""
    return read_token(token_path(data, name))


def read_token(path: Path) -> str:
    """The token in a file. Raises TokenError."""
    try:
        token = path.read_text(encoding="ascii").strip()
    except FileNotFoundError as error:
        raise TokenError(
            f"there is no token at {path}: the sidecar's first start makes operator's, "
            "and `adjudicator approver add NAME` another's"
        ) from error
    except OSError as error:
        raise TokenError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise TokenError(f"{path} does not hold a token") from error
    if not token or not token.isprintable() or " " in token:
        raise TokenError(f"{path} does not hold a token")
    return token


def make_token(data: Path, name: str) -> Path:
    """Make the token of one person, in a file that only its owner reads. Raises TokenError.

    A token that exists is somebody's, and is never written over.
    """
    path = token_path(data, name)
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise TokenError(f"{path} exists already; remove it first to give out a new token") from error
    except OSError as error:
        raise TokenError(f"{path}: {error.strerror}") from error
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{secrets.token_urlsafe(_TOKEN_BYTES)}\n")
    return path
