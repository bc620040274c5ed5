"""A bundle's files, read once into memory, and their hash. What is parsed is what was hashed."""

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from adjudicator.config.limits import BUNDLE_BYTES, BUNDLE_FILE_BYTES, BUNDLE_FILES, FOLDER_DEPTH, MIB
from adjudicator.domain.invisible import is_plain
from adjudicator.policy.problem import Problems

BOM = "\ufeff"
_IGNORED_FOLDERS = ("tests",)


@dataclass(frozen=True, slots=True)
class Source:
    """One file of a bundle: its name relative to the bundle's folder, and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Sources:
    """All files of one bundle by name, in the order of their names, and `version`, their hash.

    `names` has the unreadable ones too: they have their problem, and are not missing.
    """

    version: str
    files: dict[str, Source]
    names: frozenset[str]

    def under(self, folder: str) -> list[Source]:
        """The files in a folder, at any depth."""
        return [source for name, source in self.files.items() if name.startswith(f"{folder}/")]

    def has_folder(self, folder: str) -> bool:
        """Whether there is any file in the folder, readable or not."""
        return any(name.startswith(f"{folder}/") for name in self.names)


def read_sources(directory: Path, problems: Problems) -> Sources:
    """Read every file of the bundle. Dotfiles, Markdown and `tests/` are not part of it.

    A file that cannot be read, or is not plain UTF-8 text, is a problem and is left out.
    """
    contents: dict[str, bytes] = {}
    root = Path(os.path.realpath(directory))
    if not root.is_dir():
        problems.add(".", f"{str(directory)!a} is not a folder that can be read; name the bundle's folder")
        return Sources("", {}, frozenset())
    # One more than are allowed shows that there are too many; nobody waits for the rest.
    names = sorted(islice(_names(root, "", (str(root),), problems), BUNDLE_FILES + 1))
    if len(names) > BUNDLE_FILES:
        problems.add(".", f"more than {BUNDLE_FILES:,} files; put rows together, or name the right folder")
        return Sources("", {}, frozenset())
    stamps = _stamps(root, names)
    left = BUNDLE_BYTES
    for name in names:
        content = _read(root, name, left, problems)
        if content is not None:
            contents[name] = content
            left -= len(content)
    texts = {name: _text(name, content, problems) for name, content in contents.items()}
    files = {name: Source(name, text) for name, text in texts.items() if text is not None}
    for file in files.values():
        _check_ended(file, problems)
    if _stamps(root, sorted(_names(root, "", (str(root),), Problems()))) != stamps:
        problems.add(".", "the folder changed while it was read; reload when the writing is done")
    return Sources(_version(contents), files, frozenset(names))


def _check_ended(file: Source, problems: Problems) -> None:
    """A write cut short leaves a file that reads well and has lost what its end restricts."""
    if (
        file.name.endswith((".csv", ".yaml", ".conf"))
        and file.text.strip()
        and not file.text.endswith("\n")
    ):
        lines = file.text.split("\n")
        message = "the last line does not end, as after a write cut short; end it with a line feed"
        problems.add(file.name, message, len(lines), len(lines[-1]) + 1)


def _stamps(root: Path, names: list[str]) -> list[tuple[str, tuple[int, ...]]]:
    """What tells, of each file, whether it is still the one that was there and as it was."""
    return [(name, _stamp(root / name)) for name in names]


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _version(contents: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in sorted(contents.items()):
        for part in (os.fsencode(name), content):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return f"sha256:{digest.hexdigest()}"


def _names(root: Path, folder: str, above: tuple[str, ...], problems: Problems) -> Iterator[str]:
    try:
        entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
    except OSError as error:
        problems.add(folder or ".", f"the folder cannot be read: {error.strerror}")
        return
    for entry in entries:
        name = f"{folder}/{entry.name}" if folder else entry.name
        if not _is_ignored(name):
            yield from _names_at(root, name, above, problems)


def _names_at(root: Path, name: str, above: tuple[str, ...], problems: Problems) -> Iterator[str]:
    real = os.path.realpath(root / name)
    if os.path.commonpath((real, root)) != str(root):
        problems.add(
            _shown(name), "a symbolic link that leaves the bundle's folder; put the file itself here"
        )
    elif not os.path.isdir(real):  # noqa: PTH112 - a realpath is a string
        yield name
    elif len(above) > FOLDER_DEPTH:
        problems.add(_shown(name), f"folders nested deeper than {FOLDER_DEPTH} levels; move them up")
    elif real in above:
        problems.add(_shown(name), "a symbolic link to a folder that it is in; remove it")
    else:
        yield from _names(root, name, (*above, real), problems)


def _is_ignored(name: str) -> bool:
    last = name.rsplit("/", 1)[-1]
    return last.startswith(".") or last.endswith(".md") or name in _IGNORED_FOLDERS


def _read(root: Path, name: str, left: int, problems: Problems) -> bytes | None:
    """The file's content, or None with a problem; `left` is what the bundle may still hold."""
    most = min(BUNDLE_FILE_BYTES, left)
    try:
        content = _content(root / name, most + 1)
    except OSError as error:
        problems.add(_shown(name), f"the file cannot be read: {error.strerror}")
        return None
    if content is None:
        problems.add(_shown(name), "not a file; a bundle holds only files and folders")
    elif len(content) <= most:
        return content
    elif most < BUNDLE_FILE_BYTES:
        problems.add(_shown(name), f"here the bundle goes over {BUNDLE_BYTES // MIB} MiB; remove files")
    else:
        problems.add(_shown(name), f"larger than {BUNDLE_FILE_BYTES // MIB} MiB; split it, or remove it")
    return None


def _content(path: Path, most: int) -> bytes | None:
    """Up to `most` bytes of a regular file; None for a pipe, a device or a socket, which is not opened."""
    if not stat.S_ISREG(path.stat().st_mode):
        return None
    # Not blocking: what has become a pipe since then must not hold up a reload.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        return file.read(most) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else None


def _text(name: str, content: bytes, problems: Problems) -> str | None:
    shown = _shown(name)
    if shown != name:
        problems.add(shown, "the file's name is not plain text; rename it")
        return None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = position(content[: error.start].decode("utf-8", "replace"))
        problems.add(name, "not UTF-8 text; save the file as UTF-8", line, column)
        return None
    if text.startswith(BOM):
        problems.add(name, "a byte-order mark at the start; save the file as UTF-8 without one", 1, 1)
        return None
    if "\0" in text:
        problems.add(name, "a NUL character; remove it", *position(text[: text.index("\0")]))
        return None
    return text


def position(before: str) -> tuple[int, int]:
    """The line and column, from 1, of what comes after this text."""
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _shown(name: str) -> str:
    return name if all(is_plain(char) for char in name) else ascii(name)
