"""What stands when another policy becomes active: closed for good if it is denied now, else left alone."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from adjudicator.approvals.digest import Digester
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import ApprovalState, ReceiptCode
from adjudicator.domain.call import Mode
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.grant import GrantState, GrantWish
from adjudicator.domain.verdict import Cause, Outcome, Step, Violation
from adjudicator.policy.registry import SessionGrants
from adjudicator.policy.snapshot import Effect, EvaluationError
from adjudicator.service.grants import PlanGrant, RevokeGrant
from adjudicator.service.judge_again import JudgeAgain
from adjudicator.service.preview_policy import PreviewPolicy
from adjudicator.service.release_siblings import ReleaseSiblings
from adjudicator.service.standing import standing_denial
from adjudicator.storage.contract import GrantFilter
from chain.bundle import AGENTS, ALLOW_ALL, TOOLS, Hiding, Schema, Table, a_snapshot, a_tool, an_agent
from chain.people import Everybody, Only
from service.stage import ASK_ALL, CountingIds, Stage, state_of

DENY_ALL = Table((Effect.DENY, "*", "*", None))
CANCELLED, PENDING, APPROVED = ApprovalState.CANCELLED, ApprovalState.PENDING, ApprovalState.APPROVED


def judging_again(stage, store=None):
    """The use case on the stage's policy and store, or on another one."""
    store = store or stage.store
    revoke = RevokeGrant(stage.policy, store, stage.clock, Limits())
    return JudgeAgain(stage.policy, store, stage.clock, revoke)


async def activated(stage, **changes):
    """Change the policy, and judge all that stands by it."""
    await stage.activate(**changes)
    await judging_again(stage).judge_all()


def registry_with(snapshot, **tools):
    """The snapshot's registry with other tools."""
    return replace(snapshot.registry, tools=dict(TOOLS) | tools)


async def test_what_is_denied_now_is_closed_for_good_and_says_why(stage):
    """Pending and approved, in the words of the denial, with its rule; no later policy brings it back."""
    before = stage.snapshot
    pending, approved = await stage.judge("pending"), await stage.judge("approved")
    await stage.vote(approved.approval_id)
    await activated(stage, rules=DENY_ALL, version="sha256:new")
    for call_id, asked in (("pending", pending), ("approved", approved)):
        assert await state_of(stage, asked) is CANCELLED
        trace = await stage.store.trace(asked.trace_number)
        verdict = trace.verdict
        assert (verdict.outcome, verdict.step, verdict.check) == (Outcome.DENY, Step.GATE, "rule_chain")
        assert (verdict.cause, str(verdict.rule)) == (Cause.RULE_DENY, "rules.csv:1")
        assert (verdict.policy_version, verdict.approval_id) == ("sha256:new", asked.approval_id)
        assert trace.finished_at is not None
        assert [each.body["event"] for each in trace.elements if "event" in each.body][-1] == "cancelled"
        assert (await stage.judge(call_id)).reason == verdict.reason
    await activated(stage, rules=before.rules)
    assert not (await stage.judge("approved")).allowed
    assert not (await stage.vote(pending.approval_id)).code.accepted


@pytest.mark.parametrize("rules", [ASK_ALL, ALLOW_ALL], ids=["asks", "allows"])
async def test_what_is_not_denied_now_stands_as_it_was(stage, rules):
    """A person was asked, so a person decides, also where a rule would allow the call now."""
    pending, approved = await stage.judge("pending"), await stage.judge("approved")
    await stage.vote(approved.approval_id)
    before = [await stage.store.approval(each.approval_id) for each in (pending, approved)]
    await activated(stage, rules=rules)
    assert [await stage.store.approval(each.approval_id) for each in (pending, approved)] == before
    assert (await stage.judge("pending")).outcome is Outcome.ASK
    assert (await stage.judge("approved")).allowed


