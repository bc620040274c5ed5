"""What the editor is told, and what its answers become, with a sidecar whose answers are written down."""

import json
import time
from datetime import timedelta

import pytest
from adjudicator.api.v1.approval_service_pb2 import (
    ApprovalChange,
    ApprovalRequest,
    ApprovalState,
    Claim,
    Context,
    Decision,
    GetApprovalResponse,
    Grant,
    GrantScope,
    Heartbeat,
    ReceiptCode,
    RequestType,
    ResolveRequest,
    ResolveResponse,
    Resync,
    Risk,
    WatchPendingResponse,
)
from adjudicator.api.v1.types_pb2 import Priority, Trigger
from cli.bridge.conftest import pending
from cli.examples import DIGEST, VIEW, approval
from scripted import refusal

ACCEPTED = ResolveResponse(accepted=True, code=ReceiptCode.RECEIPT_CODE_ACCEPTED, message="It counts.")
WRITES = ApprovalRequest(context=Context(writes=["/srv/app/a.txt", "/srv/app/b.txt"]))
ALIVE = WatchPendingResponse(cursor="9", heartbeat=Heartbeat())
APR = approval(1).id
_HIGH = Priority.PRIORITY_HIGH


def change(number=1, cursor="2", **fields):
    """A change of an approval."""
    return WatchPendingResponse(cursor=cursor, change=ApprovalChange(approval=approval(number, **fields)))


def resolves(script):
    """What was sent to Resolve."""
    return [each for each in script.requests if isinstance(each, ResolveRequest)]


def test_the_first_line_says_what_the_bridge_is_for(edit):
    """Sidecar, person, forms and filters are those of the command line, which go along to the sidecar."""
    editor = edit(tenant="acme", tool="bash", least_priority=_HIGH, forms=("requests",))
    first = editor.wait("ready")
    assert editor.lines[0] == first
    assert (first["approver"], first["forms"]) == ("ann", ["requests"])
    assert first["filters"] == {"tenant": "acme", "tool": "bash", "least_priority": "HIGH"}


def test_filters_go_to_the_sidecar(edit, feed):
    """What is not wanted is not even sent here."""
    editor = edit(tenant="acme", tool="bash", least_priority=_HIGH)
    editor.wait("status", stream="approvals", connected=True)
    (request,) = feed.requests
    assert (request.tenant, request.tool) == ("acme", "bash")
    assert request.least_priority == Priority.PRIORITY_HIGH


def test_a_request_has_all_on_which_a_person_decides(edit):
    """The exact view and its digest, and the call and the request out of it."""
    editor = edit(approval(1, session="s1", claim=Claim(actor="user:bob"), same_as="apr-0"))
    message = editor.wait("approval_request", approval_id=APR)
    assert (message["view_json"], message["view_digest"]) == (VIEW, DIGEST)
    assert message["call"]["arguments"] == {"command": "rm -rf build", "n": 12345678901234567890}
    assert message["approvable"] is True
    assert 200 < message["seconds_left"] <= 272.9
    assert message["claim"]["actor"] == "user:bob"
    assert message["same_as"] == "apr-0"


def test_the_request_is_the_one_under_the_digest(edit):
    """A request beside the view says nothing where the view has one; flags are passed on."""
    flag = {"at": "/arguments/a", "kind": "bidirectional", "characters": ["U+202E"]}
    risk = {"trigger": "destructive_action", "note": "deletes build"}
    body = {"type": "destructive", "priority": "high", "title": "Run: rm", "recommended": "no"}
    body |= {"options": ["yes", "no"], "risks": [risk], "context": {"writes": ["/srv/build"]}}
    view = {"request": body, "tenant": "acme", "agent": "coder", "tool": "bash", "flags": [flag]}
    text = json.dumps(view, separators=(",", ":"))
    beside = ApprovalRequest(title="harmless", priority=Priority.PRIORITY_LOW)
    message = edit(approval(1, view_json=text, request=beside)).wait("approval_request")
    request = message["request"]
    assert (request["type"], request["priority"], request["title"]) == ("destructive", "high", "Run: rm")
    assert (request["options"], request["recommended_option"]) == (["yes", "no"], "no")
    assert request["context"]["writes"] == ["/srv/build"]
    assert request["context"]["risks"] == [risk]
    assert message["flags"] == [flag]


