"""Files of a bundle that are refused: what cannot be read, what is not expected, what says nothing."""

import os
import socket
from pathlib import Path
from unittest.mock import Mock

import pytest
from adjudicator.config.limits import BUNDLE_FILE_BYTES, MIB
from adjudicator.policy import loader, source
from adjudicator.policy import source as source_module
from adjudicator.policy.loader import BundleError, load_bundle
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import read_sources

NEWLINE = "\n"
PATH = "    /path: {kind: path}"
TEXT = "/name: {kind: text}"
STATUS = "  status: disabled\n  disable_reason: Replaced"

# Of each edit: the file, what stands there, what a hand made of it, and the message. The message is
# expected at the `§` if there is one.
EDITS = [
    # bundle.yaml
    ("bundle.yaml", "format: 1", "format: §2", "write `format: 1`"),
    ("bundle.yaml", "format: 1\n\ndefaults:", "§defaults:", "`bundle.yaml` has no `format`; add it"),
    ("bundle.yaml", "effect: deny", "effect: §allow", "write `deny` or `ask`"),
    ("bundle.yaml", "effect: deny", "effect: §Deny", "write `deny`, `ask`"),
    ("bundle.yaml", "approval_seconds: 300", "approval_seconds: §0", "from 1 to 604800"),
    ("bundle.yaml", "approval_seconds: 300", "approval_seconds: §3e2", "a whole number"),
    ("bundle.yaml", "approval_seconds: 300", "approval_secs: §300", "is not a key of `defaults`"),
    ("bundle.yaml", "- apply_autofix", "- codegraph_query", "listed already at line"),
    ("bundle.yaml", "- apply_autofix", "- §apply_autofx", "not a registered tool"),
    ("bundle.yaml", "- apply_autofix", "- §[a]", "must be one text"),
    ("bundle.yaml", "auto_approved:\n  ", "auto_aproved:\n  §", "`auto_aproved` is not a key"),
    # approvals in bundle.yaml
    ("bundle.yaml", "security_violation: high", "security_violation: §urgent", "`high`, `critical`, `off`"),
    ("bundle.yaml", "security_violation: high", "security_violation: §High", "`high`, `critical`, `off`"),
    ("bundle.yaml", "security_violation: high", "security_violation: §[high]", "must be one text"),
    ("bundle.yaml", "security_violation: high", "security_violations: §high", "not a key of `priorities`"),
    ("bundle.yaml", "unattended: wait", "unattended: §allow", "write `wait`, `deny`"),
    ("bundle.yaml", "unattended: wait", "unattended: §approve", "write `wait`, `deny`"),
    ("bundle.yaml", "unattended: wait", "unattended: §''", "`unattended` is empty"),
    ("bundle.yaml", "unattended: wait", "unatended: §wait", "not a key of `approvals`"),
    ("bundle.yaml", "pending_per_session: 200", "pending_per_session: §0", "from 1 to 100000"),
    ("bundle.yaml", "pending_per_session: 200", "pending_per_session: §off", "from 1 to 100000"),
    ("bundle.yaml", "pending_per_agent: 20000", "pending_per_agent: §100001", "from 1 to 100000"),
    ("bundle.yaml", "pending_per_agent: 20000", "pending_per_agent: §-1", "from 1 to 100000"),
    ("bundle.yaml", "per_session: 300", "per_session: §2.5", "from 1 to 100000"),
    ("bundle.yaml", "per_agent: 20000", "per_agent: §1e3", "from 1 to 100000"),
    ("bundle.yaml", "grant_seconds: 28800", "grant_seconds: §604801", "from 1 to 604800"),
    ("bundle.yaml", "grant_seconds: 28800", "grant_seconds: §8h", "from 1 to 604800"),
    ("bundle.yaml", "grant_uses: 100", "grant_uses: §0", "from 1 to 100000"),
    ("bundle.yaml", "approvals:\n", "approvals: §never\nx:\n", "must be a mapping"),
    # YAML itself
    ("bundle.yaml", "format: 1", "format: 1\n§format: 1", "`format` is here twice"),
    ("bundle.yaml", "format: 1", "format: §&a 1", "anchors and aliases"),
    ("bundle.yaml", "format: 1", "format: §!!int 1", "tags are not used here"),
    ("bundle.yaml", "format: 1", "format: [1", "not YAML"),
    ("bundle.yaml", "format: 1", "format: §\x07", "a character that is not allowed"),
    ("bundle.yaml", "format: 1", "? §[a]\n: 1\nformat: 1", "a key must be one word"),
    ("bundle.yaml", "format: 1", "format: 1\n§---\nformat: 1", "not YAML"),
    ("bundle.yaml", "format: 1", "format: " + "[" * 15 + "§[]" + "]" * 15, "nested deeper than 16"),
    ("bundle.yaml", "format: 1", "format: " + "[" * 900, "nested deeper than 16"),
    ("bundle.yaml", "format: 1", "format: " + "[" * 20000, "not YAML: exceeded maximum nesting depth"),
    # registry
    ("registry/tenants.yaml", "mode: auto", "mode: §Auto", "write `auto`, `ask_always`"),
    ("registry/tenants.yaml", "title: Product studio", "title: §''", "`title` is empty"),
    ("registry/tenants.yaml", "    - bash", "    - §bahs", "not a registered tool"),
    ("registry/tenants.yaml", "    - bash", "    - read", "is in `tools` twice"),
    ("registry/tenants.yaml", "[read, ls,", "[§read ls,", "'read ls'"),
    ("registry/agents.yaml", "kind: critic", "kind: §judge", "write `builder`, `critic`"),
    ("registry/agents.yaml", "title: Coder", "title: Coder\n  enabled: §yes", "write `true`, `false`"),
    ("registry/agents.yaml", "[bash, command_execution]", "§bash", "must be a list"),
    ("registry/agents.yaml", "[studio]", "[§stduio]", "not a registered tenant"),
    ("registry/agents.yaml", "critic:\n  ", "two words:\n  §", "'two words' is not a code"),
    ("registry/tools.yaml", "access: read", "access: §Read", "write `read`, `write`"),
    ("registry/tools.yaml", PATH, "    path: §{kind: path}", "not a JSON Pointer"),
    ("registry/tools.yaml", PATH, "    /path: {kind: §file}", "write `path`, `text`"),
    ("registry/tools.yaml", PATH, "    /path: §{}", "has no `kind`"),
    (
        "registry/tools.yaml",
        PATH,
        "    /path: {kind: path, access: §write}",
        "writes but the tool only reads",
    ),
    (
        "registry/tools.yaml",
        "    /paths/*: {kind: path, access: write}",
        "    /paths/*: §{kind: path}",
        "the tool writes; say whether it does so at `/paths/*`: `access: read` or `write`",
    ),
    (
        "registry/tools.yaml",
        TEXT,
        "/name: {kind: text, needs_resolution: §true}",
        "only a path can be resolved",
    ),
    (
        "registry/tools.yaml",
        PATH,
        "    /path: {kind: §shell}",
        "a command line can write",
    ),
    ("registry/tools.yaml", "quorum: 2", "quorum: §0", "from 1 to 16"),
    ("registry/tools.yaml", "[coder]", "[§codr]", "not a registered agent"),
    ("registry/tools.yaml", STATUS, "  disable_reason: §Replaced", "take `disable_reason` away"),
    (
        "registry/tools.yaml",
        "permission: shell.run",
        "permission: §shell run",
        "'shell run' is not a permission",
    ),
]