class Broken(Everybody):
    """Fails on each question."""

    def may_decide(self, *_):
        """See ApproverRules."""
        raise EvaluationError("division by zero")


@pytest.mark.parametrize(
    "change",
    [
        lambda _: {"approvers": Only("bob")},
        lambda _: {"approvers": Broken()},
        lambda snapshot: {"registry": registry_with(snapshot, read=a_tool("read", quorum=2))},
        lambda snapshot: {
            "registry": replace(snapshot.registry, agents=dict(AGENTS) | {"Ann": an_agent("Ann")})
        },
    ],
    ids=["lost the role", "rules of approvers fail", "quorum raised", "is an agent's name now"],
)
async def test_votes_that_would_not_do_any_more_close_what_they_approved(stage, change):
    """An approval that is not used yet is cancelled; what waits for its votes stays."""
    approved, pending = await stage.judge("approved"), await stage.judge("pending")
    await stage.vote(approved.approval_id)
    changes = change(stage.snapshot)
    await activated(stage, **changes)
    assert await state_of(stage, approved) is CANCELLED
    assert await state_of(stage, pending) is PENDING
    verdict = (await stage.store.trace(approved.trace_number)).verdict
    assert (verdict.outcome, verdict.cause) == (Outcome.DENY, Cause.POLICY_CHANGED)
    assert not (await stage.judge("approved")).allowed


async def test_of_several_approvers_enough_may_have_kept_the_role(stage):
    """One vote that counts no more does no harm where the others do."""
    two = await stage.judge("two", tool="deploy")
    three = await stage.judge("three", tool="deploy")
    await stage.activate(registry=registry_with(stage.snapshot, deploy=replace(TOOLS["deploy"], quorum=1)))
    for asked, actors in ((two, ("user:ann", "user:bob")), (three, ("user:bob", "user:eve"))):
        for actor in actors:
            await stage.vote(asked.approval_id, actor=actor)
    await activated(stage, approvers=Only("bob", "eve"))
    assert [await state_of(stage, each) for each in (two, three)] == [APPROVED, APPROVED]
    deploy = TOOLS["deploy"]
    await activated(stage, registry=registry_with(stage.snapshot, deploy=deploy))
    assert [await state_of(stage, each) for each in (two, three)] == [CANCELLED, APPROVED]


async def test_a_vote_between_activation_and_judging_releases_nothing(stage):
    """A decision on what is denied now closes it, and who has lost the role decides nothing."""
    denied, other = await stage.judge("denied"), await stage.judge("other")
    await stage.activate(rules=DENY_ALL)
    assert (await stage.vote(denied.approval_id)).code is ReceiptCode.NOW_DENIED
    assert await state_of(stage, denied) is CANCELLED
    await stage.activate(rules=ASK_ALL, approvers=Only("bob"))
    assert (await stage.vote(other.approval_id)).code is ReceiptCode.NOT_ENTITLED
    assert (await stage.judge("other")).outcome is Outcome.ASK


@pytest.mark.parametrize(
    "change", [{"rules": DENY_ALL}, {"approvers": Only("bob")}], ids=["chain", "votes"]
)
async def test_a_vote_from_before_releases_nothing_before_it_is_judged_again(stage, change):
    """What is released is judged by the chain of now, and by who may decide now; then it is closed."""
    asked = await stage.judge()
    await stage.vote(asked.approval_id)
    before = stage.snapshot
    await stage.activate(**change)
    assert (await stage.judge()).outcome is Outcome.DENY
    assert await state_of(stage, asked) is CANCELLED
    stage.snapshot = before
    await stage.activate()
    assert not (await stage.judge()).allowed


async def test_held_callers_hear_at_once_that_their_call_is_denied_now(stage):
    """They do not wait until their time is up."""
    held = [asyncio.create_task(stage.judge(f"c{n}", wait=timedelta(seconds=60))) for n in range(5)]
    await asyncio.sleep(0.05)
    await activated(stage, rules=DENY_ALL)
    async with asyncio.timeout(5):
        assert {(await each).cause for each in held} == {Cause.RULE_DENY}


