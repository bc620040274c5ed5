"""The token files in which a data folder keeps who may approve: `approvers/<name>.token`, one a person."""

import os
import re
import secrets
from pathlib import Path

from adjudicator.config.private_files import PrivateFileError, create_once, private_folder, read_private

FIRST_APPROVER = "operator"
SHORTEST_TOKEN = 32
_FOLDER = "approvers"
_SUFFIX = ".token"
# Case is no difference between two people, so there is only one case.
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_TOKEN_BYTES = 32
NAME_RULE = "1 to 64 of a-z 0-9 . _ -, a letter or digit first"
"""What a name has to be, as an error says it."""


class ApproverNameError(ValueError):
    """A name that no approver can have."""


def is_approver_name(name: str) -> bool:
    """Whether a person who approves can be called so."""
    return _NAME.fullmatch(name) is not None


def tokens_folder(data: Path) -> Path:
    """Where the data folder keeps the tokens."""
    return data / _FOLDER


def is_token_file(file_name: str) -> bool:
    """Whether a file in that folder is meant to hold a token."""
    return file_name.endswith(_SUFFIX)


def name_in(file_name: str) -> str | None:
    """The name of the person whose token file is called so; None when nobody can have that name."""
    name = file_name.removesuffix(_SUFFIX)
    return name if is_token_file(file_name) and is_approver_name(name) else None


def token_path(data: Path, name: str) -> Path:
    """The token file of one person. Raises ApproverNameError."""
    if not is_approver_name(name):
        raise ApproverNameError(f"{name!a} is not an approver's name: {NAME_RULE}")
    return tokens_folder(data) / f"{name}{_SUFFIX}"


def token_files(data: Path) -> list[Path]:
    """Every file of the data folder that is meant to hold a token, in the order of their names."""
    return sorted(file for file in tokens_folder(data).glob("*") if is_token_file(file.name))


def read_token(file: Path) -> str:
    """The token in a file. Raises PrivateFileError, as for every file that is not its owner's alone."""
    if not os.path.lexists(file):
        raise PrivateFileError(
            file,
            f"there is none; the sidecar's first start makes that of {FIRST_APPROVER}, "
            "and `adjudicator approver add NAME` another's",
        )
    token = read_private(file)
    if len(token) < SHORTEST_TOKEN:
        raise PrivateFileError(file, f"it holds no token of at least {SHORTEST_TOKEN} characters")
    return token


def add_approver(data: Path, name: str) -> Path:
    """Make the token of one person; where it is. Raises ApproverNameError and PrivateFileError.

    A token that exists is somebody's, and is never written over.
    """
    file = token_path(data, name)
    if not _made(data, file):
        raise PrivateFileError(file, "it exists already; remove it first to give out a new token")
    return file


def add_first_approver(data: Path) -> Path | None:
    """Make the first approver's token when there is none of anybody; where it is, or None.

    Raises PrivateFileError.
    """
    private_folder(data)
    private_folder(tokens_folder(data))
    file = token_path(data, FIRST_APPROVER)
    return file if not token_files(data) and _made(data, file) else None


def _made(data: Path, file: Path) -> bool:
    private_folder(data)
    private_folder(file.parent)
    return create_once(file, secrets.token_urlsafe(_TOKEN_BYTES))
