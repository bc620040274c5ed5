"""Questions over gRPC: agents ask on their plane, people answer on theirs."""

import shutil
import threading
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from adjudicator.api.v1 import adjudication_service_pb2 as agent_pb
from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from adjudicator.api.v1 import question_service_pb2 as pb
from adjudicator.api.v1 import types_pb2
from running import POLICIES, Running, error_of, running, until

WHO = {"tenant": "studio", "agent": "coder", "session": "s1"}
OPEN, ANSWERED = types_pb2.QUESTION_STATE_OPEN, types_pb2.QUESTION_STATE_ANSWERED


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A sidecar for tests that only add to it, by whose policy zoe decides in the archive alone."""
    folder = tmp_path_factory.mktemp("questions")
    policies = shutil.copytree(POLICIES, folder / "policies")
    with (policies / "approvers.csv").open("a") as rows:
        rows.write("g, user:zoe, role:approver, archive\n")
    with running(folder / "data", policies) as sidecar:
        yield sidecar


def request_of(question_id, *, wait=0.0, **fields):
    """A question of the coder."""
    request = agent_pb.AskQuestionRequest(
        **(WHO | {"question_id": question_id, "text": "Which database?"} | fields)
    )
    request.wait.FromMilliseconds(int(wait * 1000))
    return request


def ask(sidecar, question_id, *, timeout=30, **fields):
    """Ask it."""
    return sidecar.adjudication.AskQuestion(request_of(question_id, **fields), timeout=timeout)


def listed(sidecar, name="operator"):
    """What is open, by question_id."""
    page = sidecar.questions.ListQuestions(pb.ListQuestionsRequest(), metadata=sidecar.token(name))
    return {each.question_id: each for each in page.questions}


def answer(sidecar, own_id, *, name="operator", **reply):
    """Answer it; the receipt."""
    request = pb.AnswerQuestionRequest(id=own_id, **reply)
    return sidecar.questions.AnswerQuestion(request, metadata=sidecar.token(name), timeout=10)


def code_of(receipt):
    """The receipt's code."""
    assert receipt.accepted is (receipt.code == pb.ANSWER_CODE_ACCEPTED)
    return pb.AnswerCode.Name(receipt.code).removeprefix("ANSWER_CODE_")


def test_an_agent_that_waits_gets_the_answer_when_it_is_given(shared):
    """And the same request gets it again."""
    held = shared.adjudication.AskQuestion.future(
        request_of("held", wait=30, options=["a", "b"], recommended_option="b"), timeout=40
    )
    question = until(lambda: listed(shared).get("held"))
    assert (list(question.options), question.recommended_option) == (["a", "b"], "b")
    assert question.priority == types_pb2.PRIORITY_MEDIUM
    receipt = answer(shared, question.id, selected_option="b")
    assert (code_of(receipt), receipt.question.answered_by) == ("ACCEPTED", "user:operator")
    response = held.result(10)
    assert (response.state, response.selected_option, response.answered_by) == (
        ANSWERED,
        "b",
        "user:operator",
    )
    again = ask(shared, "held", options=["a", "b"], recommended_option="b")
    assert (again.state, again.trace_number) == (ANSWERED, response.trace_number)
    assert "held" not in listed(shared)


def test_a_wait_ends_before_the_callers_deadline(shared):
    """With the question open; nothing is lost by that."""
    assert ask(shared, "deadline", wait=60, timeout=1.5).state == OPEN


def test_an_answer_is_no_approval_and_an_approval_no_answer(shared):
    """Ids of one are unknown to the other, and a call waits whatever is answered."""
    call = {"tool": "bash", "arguments": {"command": "make it"}, "session": "s9", "call_id": "apart"}
    asked = shared.judge(**call)
    ask(shared, "apart", session="s9", text=f"May {asked.approval_id} run?", options=["approve"])
    question = listed(shared)["apart"]
    assert code_of(answer(shared, asked.approval_id, text="approve")) == "UNKNOWN"
    receipt = shared.resolve(question.id, approval_pb.DECISION_APPROVE, digest="x")
    assert receipt.code == approval_pb.RECEIPT_CODE_UNKNOWN
    assert code_of(answer(shared, question.id, selected_option="approve")) == "ACCEPTED"
    assert shared.judge(**call).outcome == types_pb2.OUTCOME_ASK
    assert shared.approval(asked.approval_id).state == approval_pb.APPROVAL_STATE_PENDING