GRANTED = registry_with(a_snapshot(), read=a_tool("read", session_grants=SessionGrants.TOOL))
CALL = {"session": "s1", "arguments_json": '{"path":"/a"}'}


async def granted(stage, wish=None):
    """A grant that ann has given for the rest of the session, with the approval of one call."""
    asked = await stage.judge("origin", **CALL)
    approval = await stage.store.approval(asked.approval_id)
    plan = PlanGrant(Digester(b"k"), stage.ids)
    grant, new = plan(approval, wish or GrantWish(), "user:ann", "", stage.snapshot, stage.clock.now())
    await stage.vote(asked.approval_id)
    await stage.store.open_trace(new)
    assert (await stage.judge("origin", **CALL)).allowed
    assert (await stage.judge("under", **CALL)).cause is Cause.GRANTED
    return grant


@pytest.fixture
async def granting(tmp_path):
    """A stage whose policy asks for everything, and lets people grant it to a session."""
    made = await Stage.set_up(tmp_path, a_snapshot(rules=ASK_ALL, registry=GRANTED))
    made.ids = CountingIds()
    yield made
    await made.store.close()


@pytest.mark.parametrize(
    "change",
    [
        {"registry": a_snapshot().registry},
        {"registry": registry_with(a_snapshot(), read=replace(GRANTED.tools["read"], quorum=2))},
        {"registry": a_snapshot(Mode.ASK_ALWAYS).registry},
        {"registry": replace(GRANTED, agents=AGENTS | {"coder": an_agent("coder", enabled=False)})},
        {"registry": replace(GRANTED, agents=AGENTS | {"ann": an_agent("ann")})},
        {"approvers": Only("bob")},
        {"permission": Table()},
        {"scope": Table()},
        {"rules": DENY_ALL},
        {"contracts": dict.fromkeys(TOOLS, Schema(Violation("/path", "pattern", "does not match")))},
    ],
    ids=lambda change: next(iter(change)),
)
async def test_a_grant_that_the_policy_has_no_more_is_revoked_for_good(granting, change):
    """Its trace says why, and what asks under the policy of before asks again."""
    before = granting.snapshot
    grant = await granted(granting)
    await activated(granting, **change)
    assert (await granting.store.grant(grant.id)).state is GrantState.REVOKED
    found = (await granting.store.grants(GrantFilter(ended=True), None, 9))[0]
    end = (await granting.store.trace(found.trace_number)).elements[-1]
    assert (end.body["state"], "actor" in end.body, len(end.body["text"]) > 20) == ("revoked", False, True)
    granting.snapshot = before
    await activated(granting)
    assert (await granting.store.grant(grant.id)).state is GrantState.REVOKED
    assert (await granting.judge("later", **CALL)).outcome is Outcome.ASK


@pytest.mark.parametrize("rules", [ASK_ALL, ALLOW_ALL], ids=["asks", "allows"])
async def test_a_grant_that_the_policy_still_has_stays(granting, rules):
    """Whatever else has changed."""
    grant = await granted(granting)
    await activated(granting, rules=rules, version="sha256:new")
    assert (await granting.store.grant(grant.id)).state is GrantState.LIVE
    await activated(granting, rules=ASK_ALL)
    assert (await granting.judge("later", **CALL)).cause is Cause.GRANTED


async def test_what_a_revoked_grant_released_and_nobody_used_is_cancelled(granting):
    """It has no person's answer of its own."""
    waiting = await granting.judge("waiting", **CALL)
    grant = await granted(granting)
    release = ReleaseSiblings(
        granting.policy, granting.store, granting.waits, Digester(b"k"), granting.clock
    )
    assert await release(grant.id) == 1
    assert await state_of(granting, waiting) is APPROVED
    await activated(granting, registry=a_snapshot().registry)
    assert await state_of(granting, waiting) is CANCELLED
    assert not (await granting.judge("waiting", **CALL)).allowed