def test_a_view_without_a_request_has_the_one_beside_it(edit):
    """Then the sidecar's own is told, in the same words."""
    risks = [Risk(trigger=Trigger.TRIGGER_DESTRUCTIVE_ACTION, note="deletes")]
    beside = ApprovalRequest(
        type=RequestType.REQUEST_TYPE_SECURITY, priority=Priority.PRIORITY_LOW, title="t", risks=risks
    )
    request = edit(approval(1, request=beside)).wait("approval_request")["request"]
    assert (request["type"], request["priority"], request["title"]) == ("security", "low", "t")
    assert request["context"]["risks"] == [{"trigger": "destructive_action", "note": "deletes"}]


@pytest.mark.parametrize("view", ["", '{"a":1e999}', "[1]", '{"a": 1}', '{"a":1,"a":2}', "[" * 5000])
def test_what_cannot_be_shown_whole_cannot_be_approved(edit, script, view):
    """Left out, or nothing that this form carries unchanged: it has no digest, and none is sent for it."""
    script.answers["Resolve"] = ResolveResponse(code=ReceiptCode.RECEIPT_CODE_VIEW_MISMATCH)
    editor = edit(approval(1, view_json=view))
    message = editor.wait("approval_request")
    assert (message["approvable"], message["view_digest"]) == (False, "")
    editor.answer(APR, "approve")
    assert editor.wait("approval_receipt")["code"] == "VIEW_MISMATCH"
    assert resolves(script)[0].view_digest == ""


def test_it_is_told_again_when_something_changed_and_only_then(edit, feed):
    """Votes, claims and hand-overs are news; time that passes is none."""
    editor = edit(approval(1))
    feed.put(change(1, view_json=VIEW, expires_at=_EXPIRES), change(1, expires_at=_EXPIRES))
    feed.put(change(1, expires_at=_EXPIRES, delegated_to="user:bob"))
    feed.put(change(1, expires_at=_EXPIRES, state=ApprovalState.APPROVAL_STATE_DENIED))
    assert editor.wait("approval_update")["state"] == "DENIED"
    told = [line for line in editor.lines if line["type"] == "approval_request"]
    assert [line["delegated_to"] for line in told] == ["", "", "user:bob"]


_EXPIRES = approval(1).expires_at


def test_a_resync_ends_what_is_listed_no_more(edit, feed, script):
    """Its state is looked up, never guessed; what the sidecar does not show is said to be unknown."""
    editor = edit(approval(1), approval(2), approval(3))
    states = {
        approval(1).id: ApprovalState.APPROVAL_STATE_EXPIRED,
        approval(2).id: None,
    }

    def look_up(request):
        state = states[request.approval_id]
        if state is None:
            return refusal("NOT_FOUND", "NOT_FOUND", "there is none")
        return GetApprovalResponse(approval=approval(id=request.approval_id, state=state))

    script.answers["GetApproval"] = look_up
    feed.put(WatchPendingResponse(resync=Resync(reason="too slow")), pending(approval(3), cursor="7"))
    assert editor.wait("approval_update", approval_id=approval(1).id)["state"] == "EXPIRED"
    assert editor.wait("approval_update", approval_id=approval(2).id)["state"] == "UNSPECIFIED"
    assert editor.count("approval_update", approval_id=approval(3).id) == 0


DECISIONS = [
    ("approve", {"selected_option": "a", "reason": "ok"}, Decision.DECISION_APPROVE),
    ("deny", {"reason": "no"}, Decision.DECISION_DENY),
    ("cancel", {}, Decision.DECISION_CANCEL),
    ("skip", {"reason": None}, Decision.DECISION_SKIP),
    ("delegate", {"delegate_to": "role:lead"}, Decision.DECISION_DELEGATE),
    ("approve_session", {"view_digest": DIGEST}, Decision.DECISION_APPROVE_SESSION),
]


@pytest.mark.parametrize(("word", "fields", "decision"), DECISIONS, ids=[each[0] for each in DECISIONS])
def test_each_decision_goes_to_exactly_its_approval(edit, script, word, fields, decision):
    """With the digest of the view that was sent, and with what goes with the decision."""
    script.answers["Resolve"] = ACCEPTED
    editor = edit(approval(1), approval(2))
    editor.wait("approval_request", nth=2)
    editor.answer(APR, word, **fields, request_id="mine")
    receipt = editor.wait("approval_receipt")
    assert (receipt["approval_id"], receipt["request_id"]) == (APR, "mine")
    assert (receipt["accepted"], receipt["code"]) == (True, "ACCEPTED")
    (request,) = resolves(script)
    assert (request.approval_id, request.decision, request.view_digest) == (APR, decision, DIGEST)
    assert request.request_id == "mine"
    for name in ("selected_option", "reason", "delegate_to"):
        assert getattr(request, name) == (fields.get(name) or "")


