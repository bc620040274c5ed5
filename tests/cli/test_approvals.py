"""`adjudicator pending`, `approval`, `approve`, `reject`."""

import json

import pytest
from adjudicator.api.v1.approval_service_pb2 import (
    Decision,
    GetApprovalResponse,
    ListPendingResponse,
    ReceiptCode,
    ResolveResponse,
    Vote,
)
from cli.examples import DIGEST, approval
from cli.terminal import decide_on_a_terminal
from scripted import TOKEN, refusal

ACCEPTED = ResolveResponse(accepted=True, code=ReceiptCode.RECEIPT_CODE_ACCEPTED, message="It counts.")
EXPIRED = ResolveResponse(code=ReceiptCode.RECEIPT_CODE_EXPIRED, message="Too late.")


def test_pending_lists_whole_ids_and_the_time_left(run, script):
    """However long a row is, its id is there to be copied, on one line with the rest."""
    script.answers["ListPending"] = ListPendingResponse(
        approvals=[approval(number, agent="a" * 128, tenant="t" * 128) for number in (1, 2)]
    )
    lines = run("pending").stdout.splitlines()
    assert "TIME LEFT" in lines[0]
    assert [line.split()[0] for line in lines] == ["APPROVAL", approval(1).id, approval(2).id]
    assert lines[1].split()[1] in ("4:32", "4:31")
    assert "0/2" in lines[1]


def test_pending_follows_the_pages(run, script):
    """All pages are listed, and the filters go along."""
    script.answers["ListPending"] = lambda request: (
        ListPendingResponse(approvals=[approval(2)])
        if request.page_token
        else ListPendingResponse(approvals=[approval(1)], next_page_token="next")  # noqa: S106
    )
    lines = run("pending", "--tenant", "acme", "--tool", "bash", "--json").stdout.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [approval(1).id, approval(2).id]
    assert [(each.tenant, each.tool) for each in script.requests] == [("acme", "bash")] * 2


def test_nothing_pending_is_said(run, script):
    """An empty list is an answer; with --json it is no line at all."""
    script.answers["ListPending"] = ListPendingResponse()
    assert run("pending").stdout == "Nothing is pending.\n"
    assert run("pending", "--json").stdout == ""