async def test_dozens_of_grants_are_judged_and_a_preview_counts_them(granting):
    """Page after page; a preview says the same before, and revokes nothing."""
    calls = [{"session": f"s{number}", "arguments_json": '{"path":"/a"}'} for number in range(40)]
    plan = PlanGrant(Digester(b"k"), granting.ids)
    for call in calls:
        asked = await granting.judge("origin", **call)
        approval = await granting.store.approval(asked.approval_id)
        planned = plan(approval, GrantWish(), "user:ann", "", granting.snapshot, granting.clock.now())
        await granting.store.open_trace(planned[1])
    before, registry = granting.snapshot, a_snapshot().registry
    granting.snapshot = replace(before, registry=registry)
    preview = await PreviewPolicy(granting.policy, granting.store, granting.clock, Limits())(0)
    assert (preview.grants.judged, preview.grants.total) == (40, 40)
    assert "nothing is granted to a session" in preview.grants.listed[0].reason
    assert len(await granting.store.grants(GrantFilter(), None, 99)) == 40
    await activated(granting)
    assert await granting.store.grants(GrantFilter(), None, 99) == []


HIDDEN = '{"path":"/a","token":"t0p"}'
VIOLATED = Schema(Violation("/token", "pattern", "does not match"))


def looks_at(*names, **changes):
    """A registry whose `read` has these arguments that rules look at."""
    specs = tuple(replace(TOOLS["read"].arguments[0], pointer=f"/{name}") for name in names)
    return registry_with(a_snapshot(), read=a_tool("read", arguments=specs, **changes))


@pytest.mark.parametrize(
    ("change", "denied"),
    [
        ({"contracts": dict.fromkeys(TOOLS, VIOLATED)}, False),
        ({"rules": Table((Effect.DENY, "*", "*", "[redacted]"), (Effect.ASK, "*", "*", None))}, False),
        ({"rules": Table((Effect.ASK, "*", "*", "/a"))}, False),
        ({"rules": Table((Effect.DENY, "*", "*", "/a"), (Effect.ASK, "*", "*", None))}, True),
        ({"rules": Table((Effect.ASK, "*", "*", "[redacted]"))}, True),
        ({"rules": Table(), "registry": looks_at("token")}, False),
        ({"rules": DENY_ALL, "registry": looks_at("token")}, False),
        ({"rules": Table(), "registry": looks_at()}, True),
        ({"rules": Table(), "registry": looks_at("other")}, True),
        ({"rules": Table(broken=True)}, False),
        ({"permission": Table()}, True),
        ({"scope": Table()}, True),
    ],
)
async def test_what_is_hidden_is_not_judged(tmp_path, change, denied):
    """A denial counts where it does not depend on a value that nobody was shown."""
    contracts = {code: Hiding("token") for code in TOOLS}
    snapshot = a_snapshot(rules=ASK_ALL, contracts=contracts, registry=looks_at("path", "token"))
    stage = await Stage.set_up(tmp_path, snapshot)
    asked = await stage.judge(arguments_json=HIDDEN)
    await activated(stage, **change)
    assert (await state_of(stage, asked) is CANCELLED) == denied
    await stage.store.close()


@pytest.mark.parametrize(
    "change",
    [
        {"contracts": dict.fromkeys(TOOLS, VIOLATED)},
        {"rules": Table(broken=True)},
        {"rules": Table()},
        {"registry": registry_with(a_snapshot(), read=a_tool("read", four_eyes=True))},
    ],
    ids=["contract", "rules that fail", "default", "four eyes without a principal"],
)
async def test_a_call_that_was_shown_whole_is_judged_whole(stage, change):
    """By its contract too, and by a policy that fails on it: that denies, as it does everywhere."""
    asked = await stage.judge()
    await activated(stage, **change)
    assert await state_of(stage, asked) is CANCELLED


