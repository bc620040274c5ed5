"""`adjudicator policy new`."""

import json

from running import Running
from scripted import Script


def test_what_it_makes_passes_the_check(run, tmp_path):
    """It prints what it made and how to go on."""
    folder = tmp_path / "policies"
    made = run("policy", "new", str(folder), "--tenant", "team-a", "--agent", "coder", "--approver", "ann")
    assert made.exit_code == 0
    assert f"adjudicator policy check {folder}" in made.stdout
    assert "--tenant team-a --agent coder" in made.stdout
    checked = run("policy", "check", str(folder))
    assert checked.exit_code == 0, checked.stdout
    assert "1 tenant, 2 agents, 5 tools" in checked.stdout


def test_a_folder_with_something_in_it_is_left_alone(run, tmp_path):
    """The message says what to name instead."""
    (tmp_path / "p").mkdir()
    (tmp_path / "p/rules.csv").touch()
    result = run("policy", "new", str(tmp_path / "p"))
    assert result.exit_code == 1
    assert "name a folder that is new or empty" in result.stderr
    assert [each.name for each in (tmp_path / "p").iterdir()] == ["rules.csv"]


def test_a_bad_name_is_told_by_its_option(run, tmp_path):
    """And nothing is made."""
    result = run("policy", "new", str(tmp_path / "p"), "--tenant", "a b")
    assert result.exit_code == 2
    assert "'--tenant'" in result.stderr
    assert not (tmp_path / "p").exists()


def test_scripts_read_which_files_there_are(run, tmp_path, script: Script):
    """As one JSON value, without asking any sidecar."""
    data = json.loads(run("policy", "new", str(tmp_path / "p"), "--json").stdout)
    assert data["ok"] is True
    assert {"tests/steps.yaml", ".schema/bundle-tests.schema.json"} <= set(data["files"])
    assert all((tmp_path / "p" / name).is_file() for name in data["files"])
    assert script.requests == []


def test_a_sidecar_starts_on_it(run, tmp_path):
    """It serves, which it does only after all tests of the bundle have passed."""
    assert run("policy", "new", str(tmp_path / "policies")).exit_code == 0
    sidecar = Running(tmp_path / "state", tmp_path / "policies").start()
    try:
        verdict = sidecar.judge(tenant="main", agent="assistant", tool="bash", arguments={"command": "pwd"})
        assert verdict.rule.text.endswith("it only says where it is")
    finally:
        assert sidecar.stop() == 0
