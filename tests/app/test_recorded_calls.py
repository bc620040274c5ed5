"""Calls that real coding agents made, and the demonstration, against the shipped bundle."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from running import POLICIES, ROOT

CALLS = Path(
    os.environ.get("ADJUDICATOR_TEST_CALLS", ROOT.parent / "shared" / "data" / "agent-calls.jsonl")
)


def test_recorded_calls_get_verdicts_and_no_internal_error(sidecar):
    """Every line is answered with a verdict of the chain; the exit code says that some were not allowed."""
    if not CALLS.exists():
        pytest.skip(f"there is no {CALLS}")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "adjudicator.cli.main", "call", "--file", str(CALLS), "--json"),
            *("--address", sidecar.address, "--tenant", "studio", "--agent", "coder"),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode in (3, 4), done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    verdicts = [each["verdict"]["outcome"] for each in answers if "verdict" in each]
    assert len(verdicts) == len(CALLS.read_text().splitlines())
    assert set(verdicts) == {"ALLOW", "DENY", "ASK"}
    assert "EVALUATION_ERROR" not in done.stdout
    assert not [each for each in sidecar.records() if each["level"] == "error"]


def test_the_demonstration_ends_well():
    """It exits with zero only if every outcome and the disk are what they must be."""
    done = subprocess.run(
        [sys.executable, "-m", "adjudicator.cli.main", "demo", "--policies", str(POLICIES), "--json"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["ok"]
    denied_at = {each["step"] for each in summary["answers"] if each["outcome"] == "DENY"}
    assert denied_at == set(range(1, 9))


def test_the_demonstration_notices_a_policy_that_allows_too_much(tmp_path, tmp_path_factory):
    """With one Deny rule turned into an Allow it fails: the demonstration is a check, not a show."""
    import shutil  # noqa: PLC0415

    without = shutil.ignore_patterns("tests")  # they would notice it before the demonstration does
    policies = shutil.copytree(POLICIES, tmp_path / "policies", ignore=without)
    rules = policies / "rules.csv"
    text = rules.read_text()
    weak = text.replace(
        "p, role:reader, studio, *, path:**/.env, , deny,", "p, role:reader, studio, *, path:./**, , allow,"
    )
    assert weak != text
    rules.write_text(weak)
    done = subprocess.run(
        [sys.executable, "-m", "adjudicator.cli.main", "demo", "--policies", str(policies), "--json"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        # It keeps its scratch folder when it fails; a short name leaves room for its sockets.
        env=os.environ | {"TMPDIR": str(tmp_path_factory.mktemp("d"))},
    )
    assert done.returncode == 1, done.stdout
