"""Flows: what a call in one is answered, what its trace says, and who may close it."""

import asyncio
from datetime import timedelta

import pytest
from adjudicator.domain.approval import Decision, ReceiptCode
from adjudicator.domain.errors import ErrorReason
from adjudicator.domain.strict_json import Json
from adjudicator.domain.verdict import Cause, Outcome
from adjudicator.service.report_outcome import Reporter
from adjudicator.storage.contract import TraceFilter
from adjudicator.tracing.elements import Execution, ExecutionStatus
from chain.bundle import ALLOW_ALL
from service.stage import ASK_ALL, Stage, a_call, refusal

WORDS = {"call_id", "agent", "tool", "outcome", "cause", "trace", "approval_id", "status"}


async def told(stage, flow):
    """What the flow's trace says of its calls."""
    elements = (await stage.store.trace(flow)).elements
    calls = [each.body for each in elements if "trace" in each.body]
    assert all(set(each) <= WORDS for each in calls)  # never arguments, outputs or reasons
    return [each.get("outcome") or each["status"] for each in calls]


async def test_an_allowed_call_is_in_its_flow_with_its_verdict_and_its_end(stage):
    """Finishing a call does not close the flow, and another agent of the session may make it."""
    await stage.activate(rules=ALLOW_ALL)
    flow = await stage.flow()
    for call_id, agent in (("c1", "coder"), ("c2", "designer")):
        verdict = await stage.judge(call_id, agent=agent, flow=flow)
        assert verdict.allowed
        await stage.report(verdict.trace_number, call_id, agent)
    assert await told(stage, flow) == ["ALLOW", "succeeded", "ALLOW", "succeeded"]
    assert (await stage.store.trace(flow)).finished_at is None
    traces = await stage.store.traces(TraceFilter(flow=flow), None, 9)
    assert [each.agent for each in traces] == ["designer", "coder"]


async def test_every_later_verdict_of_a_call_is_in_its_flow(stage):
    """Asked, then allowed, denied, run out, and withdrawn."""
    flow = await stage.flow()
    approvals = [(await stage.judge(f"c{n}", flow=flow)).approval_id for n in range(3)]
    await stage.vote(approvals[0])
    assert (await stage.judge("c0", flow=flow)).allowed
    await stage.vote(approvals[1], Decision.DENY)
    stage.clock.forward(301)
    await stage.expire.sweep()
    await stage.activate(default=Outcome.DENY, rules=type(ALLOW_ALL)())
    assert (await stage.judge("c0", flow=flow)).outcome is Outcome.DENY
    assert await told(stage, flow) == ["ASK", "ASK", "ASK", "ALLOW", "DENY", "DENY", "DENY"]


@pytest.mark.parametrize("rules", [ASK_ALL, ALLOW_ALL, type(ALLOW_ALL)()])
async def test_in_a_closed_flow_nothing_is_decided(stage, rules):
    """Neither a new call nor a retry nor a dry run gets a verdict, and nothing is recorded."""
    await stage.activate(rules=rules)
    flow = await stage.flow()
    await stage.judge("c1", flow=flow)
    await stage.close(flow)
    for request in (
        stage.judge("c1", flow=flow),
        stage.judge("c2", flow=flow),
        stage.adjudicate.dry_run(a_call("c1", flow=flow)),
        stage.adjudicate.dry_run(a_call("c3", flow=flow)),
    ):
        assert (await refusal(request)).reason is ErrorReason.TRACE_FROZEN
    assert len(await stage.store.traces(TraceFilter(), None, 9)) == 2


async def test_a_call_that_is_held_while_its_flow_is_closed_is_denied(stage):
    """It ends with its flow, and whoever decides on it then hears that it is over."""
    flow = await stage.flow()
    with stage.waits.any_approval() as bell:
        held = asyncio.create_task(stage.judge("c1", flow=flow, wait=timedelta(seconds=60)))
        assert await bell.wait(5)
    approvals = await stage.store.all_standing(0, 9)
    await stage.close(flow)
    assert (await stage.vote(approvals[0].id)).code is ReceiptCode.ALREADY_RESOLVED
    assert (await held).cause is Cause.CALL_WITHDRAWN
    assert (await stage.store.traces(TraceFilter(outcome=Outcome.ALLOW), None, 9)) == []


async def test_the_same_call_id_in_another_flow_is_another_call(stage):
    """And so is the one outside of any: an approval serves neither."""
    first, second = await stage.flow("f1"), await stage.flow("f2")
    asked = await stage.judge("c1", flow=first)
    await stage.vote(asked.approval_id)
    for flow in (second, None):
        assert (await stage.judge("c1", flow=flow)).cause is Cause.CALL_ID_REUSED
    assert (await stage.judge("c1", flow=first)).allowed
    assert await told(stage, second) == ["DENY"]


