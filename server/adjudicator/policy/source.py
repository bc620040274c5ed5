"""A bundle's files, read once into memory, and their hash. What is parsed is what was hashed."""

import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from adjudicator.config.limits import BUNDLE_BYTES, BUNDLE_FILE_BYTES, MIB
from adjudicator.policy.folder import file_names, real_root, shown, stamps
from adjudicator.policy.problem import Problems

BOM = "\ufeff"
TESTS = "tests"
"""The folder of the bundle's own tests."""
OUTPUT = ".output"
"""What stands behind a tool's code in the name of its output's schema."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file of a bundle: its name relative to the bundle's folder, and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Sources:
    """All files of one bundle by name, in the order of their names.

    `contents` is the hash of all of them. `version` is the hash of those that decide: all but the tests,
    since a bundle with one more test gives the same verdicts. `names` has the unreadable ones too: they
    have their problem, and are not missing. `has_tests` says whether there is a folder for tests, even
    one without a file in it.
    """

    version: str
    files: dict[str, Source]
    names: frozenset[str]
    contents: str = ""
    has_tests: bool = False

    def edited(self, texts: Mapping[str, str]) -> "Sources":
        """The same with these texts in the place of the files of these names, or as files more."""
        files = self.files | {name: Source(name, text) for name, text in texts.items()}
        contents = {name: file.text.encode() for name, file in files.items()}
        return Sources(
            version=_hash(_deciding(contents)),
            files=dict(sorted(files.items())),
            names=self.names | texts.keys(),
            contents=_hash(contents),
            has_tests=self.has_tests or any(name.startswith(f"{TESTS}/") for name in texts),
        )

    def under(self, folder: str) -> list[Source]:
        """The files in a folder, at any depth."""
        return [source for name, source in self.files.items() if name.startswith(f"{folder}/")]

    def has_folder(self, folder: str) -> bool:
        """Whether there is any file in the folder, readable or not."""
        return any(name.startswith(f"{folder}/") for name in self.names)


def read_sources(directory: Path, problems: Problems) -> Sources:
    """Read every file of the bundle, its tests included. Dotfiles and Markdown are not part of it.

    A file that cannot be read, or is not plain UTF-8 text, is a problem and is left out.
    """
    root = real_root(directory)
    if not os.path.isdir(root):  # noqa: PTH112 - a Path raises where it may not look
        problems.add(".", f"{str(directory)!a} is not a folder that can be read; name the bundle's folder")
        return _nothing()
    names = file_names(root, problems)
    if names is None:
        return _nothing()
    before = stamps(root, names)
    contents = _contents(root, names, problems)
    texts = {name: _text(name, content, problems) for name, content in contents.items()}
    files = {name: Source(name, text) for name, text in texts.items() if text is not None}
    for file in files.values():
        _check_ended(file, problems)
    if stamps(root, file_names(root, Problems()) or []) != before or real_root(directory) != root:
        problems.add(".", "the folder changed while it was read; reload when the writing is done")
    return Sources(
        version=_hash(_deciding(contents)),
        files=files,
        names=frozenset(names),
        contents=_hash(contents),
        has_tests=os.path.isdir(root / TESTS),  # noqa: PTH112 - as above
    )


def _nothing() -> Sources:
    return Sources("", {}, frozenset())


def _contents(root: Path, names: list[str], problems: Problems) -> dict[str, bytes]:
    contents: dict[str, bytes] = {}
    left = BUNDLE_BYTES
    for name in names:
        content = _read(root, name, left, problems)
        if content is not None:
            contents[name] = content
            left -= len(content)
    return contents


def _check_ended(file: Source, problems: Problems) -> None:
    """A write cut short leaves a file that reads well and has lost what its end restricts."""
    if (
        file.name.endswith((".csv", ".yaml", ".conf"))
        and file.text
        and not file.text.isspace()  # stops at the first that is not, where `strip` would copy the file
        and not file.text.endswith("\n")
    ):
        lines = file.text.split("\n")
        message = "the last line does not end, as after a write cut short; end it with a line feed"
        problems.add(file.name, message, len(lines), len(lines[-1]) + 1)


def _deciding(contents: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name: content for name, content in contents.items() if not name.startswith(f"{TESTS}/")}


def _hash(contents: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in sorted(contents.items()):
        for part in (os.fsencode(name), content):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return f"sha256:{digest.hexdigest()}"


def _read(root: Path, name: str, left: int, problems: Problems) -> bytes | None:
    """The file's content, or None with a problem; `left` is what the bundle may still hold."""
    most = min(BUNDLE_FILE_BYTES, left)
    try:
        content = _content(root / name, most + 1)
    except OSError as error:
        problems.add(shown(name), f"the file cannot be read: {error.strerror}")
        return None
    if content is None:
        problems.add(shown(name), "not a file; a bundle holds only files and folders")
    elif len(content) <= most:
        return content
    elif most < BUNDLE_FILE_BYTES:
        problems.add(shown(name), f"here the bundle goes over {BUNDLE_BYTES // MIB} MiB; remove files")
    else:
        problems.add(shown(name), f"larger than {BUNDLE_FILE_BYTES // MIB} MiB; split it, or remove it")
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
    if shown(name) != name:
        problems.add(shown(name), "the file's name is not plain text; rename it")
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
