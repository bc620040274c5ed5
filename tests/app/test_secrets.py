"""The key of the call digests."""

import pytest
from adjudicator.app.secrets import digest_key
from adjudicator.config.private_files import PrivateFileError


def test_a_key_is_made_once(tmp_path):
    """Two starts have the same."""
    file = tmp_path / "digest.key"
    key = digest_key(file)
    assert len(key) == 32
    assert digest_key(file) == key
    assert [each.name for each in tmp_path.iterdir()] == ["digest.key"]


@pytest.mark.parametrize("content", ["", "\n", "ab" * 31, "ab" * 33, "xy" * 32, "ab " * 32])
def test_a_file_without_32_bytes_is_refused_and_left(tmp_path, content):
    """A digest without a whole key is one that anybody can compute; the message says what to do."""
    file = tmp_path / "digest.key"
    file.touch(0o600)
    file.write_text(content)
    with pytest.raises(PrivateFileError) as caught:
        digest_key(file)
    assert str(file) in str(caught.value)
    assert content.strip() == "" or content not in str(caught.value)
    assert file.read_text() == content


def test_what_to_do_with_a_broken_key_is_said(tmp_path):
    """It can be put back, or given up."""
    (tmp_path / "digest.key").touch(0o600)
    with pytest.raises(PrivateFileError, match="put the right one back, or remove the file"):
        digest_key(tmp_path / "digest.key")


def test_a_key_that_others_can_read_is_refused(tmp_path):
    """They could make digests too."""
    file = tmp_path / "digest.key"
    digest_key(file)
    file.chmod(0o644)
    with pytest.raises(PrivateFileError, match="chmod 600"):
        digest_key(file)
