"""`adjudicator withdraw` and `session close`."""

import json

from adjudicator.api.v1.adjudication_service_pb2 import CloseSessionResponse, WithdrawCallResponse
from adjudicator.api.v1.types_pb2 import Cause, Outcome, Verdict
from adjudicator.cli.exit_code import ExitCode
from scripted import refusal

WHO = ("--tenant", "acme", "--agent", "coder")


def verdict(cause):
    """A denial for that cause."""
    return Verdict(outcome=Outcome.OUTCOME_DENY, cause=cause, reason="the call was withdrawn: \x1b[2J")


def test_a_call_is_withdrawn_as_it_is_said(run, script):
    """Every flag arrives in its field, and the verdict is printed, with nothing in it that acts."""
    script.answers["WithdrawCall"] = WithdrawCallResponse(
        verdict=verdict(Cause.CAUSE_CALL_WITHDRAWN), withdrawn=True
    )
    result = run("withdraw", "c1", *WHO, "--session", "s1", "--reason", "escape")
    assert result.exit_code == ExitCode.OK
    assert "DENY" in result.stdout
    assert "the call was withdrawn: \\x1b[2J" in result.stdout
    request = script.requests[0]
    assert (request.tenant, request.agent, request.session) == ("acme", "coder", "s1")
    assert (request.call_id, request.reason) == ("c1", "escape")
    assert json.loads(run("withdraw", "c1", *WHO, "--json").stdout)["withdrawn"] is True


def test_a_call_that_was_over_before_is_said_to_be(run, script):
    """With the code for what does not count; a second withdrawal is none."""
    script.answers["WithdrawCall"] = WithdrawCallResponse(verdict=Verdict(outcome=Outcome.OUTCOME_ALLOW))
    result = run("withdraw", "c1", *WHO)
    assert result.exit_code == ExitCode.NOT_ACCEPTED
    assert "nothing was withdrawn" in result.stderr
    script.answers["WithdrawCall"] = WithdrawCallResponse(verdict=verdict(Cause.CAUSE_CALL_WITHDRAWN))
    assert run("withdraw", "c1", *WHO).exit_code == ExitCode.OK


def test_a_call_of_somebody_else_is_an_error(run, script):
    """The sidecar's words are printed."""
    script.answers["WithdrawCall"] = refusal("NOT_FOUND", "NOT_FOUND", "there is no call 'c1'")
    result = run("withdraw", "c1", *WHO)
    assert result.exit_code == ExitCode.ERROR
    assert "NOT_FOUND: there is no call 'c1'" in result.stderr


def test_a_session_is_closed_as_it_is_said(run, script):
    """What ended with it is counted."""
    script.answers["CloseSession"] = CloseSessionResponse(
        approvals_cancelled=3, grants_cleared=1, questions_cancelled=0, trace_number=12
    )
    result = run("session", "close", "s1", *WHO, "--reason", "over")
    assert result.exit_code == ExitCode.OK
    assert result.stdout.splitlines() == [
        "Session s1 is closed: trace 12.",
        "  3 approvals cancelled, 1 grants cleared, 0 questions cancelled",
    ]
    request = script.requests[0]
    assert (request.tenant, request.agent, request.session, request.reason) == (
        "acme",
        "coder",
        "s1",
        "over",
    )
    assert json.loads(run("session", "close", "s1", *WHO, "--json").stdout)["trace_number"] == "12"


def test_a_session_without_a_name_is_a_wrong_command_line(run, script):
    """Nothing is sent."""
    assert run("session", "close", *WHO).exit_code == ExitCode.USAGE
    assert run("withdraw", "c1", "--tenant", "acme").exit_code == ExitCode.USAGE
    assert script.requests == []