def test_who_may_not_answer_sees_and_answers_nothing(shared):
    """A stranger, a person of another tenant, and one that is named like an agent."""
    ask(shared, "private")
    own = listed(shared)["private"].id
    for name, code in (("stranger", "NOT_ENTITLED"), ("zoe", "UNKNOWN"), ("coder", "NOT_A_PERSON")):
        assert listed(shared, name) == {}
        for question_id in (own, "qst-none"):
            receipt = answer(shared, question_id, name=name, text="x")
            assert (code_of(receipt), receipt.HasField("question")) == (code, False)
    with pytest.raises(grpc.RpcError) as caught:
        shared.questions.AnswerQuestion(pb.AnswerQuestionRequest(id=own, text="x"))
    assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
    assert ask(shared, "private").state == OPEN


def test_without_a_policy_nobody_asks_and_nobody_answers(tmp_path):
    """Nothing is answered by default; the error says that there is no policy."""
    sidecar = Running(tmp_path / "data", tmp_path / "policies").start()
    with pytest.raises(grpc.RpcError) as caught:
        ask(sidecar, "q1")
    assert error_of(caught)[0] == "POLICY_INVALID"
    for method, request in (
        (sidecar.questions.ListQuestions, pb.ListQuestionsRequest()),
        (sidecar.questions.AnswerQuestion, pb.AnswerQuestionRequest(id="qst-1", text="x")),
    ):
        with pytest.raises(grpc.RpcError) as caught:
            method(request, metadata=sidecar.token())
        assert error_of(caught)[0] == "POLICY_INVALID"
    sidecar.stop()


def test_errors_name_what_is_wrong(shared):
    """A field, a reused id, an unknown trigger, a closed session."""
    ask(shared, "errors")
    for fields, expected in (
        ({"text": " "}, ("MALFORMED_REQUEST", ["text"])),
        ({"options": ["a", "a"]}, ("MALFORMED_REQUEST", ["options"])),
        ({"trigger": 99}, ("MALFORMED_REQUEST", ["trigger"])),
        ({"text": "Another?"}, ("QUESTION_ID_REUSED", ["question_id"])),
        ({"agent": "nobody"}, ("NOT_ALLOWED", ["agent"])),
    ):
        with pytest.raises(grpc.RpcError) as caught:
            ask(shared, "errors", **fields)
        assert error_of(caught) == expected
    closing = agent_pb.CloseSessionRequest(**(WHO | {"session": "closing"}))
    ask(shared, "q1", session="closing")
    assert shared.adjudication.CloseSession(closing).questions_cancelled == 1
    with pytest.raises(grpc.RpcError) as caught:
        ask(shared, "q2", session="closing")
    assert error_of(caught) == ("SESSION_CLOSED", ["session"])


def test_a_watcher_sees_every_change_until_its_token_is_taken_back(shared):
    """Snapshot, asked, answered; then it is no approver any more, and the stream ends."""
    events = []
    note = events.append
    stream = shared.questions.WatchQuestions(pb.WatchQuestionsRequest(), metadata=shared.token("eve"))

    def read():
        try:
            for event in stream:
                note(event)
        except grpc.RpcError as error:
            note(error)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    until(lambda: any(each.snapshot.complete for each in events))
    ask(shared, "watched", text="a\u202eb")
    change = until(lambda: next((each.change for each in events if each.HasField("change")), None))
    assert (change.question_id, change.state, change.text) == ("watched", OPEN, "a\\u202eb")
    answer(shared, change.id, text="x")
    until(lambda: events[-1].change.state == ANSWERED)
    (shared.data / "approvers" / "eve.token").unlink()
    ask(shared, "unseen")
    thread.join(10)
    assert events[-1].code() is grpc.StatusCode.UNAUTHENTICATED
    assert "unseen" not in {each.change.question_id for each in events[:-1]}