async def test_a_mode_that_denies_closes_whatever_is_hidden(tmp_path):
    """The mode speaks of the tool, and of no argument."""
    stage = await Stage.set_up(
        tmp_path, a_snapshot(rules=ASK_ALL, contracts={t: Hiding("token") for t in TOOLS})
    )
    asked = await stage.judge(tool="write", arguments_json=HIDDEN)
    await activated(stage, registry=a_snapshot(Mode.READ_ONLY).registry)
    assert await state_of(stage, asked) is CANCELLED
    await stage.store.close()


async def test_hundreds_are_judged_and_each_is_closed_once(stage):
    """Page after page, whatever was asked last."""
    asked = [await stage.judge(f"c{number}") for number in range(100)]
    await activated(stage, rules=Table((Effect.DENY, "*", "*", None)))
    assert {await state_of(stage, each) for each in asked} == {CANCELLED}


async def test_what_has_run_out_is_not_called_cancelled(stage):
    """Silence stays what ended it."""
    asked = await stage.judge()
    stage.clock.forward(301)
    await activated(stage, rules=DENY_ALL)
    assert await state_of(stage, asked) is ApprovalState.EXPIRED
    assert (await stage.store.trace(asked.trace_number)).verdict.cause is Cause.APPROVAL_EXPIRED


async def test_one_that_cannot_be_judged_keeps_no_other_standing(stage, monkeypatch):
    """It is judged when its call comes."""
    first, second = await stage.judge("c1"), await stage.judge("c2")
    failing = _failing_on(first.approval_id)
    monkeypatch.setattr("adjudicator.service.judge_again.standing_denial", failing)
    await activated(stage, rules=DENY_ALL)
    assert await state_of(stage, first) is PENDING
    assert await state_of(stage, second) is CANCELLED
    assert (await stage.judge("c1")).cause is Cause.RULE_DENY


def _failing_on(approval_id):
    def judge(approval, snapshot):
        if approval.id == approval_id:
            raise ValueError("a fault of ours")
        return standing_denial(approval, snapshot)

    return judge


class Failing:
    """A store of which the next calls of a method fail."""

    def __init__(self, store, method, times):
        self._store = store
        self._method = method
        self.times = times

    def __getattr__(self, name):
        method = getattr(self._store, name)
        if name != self._method:
            return method

        async def fail(*arguments, **named):
            if self.times:
                self.times -= 1
                raise AdjudicatorError(ErrorReason.STORE_UNAVAILABLE, "the disk is full")
            return await method(*arguments, **named)

        return fail


@pytest.mark.parametrize("method", ["tail", "all_standing", "change_call"])
async def test_a_store_that_fails_is_tried_again_until_all_is_judged(stage, monkeypatch, method):
    """And until then nothing is released that is denied now."""
    monkeypatch.setattr("adjudicator.service.judge_again._PAUSE_SECONDS", 0.001)
    asked = [await stage.judge(f"c{number}") for number in range(3)]
    await stage.vote(asked[0].approval_id)
    await stage.activate(rules=DENY_ALL)
    failing = Failing(stage.store, method, 4)
    await judging_again(stage, failing).judge_all()
    assert failing.times == 0
    assert {await state_of(stage, each) for each in asked} == {CANCELLED}


async def test_a_newer_policy_makes_it_begin_anew(stage):
    """What the one before would have denied and the newest does not stays; and the other way round."""
    asked = [await stage.judge(f"c{number}") for number in range(80)]
    await stage.activate(rules=ALLOW_ALL)
    again = judging_again(stage)
    judging = asyncio.create_task(again.judge_all())
    await asyncio.sleep(0.005)
    assert not judging.done()
    await stage.activate(rules=DENY_ALL)
    await judging
    assert {await state_of(stage, each) for each in asked} == {CANCELLED}


