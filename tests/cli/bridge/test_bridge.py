"""The real command between an editor and a real sidecar."""

import json
import os
import signal
import threading

import pytest
from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from adjudicator.api.v1 import types_pb2 as types_pb
from cli.bridge.editor import Child
from hypothesis import given, settings
from hypothesis import strategies as st
from running import running


def child(sidecar, *options, **more):
    """An editor on the operator's bridge to this sidecar."""
    return Child(sidecar.approver_address, sidecar.data, *options, **more)


@pytest.fixture(scope="module")
def sidecar_and_editor(shared_sidecar):
    """An editor of the operator's, for tests that only add to it."""
    with child(shared_sidecar, "--forms", "requests") as editor:
        yield shared_sidecar, editor
        assert editor.close() == 0


def ask(sidecar, call_id, **more):
    """A call that asks; its verdict."""
    fields = {"tool": "write", "arguments": {"path": "notes.txt", "content": "hello"}}
    verdict = sidecar.judge(call_id=call_id, working_directory="/srv/app", **(fields | more))
    assert verdict.outcome == types_pb.OUTCOME_ASK
    return verdict


def come_again(sidecar, verdict, **more):
    """What the runtime hears when it comes again with the same call."""
    again = sidecar.judge(
        tool="write",
        arguments={"path": "notes.txt", "content": "hello"},
        working_directory="/srv/app",
        call_id=verdict.call_id,
        **more,
    )
    return types_pb.Outcome.Name(again.outcome)


class Runtime:
    """An agent's runtime: it writes the file exactly when the verdict lets it."""

    def __init__(self, sidecar, folder):
        self._sidecar = sidecar
        self._folder = folder
        self.file = folder / "notes.txt"

    def write(self, call_id, **more):
        """Ask to create the file, wait for the answer, and do what it says; a thread with the verdict."""
        held = self._sidecar.judge_later(
            wait=20,
            tool="write",
            call_id=call_id,
            working_directory=str(self._folder),
            arguments={"path": "notes.txt", "content": "hello"},
            **more,
        )

        def go():
            verdict = held.result().verdict
            if verdict.outcome == types_pb.OUTCOME_ALLOW:
                self.file.write_text("hello")

        thread = threading.Thread(target=go)
        thread.start()
        return thread


def test_a_file_is_created_only_after_an_approval(sidecar, tmp_path):
    """Not before it, not after a rejection, and not after the time is over."""
    runtime = Runtime(sidecar, tmp_path)
    with child(sidecar) as editor:
        rejected = runtime.write("c1")
        first = editor.wait("approval_request")
        assert first["call"]["arguments"] == {"path": "notes.txt", "content": "hello"}
        assert not runtime.file.exists()
        editor.answer(first["approval_id"], "deny", reason="not yet")
        assert editor.wait("approval_receipt", nth=1)["code"] == "ACCEPTED"
        rejected.join(20)
        assert not runtime.file.exists()

        approved = runtime.write("c2")
        second = editor.wait("approval_request", nth=2)
        assert not runtime.file.exists()
        editor.answer(second["approval_id"], "approve", view_digest=second["view_digest"])
        assert editor.wait("approval_receipt", nth=2)["code"] == "ACCEPTED"
        approved.join(20)
        assert runtime.file.read_text() == "hello"
        runtime.file.unlink()

        verdict = ask(sidecar, "c3", limit=1.0)
        late = editor.wait("approval_request", approval_id=verdict.approval_id)
        assert late["seconds_left"] <= 1
        editor.wait("approval_update", approval_id=verdict.approval_id, state="EXPIRED")
        editor.answer(verdict.approval_id, "approve")
        assert editor.wait("approval_receipt", approval_id=verdict.approval_id)["code"] == "EXPIRED"
        assert come_again(sidecar, verdict) == "OUTCOME_DENY"
        assert not runtime.file.exists()
        assert editor.close() == 0


def test_each_answer_is_for_its_own_approval(sidecar):
    """Not for the latest, not for the first: the second is approved, the first denied, the third waits."""
    with child(sidecar) as editor:
        one, two, three = (ask(sidecar, f"c{number}") for number in range(3))
        editor.wait("approval_request", nth=3)
        editor.answer(two.approval_id, "approve")
        editor.answer(one.approval_id, "deny")
        editor.wait("approval_receipt", nth=2)
        said = [come_again(sidecar, each) for each in (one, two, three)]
        assert said == ["OUTCOME_DENY", "OUTCOME_ALLOW", "OUTCOME_ASK"]


