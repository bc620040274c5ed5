"""The token files of the people who may approve."""

import pytest
from adjudicator.config.approver_tokens import (
    FIRST_APPROVER,
    add_approver,
    add_first_approver,
    name_in,
    read_token,
    token_path,
)
from adjudicator.config.private_files import PrivateFileError


def test_the_first_approver_is_made_once(tmp_path):
    """A folder with anybody's token gets no other."""
    file = add_first_approver(tmp_path / "data")
    assert file == token_path(tmp_path / "data", FIRST_APPROVER)
    assert len(read_token(file)) >= 32
    assert add_first_approver(tmp_path / "data") is None


def test_no_first_approver_is_made_beside_another(tmp_path):
    """Whoever removed the operator and kept others meant it."""
    add_approver(tmp_path / "data", "ann")
    assert add_first_approver(tmp_path / "data") is None


def test_a_token_that_exists_is_not_given_out_anew(tmp_path):
    """Not even an empty one, which may be about to be written."""
    file = add_approver(tmp_path / "data", "ann")
    file.write_text("")
    with pytest.raises(PrivateFileError, match="exists already"):
        add_approver(tmp_path / "data", "ann")
    assert file.read_text() == ""


@pytest.mark.parametrize("length", [0, 1, 31])
def test_a_short_token_is_none(tmp_path, length):
    """An empty file, one that is being written, or a word that could be guessed."""
    file = add_approver(tmp_path / "data", "ann")
    file.write_text("x" * length + "\n")
    with pytest.raises(PrivateFileError, match="no token of at least 32"):
        read_token(file)


@pytest.mark.parametrize(
    ("file_name", "name"),
    [
        ("ann.token", "ann"),
        ("a.b_c-1.token", "a.b_c-1"),
        ("Ann.token", None),
        ("ANN.TOKEN", None),
        ("a b.token", None),
        ("ä.token", None),
        (".token", None),
        ("ann.token~", None),
        ("a" * 65 + ".token", None),
        ("ann\n.token", None),
    ],
)
def test_a_file_is_somebodys_by_its_exact_name(file_name, name):
    """One case and a plain alphabet: no two names look alike."""
    assert name_in(file_name) == name


def test_a_missing_token_says_how_to_get_one(tmp_path):
    """The person who meets this has just begun."""
    with pytest.raises(PrivateFileError, match="adjudicator approver add NAME"):
        read_token(token_path(tmp_path, "ann"))
