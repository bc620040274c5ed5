"""Edits written into a bundle's folder, or nothing."""

import shutil
from pathlib import Path

import pytest
from adjudicator.authoring.imports.differences import difference
from adjudicator.authoring.imports.edited_folder import tried, write_edits
from adjudicator.authoring.imports.notes import ImportFaultError
from adjudicator.policy.loader import BundleError, OpenBundle, open_bundle
from running import POLICIES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped bundle."""
    return shutil.copytree(POLICIES, tmp_path / "p")


def edited(bundle: OpenBundle) -> dict[str, str]:
    """A schema that is new, and a file with one line more."""
    files = bundle.sources.files
    return {
        "rules.csv": files["rules.csv"].text + "# more\n",
        "tests/more/a.yaml": files["tests/reading.yaml"].text,
    }


def test_what_is_written_is_what_was_tried(folder):
    """A link stays a link, the mode stays the mode, and nothing is left beside."""
    (folder / "rules.csv").rename(folder / ".rules")
    (folder / "rules.csv").symlink_to(".rules")
    (folder / ".rules").chmod(0o640)
    bundle = open_bundle(folder)
    write_edits(folder, bundle, edited(bundle))
    assert open_bundle(folder).sources.contents == tried(bundle, edited(bundle)).sources.contents
    assert (folder / "rules.csv").is_symlink()
    assert (folder / ".rules").stat().st_mode & 0o777 == 0o640
    assert [each.name for each in folder.rglob(".*")] == [".rules"]


def test_a_folder_that_has_changed_meanwhile_is_left_alone(folder):
    """Somebody else's edit would be lost."""
    bundle = open_bundle(folder)
    (folder / "rules.csv").write_text(bundle.sources.files["rules.csv"].text + "# theirs\n")
    with pytest.raises(ImportFaultError, match="changed meanwhile"):
        write_edits(folder, bundle, edited(bundle))
    assert "# more" not in (folder / "rules.csv").read_text()


def test_an_error_leaves_no_folder_that_was_made_for_it(folder):
    """One file is to be where another one needs a folder, so neither is written."""
    bundle = open_bundle(folder)
    before = set(folder.rglob("*"))
    with pytest.raises(ImportFaultError, match="nothing is changed"):
        write_edits(folder, bundle, {"schemas/n/w.json": "{}", "schemas/n/w.json/x.json": "{}"})
    assert set(folder.rglob("*")) == before


def test_an_error_halfway_takes_back_what_was_written(folder):
    """The last file cannot be put in its place, so the first ones are as they were."""
    bundle = open_bundle(folder)
    (folder / "tests" / "more").mkdir()
    (folder / "tests" / "more" / "a.yaml").mkdir()
    with pytest.raises(ImportFaultError, match="nothing is changed"):
        write_edits(folder, bundle, edited(bundle) | {"a.csv": ""})
    assert not (folder / "a.csv").exists()
    (folder / "tests" / "more" / "a.yaml").rmdir()
    assert open_bundle(folder).sources.contents == bundle.sources.contents


def test_an_edit_that_would_change_what_is_there_is_refused(folder):
    """By the loader, or because a tool is no longer what it was."""
    bundle = open_bundle(folder)
    tools = bundle.sources.files["registry/tools.yaml"].text
    with pytest.raises(BundleError):
        tried(bundle, {"registry/tools.yaml": tools + "read: x\n"})
    with pytest.raises(ImportFaultError, match="registered already"):
        tried(bundle, {"registry/tools.yaml": tools.replace("quorum: 2", "quorum: 1")})


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("", "a\nb\n", ["--- /dev/null", "+++ f", "@@ -0,0 +1,2 @@", "+a", "+b"]),
        ("1\n2\n3\n4\n", "1\n2\n3\n4\n5\n", ["--- f", "+++ f", "@@ -2,3 +2,4 @@", " 2", " 3", " 4", "+5"]),
        ("a\nb\nc\n", "a\nB\nc\n", ["--- f", "+++ f", "@@ -1,3 +1,3 @@", " a", "-b", "+B", " c"]),
        ("a\na\n", "a\n", ["--- f", "+++ f", "@@ -1,2 +1,1 @@", " a", "-a"]),
        ("a\n", "a\n", []),
    ],
)
def test_a_difference_is_what_patch_reads(before, after, lines):
    """One hunk with three lines around it."""
    assert difference("f", before, after) == lines