def test_a_file_change_request_decides_a_write(sidecar, tmp_path):
    """The paths are those that the call writes; accept creates the file, and any other word does not."""
    runtime = Runtime(sidecar, tmp_path)
    with child(sidecar, "--forms", "file-changes") as editor:
        for number, (word, exists) in enumerate({"Accept": False, "cancel": False, "accept": True}.items()):
            writing = runtime.write(f"c{number}")
            request = editor.wait("item/fileChange/requestApproval", nth=number + 1)
            assert [each["path"] for each in request["params"]["changes"]] == [str(runtime.file)]
            editor.send({"jsonrpc": "2.0", "id": request["id"], "result": {"decision": word}})
            assert editor.wait("approval_receipt", approval_id=request["id"])["accepted"] is True
            writing.join(20)
            assert runtime.file.exists() is exists
            editor.wait("serverRequest/resolved", nth=number + 1)
        assert editor.count("approval_request") == 0


def test_the_request_and_the_flags_are_those_of_the_view(sidecar):
    """What deceives the eye is told to the editor as the sidecar found it, and written out."""
    deceiving = {"path": "notes.txt", "content": "\u202etxt.exe"}
    with child(sidecar) as editor:
        ask(sidecar, "c1", arguments=deceiving)
        message = editor.wait("approval_request")
        assert message["call"]["arguments"]["content"] == "\\u202etxt.exe"
        assert message["flags"][0]["characters"] == ["U+202E"]
        assert (message["request"]["type"], message["request"]["priority"]) == ("security", "high")
        assert message["request"]["context"]["writes"] == ["/srv/app/notes.txt"]
        assert message["request"]["context"]["risks"]


@pytest.mark.parametrize(
    ("word", "code", "state"),
    [("skip", "ACCEPTED", "DENIED"), ("cancel", "ACCEPTED", "CANCELLED"), ("deny", "ACCEPTED", "DENIED")],
)
def test_every_way_to_say_no(sidecar_and_editor, word, code, state):
    """The receipt has the state, the update says it to every editor, and the call does not run."""
    sidecar, editor = sidecar_and_editor
    verdict = ask(sidecar, f"no-{word}", session="no")
    editor.wait("approval_request", approval_id=verdict.approval_id)
    editor.answer(verdict.approval_id, word, reason="no")
    receipt = editor.wait("approval_receipt", approval_id=verdict.approval_id)
    assert (receipt["code"], receipt["state"]) == (code, state)
    editor.wait("approval_update", approval_id=verdict.approval_id, state=state)
    assert come_again(sidecar, verdict, session="no") == "OUTCOME_DENY"


def test_a_hand_over_is_told_and_binds(sidecar_and_editor):
    """It stays pending, everybody sees with whom it is, and nobody else approves it."""
    sidecar, editor = sidecar_and_editor
    sidecar.token("ann")
    verdict = ask(sidecar, "over", session="over")
    editor.wait("approval_request", approval_id=verdict.approval_id)
    editor.answer(verdict.approval_id, "delegate", delegate_to="user:ann")
    receipt = editor.wait("approval_receipt", approval_id=verdict.approval_id)
    assert (receipt["code"], receipt["state"]) == ("DELEGATED", "PENDING")
    editor.wait("approval_request", approval_id=verdict.approval_id, delegated_to="user:ann")
    editor.answer(verdict.approval_id, "approve")
    second = editor.wait("approval_receipt", approval_id=verdict.approval_id, nth=2)
    assert (second["accepted"], second["code"]) == (False, "NOT_THE_DELEGATE")
    assert sidecar.approve(verdict.approval_id, name="ann").accepted


def test_a_grant_for_the_session_is_told_as_it_is_stored(sidecar_and_editor):
    """Later writes in the session pass, at most so many; another session asks all the same."""
    sidecar, editor = sidecar_and_editor
    verdict = ask(sidecar, "granting", session="granted")
    editor.wait("approval_request", approval_id=verdict.approval_id)
    editor.answer(verdict.approval_id, "approve_session", grant={"uses": 1, "lifetime_seconds": 60})
    grant = editor.wait("approval_receipt", approval_id=verdict.approval_id)["grant"]
    assert (grant["session"], grant["tool"], grant["uses"]) == ("granted", "write", 1)
    fields = {
        "tool": "write",
        "arguments": {"path": "more.txt", "content": "more"},
        "working_directory": "/srv/app",
    }
    passed = sidecar.judge(session="granted", call_id="passes", **fields)
    assert (passed.outcome, passed.grant_id) == (types_pb.OUTCOME_ALLOW, grant["id"])
    for session in ("granted", "another"):
        asks = sidecar.judge(session=session, call_id="asks", **fields)
        assert asks.outcome == types_pb.OUTCOME_ASK


