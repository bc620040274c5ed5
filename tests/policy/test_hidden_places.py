"""What a bundle's folder and files may hide: names that cannot be printed, webs of links, odd line ends."""

import os

import pytest
from adjudicator.policy.folder import fingerprint


@pytest.mark.parametrize("name", [b"\xff.yaml", b"a\x1b[31m.txt", b"a\nb.csv", b"tests/\xff.yaml"])
def test_a_name_that_cannot_be_printed_is_told_in_plain_text(bundle, name):
    """No name moves a terminal's cursor or ends the command that lists it."""
    (bundle.folder / os.fsdecode(name)).write_bytes(b"x\n")
    for problem in bundle.problems():
        assert problem.isprintable()
        assert problem.encode()


def test_links_between_folders_do_not_hold_up_a_load(bundle):
    """Twenty folders that link to one another make more names than could ever be listed."""
    folders = [bundle.folder / "tests" / f"d{number}" for number in range(20)]
    for folder in folders:
        folder.mkdir()
    for folder in folders:
        for other in folders:
            (folder / f"to_{other.name}").symlink_to(f"../{other.name}")
    assert fingerprint(bundle.folder)
    assert any("one folder under two names" in problem for problem in bundle.problems())


@pytest.mark.parametrize("end", ["\r", "\x85", "\u2028", "\u2029"])
def test_a_line_end_that_editors_do_not_show_is_refused(bundle, end):
    """What looks like the rest of a comment would be a key of its own, and every later line off by one."""
    name = "registry/tenants.yaml"
    text = (bundle.folder / name).read_text()
    bundle.write(name, f"# a comment{end}more: {{title: x, tools: [read]}}\n{text}")
    assert [
        problem for problem in bundle.problems() if problem.startswith(f"{name}:1:12: a line ends with")
    ]


def test_lines_may_end_as_windows_ends_them(bundle):
    """A carriage return before the line feed is no line end of its own."""
    for name in ("bundle.yaml", "registry/tools.yaml", "tests/steps.yaml"):
        bundle.write(name, (bundle.folder / name).read_text().replace("\n", "\r\n"))
    assert bundle.problems() == []
