"""`adjudicator approver add` and `list`, and the token files that they keep."""

import json
import stat

import pytest
from adjudicator.config.approver_tokens import read_token, token_path


def token_from(data, name):
    """The token of one person."""
    return read_token(token_path(data, name))


def test_an_added_approver_has_a_token_that_only_its_owner_reads(run, data):
    """The file holds 256 random bits and a newline, and the next person's are others."""
    run("approver", "add", "bob")
    run("approver", "add", "cleo")
    path = data / "approvers" / "bob.token"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(path.read_text()) == 44
    assert path.read_text().endswith("\n")
    assert token_from(data, "bob") == path.read_text().strip()
    assert token_from(data, "bob") != token_from(data, "cleo")


def test_what_a_token_does_not_do_is_said(run):
    """Without a row in the policy it decides nothing; the help says so before it is made."""
    output = run("approver", "add", "bob").stdout
    assert "approvers.csv" in output
    assert "  g, user:bob, role:..., TENANT\n" in output
    words = " ".join(run("approver", "add", "--help").stdout.split())
    assert "g, user:NAME, role:ROLE, TENANT" in words
    assert "approvers.csv" in words
    assert run("approver", "add", "cleo", "--json").stdout.count("\n") == 1


def test_the_folder_is_made_when_there_is_none(run, data):
    """Before the first start of a sidecar too, and for its owner alone."""
    run("approver", "add", "ann", "--data", str(data / "new"))
    for folder in (data / "new", data / "new" / "approvers"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_token_is_never_printed(run, data):
    """Neither when it is made nor when names are listed."""
    output = run("approver", "add", "bob").output + run("approver", "list").output
    assert token_from(data, "bob") not in output
    assert token_from(data, "ann") not in output


def test_a_token_is_never_written_over(run, data):
    """Adding a name twice changes nothing and is an error."""
    before = token_from(data, "ann")
    result = run("approver", "add", "ann")
    assert result.exit_code == 1
    assert "exists already" in result.stderr
    assert token_from(data, "ann") == before


@pytest.mark.parametrize("name", ["", "Ann", "a/b", "../up", "a b", "a\n", "a" * 65, "ä"])
def test_a_name_is_of_a_plain_alphabet(run, data, name):
    """Nothing that could be another path, or look like another name."""
    assert run("approver", "add", "--", name).exit_code == 1
    assert [path.name for path in (data / "approvers").iterdir()] == ["ann.token"]


def test_names_are_listed_in_order(run):
    """One on each line, as the actors that they vote as with --json."""
    run("approver", "add", "abe")
    assert run("approver", "list").stdout == "abe\nann\n"
    first = json.loads(run("approver", "list", "--json").stdout.splitlines()[0])
    assert first == {"name": "abe", "actor": "user:abe"}


def test_a_token_that_counts_for_nobody_is_not_listed(run, data):
    """The hint says what is wrong with the file."""
    (data / "approvers" / "ann.token").chmod(0o640)
    (data / "approvers" / "Bob.token").touch(0o600)
    result = run("approver", "list")
    assert result.stdout.startswith("Nobody: ")
    assert "ann.token cannot be used: others can reach it" in result.stderr
    assert "Bob.token cannot be used: its name is no approver's" in result.stderr


def test_a_token_is_not_put_where_others_can_write(run, data):
    """A folder that others can write to is refused, not tightened."""
    (data / "approvers").chmod(0o770)
    result = run("approver", "add", "bob")
    assert result.exit_code == 1
    assert "others can write to it" in result.stderr
    assert stat.S_IMODE((data / "approvers").stat().st_mode) == 0o770
