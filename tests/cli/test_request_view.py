"""What stands over an approval on a person's screen."""

import hashlib
import io
import json
from datetime import UTC, datetime

import pytest
from adjudicator.api.v1.approval_service_pb2 import (
    ApprovalState,
    GetApprovalResponse,
    ListPendingResponse,
    PendingSnapshot,
    WatchPendingResponse,
)
from adjudicator.cli.approval_view import print_approval, print_approvals
from cli.examples import VIEW, approval
from rich.console import Console

REQUEST = {
    "type": "destructive",
    "priority": "high",
    "title": "Run a shell command: git push --force origin \u202emain\n",
    "description": "Runs one command line.",
    "options": ["once", "always"],
    "recommended": "once",
    "risks": [
        {"trigger": "destructive_action", "note": "rewrites history: git push --force"},
        {"trigger": "external_network_call", "note": "reaches the network: git push \x1b[2J"},
    ],
    "context": {"commands": ["git push --force origin main"]},
}
FLAGS = [
    {"at": "/arguments/command", "kind": "bidirectional", "characters": ["U+202E"], "more_characters": 2},
    {"at": "/arguments/x", "kind": "invisible", "characters": ["U+200B"], "name": True},
]


def asked(request=None, **members):
    """A pending approval whose view has a request."""
    view = {"request": request or REQUEST, "arguments": {"command": "git push"}, "flags": FLAGS} | members
    text = json.dumps(view)
    return approval(view_json=text, view_digest=hashlib.sha256(text.encode()).hexdigest())


def in_order(output, *parts):
    """Whether the parts are there, one behind the other."""
    at = -1
    for part in parts:
        at = output.find(part, at + 1)
        if at < 0:
            return False
    return True


def test_the_request_comes_before_the_arguments(run, script):
    """Time left, priority, type, title, risks, flags, context, and then the view, always in this order."""
    script.answers["GetApproval"] = GetApprovalResponse(approval=asked(more_flags=5))
    output = run("approval", approval().id).stdout
    assert in_order(
        output,
        "time left 4:3",
        "HIGH destructive  Run a shell command: git push --force origin",
        "! destructive_action     rewrites history: git push --force",
        "! external_network_call  reaches the network: git push",
        "! flag                   bidirectional: U+202E and 2 more in /arguments/command",
        "! flag                   invisible: U+200B in the name /arguments/x",
        "! flag                   5 more;",
        "about",
        "once (recommended)",
        "commands",
        '"arguments"',
    )


@pytest.mark.parametrize("command", ["pending", "approval"])
def test_nothing_in_it_acts_on_the_terminal(run, script, command):
    """What a view says is written out, even by a sidecar that did not do so."""
    script.answers["ListPending"] = ListPendingResponse(approvals=[asked()])
    script.answers["GetApproval"] = GetApprovalResponse(approval=asked())
    output = run(command, *([approval().id] if command == "approval" else [])).stdout
    assert "\x1b" not in output
    assert "\u202e" not in output
    assert "origin \\u202emain\\n" in output


def test_a_list_has_risks_and_flags_below_each_line(run, script):
    """Then the beginning of the arguments."""
    script.answers["ListPending"] = ListPendingResponse(approvals=[asked()])
    output = run("pending").stdout
    assert in_order(
        output,
        "REQUEST",
        "HIGH destructive  Run",
        "! destructive_action",
        "! flag",
        'arguments  {"command": "git push"}',
    )


def test_a_watch_says_the_same_of_what_is_pending(run, script):
    """What was decided meanwhile has its line alone."""
    over = asked()
    over.state = ApprovalState.APPROVAL_STATE_EXPIRED
    for each, expected in ((asked(), True), (over, False)):
        part = PendingSnapshot(approvals=[each], complete=True)
        script.answers["WatchPending"] = lambda _, part=part: iter(
            [WatchPendingResponse(cursor="1", snapshot=part)]
        )
        output = run("watch", "--once").stdout
        assert "HIGH destructive  Run" in output
        assert ("! destructive_action" in output) is expected
        assert "\u202e" not in output


@pytest.mark.parametrize(
    "request_json",
    ["[]", "{}", '"x"', '{"priority":"high"}', '{"type":"a","priority":"b","risks":[1]}', "7", "null"],
)
def test_a_view_without_a_readable_request_is_shown_as_it_is(run, script, request_json):
    """An approval from before there were requests can be decided on, and nothing is made up."""
    text = VIEW[:-1] + f',"request":{request_json}}}'
    script.answers["ListPending"] = ListPendingResponse(approvals=[approval(view_json=text)])
    script.answers["GetApproval"] = GetApprovalResponse(approval=approval(view_json=text))
    assert "rm -rf build" in run("pending").stdout
    assert '"command": "rm -rf build"' in run("approval", approval().id).stdout


def test_it_fits_a_terminal_of_80_columns():
    """Notes wrap within their column, below one another."""
    note = "writes outside the working directory: " + " ".join(["/etc/hosts"] * 6)
    request = REQUEST | {"risks": [{"trigger": "security_violation", "note": note}], "title": "Run"}
    console = Console(
        width=80, file=io.StringIO(), force_terminal=True, color_system=None, markup=False, highlight=False
    )
    print_approvals(console, [asked(request)], datetime.now(UTC))
    print_approval(console, asked(request), datetime.now(UTC))
    lines = [line for line in console.file.getvalue().splitlines() if "hosts" in line and "{" not in line]
    shown = [line for line in lines if '"' not in line]
    assert len(shown) > 2
    assert max(map(len, shown)) <= 80
