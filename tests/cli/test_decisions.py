"""`adjudicator approve --session`, `deny`, `skip`, `cancel`, `delegate`, `claim`, `--least-priority`."""

import json

import pytest
from adjudicator.api.v1.approval_service_pb2 import (
    ApprovalRequest,
    Claim,
    ClaimApprovalResponse,
    Decision,
    Grant,
    GrantScope,
    ListPendingResponse,
    PendingSnapshot,
    ReceiptCode,
    ResolveResponse,
    WatchPendingResponse,
)
from adjudicator.api.v1.types_pb2 import Priority
from cli.examples import DIGEST, approval
from scripted import refusal

APR = approval().id
ACCEPTED = ResolveResponse(accepted=True, code=ReceiptCode.RECEIPT_CODE_ACCEPTED, message="It counts.")


@pytest.mark.parametrize(
    ("words", "decision"),
    [
        (("deny",), Decision.DECISION_DENY),
        (("reject",), Decision.DECISION_DENY),
        (("skip",), Decision.DECISION_SKIP),
        (("cancel",), Decision.DECISION_CANCEL),
        (("delegate", "--to", "user:bob"), Decision.DECISION_DELEGATE),
        (("approve",), Decision.DECISION_APPROVE),
        (("approve", "--session"), Decision.DECISION_APPROVE_SESSION),
    ],
)
def test_each_command_sends_its_own_decision(run, script, words, decision):
    """With the view printed before, its digest, and the reason."""
    script.resolves(approval(), ACCEPTED)
    result = run(*words, APR, "--reason", "because")
    assert result.exit_code == 0
    assert '"command": "rm -rf build"' in result.stdout
    request = script.requests[-1]
    assert (request.approval_id, request.decision, request.reason) == (APR, decision, "because")
    assert request.view_digest == DIGEST
    assert request.delegate_to == ("user:bob" if "delegate" in words else "")
    assert request.HasField("grant") == ("--session" in words)


def test_an_option_of_the_request_goes_along(run, script):
    """It is whoever approves that chooses."""
    script.resolves(approval(request=ApprovalRequest(options=["the first", "the second"])), ACCEPTED)
    run("approve", APR, "--option", "the second")
    assert script.requests[-1].selected_option == "the second"


def test_a_session_grant_is_wished_for_and_shown_as_it_is_stored(run, script, tmp_path):
    """The schema is sent as the text that it is; the answer says how far the grant reaches."""
    grant = Grant(
        id="grt-1",
        scope=GrantScope.GRANT_SCOPE_SCHEMA,
        tool="bash",
        agent="coder",
        session="s1",
        uses=2,
        arguments_schema_json='{"x": "\u202e"}',
    )
    script.resolves(approval(), ResolveResponse(accepted=True, code=1, grant=grant, released=1))
    schema = tmp_path / "schema.json"
    schema.write_text('{"const": 0.10}\n')
    result = run("approve", APR, "--session", "--schema", str(schema), "--uses", "5", "--for", "30m")
    wish = script.requests[-1].grant
    assert (wish.arguments_schema_json, wish.uses, wish.lifetime.seconds) == ('{"const": 0.10}\n', 5, 1800)
    assert "granted  SCHEMA  bash by coder in session s1" in result.stdout
    assert "grt-1: at most 2 calls" in result.stdout
    assert '{"x": "\\u202e"}' in result.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("approve", APR, "--uses", "5"),
        ("approve", APR, "--for", "5m"),
        ("approve", APR, "--session", "--uses", "0"),
        ("approve", APR, "--session", "--for", "0s"),
        ("approve", APR, "--session", "--schema", "/nowhere"),
        ("delegate", APR),
        ("deny", APR, "--session"),
        ("claim", APR, "--for", "long"),
        ("claim", APR, "--for", "601s"),
        ("delegate", APR, "--to", "bob"),
    ],
)
def test_what_goes_together_only_goes_together(run, script, words):
    """A wish that would be lost, or would mean something else, is refused and nothing is sent."""
    assert run(*words).exit_code == 2
    assert script.requests == []


def test_a_claim_that_is_too_long_says_how_long_it_may_be(run, script):
    """The most that is allowed is allowed."""
    assert "'20m' is too long: at most 10m." in run("claim", APR, "--for", "20m").stderr
    script.answers["ClaimApproval"] = ClaimApprovalResponse(claimed=True, approval=approval())
    assert run("claim", APR, "--for", "10m").exit_code == 0


