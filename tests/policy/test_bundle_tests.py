"""The tests that a bundle brings along: how they are read, and what of them is refused."""

import shutil

import pytest
from adjudicator.config.limits import BUNDLE_TESTS
from adjudicator.domain.call import Mode, ToolCall
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode, Step
from adjudicator.policy.bundle_tests import BundleTest, Expected
from adjudicator.policy.loader import read_bundle

HEAD = "defaults: {tenant: studio, agent: coder, tool: read}\ntests:\n"
SOUND = '  - name: a\n    call: {arguments: {"path": "a"}}\n    expect: {verdict: ALLOW}\n'
CALL = 'call: {arguments: {"path": "a"}}'

# Of each edit to HEAD + SOUND: what stands there, what a hand made of it, and the message. The message is
# expected at the `§` if there is one.
EDITS = [
    ("tests:\n", "test:\n", "`a.yaml` has no `tests`; add it"),
    ("tests:\n", "description: §''\ntests:\n", "`description` is empty"),
    ("tool: read}", "tool: read, arguments: §{}}", "`arguments` is not a key of `defaults`"),
    ("tenant: studio, ", "", "`call` has no `tenant`, nor have the `defaults` of the file; add it"),
    ("name: a", "title: §a", "`title` is not a key of `tests`"),
    ("name: a\n    ", "§", "`tests` has no `name`; add it"),
    ("name: a", "name: §''", "`name` is empty"),
    (CALL, "call: §read", "`call` must be a mapping"),
    (CALL, "call: §{}", "`call` has no `arguments`; add it"),
    (CALL, "call: {arguments: {}, path: §a}", "`path` is not a key of `call`"),
    (CALL, "call: {arguments: {}, mode: §observe}", "write `auto`, `ask_always`, `read_only`"),
    (CALL, "call: {arguments: {}, on_behalf_of: §critic}", "`on_behalf_of` must be a list"),
    (CALL, "call: {arguments: {}, resolved_paths: §[/a]}", "`resolved_paths` must be a mapping"),
    (CALL, "call:\n      arguments:\n        §path: a", "`arguments` must be JSON, as in"),
    (CALL, "call:\n      arguments: §", "`arguments` is empty"),
    ("verdict: ALLOW", "verdict: §allow", "write `ALLOW`, `DENY`, `ASK`"),
    ("{verdict: ALLOW}", "§{step: 7}", "`expect` has no `verdict`; add it"),
    ("{verdict: ALLOW}", "§ALLOW", "`expect` must be a mapping"),
    ("{verdict: ALLOW}", "§{verdict: DENY}", "say for which: add `step`, `cause` or `rule`"),
    ("ALLOW}", "ALLOW, step: §9}", "a whole number from 1 to 8"),
    ("ALLOW}", "ALLOW, step: §S7}", "a whole number from 1 to 8"),
    ("ALLOW}", "ALLOW, cause: §RULE_ALOW}", "`cause` is 'RULE_ALOW'; write"),
    ("ALLOW}", "ALLOW, reason_code: §OK}", "`reason_code` is 'OK'; write"),
    ("ALLOW}", "ALLOW, outcome: §ALLOW}", "`outcome` is not a key of `expect`"),
    ("expect: ", "§name: b\n    expect: ", "`name` is here twice"),
]


@pytest.fixture
def tested(bundle):
    """A copy of the shipped bundle with one test of its own."""
    shutil.rmtree(bundle.folder / "tests")
    bundle.write("tests/a.yaml", HEAD + SOUND)
    return bundle


@pytest.mark.parametrize(("old", "new", "message"), EDITS, ids=[f"{e[1][:40]!a}" for e in EDITS])
def test_an_edit_is_refused_with_its_place(tested, old, new, message):
    """Whatever is not understood in a test is a problem of the bundle, at its line and column."""
    tested.replace("tests/a.yaml", old, new.replace("§", ""))
    found = [problem for problem in tested.problems() if message in problem]
    assert len(found) == 1
    if "§" in new:
        before = (HEAD + SOUND).split(old)[0] + new.split("§")[0]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        assert found[0].startswith(f"tests/a.yaml:{line}:")
        # A value that is missing or a block has its place where YAML sees it.
        assert found[0].startswith(f"tests/a.yaml:{line}:{column}: ") or "arguments" in message