def test_a_grant_is_wished_for_and_told_as_it_is_stored(edit, script):
    """The schema goes as the text that it is; the receipt has the grant of the sidecar."""
    grant = Grant(id="grt-1", scope=GrantScope.GRANT_SCOPE_SCHEMA, uses=2)
    script.answers["Resolve"] = ResolveResponse(accepted=True, code=1, grant=grant, released=3)
    editor = edit(approval(1))
    editor.wait("approval_request")
    schema = '{"properties": {"n": {"const": 12345678901234567890.5}}}'
    wish = {"arguments_schema_json": schema, "uses": 2, "lifetime_seconds": 60}
    editor.answer(APR, "approve_session", grant=wish)
    receipt = editor.wait("approval_receipt")
    assert (receipt["grant"]["id"], receipt["grant"]["scope"], receipt["released"]) == (
        "grt-1",
        "SCHEMA",
        3,
    )
    (request,) = resolves(script)
    assert request.grant.arguments_schema_json == schema
    assert (request.grant.uses, request.grant.lifetime.seconds) == (2, 60)


def test_the_same_line_has_the_same_request_id(edit, script):
    """So the sidecar knows a repeat; another decision, or another approval, has another id."""
    script.answers["Resolve"] = ACCEPTED
    editor = edit(approval(1), approval(2))
    editor.wait("approval_request", nth=2)
    for number, word in ((1, "approve"), (1, "approve"), (1, "deny"), (2, "approve")):
        editor.answer(approval(number).id, word)
    editor.wait("approval_receipt", nth=4)
    first, repeat, other, another = (each.request_id for each in resolves(script))
    assert first == repeat
    assert len({first, other, another}) == 3


def test_only_what_was_sent_to_this_editor_is_decided(edit, script):
    """An id that it knows from elsewhere, or that is nearly right, or another digest, decides nothing."""
    editor = edit(approval(1))
    editor.wait("approval_request")
    for approval_id in (approval(2).id, APR[:-1], APR.upper(), "latest"):
        editor.answer(approval_id, "approve", request_id=approval_id)
        assert editor.wait("error", request_id=approval_id)["code"] == "NOT_SENT"
    editor.answer(APR, "approve", view_digest="0" * 64)
    assert editor.wait("error", approval_id=APR)["code"] == "VIEW_MISMATCH"
    assert resolves(script) == []


def test_a_lost_stream_suspends_deciding(edit, feed, script):
    """An answer meanwhile is refused at once and is not kept for later."""
    script.answers["Resolve"] = ACCEPTED
    editor = edit(approval(1))
    editor.wait("approval_request")
    feed.put(None)
    editor.wait("status", stream="approvals", connected=False)
    editor.answer(APR, "approve")
    assert editor.wait("error", approval_id=APR)["code"] == "SUSPENDED"
    feed.put(ALIVE)
    editor.wait("status", stream="approvals", connected=True, nth=2)
    time.sleep(0.3)
    assert resolves(script) == []
    editor.answer(APR, "approve")
    assert editor.wait("approval_receipt")["accepted"] is True
    assert feed.requests[1].cursor == "1"
    assert editor.count("approval_request") == 1


@pytest.mark.parametrize(
    ("refused", "code"),
    [
        (refusal("UNAVAILABLE", "STORE_UNAVAILABLE", "away"), "STORE_UNAVAILABLE"),
        (
            refusal("INVALID_ARGUMENT", "MALFORMED_REQUEST", "no", {"reason": "is too long"}),
            "MALFORMED_REQUEST",
        ),
        (refusal("UNAVAILABLE", "", "connection reset"), "NO_ANSWER"),
    ],
)
def test_an_error_is_no_receipt(edit, script, refused, code):
    """Nothing that the sidecar did not accept looks as if it were."""
    script.answers["Resolve"] = refused
    editor = edit(approval(1))
    editor.wait("approval_request")
    editor.answer(APR, "approve", request_id="mine")
    assert editor.wait("error", approval_id=APR, request_id="mine")["code"] == code
    assert editor.count("approval_receipt") == 0


def test_a_token_that_is_let_in_no_more_ends_the_bridge(edit, feed):
    """The editor is told, and the bridge ends with that error."""
    editor = edit(approval(1))
    editor.wait("approval_request")
    feed.put(refusal("UNAUTHENTICATED", "UNAUTHENTICATED", "no token"))
    editor.wait("status", connected=False, stream="approvals")
    assert editor.end().reason == "UNAUTHENTICATED"


def file_change(editor, **fields):
    """The file-change request that came."""
    return editor.wait("item/fileChange/requestApproval", id=APR, **fields)


def respond(editor, result, approval_id=APR):
    """Answer it."""
    editor.send({"jsonrpc": "2.0", "id": approval_id, "result": result})