async def test_a_policy_that_is_replaced_closes_nothing_more(stage):
    """A denial by a snapshot that decides no more is not written."""
    asked = await stage.judge()
    await stage.activate(rules=DENY_ALL)

    class Switching(Failing):
        async def _switch(self):
            await stage.activate(rules=ASK_ALL)

        def __getattr__(self, name):
            method = super().__getattr__(name)
            if name != "change_call":
                return method

            async def change(*arguments):
                if self.times:
                    self.times -= 1
                    await self._switch()
                return await method(*arguments)

            return change

    await judging_again(stage, Switching(stage.store, "", 1)).judge_all()
    assert await state_of(stage, asked) is PENDING


async def test_the_duty_runs_once_for_each_activation_and_at_the_next_after_a_failure(stage, monkeypatch):
    """What was wanted when it failed is still wanted when it is started again."""
    monkeypatch.setattr("adjudicator.service.judge_again._PAUSE_SECONDS", 0.001)
    asked = await stage.judge()
    again = judging_again(stage)
    monkeypatch.setattr(stage.store, "tail", _raising_once(stage.store.tail))
    await stage.activate(rules=DENY_ALL)
    again.activated()
    with pytest.raises(ValueError, match="a fault"):
        await again.run()
    assert await state_of(stage, asked) is PENDING
    duty = asyncio.create_task(again.run())
    async with asyncio.timeout(5):
        while await state_of(stage, asked) is PENDING:  # noqa: ASYNC110 - nobody tells that it is done
            await asyncio.sleep(0.01)
    duty.cancel()


def _raising_once(method):
    calls = []

    async def tail():
        calls.append(1)
        if len(calls) == 1:
            raise ValueError("a fault")
        return await method()

    return tail


async def test_an_ask_that_was_being_recorded_at_the_activation_is_answered_by_the_policy_of_now(stage):
    """It was judged by the one before; whichever comes first, its approval does not stay open."""
    opening = stage.store.open_trace

    async def while_another_becomes_active(new):
        opened = await opening(new)
        await stage.activate(rules=DENY_ALL)
        return opened

    stage.store.open_trace = while_another_becomes_active
    verdict = await stage.judge()
    assert (verdict.outcome, verdict.cause, verdict.replayed) == (Outcome.DENY, Cause.RULE_DENY, False)
    assert (await stage.store.approval(verdict.approval_id)).state is CANCELLED


async def test_an_ask_during_an_activation_that_asks_too_is_a_first_answer(stage):
    """It is no repetition only because it was judged twice."""
    opening = stage.store.open_trace

    async def while_another_becomes_active(new):
        opened = await opening(new)
        await stage.activate(rules=ASK_ALL)
        return opened

    stage.store.open_trace = while_another_becomes_active
    first = await stage.judge()
    assert (first.outcome, first.replayed) == (Outcome.ASK, False)
    again = await stage.judge()
    assert (again.outcome, again.replayed, again.approval_id) == (Outcome.ASK, True, first.approval_id)


async def test_a_person_and_a_new_policy_that_race_end_in_one_of_two_ways(stage):
    """Decided or cancelled, once; and what is denied now is allowed in neither."""
    asked = [await stage.judge(f"c{number}") for number in range(40)]
    digests = [(await stage.store.approval(each.approval_id)).view_digest for each in asked]
    await stage.activate(rules=DENY_ALL)
    await asyncio.gather(
        judging_again(stage).judge_all(),
        *(stage.vote(each.approval_id, digest=digest) for each, digest in zip(asked, digests, strict=True)),
    )
    await judging_again(stage).judge_all()
    assert {await state_of(stage, each) for each in asked} == {CANCELLED}
    answers = [await stage.judge(f"c{number}") for number in range(40)]
    assert {each.outcome for each in answers} == {Outcome.DENY}