def test_the_same_line_again_is_the_same_decision(sidecar_and_editor):
    """An editor that does not know whether its answer arrived may send it again."""
    sidecar, editor = sidecar_and_editor
    verdict = ask(sidecar, "again", session="again")
    editor.wait("approval_request", approval_id=verdict.approval_id)
    for _ in range(2):
        editor.answer(verdict.approval_id, "approve")
    first, again = (
        editor.wait("approval_receipt", approval_id=verdict.approval_id, nth=nth) for nth in (1, 2)
    )
    assert (first["accepted"], first["replayed"]) == (True, False)
    assert (again["accepted"], again["replayed"]) == (True, True)
    assert come_again(sidecar, verdict, session="again") == "OUTCOME_ALLOW"


def test_a_sidecar_that_is_killed_and_started_again(tmp_path):
    """Deciding is suspended meanwhile and nothing is kept for later; then it goes on where it was."""
    plane = ("--approver-address", f"unix:{tmp_path}/approvers.sock")
    with running(tmp_path / "data", extra=plane) as sidecar, child(sidecar) as editor:
        verdict = ask(sidecar, "c1")
        editor.wait("approval_request", approval_id=verdict.approval_id)
        sidecar.kill()
        editor.wait("status", stream="approvals", connected=False)
        editor.answer(verdict.approval_id, "approve")
        assert editor.wait("error", approval_id=verdict.approval_id)["code"] == "SUSPENDED"
        sidecar.start()
        editor.wait("status", stream="approvals", connected=True, nth=2, seconds=30)
        assert sidecar.approval(verdict.approval_id).state == approval_pb.APPROVAL_STATE_PENDING
        assert editor.count("approval_request") == 1
        editor.answer(verdict.approval_id, "approve")
        assert editor.wait("approval_receipt", seconds=30)["code"] == "ACCEPTED"
        assert come_again(sidecar, verdict) == "OUTCOME_ALLOW"
        assert editor.close() == 0


def test_a_bridge_may_be_there_before_its_sidecar(tmp_path):
    """It says so, and comes to it by itself."""
    plane = ("--approver-address", f"unix:{tmp_path}/approvers.sock")
    with running(tmp_path / "data", extra=plane) as sidecar:
        sidecar.stop()
        with child(sidecar) as editor:
            editor.wait("status", stream="approvals", connected=False)
            sidecar.start()
            editor.wait("status", stream="approvals", connected=True, seconds=30)
            ask(sidecar, "c1")
            editor.wait("approval_request")


def test_of_two_bridges_one_decides(shared_sidecar):
    """However they race, one receipt counts and the other says that it came too late."""
    verdicts = [ask(shared_sidecar, f"race-{number}", session="race") for number in range(20)]
    with child(shared_sidecar) as one, child(shared_sidecar) as two:
        for editor in (one, two):
            for verdict in verdicts:
                editor.wait("approval_request", approval_id=verdict.approval_id)
        threads = [
            threading.Thread(target=answer_all, args=each)
            for each in ((one, verdicts, "approve"), (two, verdicts[::-1], "deny"))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        for verdict in verdicts:
            codes = {
                editor.wait("approval_receipt", approval_id=verdict.approval_id)["code"]
                for editor in (one, two)
            }
            assert codes == {"ACCEPTED", "ALREADY_RESOLVED"}


def answer_all(editor, verdicts, decision):
    """Answer each of them."""
    for verdict in verdicts:
        editor.answer(verdict.approval_id, decision)


@pytest.fixture(scope="module")
def under_fire(shared_sidecar):
    """An editor, and the one approval that it was sent.

    Not as a file-change request: to that a result of nothing is a no, and would end the approval.
    """
    verdict = ask(shared_sidecar, "fuzz", session="fuzz")
    with child(shared_sidecar, "--forms", "requests") as editor:
        editor.wait("approval_request", approval_id=verdict.approval_id)
        yield editor, shared_sidecar, verdict.approval_id
        assert editor.close() == 0


def spoilt(approval_id):
    """Lines that are nearly an approval of it, and lines that are nothing."""
    good = {"type": "approval_response", "approval_id": approval_id, "decision": "approve"}
    text = json.dumps(good).encode()
    junk = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8), st.lists(st.text()))
    names = st.sampled_from([*good, "view_digest", "request_id", "grant", "reason", "selected_option"])
    wrong = st.text(max_size=40).filter(lambda word: word not in ("approve", "deny", "cancel", "skip"))
    ids = st.text(max_size=40).filter(lambda other: other != approval_id)
    return st.one_of(
        st.binary(max_size=200).map(lambda data: data.replace(b"\n", b"\r")),
        st.integers(1, len(text) - 1).map(lambda end: text[:end]),
        st.tuples(st.integers(0, len(text)), st.binary(min_size=1, max_size=3)).map(
            lambda at: (text[: at[0]] + b"\x00" + at[1] + text[at[0] :]).replace(b"\n", b"")
        ),
        wrong.map(lambda word: json.dumps(good | {"decision": word}).encode()),
        ids.map(lambda other: json.dumps(good | {"approval_id": other}).encode()),
        st.text(max_size=64).map(lambda digest: json.dumps(good | {"view_digest": digest}).encode()),
        st.text(min_size=1).map(lambda name: json.dumps(good | {f"{name}?": 1}).encode()),
        st.tuples(names, junk.filter(lambda value: value is not None)).map(
            lambda pair: json.dumps(good | {pair[0]: [pair[1]]}).encode()
        ),
        junk.map(lambda value: json.dumps({"jsonrpc": "2.0", "id": approval_id, "result": value}).encode()),
        st.just(text[:-1] + b', "decision": "approve"}'),
    )


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_no_line_that_is_wrong_decides_anything(under_fire, data):
    """The bridge goes on, answers the next line, and the approval waits as before."""
    editor, sidecar, approval_id = under_fire
    editor.send(data.draw(spoilt(approval_id)))
    mark = f"mark-{next(MARKS)}"
    editor.answer("apr-none", "approve", request_id=mark)
    assert editor.wait("error", request_id=mark)["code"] == "NOT_SENT"
    assert editor.count("approval_receipt") == 0
    assert sidecar.approval(approval_id).state == approval_pb.APPROVAL_STATE_PENDING