def test_a_token_that_becomes_somebody_elses_ends_the_watch(shared):
    """The person who began it is gone, and the other one sees what they may in a watch of their own."""
    stream = shared.questions.WatchQuestions(
        pb.WatchQuestionsRequest(), metadata=shared.token("kim"), timeout=20
    )
    assert next(stream).snapshot.complete
    folder = shared.data / "approvers"
    (folder / "kim.token").rename(folder / "stranger.token")
    ask(shared, "for-kim")
    with pytest.raises(grpc.RpcError) as caught:
        next(stream)
    assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED


def test_nobody_takes_all_the_places_of_a_watch(shared):
    """Somebody entitled to nothing keeps no one else from watching; an ended watch gives its place back."""
    watch, request = shared.questions.WatchQuestions, pb.WatchQuestionsRequest()
    streams = [watch(request, metadata=shared.token("stranger"), timeout=30) for _ in range(32)]
    assert all(next(each).HasField("snapshot") for each in streams)
    with pytest.raises(grpc.RpcError) as caught:
        next(watch(request, metadata=shared.token("stranger"), timeout=30))
    assert error_of(caught)[0] == "LIMIT_EXCEEDED"
    assert next(watch(request, metadata=shared.token(), timeout=5)).HasField("snapshot")
    for each in streams:
        each.cancel()
    until(lambda: _may_watch(shared))


def _may_watch(sidecar):
    """Whether a stranger has a place."""
    request = pb.WatchQuestionsRequest()
    stream = sidecar.questions.WatchQuestions(request, metadata=sidecar.token("stranger"), timeout=5)
    try:
        return next(stream).HasField("snapshot")
    except grpc.RpcError:
        return False
    finally:
        stream.cancel()


def test_an_open_question_is_there_after_kill_9(tmp_path):
    """It is answered then, once, and an answer that was given stays given."""
    sidecar = Running(tmp_path / "data").start()
    first, second = ask(sidecar, "q1"), ask(sidecar, "q2")
    assert code_of(answer(sidecar, listed(sidecar)["q2"].id, text="before")) == "ACCEPTED"
    sidecar.kill()
    sidecar.start()
    assert ask(sidecar, "q1").trace_number == first.trace_number
    again = ask(sidecar, "q2")
    assert (again.text, again.trace_number) == ("before", second.trace_number)
    assert list(listed(sidecar)) == ["q1"]
    assert code_of(answer(sidecar, listed(sidecar)["q1"].id, text="after")) == "ACCEPTED"
    sidecar.kill()
    sidecar.start()
    assert ask(sidecar, "q1").text == "after"
    sidecar.stop()


def test_of_answers_through_two_sidecars_one_counts_and_releases_who_waits_at_the_other(
    tmp_path, postgres_url
):
    """Whoever is asked, the answer is the same."""
    one, two = (
        Running(tmp_path / f"sidecar-{number}", extra=("--database", postgres_url)).start()
        for number in range(2)
    )
    try:
        for number in range(5):
            held = one.adjudication.AskQuestion.future(request_of(f"q{number}", wait=30), timeout=40)
            own = until(lambda n=number: listed(two).get(f"q{n}")).id
            with ThreadPoolExecutor(6) as pool:
                receipts = list(
                    pool.map(lambda n, q=own: answer((one, two)[n % 2], q, text=f"t{n}"), range(6))
                )
            codes = sorted(code_of(each) for each in receipts)
            assert codes == ["ACCEPTED", *["ALREADY_ANSWERED"] * 5]
            counted = next(each for each in receipts if each.accepted)
            assert held.result(10).text == counted.question.answer_text
            assert ask(two, f"q{number}").text == counted.question.answer_text
        ask(one, "last")
        request = agent_pb.CloseSessionRequest(**WHO)
        assert two.adjudication.CloseSession(request).questions_cancelled == 1
        assert ask(one, "last").state == types_pb2.QUESTION_STATE_CANCELLED
    finally:
        one.stop()
        two.stop()
