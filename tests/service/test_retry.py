"""A call that comes again, at every point of its life and under a policy that has changed."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import ApprovalState, Decision
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode
from adjudicator.policy.snapshot import Effect, EvaluationError
from adjudicator.service.report_outcome import Reporter
from adjudicator.storage.contract import ApprovalFilter
from adjudicator.tracing.elements import Execution, ExecutionStatus
from chain.bundle import ALLOW_ALL, Schema, Table
from service.stage import Stage, a_call

DENY_ALL = Table((Effect.DENY, "*", "*", None))


async def allows(stage, number):
    """How many ALLOW verdicts a trace holds."""
    trace = await stage.store.trace(number)
    return sum(each.body.get("outcome") == "ALLOW" for each in trace.elements)


async def test_a_hundred_retries_of_an_approved_call_record_one_allow(stage):
    """All of them are allowed, one of them used the approval."""
    asked = await stage.judge()
    await stage.vote(asked.approval_id)
    verdicts = await asyncio.gather(*(stage.judge() for _ in range(100)))
    assert all(each.allowed for each in verdicts)
    assert sum(not each.replayed for each in verdicts) == 1
    assert await allows(stage, asked.trace_number) == 1


async def test_decisions_and_retries_that_race_end_in_one_of_two_ways(stage):
    """Either everything from some moment on is allowed, or everything is denied; never both."""
    for number in range(20):
        call_id = f"c-{number}"
        asked = await stage.judge(call_id)
        digest = (await stage.store.approval(asked.approval_id)).view_digest
        await asyncio.gather(
            stage.vote(asked.approval_id, Decision.APPROVE, digest=digest),
            *(stage.judge(call_id) for _ in range(5)),
            stage.vote(asked.approval_id, Decision.DENY, actor="user:bob", digest=digest),
            *(stage.judge(call_id) for _ in range(5)),
        )
        final = await stage.judge(call_id)
        assert final.outcome is not Outcome.ASK
        assert await allows(stage, asked.trace_number) == int(final.allowed)


async def test_a_policy_that_denies_closes_a_pending_and_an_approved_approval(stage):
    """And for good: the old policy does not bring them back."""
    before = stage.snapshot
    pending, approved = await stage.judge("pending"), await stage.judge("approved")
    await stage.vote(approved.approval_id)
    await stage.activate(rules=DENY_ALL)
    for call_id, asked in (("pending", pending), ("approved", approved)):
        assert (await stage.judge(call_id)).cause is Cause.RULE_DENY
        assert (await stage.store.approval(asked.approval_id)).state is ApprovalState.CANCELLED
    await stage.activate(rules=before.rules)
    assert not (await stage.judge("approved")).allowed
    assert not (await stage.vote(pending.approval_id)).code.accepted


async def test_a_policy_that_allows_now_does_not_decide_for_the_person(stage):
    """A person was asked, so a person decides; a new call is allowed by the rule."""
    asked = await stage.judge("old")
    await stage.activate(rules=ALLOW_ALL)
    assert (await stage.judge("old")).outcome is Outcome.ASK
    assert (await stage.judge("new")).allowed
    await stage.vote(asked.approval_id, Decision.DENY)
    assert not (await stage.judge("old")).allowed


async def test_an_allow_is_repeated_only_while_the_policy_gives_it(tmp_path):
    """A rule that asks or denies now withdraws it, and the withdrawal stands."""
    for number, (rules, cause) in enumerate(
        [(DENY_ALL, Cause.RULE_DENY), (Table((Effect.ASK, "*", "*", None)), Cause.POLICY_CHANGED)]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        stage = await Stage.set_up(folder)
        await stage.activate(rules=ALLOW_ALL)
        assert (await stage.judge()).allowed
        assert (await stage.judge()).replayed
        await stage.activate(rules=rules)
        assert (await stage.judge()).cause is cause
        await stage.activate(rules=ALLOW_ALL)
        assert (await stage.judge()).cause is cause
        await stage.store.close()


async def test_a_used_approval_is_repeated_while_the_policy_still_asks(stage):
    """That the approval is used up, for this very call, is no reason to deny its retry."""
    asked = await stage.judge()
    await stage.vote(asked.approval_id)
    assert (await stage.judge()).allowed
    again = await stage.judge()
    assert (again.allowed, again.replayed) == (True, True)
    await stage.activate(rules=DENY_ALL)
    assert (await stage.judge()).cause is Cause.RULE_DENY


async def test_a_policy_that_changes_while_a_call_is_held_counts(stage):
    """The held call is judged by the policy of the moment of the decision."""
    asked = await stage.judge()
    held = asyncio.create_task(stage.judge(wait=timedelta(seconds=10)))
    await asyncio.sleep(0.05)
    await stage.activate(rules=DENY_ALL)
    await stage.vote(asked.approval_id)
    assert (await held).cause is Cause.RULE_DENY


async def test_a_call_that_cannot_be_redacted_is_denied_and_withheld(tmp_path):
    """Nobody is asked about what cannot be shown, and the trace does not keep it."""

    class Broken(Schema):
        def redact(self, _):
            raise EvaluationError("the schema of read cannot be walked")

    stage = await Stage.set_up(tmp_path)
    await stage.activate(contracts={"read": Broken()})
    verdict = await stage.judge()
    assert (verdict.outcome, verdict.reason_code) == (Outcome.DENY, ReasonCode.EVALUATION_ERROR)
    trace = await stage.store.trace(verdict.trace_number)
    assert "/a" not in str([each.body for each in trace.elements])
    assert (await stage.adjudicate.dry_run(a_call("other"))).outcome is Outcome.DENY
    await stage.store.close()


@pytest.mark.parametrize(
    ("terms", "allowed"),
    [({}, True), ({"quorum": 2}, False), ({"four_eyes": True}, False), ({"title": "new"}, True)],
)
async def test_an_approval_is_used_under_the_terms_of_now(stage, terms, allowed):
    """One that was given under milder terms than the tool has now is worth nothing."""
    asked = await stage.judge(principal="user:ann")
    await stage.vote(asked.approval_id, actor="user:ann")
    registry = stage.snapshot.registry
    tools = registry.tools | {"read": replace(registry.tools["read"], **terms)}
    await stage.activate(registry=replace(registry, tools=tools))
    verdict = await stage.judge(principal="user:ann")
    assert verdict.allowed is allowed
    if not allowed:
        assert verdict.cause is Cause.POLICY_CHANGED
        assert (await stage.store.approval(asked.approval_id)).state is ApprovalState.CANCELLED


async def test_a_used_approval_is_repeated_for_a_short_time_only(stage):
    """Long enough for a lost response, and not for ever."""
    asked = await stage.judge()
    await stage.vote(asked.approval_id)
    assert (await stage.judge()).allowed
    stage.clock.forward(59)
    assert (await stage.judge()).allowed
    stage.clock.forward(1)
    late = await stage.judge()
    assert (late.outcome, late.cause) == (Outcome.DENY, Cause.APPROVAL_CONSUMED)
    assert late.trace_number != asked.trace_number


async def test_a_withdrawn_allow_can_still_be_reported(stage):
    """The runtime may have run the call before the policy changed; the record has to take the truth."""
    await stage.activate(rules=ALLOW_ALL)
    allowed = await stage.judge()
    await stage.activate(rules=DENY_ALL)
    assert not (await stage.judge()).allowed
    report = stage.report_outcome
    execution = Execution(ExecutionStatus.SUCCEEDED, None, "", timedelta(0), "")
    reporter = Reporter("studio", "coder", "c1")
    await report(allowed.trace_number, reporter, execution)
    trace = await stage.store.trace(allowed.trace_number)
    assert trace.finished_at is not None
    assert [each.body["executed"] for each in trace.elements if "executed" in each.body] == [True]
    assert (await stage.judge()).cause is Cause.CALL_FINISHED


async def test_a_dry_run_of_a_recorded_call_names_no_trace(stage):
    """It is not on record, so it has no number."""
    asked = await stage.judge()
    dry = await stage.adjudicate.dry_run(a_call())
    assert (dry.outcome, dry.approval_id) == (Outcome.ASK, asked.approval_id)
    assert (dry.dry_run, dry.trace_number) == (True, 0)


async def test_one_session_does_not_take_the_places_of_others(tmp_path):
    """Whoever finds no place is answered ASK at once, and its approval stands."""
    limits = replace(Limits(), held_calls=5, held_calls_of_session=2)
    stage = await Stage.set_up(tmp_path, limits=limits)
    wait = timedelta(seconds=30)
    greedy = [asyncio.create_task(stage.judge(f"g-{n}", session="greedy", wait=wait)) for n in range(4)]
    await asyncio.sleep(0.1)
    assert [each.done() for each in greedy] == [False, False, True, True]
    assert (await greedy[3]).outcome is Outcome.ASK
    modest = asyncio.create_task(stage.judge("m", session="modest", wait=wait))
    await asyncio.sleep(0.05)
    assert not modest.done()
    for approval in await stage.store.pending(ApprovalFilter(), 0, None, 9):
        await stage.vote(approval.id)
    assert (await modest).allowed
    assert (await greedy[0]).allowed
    await stage.store.close()


async def test_of_several_held_for_one_call_one_is_told_to_run_it(stage):
    """The others hear that the answer was given before."""
    wait = timedelta(seconds=10)
    held = [asyncio.create_task(stage.judge(wait=wait)) for _ in range(4)]
    await asyncio.sleep(0.1)
    (approval,) = await stage.store.pending(ApprovalFilter(), 0, None, 9)
    await stage.vote(approval.id)
    verdicts = await asyncio.gather(*held)
    assert all(each.allowed for each in verdicts)
    assert sorted(each.replayed for each in verdicts) == [False, True, True, True]


@pytest.mark.parametrize("approved", [False, True])
async def test_a_policy_that_becomes_active_during_the_write_decides(stage, monkeypatch, approved):
    """A reload that was answered is not overtaken by a call that began before it."""
    if approved:
        asked = await stage.judge()
        await stage.vote(asked.approval_id)
    else:
        await stage.activate(rules=ALLOW_ALL)
    name = "change_call" if approved else "open_trace"
    write = getattr(stage.store, name)

    async def slow(*arguments):
        await stage.activate(rules=DENY_ALL)
        return await write(*arguments)

    monkeypatch.setattr(stage.store, name, slow)
    assert not (await stage.judge()).allowed
    monkeypatch.undo()
    assert (await stage.judge()).cause is Cause.RULE_DENY


async def test_a_used_approval_is_not_repeated_under_stricter_terms(stage):
    """Not even for the short time in which it is repeated."""
    asked = await stage.judge(principal="user:ann")
    await stage.vote(asked.approval_id)
    assert (await stage.judge(principal="user:ann")).allowed
    registry = stage.snapshot.registry
    tools = registry.tools | {"read": replace(registry.tools["read"], quorum=2)}
    await stage.activate(registry=replace(registry, tools=tools))
    assert (await stage.judge(principal="user:ann")).cause is Cause.POLICY_CHANGED


async def test_a_resolved_path_of_no_declared_path_is_not_shown(stage):
    """It may stand for an argument that is secret; what is declared is shown."""
    paths = (("/path", "/a"), ("/token", "/MARKED-2718"))
    asked = await stage.judge(resolved_paths=paths)
    trace = await stage.store.trace(asked.trace_number)
    approval = await stage.store.approval(asked.approval_id)
    everything = approval.view_json + str([each.body for each in trace.elements])
    assert "MARKED-2718" not in everything
    assert '"/path":"/a"' in approval.view_json


async def test_a_retry_that_meets_a_new_policy_is_still_a_retry(stage, monkeypatch):
    """It had its answer before, and is not told to run the call as if it were the first."""
    await stage.activate(rules=ALLOW_ALL)
    assert not (await stage.judge()).replayed
    write = stage.store.open_trace

    async def slow(new):
        await stage.activate(rules=ALLOW_ALL)
        return await write(new)

    monkeypatch.setattr(stage.store, "open_trace", slow)
    again = await stage.judge()
    assert (again.allowed, again.replayed) == (True, True)
    first = await stage.judge("another")
    assert (first.allowed, first.replayed) == (True, False)
