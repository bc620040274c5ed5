"""The digest binds everything in a call, and nothing but the call."""

from dataclasses import fields, replace

import pytest
from adjudicator.approvals.digest import Digester
from adjudicator.domain.arguments import read_arguments
from adjudicator.domain.call import Mode, ToolCall
from adjudicator.domain.flow import Flow
from adjudicator.domain.strict_json import Json
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
    "flow": 7,
}
OTHER_FLOW = {
    "tenant": "u",
    "agent": "b",
    "session": "s",
    "flow_id": "g",
    "principal": "user:ann",
    "description": "d",
    "input": Json(None, b"null"),
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


def test_a_call_outside_of_flows_has_the_digest_that_it_always_had():
    """An approval that was stored before there were flows still serves its call after an upgrade."""
    assert digest(CALL).hex() == "bda20184a361418b77f2fa98fd1fd01c1cccff5e3445e4482434765563d7d219"


@pytest.mark.parametrize("name", [field.name for field in fields(Flow)])
def test_every_field_of_a_flow_is_bound(name):
    """A flow_id with anything else behind it is another flow."""
    flow = Flow("t", "a", "", "f")
    digester = Digester(b"k" * 32)
    assert digester.of_flow(replace(flow, **{name: OTHER_FLOW[name]})) != digester.of_flow(flow)
