"""A folder that is made whole or not at all."""

import os
import stat

import pytest
from adjudicator.authoring.starter.folder import FolderError, check_place, make_folder

FILES = {"a.yaml": "a: 1\n", "under/b.csv": "p, é\n"}


def test_a_new_folder_holds_all_files(tmp_path):
    """Their text is theirs to the byte, and nothing else is left beside it."""
    make_folder(check_place(tmp_path / "new"), FILES)
    assert (tmp_path / "new/under/b.csv").read_bytes() == "p, é\n".encode()
    assert [each.name for each in tmp_path.iterdir()] == ["new"]


def test_an_empty_folder_keeps_its_mode_and_its_links(tmp_path):
    """What was made ready for it is used as it was made ready."""
    (tmp_path / "real").mkdir(mode=0o750)
    (tmp_path / "link").symlink_to("real")
    make_folder(check_place(tmp_path / "link"), FILES)
    assert (tmp_path / "link").is_symlink()
    assert stat.S_IMODE((tmp_path / "real").stat().st_mode) == 0o750
    assert (tmp_path / "real/a.yaml").exists()


def test_a_place_that_is_taken_is_refused(tmp_path, monkeypatch):
    """By a hidden file too, by a file, a dangling link's absent parent, or whoever stands in the folder."""
    for name in ("full", "empty"):
        (tmp_path / name).mkdir()
    (tmp_path / "full/.git").touch()
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path / "empty")
    for name, told in [
        ("full", "is not empty ('.git')"),
        ("file", "is not a folder"),
        ("none/new", "make that first"),
        ("empty", "as `policies`"),
    ]:
        with pytest.raises(FolderError) as error:
            check_place(tmp_path / name)
        assert told in str(error.value)


def test_what_came_between_is_not_overwritten(tmp_path):
    """A folder that somebody filled after the look stays as it is, and nothing is left beside it."""
    place = check_place(tmp_path / "new")
    place.mkdir()
    (place / "theirs").touch()
    with pytest.raises(FolderError):
        make_folder(place, FILES)
    assert [each.name for each in tmp_path.iterdir()] == ["new"]
    assert [each.name for each in place.iterdir()] == ["theirs"]


def test_an_error_halfway_leaves_nothing(tmp_path):
    """Neither the folder nor what was written of it."""
    with pytest.raises(FolderError):
        make_folder(check_place(tmp_path / "new"), FILES | {"a.yaml/c": ""})
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - the hidden ones too