@pytest.mark.parametrize(
    ("to", "says"),
    [
        ("bob", "write user:bob or role:bob"),
        ("users:bob", "write user:bob or role:bob"),
        ("User:bob", "write user:bob or role:bob"),
        ("agent:x:bob", "write user:bob or role:bob"),
        ("user:", "write user:NAME or role:NAME"),
        ("", "write user:NAME or role:NAME"),
        ("b\x1bob", "write user:b\\x1bob or role:b\\x1bob"),
    ],
)
def test_it_is_handed_to_a_person_or_a_role(run, script, to, says):
    """Anything else is refused with what to write, and nothing is sent."""
    result = run("delegate", APR, "--to", to)
    assert result.exit_code == 2
    assert says in result.stderr
    assert script.requests == []


@pytest.mark.parametrize("command", ["approve", "deny", "skip", "cancel", "claim", "approval"])
def test_a_question_is_no_approval(run, script, command):
    """Its answer is another command, which is named; nothing is sent."""
    result = run(command, "qst-1")
    assert result.exit_code == 2
    assert "that is a question, no approval" in result.stderr
    assert "adjudicator question answer qst-1" in " ".join(result.stderr.split())
    assert script.requests == []


@pytest.mark.parametrize("content", [b"", b" \n", b"\xff"])
def test_a_schema_that_is_none_grants_nothing(run, script, tmp_path, content):
    """An empty file is not a grant without a schema."""
    script.resolves(approval(), ACCEPTED)
    schema = tmp_path / "schema.json"
    schema.write_bytes(content)
    result = run("approve", APR, "--session", "--schema", str(schema))
    assert result.exit_code == 2
    assert "--schema" in result.stderr
    assert script.requests == []


def test_a_grant_that_is_refused_is_not_shown_as_one(run, script):
    """Nothing was granted, and nothing approved."""
    refused = ResolveResponse(
        code=ReceiptCode.RECEIPT_CODE_GRANT_FORBIDDEN, message="Approve the call alone."
    )
    script.resolves(approval(), refused)
    result = run("approve", APR, "--session")
    assert result.exit_code == 5
    assert "not accepted  GRANT_FORBIDDEN" in result.stdout
    assert "granted" not in result.stdout.replace("GRANT", "")


@pytest.mark.parametrize(
    ("words", "claimed", "code", "says"),
    [
        ((), True, 0, "claimed  user:ann is on it until"),
        ((), False, 5, "not claimed  user:ann is on it until"),
        (("--release",), True, 0, "released  "),
    ],
)
def test_a_claim(run, script, words, claimed, code, says):
    """It says who is on it; while somebody else has it the exit code is 5."""
    held = approval(claim=Claim(actor="user:ann", until=approval().expires_at))
    script.answers["ClaimApproval"] = ClaimApprovalResponse(claimed=claimed, approval=held)
    result = run("claim", APR, "--for", "2m", *words)
    assert result.exit_code == code
    assert says in result.stdout
    request = script.requests[-1]
    assert (request.approval_id, request.lease.seconds) == (APR, 0 if words else 120)
    assert json.loads(run("claim", APR, "--json").stdout)["claimed"] is claimed


def test_a_claim_of_what_is_not_there_is_an_error(run, script):
    """It is no claim."""
    script.answers["ClaimApproval"] = refusal("NOT_FOUND", "NOT_FOUND", "there is no such approval")
    result = run("claim", APR)
    assert result.exit_code == 1
    assert "NOT_FOUND" in result.stderr


def test_only_what_is_urgent_enough_is_listed_and_watched(run, script):
    """The sidecar is asked for it; without the option it is asked for everything."""
    script.answers["ListPending"] = ListPendingResponse()
    snapshot = WatchPendingResponse(cursor="1", snapshot=PendingSnapshot(complete=True))
    script.answers["WatchPending"] = lambda _: iter([snapshot])
    for word in ("pending", "watch"):
        options = ("--once",) if word == "watch" else ()
        run(word, *options, "--least-priority", "High")
        assert script.requests[-1].least_priority == Priority.PRIORITY_HIGH
        run(word, *options)
        assert script.requests[-1].least_priority == Priority.PRIORITY_UNSPECIFIED
    assert run("pending", "--least-priority", "urgent").exit_code == 2