@pytest.mark.parametrize(
    ("name", "old", "new", "message"), EDITS, ids=[f"{e[0]} {e[2][:30]!a}" for e in EDITS]
)
def test_an_edit_is_refused_with_its_place(bundle, name, old, new, message):
    """The edit's own problem is listed at its line and column; others may follow from it."""
    bundle.replace(name, old, new.replace("§", ""))
    found = [problem for problem in bundle.problems() if message in problem]
    before = (bundle.folder / name).read_text().split(new.replace("§", ""))[0] + new.split("§")[0]
    place = f"{name}:{before.count(NEWLINE) + 1}:{len(before) - before.rfind(NEWLINE)}: "
    assert len(found) == 1
    assert found[0].startswith(place if "§" in new else name)


def test_a_secret_argument_may_not_be_declared(bundle):
    """A bundle whose rules would look at what a schema hides does not load."""
    bundle.replace(
        "registry/tools.yaml", "/url: {kind: url}", "/url: {kind: url}\n    /authorization: {kind: text}"
    )
    (problem,) = bundle.problems()
    assert problem.startswith("schemas/fetch.json: `/authorization` is an argument that the registry")


def test_a_disabled_tool_says_why(bundle):
    """A disabled tool without a reason is refused where the tool is."""
    bundle.replace(
        "registry/tools.yaml", "  disable_reason: Replaced by deploy, which two people approve.\n", ""
    )
    (problem,) = bundle.problems()
    assert problem.startswith("registry/tools.yaml:")
    assert problem.endswith(": `legacy_deploy` is disabled and has no `disable_reason`; say why")


