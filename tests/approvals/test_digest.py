"""The digest binds everything in a call, and nothing but the call."""

from dataclasses import fields, replace

import pytest
from adjudicator.approvals.digest import Digester
from adjudicator.domain.arguments import read_arguments
from adjudicator.domain.call import Mode, ToolCall
from adjudicator.domain.trace_context import TraceContext

CALL = ToolCall(tenant="t", agent="a", tool="x", arguments_json='{"a":1}', call_id="c")


def digest(call, key=b"k" * 32):
    """The digest of a call under a key."""
    read = read_arguments(
        call.arguments_json, max_bytes=1000, max_depth=10, max_values=1000, max_digits=1000
    )
    return Digester(key).of(call, read)


OTHER = {
    "tenant": "u",
    "agent": "b",
    "tool": "y",
    "arguments_json": '{"a":2}',
    "on_behalf_of": ("z",),
    "principal": "user:ann",
    "session": "s",
    "call_id": "d",
    "working_directory": "/w",
    "resolved_paths": (("/p", "/q"),),
    "mode": Mode.READ_ONLY,
}
NOT_BOUND = {"trace_context": TraceContext("1" * 32, "2" * 16, "3" * 16)}


@pytest.mark.parametrize("name", [field.name for field in fields(ToolCall) if field.name not in NOT_BOUND])
def test_every_field_of_a_call_is_bound(name):
    """A field that is added to a call and forgotten here fails this test."""
    assert digest(replace(CALL, **{name: OTHER[name]})) != digest(CALL)


def test_where_a_call_comes_from_is_not_bound():
    """A retry from another trace of the caller's is the same call."""
    assert digest(replace(CALL, **NOT_BOUND)) == digest(CALL)


def test_layout_does_not_count_and_values_do():
    """White space and key order are the same call; another type of number is not."""
    same = [
        digest(replace(CALL, arguments_json=text)) for text in ('{"a":1,"b":[]}', '{ "b" : [], "a" : 1 }')
    ]
    assert same[0] == same[1]
    kinds = {digest(replace(CALL, arguments_json=text)) for text in ('{"a":1}', '{"a":1.0}', '{"a":true}')}
    assert len(kinds) == 3


def test_parts_do_not_run_together():
    """What moves from one field to the next is another call."""
    assert digest(replace(CALL, tenant="ta", agent="")) != digest(replace(CALL, tenant="t", agent="a"))
    unread = replace(CALL, arguments_json='{"a":1')
    assert digest(unread) != digest(CALL)
    assert digest(unread) != digest(replace(unread, arguments_json='{"a":1 '))


def test_another_key_gives_another_digest():
    """Without the key nobody can try out arguments."""
    assert digest(CALL, b"x" * 32) != digest(CALL)
