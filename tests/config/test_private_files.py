"""Files and folders that are one user's alone."""

import os
import stat

import pytest
from adjudicator.config import private_files
from adjudicator.config.private_files import PrivateFileError, create_once, private_folder, read_private


def put(file, content, mode=0o600):
    """A file with this content and mode."""
    file.write_bytes(content)
    file.chmod(mode)
    return file


class TestCreateOnce:
    """Whole or not at all, once."""

    def test_the_file_is_its_owners_alone(self, tmp_path):
        """Also where the umask would give it away."""
        before = os.umask(0)
        try:
            assert create_once(tmp_path / "key", "word")
        finally:
            os.umask(before)
        assert (tmp_path / "key").read_text() == "word\n"
        assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600

    def test_one_that_exists_stays(self, tmp_path):
        """Whatever it holds, it is somebody's."""
        file = put(tmp_path / "key", b"")
        assert not create_once(file, "word")
        assert file.read_bytes() == b""

    def test_one_that_appears_meanwhile_stays(self, tmp_path, monkeypatch):
        """Of two who make it at once the first wins, and the other replaces nothing."""
        link = os.link

        def after_another(new, file):
            put(tmp_path / "key", b"of the other\n")
            link(new, file)

        monkeypatch.setattr(private_files.os, "link", after_another)
        assert not create_once(tmp_path / "key", "word")
        assert [file.name for file in tmp_path.iterdir()] == ["key"]
        assert (tmp_path / "key").read_text() == "of the other\n"

    def test_a_failed_write_leaves_nothing(self, tmp_path, monkeypatch):
        """A full disk makes no empty file that a later start would take."""

        def full(_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(private_files.os, "fsync", full)
        with pytest.raises(PrivateFileError, match="key cannot be used: No space left"):
            create_once(tmp_path / "key", "word")
        assert list(tmp_path.iterdir()) == []

    def test_content_and_folder_are_on_disk(self, tmp_path, monkeypatch):
        """The content before the name exists, the name before anybody relies on it."""
        synced = []

        def noting(descriptor):
            kind = "folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"
            synced.append((kind, (tmp_path / "key").exists()))

        monkeypatch.setattr(private_files.os, "fsync", noting)
        create_once(tmp_path / "key", "word")
        assert synced == [("file", False), ("folder", True)]


class TestReadPrivate:
    """What is not its owner's alone is not read."""

    def test_white_space_around_the_word_is_no_part_of_it(self, tmp_path):
        """An editor's line end does no harm."""
        assert read_private(put(tmp_path / "key", b" word\r\n")) == "word"

    @pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o601])
    def test_others_must_have_no_way_to_it(self, tmp_path, mode):
        """Not to read, not to write, not to run."""
        with pytest.raises(PrivateFileError, match="chmod 600"):
            read_private(put(tmp_path / "key", b"word\n", mode))

    def test_a_symbolic_link_is_refused(self, tmp_path):
        """Also one to a file that would do."""
        put(tmp_path / "real", b"word\n")
        (tmp_path / "key").symlink_to("real")
        with pytest.raises(PrivateFileError, match="symbolic link"):
            read_private(tmp_path / "key")

    def test_what_is_no_file_is_refused_at_once(self, tmp_path):
        """A pipe does not hold the sidecar up."""
        os.mkfifo(tmp_path / "pipe", 0o600)
        (tmp_path / "folder").mkdir(0o700)
        for name in ("pipe", "folder"):
            with pytest.raises(PrivateFileError, match="not a regular file"):
                read_private(tmp_path / name)

    @pytest.mark.parametrize("content", [b"two words\n", b"\xff\n", b"a\nb\n", b"a\0b", b"x" * 5000])
    def test_a_file_without_one_word_is_refused(self, tmp_path, content):
        """It is named, and its content is not repeated."""
        with pytest.raises(PrivateFileError, match="does not hold one word") as caught:
            read_private(put(tmp_path / "key", content))
        assert "two words" not in str(caught.value)


class TestPrivateFolder:
    """Made for its owner; one that is there is looked at and left as it is."""

    def test_a_new_one_is_its_owners_alone(self, tmp_path):
        """Whatever the umask."""
        before = os.umask(0)
        try:
            private_folder(tmp_path / "data")
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700

    @pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
    def test_one_that_others_can_write_to_is_refused(self, tmp_path, mode):
        """And not tightened: who opened it may have had a reason, and has to know."""
        tmp_path.chmod(mode)
        with pytest.raises(PrivateFileError, match="others can write to it"):
            private_folder(tmp_path)
        assert stat.S_IMODE(tmp_path.stat().st_mode) == mode

    def test_one_that_others_can_read_stays_as_it_is(self, tmp_path):
        """The files in it are closed themselves."""
        tmp_path.chmod(0o755)
        private_folder(tmp_path)
        assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755

    def test_one_of_another_user_is_refused(self, tmp_path, monkeypatch):
        """Its owner can put a token there."""
        if os.geteuid() == 0:
            os.chown(tmp_path, 4711, -1)
        else:
            monkeypatch.setattr(private_files.os, "geteuid", lambda: 4711)
        with pytest.raises(PrivateFileError, match="another user's"):
            private_folder(tmp_path)