@pytest.mark.parametrize("code", ["no", "on", "null", "1.0", "~x", "0x10"])
def test_a_code_that_looks_like_another_value_stays_text(bundle, code):
    """A tool called `no` is a tool called `no`, or is refused as a name, but never turns into a value."""
    bundle.append(
        "registry/tools.yaml", f"\n{code}: {{title: t, description: d, access: read, permission: x}}"
    )
    bundle.write(f"schemas/{code}.json", '{"type": "object", "additionalProperties": false}')
    if code == "~x":
        assert any("'~x' is not a code" in problem for problem in bundle.problems())
    else:
        assert code in bundle.load().registry.tools


@pytest.mark.parametrize("code", ["../evil", "a//b", ".hidden", "a/../b", "/a", "a/"])
def test_a_tool_code_that_cannot_name_a_file_is_refused(bundle, code):
    """A tool's code is also the name of its schema file, inside of the folder."""
    bundle.append(
        "registry/tools.yaml", f"\n{code}: {{title: t, description: d, access: read, permission: x}}"
    )
    assert any("cannot name a schema file" in problem for problem in bundle.problems())


def test_a_tool_code_may_have_parts(bundle):
    """`mcp:docs/search` has its schema in a folder."""
    bundle.append(
        "registry/tools.yaml", "\nmcp:docs/search: {title: t, description: d, access: read, permission: x}"
    )
    bundle.write("schemas/mcp:docs/search.json", '{"type": "object", "additionalProperties": false}')
    assert "mcp:docs/search" in bundle.load().contracts


MISSING = [
    *("bundle.yaml", "registry/tools.yaml", "models/rules.conf", "models/approvers.conf"),
    *("scope.csv", "rules.csv", "approvers.csv"),
]


@pytest.mark.parametrize("name", MISSING)
def test_a_missing_file_is_named(bundle, name):
    """A file that must be there and is not is one problem, and what it would have said is none."""
    bundle.remove(name)
    problems = bundle.problems()
    assert len(problems) == 1
    assert problems[0].startswith(f"{name}: the file is missing; add it")


@pytest.mark.parametrize(
    "name", ["rules.csv~", "notes.txt", "registry/users.yaml", "models/x.conf", "rules.csv.bak"]
)
def test_a_file_that_nobody_reads_is_refused(bundle, name):
    """Nothing may lie in a bundle and do nothing."""
    bundle.write(name, "x\n")
    assert bundle.problems() == [f"{name}: not a file of a bundle; remove it, or begin its name with a dot"]


@pytest.mark.parametrize("name", ["schemas/read.txt", "schemas/ghost.json"])
def test_a_schema_that_no_tool_has_is_refused(bundle, name):
    """A schema file belongs to a registered tool."""
    bundle.write(name, "{}")
    assert [problem.split(":")[0] for problem in bundle.problems()] == [name]


