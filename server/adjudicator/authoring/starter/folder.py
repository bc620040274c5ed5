"""Makes a folder with all of its files at once: whoever looks sees none of them, or each of them whole."""

import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path


class FolderError(Exception):
    """A folder that cannot be made there; the text says what to do instead."""


def check_place(directory: Path) -> Path:
    """Where the folder itself would be, whatever links lead there.

    Raises FolderError unless the place is free: nothing is there, or an empty folder.
    """
    place = Path(os.path.realpath(directory))
    try:
        if place.is_dir():
            _check_empty(place)
        elif os.path.lexists(place):
            raise FolderError(f"{str(place)!a} is not a folder; name one that is new or empty")
        elif not place.parent.is_dir():
            raise FolderError(f"there is no folder {str(place.parent)!a} to make it in; make that first")
    except OSError as error:
        raise FolderError(f"{str(place)!a} cannot be looked at: {error.strerror}") from error
    return place


def make_folder(place: Path, texts: Mapping[str, str]) -> None:
    """Put a folder with these files at a free place. Raises FolderError, and leaves nothing behind then."""
    beside = place.parent / f".{place.name}.{secrets.token_hex(8)}"
    try:
        beside.mkdir()
        if place.is_dir():
            shutil.copymode(place, beside)
        for name, text in texts.items():
            file = beside / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
        beside.rename(place)  # takes the place of an empty folder, and of nothing else
    except OSError as error:
        raise FolderError(f"{str(place)!a} cannot be made: {error.strerror}") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _check_empty(place: Path) -> None:
    found = sorted(entry.name for entry in os.scandir(place))
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        raise FolderError(
            f"{str(place)!a} is not empty ({found[0]!a}{more}); name a folder that is new or empty"
        )
    if place.samefile(Path.cwd()):
        raise FolderError("the current folder cannot be made anew; name one in it, as `policies`")
