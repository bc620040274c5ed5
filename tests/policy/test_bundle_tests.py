"""The tests that a bundle brings along: how they are read, and what of them is refused."""

import shutil

import pytest
from adjudicator.config.limits import BUNDLE_TESTS
from adjudicator.domain.call import Mode, ToolCall
from adjudicator.domain.request import Priority
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode, Step
from adjudicator.policy.bundle_tests import CallTest, Expected, ExpectedApproval
from adjudicator.policy.loader import read_bundle
from policy.spoiled_tests import CALL, EDITS, HEAD, LISTS, LISTS_EDITS, SOUND


@pytest.fixture
def tested(bundle):
    """A copy of the shipped bundle with one test of its own."""
    shutil.rmtree(bundle.folder / "tests")
    bundle.write("tests/a.yaml", HEAD + SOUND)
    return bundle


@pytest.mark.parametrize(("old", "new", "message"), EDITS, ids=[f"{e[1][:40]!a}" for e in EDITS])
def test_an_edit_is_refused_with_its_place(tested, old, new, message):
    """Whatever is not understood in a test is a problem of the bundle, at its line and column."""
    refuse_with_its_place(tested, HEAD + SOUND, old, new, message)


@pytest.mark.parametrize(
    ("old", "new", "message"), LISTS_EDITS, ids=[f"{e[1][:40]!a}" for e in LISTS_EDITS]
)
def test_an_edit_of_a_list_is_refused_with_its_place(tested, old, new, message):
    """The same of what must be denied, and of who may decide."""
    refuse_with_its_place(tested, LISTS, old, new, message)


def refuse_with_its_place(tested, sound, old, new, message):
    """The edit has its problem, at the place that is marked."""
    tested.write("tests/a.yaml", sound)
    tested.replace("tests/a.yaml", old, new.replace("§", ""))
    found = [problem for problem in tested.problems() if message in problem]
    assert len(found) == 1
    if "§" in new:
        before = sound.split(old)[0] + new.split("§")[0]
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
    assert tests[1] == CallTest(
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


def test_lists_are_tests_with_names_of_their_own(tested):
    """In the order of their kinds; a name says the list, the number in it, and the call."""
    tested.write("tests/a.yaml", LISTS)
    terms, deny, ask, allow, may, may_not, violate = read_bundle(tested.folder).tests
    assert terms.expected.approval == ExpectedApproval(quorum=2, four_eyes=True)
    assert deny.name == "must_deny 1: read"
    assert deny.expected == Expected(Outcome.DENY, cause=Cause.RULE_DENY)
    assert (ask.name, ask.call.tool, ask.expected) == ("a command", "bash", Expected(Outcome.ASK))
    assert (allow.call.tenant, allow.expected.outcome) == ("studio", Outcome.ALLOW)
    assert may.name == "may_decide: user:ann, studio, deploy, critical"
    assert (may.may_decide, may.priority) == (True, Priority.CRITICAL)
    assert (may_not.may_decide, may_not.priority, may_not.approver) == (False, None, "user:eve")
    assert violate.name == "must_violate 1: bash"
    assert (violate.tool, violate.violations) == ("bash", {"required", "/timeout minimum"})


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
    assert tested.problems() == ["tests: 10,001 tests; the limit is 10,000, so remove some"]


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