@pytest.mark.parametrize("forms", ["file-changes", "requests,file-changes"])
def test_a_call_that_writes_files_is_also_a_file_change_request(edit, forms):
    """It has the paths, and in it the whole request; the form of its own comes where it is wanted."""
    editor = edit(
        approval(1, request=WRITES, session="s1", call_id="c1", ask_reason="a rule"),
        approval(2),
        forms=tuple(forms.split(",")),
    )
    params = file_change(editor)["params"]
    assert (params["threadId"], params["turnId"], params["itemId"]) == ("s1", "", "c1")
    assert params["reason"] == "a rule"
    assert [each["path"] for each in params["changes"]] == ["/srv/app/a.txt", "/srv/app/b.txt"]
    assert params["approval"]["view_digest"] == DIGEST
    assert editor.count("item/fileChange/requestApproval") == 1
    assert editor.count("approval_request") == (2 if "requests" in forms else 0)


@pytest.mark.parametrize(
    ("result", "decision"),
    [
        ({"decision": "accept"}, Decision.DECISION_APPROVE),
        ({"decision": "acceptForSession"}, Decision.DECISION_APPROVE_SESSION),
        ({"decision": "decline"}, Decision.DECISION_DENY),
        ({"decision": "cancel"}, Decision.DECISION_CANCEL),
        ({"decision": "Accept"}, Decision.DECISION_DENY),
        ({"decision": None}, Decision.DECISION_DENY),
        ({"decision": {"accept": {}}}, Decision.DECISION_DENY),
        ({"decision": ["accept"]}, Decision.DECISION_DENY),
        ({"decision": True}, Decision.DECISION_DENY),
        ({}, Decision.DECISION_DENY),
        (None, Decision.DECISION_DENY),
        ("accept", Decision.DECISION_DENY),
    ],
)
def test_a_result_without_a_known_decision_declines(edit, script, result, decision):
    """Only the exact words approve."""
    script.answers["Resolve"] = ACCEPTED
    editor = edit(approval(1, request=WRITES))
    file_change(editor)
    respond(editor, result)
    editor.wait("approval_receipt")
    (request,) = resolves(script)
    assert (request.approval_id, request.decision, request.view_digest) == (APR, decision, DIGEST)


def test_an_error_response_decides_nothing(edit, script):
    """The editor could not ask anybody, so nobody said no."""
    editor = edit(approval(1, request=WRITES))
    file_change(editor)
    editor.send({"jsonrpc": "2.0", "id": APR, "error": {"code": -32601, "message": "no such\x1b method"}})
    error = editor.wait("error", approval_id=APR)
    assert error["code"] == "NOT_ASKED"
    assert "no such\\x1b method" in error["message"]
    assert resolves(script) == []


def test_a_file_change_request_is_withdrawn_in_time(edit, script, feed):
    """A late answer to it counts for nothing; the approval goes on and can be decided by its own form."""
    script.answers["Resolve"] = ACCEPTED
    editor = edit(approval(1, request=WRITES), file_change_limit=timedelta(seconds=0.5))
    file_change(editor)
    params = editor.wait("serverRequest/resolved")["params"]
    assert (params["requestId"], params["state"]) == (APR, "WITHDRAWN")
    for result in ({"decision": "accept"}, {"decision": "decline"}):
        respond(editor, result)
    assert editor.wait("error", nth=2)["code"] == "WITHDRAWN"
    feed.put(change(1, request=WRITES, delegated_to="user:ann"))
    editor.wait("approval_request", nth=2)
    assert resolves(script) == []
    editor.answer(APR, "approve")
    editor.wait("approval_receipt")
    assert editor.count("item/fileChange/requestApproval") == 1


def test_a_file_change_request_ends_with_its_approval(edit, feed):
    """Whoever decided it: the editor closes its dialogue."""
    editor = edit(approval(1, request=WRITES))
    file_change(editor)
    feed.put(change(1, state=ApprovalState.APPROVAL_STATE_APPROVED))
    assert editor.wait("serverRequest/resolved")["params"]["state"] == "APPROVED"
    respond(editor, {"decision": "accept"})
    assert editor.wait("error", approval_id=APR)["code"] == "WITHDRAWN"


def test_a_file_change_answer_to_a_call_that_changes_no_file_decides_nothing(edit, script):
    """There was no such request."""
    editor = edit(approval(1))
    editor.wait("approval_request")
    respond(editor, {"decision": "decline"})
    assert editor.wait("error", approval_id=APR)["code"] == "WITHDRAWN"
    assert resolves(script) == []