def test_the_token_of_the_named_approver_goes_along(run, script):
    """The approver is whom the token says."""
    script.answers["ListPending"] = ListPendingResponse()
    run("pending", "--as", "ann")
    assert script.metadata[0]["authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize("name", ["bob", "../ann", "ANN", ""])
def test_without_a_token_nothing_is_asked(run, script, name):
    """A name without a token file, or that can have none, is one clear line and 1."""
    result = run("pending", "--as", name)
    assert result.exit_code == 1
    assert result.stderr.startswith("adjudicator: ")
    assert script.requests == []


def test_an_approval_shows_its_exact_view(run, script):
    """The view is indented and nothing in it is changed; digest, votes and state are beside it."""
    votes = [Vote(actor="user:bob", decision=Decision.DECISION_APPROVE, reason="yes\nor no")]
    script.answers["GetApproval"] = GetApprovalResponse(approval=approval(votes=votes, four_eyes=True))
    output = run("approval", approval().id).stdout
    assert '"command": "rm -rf build",\n' in output
    assert '"n": 12345678901234567890\n' in output
    assert DIGEST in output
    assert "APPROVE by user:bob" in output
    assert "yes\\nor no" in output
    assert "1/2" in output
    assert "four eyes" in output
    assert "expires" in output
    assert "time left 4:3" in output


def test_an_approval_by_its_trace(run, script):
    """The number of the call's trace leads to it as well."""
    script.answers["GetApproval"] = GetApprovalResponse(approval=approval())
    assert run("approval", "--trace", "12").exit_code == 0
    assert script.requests[0].trace_number == 12
    assert run("approval").exit_code == 2
    assert run("approval", "x", "--trace", "12").exit_code == 2


@pytest.mark.parametrize(
    ("command", "decision"), [("approve", Decision.DECISION_APPROVE), ("reject", Decision.DECISION_DENY)]
)
def test_a_decision_shows_the_view_and_echoes_its_digest(run, script, command, decision):
    """What is decided on is what was printed."""
    script.resolves(approval(), ACCEPTED)
    result = run(command, approval().id, "--reason", "because")
    assert result.exit_code == 0
    assert '"command": "rm -rf build"' in result.stdout
    request = script.requests[-1]
    assert (request.approval_id, request.decision, request.reason) == (approval().id, decision, "because")
    assert request.view_digest == DIGEST


def test_the_digest_is_that_of_what_was_shown(run, script):
    """A digest beside another view is not believed: the sidecar gets the digest of the view that came."""
    script.resolves(approval(view_digest="0" * 64), ACCEPTED)
    run("approve", approval().id)
    assert script.requests[-1].view_digest == DIGEST


def test_a_digest_that_the_person_saw_is_insisted_on(run, script):
    """With --view-digest that one is sent, and the sidecar refuses it for any other view."""
    script.resolves(approval(), ResolveResponse(code=ReceiptCode.RECEIPT_CODE_VIEW_MISMATCH))
    result = run("approve", approval().id, "--view-digest", "f" * 64)
    assert script.requests[-1].view_digest == "f" * 64
    assert result.exit_code == 5
    assert "not accepted  VIEW_MISMATCH" in result.stdout


@pytest.mark.parametrize("command", ["approve", "reject"])
def test_a_decision_that_does_not_count_is_never_shown_as_one(run, script, command):
    """The receipt's code is printed, and the exit code is 5."""
    script.resolves(approval(), EXPIRED)
    result = run(command, approval().id)
    assert result.exit_code == 5
    assert "not accepted  EXPIRED: Too late." in result.stdout


def test_a_vote_that_needs_more_is_accepted(run, script):
    """It counts: the exit code is 0 and the receipt says that more are needed."""
    receipt = ResolveResponse(accepted=True, code=ReceiptCode.RECEIPT_CODE_MORE_VOTES_NEEDED)
    script.resolves(approval(), receipt)
    result = run("approve", approval().id)
    assert result.exit_code == 0
    assert "MORE_VOTES_NEEDED" in result.stdout


def test_an_error_is_not_a_receipt(run, script):
    """When the decision could not be taken the exit code is 1."""
    script.resolves(approval(), refusal("UNAVAILABLE", "STORE_UNAVAILABLE", "the store is away"))
    result = run("approve", approval().id)
    assert result.exit_code == 1
    assert "STORE_UNAVAILABLE: the store is away" in result.stderr


def test_json_of_a_decision_is_the_receipt(run, script):
    """One object, and the view is not mixed into it."""
    script.resolves(approval(), ACCEPTED)
    data = json.loads(run("reject", approval().id, "--json").stdout)
    assert (data["accepted"], data["code"]) == (True, "ACCEPTED")


@pytest.mark.parametrize(
    ("answer", "words", "code", "asked"),
    [
        (b"y\n", (), 0, 2),
        (b"n\n", (), 5, 1),
        (b"\n", (), 5, 1),
        (b"", ("--yes",), 0, 2),
        (b"\x04", (), 130, 1),
    ],
)
def test_on_a_terminal_a_person_confirms(script, data, answer, words, code, asked):
    """Without a yes nothing is decided; with --json the person sees the view all the same."""
    script.resolves(approval(), ACCEPTED)
    for form in ((), ("--json",)):
        script.requests.clear()
        exit_code, screen = decide_on_a_terminal(
            script, data, answer, "approve", approval().id, *words, *form
        )
        assert exit_code == code
        assert len(script.requests) == asked
        assert ("rm -rf build" in screen) == ("--yes" not in words or form == ())
        assert "Traceback" not in screen
