"""Bytes to lines, and lines to answers."""

import json
import os
import threading

import pytest
from adjudicator.api.v1.approval_service_pb2 import Decision
from adjudicator.cli.bridge.answers import FileChangeFailed, LineError, QuestionAnswer, answer_in
from adjudicator.cli.bridge.lines import TooLong, lines_of, write_all
from cli.bridge.editor import validator
from hypothesis import given
from hypothesis import strategies as st

APR = "apr-00000000000000000000000000000001"
GOOD = {"type": "approval_response", "approval_id": APR, "decision": "approve"}


def lines(chunks, most):
    """The lines of what is written in these pieces; None for one that is too long."""
    source, sink = os.pipe()

    def write():
        for chunk in chunks:
            write_all(sink, chunk)
        os.close(sink)

    writer = threading.Thread(target=write)
    writer.start()
    found = [None if isinstance(line, TooLong) else line for line in lines_of(source, most)]
    writer.join()
    os.close(source)
    return found


@given(st.lists(st.binary(max_size=12) | st.just(b"\n"), max_size=12), st.integers(1, 20))
def test_lines_are_whole_however_they_come(chunks, most):
    """One longer than the limit is known as such, and is the only one that is lost."""
    data = b"".join(chunks)
    expected = data.split(b"\n")
    if expected[-1] == b"":
        expected.pop()
    assert lines(chunks, most) == [line if len(line) <= most else None for line in expected]


def test_a_line_of_many_chunks_is_not_held():
    """Whatever comes after the limit is dropped as it comes."""
    assert lines([b"x" * 300_000, b"\nok\n"], 100_000) == [None, b"ok"]


def answer(fields):
    """The answer in a line that says this."""
    line = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
    return answer_in(line)


def test_every_field_of_an_answer():
    """They are taken as they are, and null is the same as leaving one out."""
    everything = GOOD | {
        "decision": "approve_session",
        "view_digest": "d",
        "selected_option": "o",
        "reason": "r",
        "delegate_to": None,
        "grant": {"uses": 1, "lifetime_seconds": None},
        "request_id": "mine",
    }
    assert list(validator("in").iter_errors(everything)) == []
    read = answer(everything)
    assert (read.approval_id, read.decision) == (APR, Decision.DECISION_APPROVE_SESSION)
    assert (read.view_digest, read.selected_option, read.reason) == ("d", "o", "r")
    assert (read.grant.uses, read.grant.HasField("lifetime"), read.request_id) == (1, False, "mine")


def test_a_line_may_end_as_on_windows():
    """The same line is the same answer, and has the same request id."""
    line = json.dumps(GOOD).encode()
    assert answer(line + b"\r") == answer(line)


def without(name):
    """The good line without a field."""
    return {key: value for key, value in GOOD.items() if key != name}


FAULTS = [
    (b"{", "not JSON"),
    (b"\xff{}", "byte 1 is not UTF-8"),
    (b"[]", "one JSON object"),
    (b"NaN", "NaN"),
    (json.dumps(GOOD).encode()[:-1] + b', "decision": "approve"}', "twice"),
    (b"[" * 100_000, "lines"),
    (b'{"type": "approval_response", "reason": "\\ud800"}', "surrogate"),
    ({}, "type is 'None'"),
    ({"type": "approve"}, "approval_response or question_response"),
    ({"type": ["approval_response"]}, "approval_response or question_response"),
    (without("decision"), "nothing was decided"),
    (GOOD | {"decision": None}, "nothing was decided"),
    (GOOD | {"decision": "Approve"}, "approve, approve_session, deny"),
    (GOOD | {"decision": "yes\u202e"}, "nothing was decided"),
    (GOOD | {"decision": 1}, "decision has to be a string"),
    (GOOD | {"decision": True}, "decision has to be a string"),
    (without("approval_id"), "approval_id has to be the exact id"),
    (GOOD | {"approval_id": ""}, "approval_id has to be the exact id"),
    (GOOD | {"approval_id": [APR]}, "approval_id has to be a string"),
    (GOOD | {"approval_id": APR + "\n"}, "approval_id has to be the exact id"),
    (GOOD | {"view_digset": ""}, "no field 'view_digset'"),
    (GOOD | {"view_digest": 1}, "view_digest has to be a string"),
    (GOOD | {"request_id": "a b"}, "request_id has to be the exact id"),
    (GOOD | {"decision": "delegate"}, "needs delegate_to"),
    (GOOD | {"delegate_to": "user:bob"}, "with delegate only"),
    (GOOD | {"decision": "deny", "selected_option": "a"}, "selected_option goes with"),
    (GOOD | {"grant": {}}, "grant goes with approve_session only"),
    (GOOD | {"decision": "approve_session", "grant": []}, "grant has to be an object"),
    (GOOD | {"decision": "approve_session", "grant": {"uses": 0}}, "grant.uses has to be"),
    (GOOD | {"decision": "approve_session", "grant": {"uses": True}}, "grant.uses has to be"),
    (GOOD | {"decision": "approve_session", "grant": {"uses": 2**32}}, "grant.uses has to be"),
    (GOOD | {"decision": "approve_session", "grant": {"lifetime_seconds": 1.5}}, "lifetime_seconds"),
    (GOOD | {"decision": "approve_session", "grant": {"use": 1}}, "no field 'use'"),
    (GOOD | {"decision": "approve_session", "grant": {"arguments_schema_json": {}}}, "string"),
    ({"jsonrpc": "2.0", "id": APR}, "either a result or an error"),
    ({"jsonrpc": "2.0", "id": APR, "result": {}, "error": {}}, "either a result or an error"),
    ({"jsonrpc": 2.0, "id": APR, "result": {"decision": "accept"}}, '"2.0"'),
    ({"jsonrpc": "2.0", "id": 1, "result": {"decision": "accept"}}, "id has to be a string"),
    ({"jsonrpc": "2.0", "id": None, "result": {"decision": "accept"}}, "id has to be the exact id"),
    ({"jsonrpc": "2.0", "id": APR, "method": "initialize"}, "no field 'method'"),
    ({"type": "question_response", "selected_option": "a"}, "id has to be the exact id"),
    ({"type": "question_response", "id": "q", "option": "a"}, "no field 'option'"),
]


@pytest.mark.parametrize(("line", "problem"), FAULTS, ids=[str(n) for n in range(len(FAULTS))])
def test_a_line_that_is_not_understood_says_why(line, problem):
    """It names the field and what to write; nothing is guessed and nothing is left out in silence."""
    with pytest.raises(LineError) as caught:
        answer(line)
    assert problem in str(caught.value)
    assert str(caught.value).isascii()
    assert str(caught.value).isprintable()


def test_what_is_wrong_with_a_line_is_told_with_its_ids():
    """So an editor knows which of its answers it is about; what is no id is not repeated."""
    with pytest.raises(LineError) as caught:
        answer(GOOD | {"decision": "yes", "request_id": "mine"})
    assert caught.value.about == {"approval_id": APR, "request_id": "mine"}
    with pytest.raises(LineError) as caught:
        answer(GOOD | {"approval_id": "\x1b[2J"})
    assert caught.value.about == {}


def test_other_answers():
    """A question's, and an editor's error."""
    question = {"type": "question_response", "id": "qst-1", "text": "so"}
    assert answer(question) == QuestionAnswer("qst-1", text="so")
    failed = {"jsonrpc": "2.0", "id": APR, "error": "?"}
    assert answer(failed) == FileChangeFailed(APR, "it did not say why")
    for line in (question, failed):
        assert list(validator("in").iter_errors(line)) == []
