"""What tells that a bundle's folder has changed, and when to look."""

import os
import shutil
from contextlib import aclosing

import pytest
from adjudicator.policy import folder_watch
from adjudicator.policy.folder import fingerprint, folders
from adjudicator.policy.folder_watch import looks
from watchfiles._rust_notify import WatchfilesRustInternalError


def same_size_and_date(folder):
    """A change that hides behind the size and the date of the file."""
    file = folder / "rules.csv"
    found = file.stat()
    file.write_bytes(file.read_bytes()[::-1])
    os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))


CHANGES = {
    "a write": lambda folder: (folder / "rules.csv").write_text("x\n"),
    "a write that hides": same_size_and_date,
    "another mode": lambda folder: (folder / "rules.csv").chmod(0),
    "a new file": lambda folder: (folder / "schemas" / "x.json").write_text("{}"),
    "a file less": lambda folder: (folder / "scope.csv").unlink(),
    "a new test": lambda folder: (folder / "tests" / "x.yaml").write_text("tests: []\n"),
    "a link that leads out": lambda folder: (folder / "x").symlink_to("/"),
    "a link to nowhere": lambda folder: (folder / "x").symlink_to("nowhere"),
    "no folder": shutil.rmtree,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_every_change_shows(bundle, change):
    """Two looks with a change between them differ."""
    before = fingerprint(bundle.folder)
    assert fingerprint(bundle.folder) == before
    change(bundle.folder)
    assert fingerprint(bundle.folder) != before


def test_what_is_no_part_of_the_bundle_does_not_show(bundle):
    """Swap files of editors, notes and hidden folders cause no reload."""
    before = fingerprint(bundle.folder)
    bundle.write(".rules.csv.swp", "x")
    bundle.write(".git/HEAD", "x")
    bundle.write("notes.md", "x")
    assert fingerprint(bundle.folder) == before


def test_a_switched_link_shows(bundle, tmp_path):
    """The files are others, though they lie there unchanged."""
    shutil.copytree(bundle.folder, tmp_path / "other")
    link = tmp_path / "live"
    link.symlink_to(bundle.folder)
    before = fingerprint(link)
    link.unlink()
    link.symlink_to(tmp_path / "other")
    assert fingerprint(link) != before


def test_the_folders_to_watch_never_lead_out(bundle, tmp_path):
    """A link to the whole disk, which the loader refuses, is not walked; the link's own folder counts."""
    (bundle.folder / "everything").symlink_to("/")
    inner = {bundle.folder / name for name in ("models", "registry", "schemas", "tests")}
    assert folders(bundle.folder) == {bundle.folder, *inner}
    link = tmp_path / "links" / "live"
    link.parent.mkdir()
    link.symlink_to(bundle.folder)
    assert folders(link) == {bundle.folder, *inner, link.parent}


@pytest.mark.parametrize("error", [OSError("no more watches"), WatchfilesRustInternalError("none at all")])
async def test_it_is_looked_in_time_where_the_system_tells_nothing(bundle, monkeypatch, error):
    """A system without notifications costs promptness and no change."""

    async def refuses(*_folders, **_options):
        raise error
        yield

    monkeypatch.setattr(folder_watch, "awatch", refuses)
    async with aclosing(looks(bundle.folder, 0.001)) as seen:
        for _ in range(5):
            await anext(seen)


async def test_it_is_looked_in_time_where_nothing_happens(bundle):
    """Notifications are a hint: the next look comes without one."""
    async with aclosing(looks(bundle.folder, 0.01)) as seen:
        for _ in range(5):
            await anext(seen)


async def test_it_is_looked_where_there_is_no_folder_yet(tmp_path):
    """A sidecar may start before its folder is mounted."""
    async with aclosing(looks(tmp_path / "nowhere", 0.01)) as seen:
        for _ in range(3):
            await anext(seen)
