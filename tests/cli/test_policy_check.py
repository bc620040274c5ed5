"""`adjudicator policy check` prints warnings as compilers do, and ends with 1 if it is strict."""

import json
import re
import shutil

import pytest
from adjudicator.config.limits import WARNINGS_SHOWN
from running import POLICIES

ROW = "p, role:reader, archive, fetch, url:https://h{}.test/**, , deny, why"
WARNED = re.compile(
    r"^rules\.csv:[0-9]+:26: warning: never-matches: `fetch` is not on the list", re.MULTILINE
)


@pytest.fixture
def folder(tmp_path):
    """A copy of the shipped bundle."""
    return shutil.copytree(POLICIES, tmp_path / "p")


def warn(folder, count):
    """Add so many rows that never match."""
    with (folder / "rules.csv").open("a") as rules:
        rules.writelines(ROW.format(number) + "\n" for number in range(count))


def test_a_bundle_with_warnings_is_good(run, folder):
    """Each is FILE:LINE:COLUMN: warning: CODE and a sentence; the exit code is 0."""
    warn(folder, 1)
    result = run("policy", "check", str(folder))
    assert result.exit_code == 0
    assert len(WARNED.findall(result.stdout)) == 1
    assert "1 warning, 5 accepted as meant" in result.stdout
    assert "\ngood  " in result.stdout


def test_strict_makes_warnings_count(run, folder):
    """A script that wants none has its exit code; a bundle without any is good to it."""
    assert run("policy", "check", str(folder), "--strict").exit_code == 0
    warn(folder, 1)
    result = run("policy", "check", str(folder), "--strict")
    assert result.exit_code == 1
    assert "good" in result.stdout


def test_of_many_warnings_some_are_printed_and_all_are_in_the_json(run, folder):
    """What is left out is counted by its code."""
    warn(folder, WARNINGS_SHOWN + 7)
    printed = run("policy", "check", str(folder)).stdout
    assert len(WARNED.findall(printed)) == WARNINGS_SHOWN
    assert "  and 7 more warnings of never-matches\n" in printed
    data = json.loads(run("policy", "check", str(folder), "--json").stdout)
    assert data["ok"] is True
    assert len(data["warnings"]) == WARNINGS_SHOWN + 7
    assert data["meant"] == 5
    assert data["warnings"][0].keys() == {"file", "line", "column", "code", "message"}
    assert (data["warnings"][0]["file"], data["warnings"][0]["code"]) == ("rules.csv", "never-matches")


def test_warnings_stand_behind_the_tests_that_fail(run, folder):
    """The bundle is not good; whoever puts it right sees both."""
    warn(folder, 1)
    (folder / "tests" / "reading.yaml").write_text(
        "tests:\n  - name: wrong\n    call: {tenant: studio, agent: coder, tool: read, arguments: {}}\n"
        "    expect: {verdict: ALLOW}\n"
    )
    result = run("policy", "check", str(folder))
    assert result.exit_code == 1
    assert re.search(r"(?s)^tests/reading\.yaml:2:5: test 'wrong'.*not valid.*never-matches", result.stdout)
    data = json.loads(run("policy", "check", str(folder), "--json").stdout)
    assert (data["ok"], len(data["problems"]), len(data["warnings"])) == (False, 1, 1)
    assert "version" not in data


def test_what_a_warning_repeats_of_a_bundle_does_not_act(run, folder):
    """A character that hides or moves is written out."""
    (folder / "rules.csv").write_text(
        (folder / "rules.csv").read_text() + "# meant: a\u202eb\x1b[31m, why\n"
    )
    printed = run("policy", "check", str(folder)).stdout
    assert "\x1b" not in printed
    assert "\u202e" not in printed
