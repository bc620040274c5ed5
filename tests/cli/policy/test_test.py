"""`adjudicator policy test`: the tests of a bundle, run; a filter, a watch, a report for other programs."""

import json
import shutil
import signal
import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest
from running import POLICIES

FAILING = """\
defaults: {tenant: studio, agent: coder, tool: read, working_directory: /w}
must_deny:
  - name: "a file <&> \\x1b"
    arguments: {"path": "a"}
must_allow:
  - {name: another, arguments: {"path": "b"}}
"""


@pytest.fixture
def folder(tmp_path):
    """A copy of the shipped bundle with one test that fails beside one that passes."""
    copy = shutil.copytree(POLICIES, tmp_path / "p")
    (copy / "tests" / "zz.yaml").write_text(FAILING)
    return copy


def test_the_shipped_tests_pass(run):
    """The exit code is 0, and each file is named with how many passed."""
    result = run("policy", "test", str(POLICIES))
    assert result.exit_code == 0
    assert "pass  tests/steps.yaml: " in result.stdout
    assert result.stdout.splitlines()[-1].startswith("passed  ")


def test_a_test_that_fails_says_what_came_instead(run, folder):
    """With its place, the rule and the reason; the exit code is 1."""
    result = run("policy", "test", str(folder))
    assert result.exit_code == 1
    assert "FAIL  tests/zz.yaml: 1 of 2" in result.stdout
    assert "✗ a file <&> \\x1b" in result.stdout
    assert "tests/zz.yaml:3:5: expected DENY, got ALLOW at step 7 by rule_chain" in result.stdout
    assert "rules.csv:" in result.stdout
    assert " 1 failed" in result.stdout.splitlines()[-1]
    data = json.loads(run("policy", "test", str(folder), "--json").stdout)
    assert (data["ok"], data["failed"]) == (False, 1)
    assert [each["name"] for each in data["tests"] if not each["passed"]] == ["a file <&> \x1b"]


def test_a_filter_takes_names_and_places(run, folder):
    """In any case; what is left out is counted, and what is left is all that counts."""
    result = run("policy", "test", str(folder), "-k", "ZZ.yaml:6 another", "--verbose")
    assert result.exit_code == 0
    assert "✓ another" in result.stdout
    assert "1 passed, 0 failed, " in result.stdout
    assert run("policy", "test", str(folder), "-k", "zz.yaml:3").exit_code == 1


def test_nothing_to_run_is_no_pass(run, folder):
    """A filter that matches nothing, and a bundle without tests."""
    result = run("policy", "test", str(folder), "-k", "nothing is called so")
    assert result.exit_code == 1
    assert "no test matches" in result.stdout
    shutil.rmtree(folder / "tests")
    result = run("policy", "test", str(folder))
    assert result.exit_code == 1
    assert "there are no tests" in result.stdout


def test_a_bundle_with_problems_is_not_tested(run, folder):
    """Its problems are listed, as `policy check` lists them."""
    (folder / "scope.csv").unlink()
    result = run("policy", "test", str(folder))
    assert result.exit_code == 1
    assert "scope.csv: the file is missing" in result.stdout
    assert json.loads(run("policy", "test", str(folder), "--json").stdout)["problems"]


def test_a_report_for_other_programs_is_xml(run, folder, tmp_path):
    """Each test with its file and line, and the failure of the one that fails; whole or not there."""
    path = tmp_path / "report.xml"
    assert run("policy", "test", str(folder), "--junit", str(path)).exit_code == 1
    root = ET.parse(path).getroot()  # noqa: S314 - our own file
    assert root.get("failures") == "1"
    (failed,) = [case for case in root.iter("testcase") if case.find("failure") is not None]
    assert (failed.get("file"), failed.get("line"), failed.get("name")) == (
        "tests/zz.yaml",
        "3",
        "a file <&> \\x1b",
    )
    assert failed.find("failure").get("message").startswith("expected DENY, got ALLOW")
    assert [each.name for each in tmp_path.iterdir() if "report" in each.name] == ["report.xml"]


def test_a_report_that_cannot_be_written_is_told_after_how_the_tests_went(run, tmp_path):
    """The run has failed, and what it found is there all the same, for scripts too."""
    nowhere = tmp_path / "nowhere" / "a.xml"
    result = run("policy", "test", str(POLICIES), "--json", "--junit", str(nowhere))
    assert result.exit_code == 1
    assert json.loads(result.stdout)["passed"]
    assert f"{nowhere} cannot be written" in result.stderr


@pytest.mark.parametrize("option", ["--min-coverage", "--min-killed"])
def test_a_least_percentage_is_a_number(run, option):
    """Nothing is under what is no number, so it would always pass; it is refused."""
    result = run("policy", "test", str(POLICIES), option, "nan")
    assert result.exit_code == 2
    assert "is not a percentage" in result.stderr


def test_the_schema_of_tests_is_printed_for_editors(run):
    """As it is published."""
    schema = json.loads(run("policy", "test", "--schema").stdout)
    assert schema["title"] == "Tests of a policy bundle"


def test_a_watch_runs_again_when_a_file_changes(folder):
    """Until it is interrupted, which is no failure of the tests."""
    words = [sys.executable, "-c", "from adjudicator.cli.main import main; main()", "policy", "test"]
    with subprocess.Popen([*words, str(folder), "--watch"], stdout=subprocess.PIPE, text=True) as process:
        assert next(line for line in process.stdout if "failed" in line).startswith("failed")
        (folder / "tests" / "zz.yaml").unlink()
        assert next(line for line in process.stdout if " failed, " in line).startswith("passed")
        (folder / "scope.csv").rename(folder / "scope.csv.md")
        assert "not valid" in next(line for line in process.stdout if "not valid" in line)
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(30) == 130
        finally:
            process.kill()