def test_dotfiles_and_markdown_are_not_part_of_the_bundle(bundle):
    """They change neither the verdict nor the version."""
    version = bundle.load().version
    for name in (".hidden/x.csv", "models/.x.swp", "docs.md", "rules.md", "tests/README.md"):
        bundle.write(name, b"\xff\x00")
    assert bundle.load().version == version


def test_rows_in_a_file_and_in_a_folder_are_refused(bundle):
    """It would not be clear which of the two counts."""
    bundle.write("rules/more.csv", "#\n")
    assert bundle.problems() == ["rules.csv: there is a folder rules/ as well; keep one of the two"]


BYTES = [
    (b"\xef\xbb\xbfp, x", "1:1", "a byte-order mark"),
    (b"# fine\n  \xff", "2:3", "not UTF-8"),
    (b"# fine\nab\x00", "2:3", "a NUL character"),
    ("# fine\n".encode("utf-16"), "1:1", "not UTF-8"),
]


@pytest.mark.parametrize("name", ["rules.csv", "bundle.yaml", "models/scope.conf", "schemas/read.json"])
@pytest.mark.parametrize(("content", "place", "message"), BYTES)
def test_bytes_that_are_not_plain_text_are_one_problem(bundle, name, content, place, message):
    """An unreadable file is told as that, not as missing and not as what follows from its absence."""
    bundle.write(name, content)
    problems = bundle.problems()
    assert len(problems) == 1
    assert problems[0].startswith(f"{name}:{place}: {message}")


@pytest.mark.parametrize(
    "name", ["bundle.yaml", "registry/agents.yaml", "models/rules.conf", "schemas/read.json"]
)
def test_an_empty_file_is_refused(bundle, name):
    """Zero bytes is what a full disk leaves behind."""
    bundle.write(name, b"")
    problems = bundle.problems()
    assert problems
    assert all(problem.startswith(name) for problem in problems)


def test_a_file_that_was_cut_short_is_refused(bundle):
    """A row may still read well without its end, and the rows after it are gone."""
    text = (bundle.folder / "rules.csv").read_text()
    bundle.write("rules.csv", text[: text.index("keys are not") + 4])
    problems = [problem for problem in bundle.problems() if "write cut short" in problem]
    assert len(problems) == 1


def test_a_file_with_a_comment_alone_is_meant(bundle):
    """Nobody forgets what is written down."""
    bundle.write("rules.csv", "# nothing is ruled here\n")
    assert bundle.problems() == []


def test_a_folder_that_is_not_there_is_a_problem(tmp_path):
    """A wrong path is told with its name."""
    with pytest.raises(BundleError, match="nowhere"):
        load_bundle(tmp_path / "nowhere")


def test_a_file_in_place_of_the_folder_is_a_problem(tmp_path):
    """A bundle is a folder."""
    (tmp_path / "policies").write_text("x")
    with pytest.raises(BundleError, match="is not a folder"):
        load_bundle(tmp_path / "policies")


def test_a_file_without_permission_is_a_problem(bundle, monkeypatch):
    """What may not be read is named, with the system's own words; patched in, since root may read all."""
    opened = os.open

    def refuse(path, *args, **kwargs):
        if Path(path).name == "scope.csv":
            raise PermissionError(13, "Permission denied")
        return opened(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", refuse)
    assert bundle.problems() == ["scope.csv: the file cannot be read: Permission denied"]


def test_a_named_pipe_does_not_hold_up_the_load(bundle):
    """A file that is none is refused at once, without waiting for a writer."""
    bundle.remove("scope.csv")
    os.mkfifo(bundle.folder / "scope.csv")
    assert bundle.problems() == ["scope.csv: not a file; a bundle holds only files and folders"]


def test_a_socket_is_not_a_file(bundle):
    """Nor is what a program left behind to be spoken to."""
    bundle.remove("scope.csv")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(bundle.folder / "scope.csv"))
        assert bundle.problems() == ["scope.csv: not a file; a bundle holds only files and folders"]


