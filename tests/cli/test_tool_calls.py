"""From JSON and flags to one call."""

import pytest
from adjudicator.api.v1.types_pb2 import Mode
from adjudicator.cli.tool_calls import CallError, CallFields, call_fields, decoded
from hypothesis import given, settings
from hypothesis import strategies as st


def test_a_line_says_everything_that_a_call_has():
    """Each field of the object arrives in its field of the message."""
    call = call_fields(
        '{"tool": "read", "arguments": {"path": "a"}, "tenant": "t", "agent": "a", "session": "s", '
        '"call_id": "c", "principal": "user:ann", "on_behalf_of": ["x", "y"], "working_directory": "/w", '
        '"mode": "read_only", "resolved_paths": {"/path": "/w/a"}}'
    ).tool_call()
    assert (call.tenant, call.agent, call.tool, call.session, call.call_id) == ("t", "a", "read", "s", "c")
    assert (call.principal, call.working_directory, call.mode) == ("user:ann", "/w", Mode.MODE_READ_ONLY)
    assert list(call.on_behalf_of) == ["x", "y"]
    assert [(each.argument, each.path) for each in call.resolved_paths] == [("/path", "/w/a")]
    assert call.arguments_json == '{"path": "a"}'


def test_a_default_stands_in_only_for_what_is_not_said():
    """A field that is said to be empty stays empty."""
    call = call_fields('{"tool": "x", "arguments": {}, "tenant": ""}').or_else(
        CallFields(tenant="t", agent="a")
    )
    assert (call.tenant, call.agent) == ("", "a")


def test_arguments_that_are_a_string_are_json_text_that_was_quoted():
    """The content of the string is sent, character for character."""
    assert call_fields('{"tool": "x", "arguments": "{\\"n\\": 1.0}"}').arguments == '{"n": 1.0}'


@settings(deadline=None)
@given(st.text())
def test_any_text_is_a_call_or_a_call_error(text):
    """Nothing else comes of reading a line."""
    try:
        call_fields(text).tool_call()
    except CallError:
        return


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("nonsense", "not a JSON object"),
        ("[]", "not a JSON object"),
        ('{"arguments": {}}', "no tool"),
        ('{"tool": "x"}', "no arguments"),
        ('{"tool": 1, "arguments": {}}', "tool: a string is needed"),
        ('{"tool": "x", "arguments": {}, "argumets": {}}', "'argumets' is not a field"),
        ('{"tool": "x", "arguments": {}, "mode": "lenient"}', "'lenient' is not a mode"),
        ('{"tool": "x", "arguments": {}, "on_behalf_of": "y"}', "on_behalf_of: "),
        ('{"tool": "x", "arguments": "\\ud800"}', "arguments is not Unicode text: a lone surrogate"),
        ('{"tool": "\\udfff", "arguments": {}}', "tool is not Unicode text"),
        ('{"tool": "x", "arguments": {}, "tool": "y"}', "'tool' is there twice"),
    ],
)
def test_what_is_no_call_says_why(line, problem):
    """The error names the field and the problem."""
    with pytest.raises(CallError, match=problem):
        call_fields(line).tool_call()


def test_bytes_that_are_not_utf_8_are_refused():
    """The error names the byte."""
    with pytest.raises(CallError, match="byte 2"):
        decoded(b"a\xff")
