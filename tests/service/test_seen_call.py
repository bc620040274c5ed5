"""From an approval's view back to its call."""

import json
from dataclasses import replace

import pytest
from adjudicator.domain.call import Mode
from adjudicator.service.seen_call import seen_case
from chain.bundle import Hiding, a_snapshot
from service.stage import ASK_ALL, Stage


async def test_a_call_that_was_shown_whole_comes_back_as_it_was(stage):
    """Every field that a step of the chain looks at, numbers and order of keys included."""
    fields = {
        "arguments_json": '{"path":"/a","n":1.0,"big":18446744073709551617,"list":[true,null,"\\u00e9"]}',
        "session": "s",
        "on_behalf_of": ("designer",),
        "principal": "user:ann",
        "working_directory": "/srv",
        "resolved_paths": (("/path", "/b"),),
        "mode": Mode.ASK_ALWAYS,
    }
    asked = await stage.judge(**fields)
    seen = seen_case(await stage.store.approval(asked.approval_id), stage.snapshot)
    assert not seen.redacted
    assert json.loads(seen.case.call.arguments_json) == json.loads(fields.pop("arguments_json"))
    assert seen.case.arguments.canonical == (
        b'{"big":18446744073709551617,"list":[true,null,"\xc3\xa9"],"n":1.0,"path":"/a"}'
    )
    for name, value in fields.items():
        assert getattr(seen.case.call, name) == value


@pytest.mark.parametrize(
    "fields",
    [
        {"arguments_json": '{"path":"/a","token":"t0p"}'},
        {"arguments_json": '{"path":"/a","x":[{"y":"[redacted]"}]}'},
        {"resolved_paths": (("/other", "/secret"),)},
    ],
)
async def test_a_call_of_which_something_is_hidden_says_so(tmp_path, fields):
    """An argument, a text that looks like a hidden one, or where an undeclared path leads."""
    contracts = {code: Hiding("token") for code in a_snapshot().contracts}
    stage = await Stage.set_up(tmp_path, a_snapshot(rules=ASK_ALL, contracts=contracts))
    asked = await stage.judge(**fields)
    seen = seen_case(await stage.store.approval(asked.approval_id), stage.snapshot)
    assert seen.redacted
    assert "[redacted]" not in dict(seen.case.call.resolved_paths).values()
    await stage.store.close()


async def test_a_listed_approval_without_its_view_is_refused(stage):
    """Nothing is judged of what is not there."""
    asked = await stage.judge()
    approval = await stage.store.approval(asked.approval_id)
    with pytest.raises(TypeError, match="without its view"):
        seen_case(replace(approval, view_json=""), stage.snapshot)
