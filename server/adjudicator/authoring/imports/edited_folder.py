"""Writes edited files into a bundle's folder: what is new first, the registry last, each file whole."""

import contextlib
import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path

from adjudicator.authoring.imports.notes import ImportFaultError
from adjudicator.policy.loader import OpenBundle, open_sources
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import read_sources


def tried(bundle: OpenBundle, edits: Mapping[str, str]) -> OpenBundle:
    """The bundle as it would be. Raises BundleError as the loader does.

    What was registered has to be there as it was: ImportFaultError, for it would be a slip of ours.
    """
    found = open_sources(bundle.sources.edited(edits))
    before, after = bundle.snapshot.registry, found.snapshot.registry
    if (
        any(after.tools.get(code) != tool for code, tool in before.tools.items())
        or before.agents != after.agents
    ):
        raise ImportFaultError("an edit would change what is registered already; nothing is written")
    return found


def write_edits(directory: Path, bundle: OpenBundle, edits: Mapping[str, str]) -> None:
    """Write the texts, or leave the folder as it is. Raises ImportFaultError.

    Whoever reads it meanwhile finds files that no registry speaks of, which the loader refuses, and so goes
    on with what it has. Each file takes the place of the one before at once.
    """
    if read_sources(directory, Problems()).contents != bundle.sources.contents:
        raise ImportFaultError("the folder has changed meanwhile; look at what would be written again")
    root = Path(os.path.realpath(directory))
    ordered = sorted(edits, key=lambda name: (name in bundle.sources.files, name))
    beside = {name: _beside(root, name) for name in ordered}
    made = _missing_folders(root, ordered)
    done: list[str] = []
    try:
        for name in ordered:
            _write(root / name, beside[name], edits[name])
        for name in ordered:
            beside[name].replace(_real(root, name))
            done.append(name)
    except OSError as error:
        _undo(root, bundle, done)
        raise ImportFaultError(f"{name} cannot be written: {error.strerror}; nothing is changed") from error
    finally:
        for file in beside.values():
            file.unlink(missing_ok=True)
        if len(done) < len(ordered):
            _remove_empty(made)


def _missing_folders(root: Path, names: Iterable[str]) -> set[Path]:
    above = {folder for name in names for folder in (root / name).parents if root in folder.parents}
    return {folder for folder in above if not folder.exists()}


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in sorted(folders, reverse=True):  # what is inside comes before what it is in
        with contextlib.suppress(OSError):
            folder.rmdir()


def _beside(root: Path, name: str) -> Path:
    real = _real(root, name)
    return real.with_name(f".{real.name}.{secrets.token_hex(8)}")


def _real(root: Path, name: str) -> Path:
    """The file itself: a link to it stays one."""
    return Path(os.path.realpath(root / name))


def _write(file: Path, beside: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    beside.write_text(text, encoding="utf-8", newline="\n")
    if file.exists():
        beside.chmod(file.stat().st_mode & 0o777)


def _undo(root: Path, bundle: OpenBundle, names: Iterable[str]) -> None:
    for name in names:
        if name in bundle.sources.files:
            _real(root, name).write_text(bundle.sources.files[name].text, encoding="utf-8", newline="\n")
        else:
            (root / name).unlink()
