"""Questions of agents through the bridge."""

import pytest
from adjudicator.api.v1.question_service_pb2 import (
    AnswerCode,
    AnswerQuestionRequest,
    AnswerQuestionResponse,
    Question,
    QuestionSnapshot,
    WatchQuestionsResponse,
)
from adjudicator.api.v1.types_pb2 import QuestionState
from cli.bridge.editor import Feed
from cli.examples import approval

QUESTION = Question(
    id="qst-1", state=QuestionState.QUESTION_STATE_OPEN, text="Which?", options=["a", "b"], free_text=True
)


@pytest.fixture
def questions(feed, script):
    """A stream on which one question is open."""
    del feed
    questions = Feed(script, "WatchQuestions")
    snapshot = QuestionSnapshot(questions=[QUESTION], complete=True)
    questions.put(WatchQuestionsResponse(cursor="1", snapshot=snapshot))
    yield questions
    questions.put(None, None)


def test_a_question_is_told_and_answered(edit, questions, script):
    """Its answer goes to its own service, and decides on no call."""
    code = AnswerCode.ANSWER_CODE_ACCEPTED
    script.answers["AnswerQuestion"] = AnswerQuestionResponse(accepted=True, code=code, message="ok")
    editor = edit(approval(1))
    asked = editor.wait("question_request", id="qst-1")
    assert (asked["text"], asked["options"], asked["free_text"]) == ("Which?", ["a", "b"], True)
    editor.send({"type": "question_response", "id": "qst-1", "selected_option": "b", "text": "because"})
    receipt = editor.wait("question_receipt", id="qst-1")
    assert (receipt["accepted"], receipt["code"]) == (True, "ACCEPTED")
    (request,) = [each for each in script.requests if isinstance(each, AnswerQuestionRequest)]
    assert (request.id, request.selected_option, request.text) == ("qst-1", "b", "because")
    answered = Question(id="qst-1", state=QuestionState.QUESTION_STATE_ANSWERED, answered_by="user:ann")
    questions.put(WatchQuestionsResponse(cursor="2", change=answered))
    update = editor.wait("question_update", id="qst-1")
    assert (update["state"], update["answered_by"]) == ("ANSWERED", "user:ann")


def test_an_approval_is_no_question_and_a_question_is_no_approval(edit, questions, script):
    """The id of the one is nothing to the other."""
    del questions
    editor = edit(approval(1))
    editor.wait("question_request")
    editor.wait("approval_request")
    editor.send({"type": "question_response", "id": approval(1).id, "selected_option": "a"})
    assert editor.wait("error", id=approval(1).id)["code"] == "NOT_SENT"
    editor.answer("qst-1", "approve")
    assert editor.wait("error", approval_id="qst-1")["code"] == "NOT_SENT"
    kinds = {type(each).__name__ for each in script.requests}
    assert not kinds & {"AnswerQuestionRequest", "ResolveRequest"}


def test_questions_that_are_not_open_any_more_end(edit, questions):
    """After a break the snapshot has what is open; the others end, in a state that is not known here."""
    editor = edit(approval(1))
    editor.wait("question_request")
    questions.put(WatchQuestionsResponse(snapshot=QuestionSnapshot(complete=True), cursor="3"))
    assert editor.wait("question_update")["state"] == "UNSPECIFIED"


def test_a_sidecar_without_questions_is_good_for_approvals(edit):
    """It is said once, and an answer is refused."""
    editor = edit(approval(1))
    editor.wait("approval_request")
    status = editor.wait("status", stream="questions", connected=False)
    assert "serves no questions" in status["message"]
    editor.send({"type": "question_response", "id": "qst-1", "text": "so"})
    assert editor.wait("error", id="qst-1")["code"] == "SUSPENDED"


@pytest.mark.parametrize("forms", [("requests",), ("questions",)])
def test_forms_that_are_not_wanted_are_not_watched(edit, questions, script, forms):
    """And nothing of them is answered."""
    del questions
    editor = edit(approval(1), forms=forms)
    editor.wait("approval_request" if "requests" in forms else "question_request")
    editor.answer("apr-0", "approve")
    editor.send({"type": "question_response", "id": "q", "text": "so"})
    assert editor.wait("error", nth=2)["code"] == "NOT_SENT"
    watched = {type(each).__name__ for each in script.requests}
    assert len(watched) == 1
