"""Edits of a bundle's files by position: all else stays as it is written."""

import pytest
from adjudicator.authoring.explanation.changes import TextEdit, hunks, texts_after
from adjudicator.authoring.explanation.row_edits import added, changed, removed
from adjudicator.authoring.explanation.yaml_edits import (
    Documents,
    with_entry,
    with_item,
    with_value,
    without_entry,
    without_item,
)
from adjudicator.policy.loader import open_bundle
from adjudicator.policy.source import Source, Sources

DOCUMENT = """\
# what this is
studio:
  title: Studio  # of all
  mode: auto
  tools:  # in lines
    - read  # one
    - "ls"
archive:
  title: "Ä"
  tools: [read, ls,
    write]  # in brackets
  none: []
flow: {title: T, mode: auto}
"""


def document(text=DOCUMENT):
    """The documents of one file, and its source."""
    source = Source("d.yaml", text)
    return Documents(Sources("", {"d.yaml": source}, frozenset(("d.yaml",)))), source


def edited(edit, source):
    """The file's text after one edit, line by line."""
    assert edit is not None
    return texts_after([edit], {source.name: source})[source.name]


YAML = [
    (lambda at: with_item(at("studio", "tools"), "write"), '    - "ls"\n', '    - "ls"\n    - write\n'),
    (lambda at: with_item(at("archive", "tools"), "edit"), "    write]", "    write, edit]"),
    (lambda at: with_item(at("archive", "none"), "edit"), "none: []", "none: [edit]"),
    (lambda at: without_item(at("studio", "tools"), "read"), "    - read  # one\n", ""),
    (lambda at: without_item(at("archive", "tools"), "read"), "[read, ls", "[ls"),
    (lambda at: without_item(at("archive", "tools"), "write"), "ls,\n    write]", "ls]"),
    (
        lambda at: with_value(at("studio", "mode"), "read_only"),
        "mode: auto\n  tools",
        "mode: read_only\n  tools",
    ),
    (lambda at: without_entry(at("studio"), "mode"), "  mode: auto\n  tools", "  tools"),
    (lambda at: with_entry(at("studio"), "a", "b"), "# of all\n", "# of all\n  a: b\n"),
    (lambda at: with_entry(at("flow"), "a", "b"), "mode: auto}", "mode: auto, a: b}"),
]


@pytest.mark.parametrize(("edit", "old", "new"), YAML)
def test_one_place_changes_and_comments_stay(edit, old, new):
    """The file is the same but for that piece."""
    documents, source = document()
    made = edit(lambda *keys: documents.entry("d.yaml", *keys))
    assert edited(made, source) == DOCUMENT.replace(old, new, 1)


def test_what_cannot_be_edited_by_position_is_not_edited():
    """A list of one line, a comment inside of what would go, a key that is not there."""
    documents, _ = document("a:\n  - one\nb: [x, # why\n  y]\nc: {}\n")
    assert without_item(documents.entry("d.yaml", "a"), "one") is None
    assert without_item(documents.entry("d.yaml", "b"), "x") is None
    assert without_item(documents.entry("d.yaml", "b"), "z") is None
    assert with_entry(documents.entry("d.yaml", "c"), "k", "v") is None
    assert documents.entry("d.yaml", "a", "k") is None
    assert documents.entry("nothing.yaml") is None


def test_edits_of_the_same_piece_do_not_go_together():
    """Two rows may be added at the same place; what another edit takes away is not edited."""
    files = {"f": Source("f", "one\ntwo\n")}
    add = TextEdit("f", 4, 4, "and\n")
    assert texts_after([add, TextEdit("f", 4, 4, "more\n")], files) == {"f": "one\nand\nmore\ntwo\n"}
    assert texts_after([TextEdit("f", 0, 4, ""), add], files) == {"f": "and\ntwo\n"}
    assert texts_after([TextEdit("f", 0, 6, ""), add], files) is None


def test_a_hunk_has_the_lines_that_differ():
    """A row more, a row less, and a word in a row, each with the number of its line."""
    files = {"f": Source("f", "one\ntwo\nthree\n")}
    more, less, word = hunks(
        [TextEdit("f", 4, 4, "and\n"), TextEdit("f", 4, 8, ""), TextEdit("f", 9, 10, "H")], files
    )
    assert (more.line, more.before, more.after) == (2, (), ("and",))
    assert (less.line, less.before, less.after) == (2, ("two",), ())
    assert (word.line, word.before, word.after) == (3, ("three",), ("tHree",))


def test_a_row_comes_below_the_last_that_is_most_like_it(shipped):
    """Of the same subject, tenant and tool; else of the same tenant and tool; else of the tenant."""
    bundle = open_bundle(shipped.folder)
    text = bundle.sources.files["rules.csv"].text
    for fields, above in (
        (("role:engineer", "studio", "bash"), "shell:rm -rf"),
        (("agent:coder", "studio", "fetch"), "p, role:designer, studio, fetch"),
        (("agent:coder", "archive", "edit"), "path:./restored/**"),
    ):
        edit = added(bundle.policies["rules"], bundle.sources, (*fields, "*", "", "ask", "why"))
        before = text[: edit.start].rstrip("\n").rsplit("\n", 1)[-1]
        assert above in before or before.endswith("a command line can do anything")


def test_a_row_loses_its_line_and_a_field_its_value(changed):
    """Quotes of the old value go with it; in a folder of files each row is edited in its own."""
    (changed.folder / "rules").mkdir()
    (changed.folder / "rules.csv").rename(changed.folder / "rules" / "a.csv")
    (changed.folder / "rules" / "b.csv").write_text(
        '# mine\r\np, role:reader, studio, read, "path:./b,c", , deny, "one, two"\r\n'
    )
    bundle = open_bundle(changed.folder)
    row = bundle.policies["rules"].rows[-1]
    edit = changed_text(bundle, changed_field=(row, 3, "path:./d"))
    assert edit == '# mine\r\np, role:reader, studio, read, path:./d, , deny, "one, two"\r\n'
    edit = changed_text(bundle, changed_field=(row, 4, "path:./e"))
    assert edit == '# mine\r\np, role:reader, studio, read, "path:./b,c", path:./e, deny, "one, two"\r\n'
    gone = texts_after([removed(row, bundle.sources)], bundle.sources.files)
    assert gone == {"rules/b.csv": "# mine\r\n"}


def changed_text(bundle, changed_field):
    """The text of the second file after a change of one field."""
    row, column, value = changed_field
    edit = changed(row, bundle.sources, column, value)
    return texts_after([edit], bundle.sources.files)["rules/b.csv"]
