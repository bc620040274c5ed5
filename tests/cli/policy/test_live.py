"""`adjudicator policy check`, `status`, `reload`, `preview`."""

import json
import re
import shutil

import pytest
from adjudicator.api.v1.policy_service_pb2 import (
    DeniedApproval,
    EndedGrant,
    FlippedCall,
    GetPolicyStatusResponse,
    PolicyStatus,
    PreviewPolicyResponse,
    Problem,
    ReloadPolicyResponse,
)
from running import POLICIES

STATUS = PolicyStatus(
    version="sha256:0f",
    directory="policies",
    rules=40,
    problems=[Problem(file="rules.csv", line=4, column=12, message="'alow' is no effect")],
)


def test_a_good_bundle_is_counted(run):
    """Its version and size are printed, and the exit code is 0."""
    result = run("policy", "check", str(POLICIES))
    assert result.exit_code == 0
    assert "2 tenants, 3 agents, 17 tools, " in result.stdout
    assert " tests passed" in result.stdout
    data = json.loads(run("policy", "check", str(POLICIES), "--json").stdout)
    assert (data["ok"], data["version"][:7]) == (True, "sha256:")


def test_every_problem_of_a_bundle_is_a_place_and_a_sentence(run, tmp_path):
    """FILE:LINE:COLUMN, without the numbers that are 0; the exit code is 1."""
    folder = shutil.copytree(POLICIES, tmp_path / "p")
    (folder / "scope.csv").unlink()
    with (folder / "rules.csv").open("a") as rules:
        rules.write("p, role:reader, studio, read, path:x\x1b, , allow, no\n")
    result = run("policy", "check", str(folder))
    assert result.exit_code == 1
    assert "scope.csv: the file is missing" in result.stdout
    assert re.search(r"^rules.csv:[0-9]+:[0-9]+: .*\\x1b", result.stdout, re.MULTILINE)
    data = json.loads(run("policy", "check", str(folder), "--json").stdout)
    assert data["ok"] is False
    assert {"rules.csv", "scope.csv"} <= {each["file"] for each in data["problems"]}


def test_the_status_shows_the_snapshot_and_the_problems(run, script):
    """Which version decides, and what is wrong with the folder."""
    script.answers["GetPolicyStatus"] = GetPolicyStatusResponse(status=STATUS)
    output = run("policy", "status").stdout
    assert "sha256:0f" in output
    assert "rules.csv:4:12: 'alow' is no effect" in output
    assert json.loads(run("policy", "status", "--json").stdout)["rules"] == 40


@pytest.mark.parametrize(("activated", "code"), [(True, 0), (False, 1)])
def test_a_reload_ends_with_whether_it_was_activated(run, script, activated, code):
    """A bundle that is kept out is an error for a script."""
    script.answers["ReloadPolicy"] = ReloadPolicyResponse(activated=activated, status=STATUS)
    result = run("policy", "reload")
    assert result.exit_code == code
    assert ("not activated" in result.stdout) != activated


PREVIEW = PreviewPolicyResponse(
    valid=True,
    version="sha256:1f",
    denied_approvals=[DeniedApproval(approval_id="apr-1", tool="bash", reason="denied by rules.csv:4")],
    denied_approvals_total=3,
    judged_approvals=7,
    revoked_grants=[EndedGrant(grant_id="grt-1", tool="bash", reason="no longer\x1b granted")],
    revoked_grants_total=1,
    judged_grants=2,
    flipped_calls=[
        FlippedCall(trace_number=12, tool="ls", outcome="ASK", new_outcome="ALLOW", reason="allowed")
    ],
    flipped_calls_total=1,
    judged_calls=150,
    unknown_calls=50,
    complete=True,
)


def test_a_preview_lists_what_would_change(run, script):
    """With honest counts where a list is cut, and nothing in it acts on the terminal."""
    script.answers["PreviewPolicy"] = PREVIEW
    result = run("policy", "preview", "--recent", "200")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "valid  sha256:1f",
        "  3 of 7 approvals would be cancelled",
        "    apr-1  bash  denied by rules.csv:4",
        "    and 2 more",
        "  1 of 2 session grants would be revoked",
        "    grt-1  bash  no longer\\x1b granted",
        "  1 of 150 recent calls would get another outcome; 50 more are not on record whole",
        "    12  ls  ASK to ALLOW  allowed",
    ]
    assert script.requests[-1].recent_calls == 200
    data = json.loads(run("policy", "preview", "--json").stdout)
    assert (data["denied_approvals_total"], data["flipped_calls"][0]["new_outcome"]) == (3, "ALLOW")


def test_a_preview_that_ran_out_of_time_says_that_there_may_be_more(run, script):
    """It is no promise that nothing else changes."""
    script.answers["PreviewPolicy"] = PreviewPolicyResponse(valid=True, version="sha256:1f")
    assert "there may be more" in run("policy", "preview").stdout


def test_a_preview_of_what_is_no_bundle_is_an_error_for_a_script(run, script):
    """It lists the problems as a check does."""
    script.answers["PreviewPolicy"] = PreviewPolicyResponse(problems=STATUS.problems)
    result = run("policy", "preview")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "rules.csv:4:12: 'alow' is no effect",
        "not valid  1 problems",
    ]
