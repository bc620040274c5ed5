"""From the view that a person sees to the receipt: what is asked, what is told before, what is sent."""

import hashlib
import io
import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from adjudicator.api.v1.approval_service_pb2 import (
    ApprovalRequest,
    ApprovalState,
    Claim,
    Decision,
    GrantWish,
    ReceiptCode,
    ResolveResponse,
    Vote,
)
from adjudicator.cli.grant_wish import print_reach
from cli.examples import DIGEST, approval
from cli.terminal import decide_on_a_terminal
from rich.console import Console
from scripted import refusal

APR = approval().id
ACCEPTED = ResolveResponse(accepted=True, code=ReceiptCode.RECEIPT_CODE_ACCEPTED, message="It counts.")
NOT_FOUND = refusal("NOT_FOUND", "NOT_FOUND", "there is no such approval")
REQUEST = {
    "type": "destructive",
    "priority": "high",
    "title": "Run git push",
    "risks": [{"trigger": "destructive_action", "note": "rewrites history"}],
}
COMMANDS = [
    (("approve",), Decision.DECISION_APPROVE),
    (("approve", "--session"), Decision.DECISION_APPROVE_SESSION),
    (("deny",), Decision.DECISION_DENY),
    (("reject",), Decision.DECISION_DENY),
    (("skip",), Decision.DECISION_SKIP),
    (("cancel",), Decision.DECISION_CANCEL),
    (("delegate", "--to", "user:bob"), Decision.DECISION_DELEGATE),
]


def asked(**fields):
    """A pending approval whose view has a request, and many lines."""
    flags = [{"at": "/arguments/n", "kind": "invisible", "characters": ["U+200B"]}]
    view = {"request": REQUEST, "arguments": {"n": list(range(60))}, "flags": flags}
    text = json.dumps(view)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return approval(view_json=text, view_digest=digest, **fields)


def below_the_view(screen):
    """What stands below the flags, where a view ends, without colours and on one line."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", screen)
    return " ".join(plain.rpartition('"characters"')[2].split())


@pytest.mark.parametrize(("words", "decision"), COMMANDS)
@pytest.mark.parametrize("code", ["NOT_ENTITLED", "UNKNOWN"])
def test_who_is_shown_nothing_hears_why_from_the_sidecar(run, script, words, decision, code):
    """The decision is sent without a view, and the sidecar's receipt is printed."""
    receipt = ResolveResponse(
        code=ReceiptCode.Value(f"RECEIPT_CODE_{code}"), message="The sidecar says why."
    )
    script.answers |= {"GetApproval": NOT_FOUND, "Resolve": receipt}
    result = run(*words, APR, "--reason", "because")
    assert result.exit_code == 5
    assert result.stdout == f"not accepted  {code}: The sidecar says why.\n"
    request = script.requests[-1]
    assert (request.approval_id, request.decision, request.reason) == (APR, decision, "because")
    assert json.loads(run(*words, APR, "--json").stdout)["code"] == code


@pytest.mark.parametrize("digest", [(), ("--view-digest", "f" * 64)])
def test_what_was_not_shown_is_sent_without_a_digest(run, script, digest):
    """So it approves nothing even when the approval appears between the two requests."""
    script.answers |= {"GetApproval": NOT_FOUND, "Resolve": ResolveResponse(code=8)}
    assert run("approve", APR, *digest).exit_code == 5
    assert script.requests[-1].view_digest == ""


def test_a_sidecar_that_fails_is_sent_no_decision(run, script):
    """Only an approval that is not there is decided on unseen; an error is an error."""
    script.answers["GetApproval"] = refusal("UNAVAILABLE", "STORE_UNAVAILABLE", "the store is away")
    assert run("approve", APR).exit_code == 1
    assert len(script.requests) == 1


@pytest.mark.parametrize(
    ("options", "says"),
    [(["once", "al\x1bways"], "choose one of: once; al\\x1bways"), ([], "the request has none")],
)
def test_an_option_that_is_none_is_told_before_the_view(run, script, options, says):
    """Nobody reads a view for a decision that cannot count, and none is sent."""
    script.resolves(approval(request=ApprovalRequest(options=options)), ACCEPTED)
    result = run("approve", APR, "--option", "twice")
    assert result.exit_code == 5
    assert result.stdout.startswith("not accepted  OPTION_UNKNOWN: 'twice' is none of the options")
    assert says in result.stdout
    assert "rm -rf build" not in result.stdout
    assert len(script.requests) == 1
    assert json.loads(run("approve", APR, "--option", "twice", "--json").stdout)["accepted"] is False