MARKS = iter(range(1_000_000))


def test_a_line_that_is_too_long_is_an_error(under_fire):
    """It is not kept, however long it is, and the next one is read as usual."""
    editor, sidecar, approval_id = under_fire
    good = json.dumps({"type": "approval_response", "approval_id": approval_id, "decision": "approve"})
    editor.send(good.encode() + b" " * (5 << 20))
    assert editor.wait("error", code="LINE_TOO_LONG")
    editor.answer("apr-none", "approve", request_id="after")
    editor.wait("error", request_id="after")
    assert sidecar.approval(approval_id).state == approval_pb.APPROVAL_STATE_PENDING


@pytest.mark.parametrize("way", ["end of input", "SIGTERM", "nobody reads"])
def test_the_end_decides_nothing(shared_sidecar, way):
    """However the editor goes, the exit code is 0, and what is pending stays pending."""
    verdict = ask(shared_sidecar, f"end-{way.replace(' ', '-')}", session="end")
    with child(shared_sidecar, reads=way != "nobody reads") as editor:
        if way == "nobody reads":
            assert json.loads(editor.process.stdout.readline())["type"] == "ready"
            editor.process.stdout.close()
            ask(shared_sidecar, "end-more", session="end")
            assert editor.process.wait(20) == 0
            assert b"Traceback" not in editor.process.stderr.read()
        elif way == "SIGTERM":
            editor.wait("approval_request", approval_id=verdict.approval_id)
            editor.process.send_signal(signal.SIGTERM)
            assert editor.end() == 0
        else:
            editor.wait("approval_request", approval_id=verdict.approval_id)
            assert editor.close() == 0
    assert shared_sidecar.approval(verdict.approval_id).state == approval_pb.APPROVAL_STATE_PENDING


def test_an_answer_before_the_end_still_gets_its_receipt(shared_sidecar):
    """An editor that answers and goes is not left with a decision that nobody told it of."""
    verdict = ask(shared_sidecar, "last", session="end")
    with child(shared_sidecar) as editor:
        editor.wait("approval_request", approval_id=verdict.approval_id)
        editor.answer(verdict.approval_id, "deny")
        assert editor.close() == 0
        assert editor.wait("approval_receipt")["code"] == "ACCEPTED"


def test_a_token_that_is_none_is_an_error(shared_sidecar, tmp_path):
    """Nothing is on standard output but what the protocol has; the exit code is 1."""
    with child(shared_sidecar, name="nobody") as editor:
        assert editor.process.wait(20) == 1
        editor.read_to_the_end()
        assert editor.lines == []
        assert editor.process.stderr.read().startswith(b"adjudicator: ")
    stranger = tmp_path / "stranger.token"
    descriptor = os.open(stranger, os.O_WRONLY | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write("s" * 40)
    with child(shared_sidecar, "--token-file", str(stranger)) as editor:
        editor.wait("status", stream="approvals", connected=False)
        assert editor.process.wait(20) == 1
        assert editor.lines[0]["approver"] == "stranger"
        assert b"UNAUTHENTICATED" in editor.process.stderr.read()


def test_the_bounds_and_forms_are_the_command_line_s(run):
    """A longer time for file changes, or a form that is none, is refused there."""
    assert run("bridge", "--file-change-limit", "301").exit_code == 2
    assert run("bridge", "--forms", "requests,latest").exit_code == 2
    assert run("bridge", "--forms", "").exit_code == 2
