"""A bundle's folder as it lies on disk: which files there are, and what tells that one has changed."""

import hashlib
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from adjudicator.config.limits import BUNDLE_FILES, FOLDER_DEPTH
from adjudicator.domain.invisible import is_all_plain
from adjudicator.policy.problem import Problems


def real_root(directory: Path) -> Path:
    """The folder itself, whatever links lead to it at this moment."""
    return Path(os.path.realpath(directory))


def file_names(root: Path, problems: Problems) -> list[str] | None:
    """The names of all files relative to the root, sorted; None, with a problem, when there are too many.

    Dotfiles and Markdown are left out. A folder that cannot be read and a link that leaves the root are
    problems.
    """
    # One more than are allowed shows that there are too many; nobody waits for the rest.
    names = sorted(islice(_names(root, "", {str(root)}, problems), BUNDLE_FILES + 1))
    if len(names) <= BUNDLE_FILES:
        return names
    problems.add(".", f"more than {BUNDLE_FILES:,} files; put rows together, or name the right folder")
    return None


def stamps(root: Path, names: list[str]) -> list[tuple[str, tuple[int, ...]]]:
    """What tells, of each file, whether it is still the one that was there and as it was."""
    return [(name, _stamp(root / name)) for name in names]


def fingerprint(directory: Path) -> str:
    """What stays the same for as long as nothing in the folder changes. Reads no file.

    A folder that is not there has one as well, so that its coming is a change.
    """
    root, problems = real_root(directory), Problems()
    names = file_names(root, problems) or []
    # What is in the way counts too: a bundle is refused for it, and is good when it has gone.
    parts = (str(root), _stamp(root)[:2], stamps(root, names), sorted(str(each) for each in problems))
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogateescape")).hexdigest()


def folders(directory: Path) -> set[Path]:
    """The folders whose entries make up the bundle now, and the one that holds the link to it, if any."""
    root = real_root(directory)
    names = file_names(root, Problems()) or []
    found = {root, *(Path(os.path.realpath(root / name)).parent for name in names)}
    if directory.is_symlink():
        found.add(real_root(directory.parent))
    return {each for each in found if each.is_dir()}


def shown(name: str) -> str:
    """A file's name as a message may repeat it."""
    return name if is_all_plain(name) else ascii(name)


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    # The change time moves with every write and every change of the mode, and no program can set it.
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _names(root: Path, folder: str, seen: set[str], problems: Problems) -> Iterator[str]:
    try:
        entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
    except OSError as error:
        problems.add(folder or ".", f"the folder cannot be read: {error.strerror}")
        return
    for entry in entries:
        if not entry.name.startswith(".") and not entry.name.endswith(".md"):
            name = f"{folder}/{entry.name}" if folder else entry.name
            yield from _names_at(root, name, seen, problems)


def _names_at(root: Path, name: str, seen: set[str], problems: Problems) -> Iterator[str]:
    real = os.path.realpath(root / name)
    if os.path.commonpath((real, root)) != str(root):
        problems.add(
            shown(name), "a symbolic link that leaves the bundle's folder; put the file itself here"
        )
    elif not os.path.isdir(real):  # noqa: PTH112 - a realpath is a string
        yield name
    elif name.count("/") >= FOLDER_DEPTH:
        problems.add(shown(name), f"folders nested deeper than {FOLDER_DEPTH} levels; move them up")
    elif real in seen:
        # Links to one another would make more names than anybody can wait for.
        problems.add(shown(name), "one folder under two names, by a symbolic link; remove the link")
    else:
        seen.add(real)
        yield from _names(root, name, seen, problems)