@pytest.mark.parametrize(
    ("fields", "words", "says"),
    [
        ({"state": ApprovalState.APPROVAL_STATE_EXPIRED}, (), "it is EXPIRED"),
        (
            {
                "state": ApprovalState.APPROVAL_STATE_DENIED,
                "votes": [Vote(actor="user:ann", decision=Decision.DECISION_DENY)],
            },
            (),
            "it is DENIED by user:ann at",
        ),
        ({"expires_at": datetime.now(UTC) - timedelta(seconds=1)}, (), "its time limit ran out"),
        ({}, ("--session",), "the call has no session"),
        ({"approvable": False}, (), "it is too large to be shown whole"),
        ({}, ("--view-digest", "f" * 64), "the view is not the one of that --view-digest"),
    ],
)
def test_what_cannot_count_is_told_before_the_view(run, script, fields, words, says):
    """The sidecar is asked all the same: its clock and its word count, and the receipt is its own."""
    script.resolves(
        approval(**fields), ResolveResponse(code=ReceiptCode.RECEIPT_CODE_EXPIRED, message="Too late.")
    )
    result = run("approve", APR, *words)
    assert result.exit_code == 5
    assert result.stdout.startswith(f"this cannot count: {says}")
    assert result.stdout.index("this cannot count") < result.stdout.index("rm -rf build")
    assert "not accepted  EXPIRED: Too late." in result.stdout


def test_nothing_is_said_to_be_in_the_way_where_nothing_is(run, script):
    """A call in a session can be granted, and what is too large can be denied."""
    script.resolves(approval(session="s1"), ACCEPTED)
    assert "cannot count" not in run("approve", APR, "--session", "--view-digest", DIGEST).stdout
    script.resolves(approval(approvable=False), ACCEPTED)
    assert "cannot count" not in run("deny", APR).stdout


def test_what_matters_is_right_above_the_question(script, data):
    """The view may fill the screen; title, risks, flags, who is on it and the time left come once more."""
    claim = Claim(actor="user:eve", until=datetime.now(UTC) + timedelta(minutes=5))
    script.resolves(asked(claim=claim), ACCEPTED)
    _, screen = decide_on_a_terminal(script, data, b"n\n", "deny", APR)
    reminder = below_the_view(screen)
    for part in ("HIGH destructive Run git push", "rewrites history", "invisible: U+200B"):
        assert part in reminder
    assert "user:eve is on it" in reminder
    assert re.search(r"time left 4:\d\d Deny this call\?", reminder)
    assert "Run git push" in screen.partition('"arguments"')[0]


def test_the_question_of_a_grant_has_its_width_above_it(script, data):
    """Whose calls, which, how many, how long, and how to make that less."""
    script.resolves(asked(session="s1"), ACCEPTED)
    words = ("approve", APR, "--session", "--uses", "5")
    _, screen = decide_on_a_terminal(script, data, b"n\n", *words)
    above, question, _ = below_the_view(screen).partition("and such calls of its session?")
    assert question
    for part in (
        "bash",
        "coder",
        "s1",
        "every call of the tool that would ask, in the same working directory",
        "exactly this call",
        "at most 5",
        "as long as the policy lets it",
        "--schema FILE, --for SPAN",
    ):
        assert part in above
    assert len(script.requests) == 1


def test_a_grant_with_a_schema_is_as_wide_as_that(run, script, tmp_path):
    """Then the policy chooses no other width, and nothing is left to narrow."""
    script.resolves(approval(session="s1"), ACCEPTED)
    schema = tmp_path / "schema.json"
    schema.write_text("{}")
    words = ("--session", "--schema", str(schema), "--uses", "5", "--for", "90m")
    output = run("approve", APR, *words).stdout
    assert "calls that the schema accepts, in the same working directory" in output
    assert "every call" not in output
    assert "at most 1h30m" in output
    assert "narrower" not in output


def test_the_width_of_a_grant_fits_a_terminal_of_80_columns():
    """How far it reaches is on one line, with nothing to be missed in a second."""
    console = Console(width=80, file=io.StringIO(), force_terminal=True, color_system=None)
    print_reach(console, GrantWish(uses=5), approval(session="s1"))
    lines = console.file.getvalue().splitlines()
    assert len(lines) == 9
    assert max(map(len, lines)) <= 80
    assert lines[4] == "  calls     every call of the tool that would ask, in the same working directory"


def test_json_of_a_grant_is_the_receipt_alone(run, script):
    """Width and reminder are for people."""
    script.resolves(approval(session="s1"), ACCEPTED)
    assert json.loads(run("approve", APR, "--session", "--json").stdout)["code"] == "ACCEPTED"