async def test_forged_flow_numbers_are_all_unknown_in_the_same_words(stage):
    """Another session's, another tenant's, a call's, and one that there is not; a dry run as well."""
    flow = await stage.flow(session="mine")
    call = (await stage.judge("c0")).trace_number
    words = set()
    for number, fields in (
        (flow, {}),
        (flow, {"session": "theirs"}),
        (flow, {"tenant": "archive", "session": "mine"}),
        (flow, {"tenant": "", "session": "mine"}),
        (call, {}),
        (404, {}),
    ):
        for request in (
            stage.judge("c1", flow=number, **fields),
            stage.adjudicate.dry_run(a_call("c1", flow=number, **fields)),
        ):
            error = await refusal(request)
            assert error.reason is ErrorReason.NOT_FOUND
            words.add(str(error).replace(str(number), "N"))
    assert words == {"there is no flow N of this tenant and session"}


async def test_only_the_opener_closes_and_only_once(stage):
    """Whoever else tries learns nothing; neither does whoever takes a call for a flow."""
    flow = await stage.flow()
    call = (await stage.judge("f1")).trace_number
    words = set()
    for number, who in (
        (flow, {"agent": "designer"}),
        (flow, {"tenant": "archive"}),
        (flow, {"flow_id": "f2"}),
        (call, {}),
        (404, {}),
    ):
        error = await refusal(stage.close(number, **who))
        assert error.reason is ErrorReason.NOT_FOUND
        words.add(str(error).replace(str(number), "N"))
    assert words == {"there is no flow N of this tenant, agent and flow_id"}
    assert (await stage.store.trace(flow)).finished_at is None
    await stage.close(flow)
    assert (await refusal(stage.close(flow))).reason is ErrorReason.TRACE_FROZEN


async def test_no_outcome_is_reported_of_a_flow(stage):
    """A flow is no call, whatever its id is."""
    flow = await stage.flow("c1")
    execution = Execution(ExecutionStatus.SUCCEEDED, None, "", timedelta(0), "")
    error = await refusal(stage.report_outcome(flow, Reporter("studio", "coder", "c1"), execution))
    assert str(error) == f"there is no trace {flow} of this tenant, agent and call_id"
    assert (await stage.store.trace(flow)).finished_at is None


async def test_the_same_flow_once_more_is_the_same_and_another_is_refused(stage):
    """Under one flow_id there is one flow; a closed one is not opened again."""
    flow = await stage.flow(input=Json({"a": 1, "b": 2}, b'{"a":1,"b":2}'), description="d")
    assert await stage.flow(input=Json({"b": 2, "a": 1}, b'{"a":1,"b":2}'), description="d") == flow
    assert (await refusal(stage.flow(description="e"))).reason is ErrorReason.FLOW_ID_REUSED
    assert (await refusal(stage.flow(agent="designer"))).reason is ErrorReason.FLOW_ID_REUSED
    assert await stage.flow(session="another") == flow + 1
    await stage.close(flow)
    error = await refusal(stage.flow(input=Json({"a": 1, "b": 2}, b'{"a":1,"b":2}'), description="d"))
    assert error.reason is ErrorReason.TRACE_FROZEN
    opened = (await stage.store.trace(flow)).elements[0].body
    assert opened == {
        "tenant": "studio",
        "agent": "coder",
        "flow_id": "f1",
        "description": "d",
        "input": {"a": 1, "b": 2},
    }


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"tenant": "nowhere"}, "tenant"),
        ({"tenant": "shut"}, "tenant"),
        ({"agent": "nobody"}, "agent"),
        ({"agent": "off"}, "agent"),
        ({"agent": "elsewhere"}, "agent"),
    ],
)
async def test_a_flow_is_opened_by_an_agent_of_the_tenant(stage, fields, field):
    """What S1 or S2 would deny opens no trace, and the error says which it was."""
    error = await refusal(stage.flow(**fields))
    assert error.reason is ErrorReason.NOT_ALLOWED
    assert list(error.fields) == [field]
    assert "no flow is opened" in str(error)
    assert await stage.store.traces(TraceFilter(), None, 9) == []


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"flow_id": ""}, "flow_id"),
        ({"flow_id": "a b"}, "flow_id"),
        ({"tenant": ""}, "tenant"),
        ({"agent": "\x1b[2J"}, "agent"),
        ({"session": "a b"}, "session"),
        ({"principal": "ann"}, "principal"),
    ],
)
async def test_a_malformed_flow_is_refused_with_the_name_of_its_field(stage, fields, field):
    """Before anything is looked up."""
    error = await refusal(stage.flow(**fields))
    assert error.reason is ErrorReason.MALFORMED_REQUEST
    assert list(error.fields) == [field]


async def test_a_flow_authorises_nothing(tmp_path):
    """A call in a flow gets the verdict that it would get outside of it."""
    stage = await Stage.set_up(tmp_path)
    flow = await stage.flow()
    for fields in ({}, {"tool": "write"}, {"agent": "critic", "tool": "write"}, {"tool": "old"}):
        outside = await stage.judge(f"out-{fields}".encode().hex()[:99], **fields)
        inside = await stage.judge(f"in-{fields}".encode().hex()[:99], flow=flow, **fields)
        assert (inside.outcome, inside.cause) == (outside.outcome, outside.cause)
    await stage.store.close()
