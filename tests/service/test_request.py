"""What an approval asks a person: recorded with it, part of its view, and without secrets."""

import json

import pytest
from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec
from adjudicator.domain.request import Priority, RequestType
from adjudicator.domain.request_body import request_from_body
from adjudicator.policy.registry import Registry
from chain.bundle import AGENTS, TOOLS, Schema, a_snapshot, a_tool
from policy.contracts import contract
from service.stage import ASK_ALL, Stage

SECRET = {"type": "string", "x-secret": True}
ARGUMENTS = {
    "properties": {
        "command": {"type": "string"},
        "path": SECRET,
        "url": SECRET,
        "hidden": SECRET,
        "words": {"type": "array", "items": SECRET},
    }
}
SPECS = (
    ArgumentSpec("/command", ArgumentKind.SHELL, Access.WRITE),
    ArgumentSpec("/path", ArgumentKind.PATH, Access.WRITE),
    ArgumentSpec("/url", ArgumentKind.URL),
    ArgumentSpec("/hidden", ArgumentKind.SHELL, Access.WRITE),
    ArgumentSpec("/words", ArgumentKind.SHELL, Access.WRITE),
)


@pytest.fixture
async def stage(tmp_path):
    """Asks for everything; `read` takes secrets where rules look."""
    snapshot = a_snapshot(
        rules=ASK_ALL, contracts={code: Schema() for code in TOOLS} | {"read": contract(**ARGUMENTS)}
    )
    tool = a_tool("read", title="Run it", access=Access.WRITE, arguments=SPECS, priority=Priority.CRITICAL)
    registry = Registry(snapshot.registry.tenants, AGENTS, TOOLS | {"read": tool})
    stage = await Stage.set_up(tmp_path)
    await stage.activate(registry=registry, contracts=snapshot.contracts)
    yield stage
    await stage.store.close()


async def opened(stage, arguments, **fields):
    """The approval that a call with these arguments opens."""
    verdict = await stage.judge(arguments_json=json.dumps(arguments), **fields)
    return await stage.store.approval(verdict.approval_id)


async def test_the_request_is_recorded_as_the_view_has_it(stage):
    """Escapes and all, so that whoever shows only the request shows nothing else."""
    approval = await opened(stage, {"command": "rm x \u202e"}, working_directory="/srv")
    assert approval.request == request_from_body(json.loads(approval.view_json)["request"])
    assert approval.request.type is RequestType.SECURITY
    assert approval.request.priority is Priority.CRITICAL
    assert approval.request.title == "Run it: rm x \\u202e"


async def test_where_a_secret_path_leads_is_a_secret(stage):
    """The runtime's resolved path says as much as the argument."""
    paths = (("/path", "/HUNTER2"), ("/command", "/x"))
    approval = await opened(stage, {"path": "HUNTER2", "command": "ls"}, resolved_paths=paths)
    assert "HUNTER2" not in approval.view_json
    assert "HUNTER2" not in repr(approval.request)


@pytest.mark.parametrize(
    "arguments",
    [
        {"path": "/HUNTER2/.env"},
        {"path": "/HUNTER2/$x"},
        {"url": "https://HUNTER2.org/HUNTER2"},
        {"hidden": "sudo rm HUNTER2 > HUNTER2; curl https://HUNTER2.org"},
        {"hidden": "$HUNTER2 'x"},
        {"words": ["rm", "HUNTER2"]},
        {"command": "ls", "hidden": "HUNTER2=1 ls; kill HUNTER2"},
    ],
)
async def test_no_secret_is_in_the_request(stage, arguments):
    """Wherever it stands that rules look at; what kind of thing it does is told."""
    approval = await opened(stage, arguments, working_directory="/srv")
    assert "HUNTER2" not in approval.view_json
    assert "HUNTER2" not in repr(approval.request)
    assert approval.request.risks