def test_a_pipe_is_not_even_opened(bundle, monkeypatch):
    """To open a device can already do something."""
    opened, really = [], os.open

    def note(path, *args, **kwargs):
        opened.append(Path(path).name)
        return really(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", note)
    bundle.remove("scope.csv")
    os.mkfifo(bundle.folder / "scope.csv")
    assert bundle.problems() == ["scope.csv: not a file; a bundle holds only files and folders"]
    assert "rules.csv" in opened
    assert "scope.csv" not in opened


def test_a_file_that_is_too_large_is_refused(bundle):
    """The limit is told with the file's name; here most of the file is a hole."""
    with (bundle.folder / "scope.csv").open("r+b") as file:
        file.truncate(BUNDLE_FILE_BYTES + 1)
    assert bundle.problems() == ["scope.csv: larger than 128 MiB; split it, or remove it"]


def test_a_bundle_that_is_too_large_is_refused(bundle, monkeypatch):
    """Many files together are bounded too; each that is over is named."""
    monkeypatch.setattr(source, "BUNDLE_BYTES", 3 * MIB)
    bundle.remove("scope.csv")
    for name in "abcd":
        bundle.write(f"scope/{name}.csv", b"#" * (MIB - 1) + b"\n")
    over = "here the bundle goes over 3 MiB; remove files"
    assert bundle.problems() == [f"scope/{name}.csv: {over}" for name in "cd"]


def test_too_many_files_are_refused(tmp_path):
    """A wrong folder, such as a home folder, is told as that and not read."""
    for number in range(101):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name in range(100):
            (folder / str(name)).touch()
    (tmp_path / "bundle.yaml").touch()
    with pytest.raises(BundleError, match="10,000 files; put rows together, or name the right folder"):
        load_bundle(tmp_path)


def test_a_fault_of_the_loader_is_a_problem_too(bundle, monkeypatch):
    """Whoever reloads has one error to expect; the cause stays with it."""
    fault = ZeroDivisionError("oops")
    monkeypatch.setattr(loader, "read_registry", Mock(side_effect=fault))
    with pytest.raises(BundleError) as raised:
        bundle.load()
    message = ".: the bundle could not be read: ZeroDivisionError; this is a fault of the loader"
    assert str(raised.value) == message
    assert raised.value.__cause__ is fault


def test_the_rules_are_those_of_the_rule_chain(bundle):
    """Counted are the rows of rules.csv and the listed tools; the other policies have no rules."""
    rows = [line for line in (bundle.folder / "rules.csv").read_text().split("\n") if line.startswith("p,")]
    before = bundle.load().rule_count
    assert before == len(rows) + 7
    bundle.append("scope.csv", "p, agent:critic, studio, read, allow")
    bundle.append("rules.csv", "p, agent:coder, studio, read, path:**/x, , deny, no x")
    assert bundle.load().rule_count == before + 1


def test_a_link_out_of_the_folder_is_refused(bundle, tmp_path):
    """What is judged by lies inside the folder, where it is reviewed."""
    (bundle.folder / "scope.csv").rename(tmp_path / "scope.csv")
    (bundle.folder / "scope.csv").symlink_to(tmp_path / "scope.csv")
    problems = bundle.problems()
    assert problems[0].startswith("scope.csv: a symbolic link that leaves the bundle's folder")


def test_a_folder_link_out_of_the_folder_is_refused(bundle, tmp_path):
    """The same for a whole folder."""
    (bundle.folder / "registry").rename(tmp_path / "registry")
    (bundle.folder / "registry").symlink_to(tmp_path / "registry")
    assert any(problem.startswith("registry: a symbolic link") for problem in bundle.problems())


def test_links_inside_the_folder_are_followed(bundle):
    """Mounted configuration has its files behind links into a hidden folder."""
    (bundle.folder / ".data").mkdir()
    for name in ("registry", "scope.csv"):
        (bundle.folder / name).rename(bundle.folder / ".data" / name)
        (bundle.folder / name).symlink_to(Path(".data") / name)
    assert bundle.problems() == []


def test_a_folder_link_in_a_circle_is_refused(bundle):
    """A loop ends with a problem, not with the stack."""
    (bundle.folder / "registry" / "again").symlink_to(bundle.folder)
    assert any("one folder under two names, by a symbolic link" in problem for problem in bundle.problems())


def test_a_dangling_link_is_a_problem(bundle):
    """The link's name is told."""
    bundle.remove("scope.csv")
    (bundle.folder / "scope.csv").symlink_to("gone.csv")
    assert bundle.problems()[0].startswith("scope.csv: the file cannot be read")


def test_the_bundle_folder_itself_may_be_a_link(bundle, tmp_path):
    """Switching a link is how some people switch bundles."""
    (tmp_path / "current").symlink_to(bundle.folder)
    assert load_bundle(tmp_path / "current").version == bundle.load().version


def test_folders_too_deep_are_refused(bundle):
    """A thousand folders in one another end with a problem."""
    bundle.write("/".join(["schemas", *["d"] * 200, "x.json"]), "{}")
    assert any("nested deeper than 16 levels" in problem for problem in bundle.problems())


def test_the_version_is_the_hash_of_names_and_contents(bundle):
    """One more comment is another version; the same files are the same one."""
    first = bundle.load().version
    assert first.startswith("sha256:")
    assert bundle.load().version == first
    bundle.append("rules.csv", "# reviewed")
    assert bundle.load().version != first


def test_the_version_tells_where_a_file_ends(bundle):
    """A file, and the name and text of the next one written into it, are not the same."""
    text = (bundle.folder / "rules.csv").read_text() + "#\n"
    bundle.remove("rules.csv")
    bundle.write("rules/a.csv", text)
    bundle.write("rules/b.csv", "# x\n")
    first = load_version(bundle)
    (bundle.folder / "rules/b.csv").unlink()
    bundle.write("rules/a.csv", text + "rules/b.csv# x\n")
    assert load_version(bundle) != first


def load_version(bundle):
    """The hash of the files, whether or not the bundle is sound."""
    return read_sources(bundle.folder, Problems()).version


def test_a_message_is_safe_to_print(bundle):
    """What stands in a file reaches a terminal escaped."""
    bundle.write("schemas/read.json", '{"\\u001b[2J": 1}')
    assert all(problem.isprintable() for problem in bundle.problems())
    assert any("\\x1b[2J" in problem for problem in bundle.problems())


@pytest.mark.parametrize("name", ["registry/tools.yaml", "bundle.yaml", "models/rules.conf", "rules.csv"])
def test_every_kind_of_file_that_was_cut_short_is_refused(bundle, name):
    """What its end restricts would be gone, and the rest reads well."""
    text = (bundle.folder / name).read_text()
    bundle.write(name, text.rstrip("\n"))
    assert any("the last line does not end" in problem for problem in bundle.problems())


def test_a_folder_that_changes_while_it_is_read_is_refused(bundle, monkeypatch):
    """Files of two moments are no bundle."""
    read = source_module._read  # noqa: SLF001 - the moment between two files

    def slow(root, name, left, problems):
        content = read(root, name, left, problems)
        if name == "rules.csv":
            bundle.append("registry/tools.yaml", "# changed")
        return content

    monkeypatch.setattr(source_module, "_read", slow)
    assert bundle.problems() == [".: the folder changed while it was read; reload when the writing is done"]


def test_a_folder_that_is_no_bundle_is_one_problem(tmp_path):
    """Whoever names the wrong folder reads one line, and not one for each file in it."""
    (tmp_path / "main.py").write_text("print()\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "picture.bin").write_bytes(b"\xff\x00")
    with pytest.raises(BundleError) as raised:
        load_bundle(tmp_path)
    assert [str(problem) for problem in raised.value.problems] == [
        ".: there is no `bundle.yaml` here; name the folder of a bundle, as in `policies`"
    ]