def test_every_field_of_a_test_is_read(tested):
    """What a call states and what is expected arrive as they are written, numbers as JSON has them."""
    tested.write(
        "tests/deep/er/b.yaml",
        """\
description: All of it.
tests:
  - name: no
    call:
      tenant: studio
      agent: coder
      tool: write
      on_behalf_of: [designer, critic]
      principal: user:ann
      working_directory: /srv/app
      mode: read_only
      resolved_paths: {/path: /srv/app/a}
      arguments: {"path": "on",
        "n": 1.0, "big": 18446744073709551617, "yes": true}
    expect:
      verdict: DENY
      step: 7
      check: rule_chain
      reason_code: FORBIDDEN
      cause: MODE_READ_ONLY
      rule: rules.csv:4
""",
    )
    tests = read_bundle(tested.folder).tests
    assert [test.name for test in tests] == ["a", "no"]
    assert tests[1] == BundleTest(
        file="tests/deep/er/b.yaml",
        line=3,
        column=5,
        name="no",
        call=ToolCall(
            tenant="studio",
            agent="coder",
            tool="write",
            arguments_json='{"path": "on",\n        "n": 1.0, "big": 18446744073709551617, "yes": true}',
            on_behalf_of=("designer", "critic"),
            principal="user:ann",
            working_directory="/srv/app",
            resolved_paths=(("/path", "/srv/app/a"),),
            mode=Mode.READ_ONLY,
        ),
        expected=Expected(
            outcome=Outcome.DENY,
            step=Step.GATE,
            check="rule_chain",
            reason_code=ReasonCode.FORBIDDEN,
            cause=Cause.MODE_READ_ONLY,
            rule="rules.csv:4",
        ),
    )


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('{"a": "}] # é\\u00e9 \\/"}', '{"a": "}] # é\\u00e9 \\/"}'),
        ('{"a":[1,{"b":null}]}', '{"a":[1,{"b":null}]}'),
        ("[1, 2]", "[1, 2]"),
        ("{}", "{}"),
        ('\'{"a": 1, "a": 2}\'', '{"a": 1, "a": 2}'),
        ('|-\n        {"a":\n          NaN}', '{"a":\n  NaN}'),
        ("no", "no"),
    ],
)
def test_arguments_are_the_json_that_is_written(tested, written, text):
    """In place or in a text, JSON is cut out and never read as YAML, so no value becomes another."""
    block = CALL.replace("{", "\n      ", 1).removesuffix("}").replace('{"path": "a"}', written)
    tested.write("tests/a.yaml", (HEAD + SOUND).replace(CALL, block))
    (test,) = read_bundle(tested.folder).tests
    assert test.call.arguments_json == text


def test_a_bundle_without_a_folder_for_tests_loads(bundle):
    """Tests are a help and not a duty."""
    shutil.rmtree(bundle.folder / "tests")
    assert read_bundle(bundle.folder).tests == ()


@pytest.mark.parametrize("left", [None, "README.md", ".keep", "deeper/README.md"])
def test_a_folder_without_tests_is_refused(bundle, left):
    """An empty set of checks is never a pass."""
    shutil.rmtree(bundle.folder / "tests")
    (bundle.folder / "tests").mkdir()
    if left:
        bundle.write(f"tests/{left}", "x\n")
    assert bundle.problems() == [
        "tests: the folder holds no tests; add a `.yaml` file with some, or remove the folder"
    ]


@pytest.mark.parametrize("name", ["tests/a.yml", "tests/a.json", "tests/a", "tests/deep/a.YAML"])
def test_a_file_that_is_no_test_is_refused(tested, name):
    """Nothing lies there that does nothing: a test under a mistaken name would never run."""
    tested.write(name, "x\n")
    assert tested.problems() == [f"{name}: not a file of a bundle; remove it, or begin its name with a dot"]


@pytest.mark.parametrize("content", ["", "# nothing yet\n", "tests:\n", "tests: []\n"])
def test_a_file_without_a_test_is_refused(tested, content):
    """A file that was emptied does not pass for one whose tests passed."""
    tested.write("tests/b.yaml", content)
    assert {problem.split(":")[0] for problem in tested.problems()} == {"tests/b.yaml"}


def test_two_tests_of_one_file_have_two_names(tested):
    """The second is told, with the line of the first; another file may use the name again."""
    tested.write("tests/b.yaml", HEAD + SOUND)
    assert tested.problems() == []
    tested.write("tests/b.yaml", HEAD + SOUND + SOUND)
    assert tested.problems() == ["tests/b.yaml:6:5: the test at line 3 is called 'a' too; rename one"]


def test_too_many_tests_are_refused(tested):
    """What runs before each activation is bounded."""
    many = "".join(SOUND.replace("name: a", f"name: a{number}") for number in range(BUNDLE_TESTS))
    tested.write("tests/b.yaml", HEAD + many)
    assert tested.problems() == ["tests: 1,001 tests; the limit is 1,000, so remove some"]


def test_a_test_that_was_cut_short_is_refused(tested):
    """As with every other file: its end may have said more."""
    tested.write("tests/a.yaml", (HEAD + SOUND).rstrip("\n"))
    assert any("the last line does not end" in problem for problem in tested.problems())


def test_tests_change_the_contents_and_not_the_version(tested):
    """A verdict names what decided; one more test decides nothing, but has to run before it counts."""
    before = read_bundle(tested.folder)
    tested.write("tests/b.yaml", HEAD + SOUND)
    after = read_bundle(tested.folder)
    assert before.snapshot.version == after.snapshot.version
    assert before.contents != after.contents
