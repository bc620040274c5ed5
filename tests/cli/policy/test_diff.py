"""`adjudicator policy diff`: calls of files, tests and records by two bundles."""

import json
import shutil
from pathlib import Path

import pytest
from adjudicator.cli.exit_code import ExitCode
from running import POLICIES

PUSH = "shell:git push *, , ask"


@pytest.fixture
def other(tmp_path):
    """A copy of the shipped bundle in which a push passes."""
    return edited(tmp_path / "other", PUSH, "shell:git push *, , allow")


def edited(folder: Path, old: str, new: str) -> Path:
    """A copy of the shipped bundle in which one text of its rules is another."""
    shutil.copytree(POLICIES, folder)
    path = folder / "rules.csv"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    return folder


@pytest.fixture
def calls(tmp_path):
    """Two calls, of which a push changes in `other`."""
    path = tmp_path / "calls.jsonl"
    lines = [{"tool": "bash", "arguments": {"command": text}} for text in ("git push origin x", "pwd")]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


WHO = ("--tenant", "studio", "--agent", "coder", "--working-directory", "/srv/app")


def diff(run, *words, **options):
    """The command, with the shipped bundle as A."""
    return run("policy", "diff", str(POLICIES), *map(str, words), **options)


def lines(result):
    """The objects of the lines of a report in JSON."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_tests_are_compared_where_nothing_else_is_named(run):
    """A bundle against itself: every test is unchanged, and the exit code says that nothing changes."""
    result = diff(run, POLICIES)
    assert result.exit_code == ExitCode.OK
    assert "0 loosened, 0 stricter" in result.stdout


def test_a_change_has_its_rule_its_calls_and_its_exit_code(run, other, calls):
    """Loosened calls stand under the row that decides now, with FILE:LINE of the call."""
    result = diff(run, other, "--calls", calls, *WHO)
    assert result.exit_code == ExitCode.CHANGED
    assert "ASK -> ALLOW  loosened  1 call" in result.stdout
    assert (
        "by rules.csv:93 of B: p, role:engineer, studio, bash, shell:git push *, , allow" in result.stdout
    )
    assert f"{calls}:1  coder  bash  " in result.stdout
    assert "2 compared, 1 unchanged, 1 loosened, 0 stricter" in result.stdout


def test_a_line_that_is_no_call_is_an_error_and_the_rest_is_compared(run, other, calls):
    """It is named as FILE:LINE and counted; who could not compare all is not told that it only changed."""
    with calls.open("a") as file:
        file.write('not json\n\n{"tool": "bash"}\n{"tool": "ls", "arguments": {"path": "."}, "flow": 3}\n')
    result = diff(run, other, "--calls", calls, *WHO)
    assert result.exit_code == ExitCode.ERROR
    assert f"{calls}:3: not a JSON object" in result.stderr
    assert f"{calls}:5: the call has no arguments" in result.stderr
    assert f"{calls}:6: a call belongs to a flow in a sidecar only" in result.stderr
    assert "2 compared, 1 unchanged, 1 loosened, 0 stricter, 3 unreadable" in result.stdout


def test_a_script_may_mind_only_what_is_loosened(run, tmp_path, calls):
    """With --fail-on loosened a stricter bundle ends with 0, and one that allows more does not."""
    stricter = edited(tmp_path / "stricter", PUSH, "shell:git push *, , deny")
    words = ("--calls", calls, *WHO, "--fail-on", "loosened")
    assert diff(run, stricter, *words).exit_code == ExitCode.OK
    looser = edited(tmp_path / "looser", PUSH, "shell:git push *, , allow")
    assert diff(run, looser, *words).exit_code == ExitCode.CHANGED


def test_without_any_call_nothing_is_known(run, other, tmp_path):
    """No call was compared: that is an error, and never the answer that nothing changes."""
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    result = diff(run, other, "--calls", empty)
    assert result.exit_code == ExitCode.ERROR
    assert "no call was compared" in result.stderr
    assert diff(run, POLICIES, "--calls", empty).exit_code == ExitCode.OK  # the same files decide the same


def test_problems_of_both_bundles_are_told(run, tmp_path):
    """A bundle that is not valid is not compared, and what is wrong with the other is told too."""
    bad = [edited(tmp_path / name, PUSH, "shell:git push *, , alow") for name in "ab"]
    result = run("policy", "diff", *map(str, bad))
    assert result.exit_code == ExitCode.ERROR
    assert result.stdout.count("'alow' is not an effect") == 2


def test_json_is_a_line_for_each_thing(run, other, calls):
    """Bundles, groups with their calls behind them, and the summary last."""
    found = lines(diff(run, other, "--calls", calls, *WHO, "--json", "--all"))
    bundles, group, call, summary = found
    assert bundles["differences"][0]["part"] == "rules.csv"
    assert len(bundles["differences"][0]["added"]) == 1
    assert (group["group"]["kind"], group["group"]["calls"]) == ("loosened", 1)
    assert group["group"]["now"]["rule"]["line"] == 93
    assert call["call"]["arguments"] == '{"command":"git push origin x"}'
    assert summary["summary"]["loosened"] == 1


def test_calls_come_from_standard_input(run, other, calls):
    """A pipe is read once and to its end."""
    result = diff(run, other, "--calls", "-", *WHO, input=calls.read_text())
    assert "-:1  coder  bash" in result.stdout


def test_a_filter_of_records_without_records_is_refused(run):
    """--since says nothing of a file of calls, and is not ignored in silence."""
    result = diff(run, POLICIES, "--since", "2h")
    assert result.exit_code == ExitCode.USAGE
    assert "--traces or --export" in result.stderr


def test_what_comes_from_files_does_nothing_to_a_terminal(run, other, tmp_path):
    """Control characters in arguments are written out."""
    path = tmp_path / "odd.jsonl"
    line = {"tool": "bash", "arguments": {"command": "git push origin \u009b31m"}}
    path.write_text(json.dumps(line) + "\n")
    result = diff(run, other, "--calls", path, *WHO, "--all")
    assert "\u009b" not in result.stdout
