"""What a bundle would change, without activating it."""

import asyncio
import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import ApprovalState
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.trace import Recorded
from adjudicator.domain.verdict import Outcome
from adjudicator.policy.loader import Bundle, BundleError
from adjudicator.policy.problem import Problem
from adjudicator.policy.snapshot import Effect
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.preview_policy import PreviewPolicy
from chain.bundle import ALLOW_ALL, TOOLS, Hiding, Schema, Table, a_snapshot
from service.stage import ASK_ALL, Stage

ALLOW, DENY, ASK = Outcome.ALLOW, Outcome.DENY, Outcome.ASK
DENY_ALL = Table((Effect.DENY, "*", "*", None))


def previewing(stage, limits=None, **changes):
    """The use case on the stage, whose folder has the stage's snapshot with some changes."""
    stage.snapshot = replace(stage.snapshot, **changes)
    stage.retired = []
    return PreviewPolicy(stage.policy, stage.store, stage.clock, limits or Limits(), stage.retired.append)


async def test_nothing_changes_by_a_preview(stage):
    """Not the policy that decides, no approval, and no record."""
    asked = await stage.judge()
    version, tail = stage.policy.current(), await stage.store.tail()
    preview = await previewing(stage, rules=DENY_ALL, version="sha256:new")(0)
    assert (preview.version, preview.problems, preview.complete) == ("sha256:new", (), True)
    assert [(each.id, each.tool) for each in preview.approvals.listed] == [(asked.approval_id, "read")]
    assert stage.policy.current() is version
    assert await stage.store.tail() == tail
    assert (await stage.store.approval(asked.approval_id)).state is ApprovalState.PENDING
    assert stage.retired == [stage.snapshot]


async def test_approvals_that_would_be_cancelled_say_why(stage):
    """By the chain or by votes that would not do; the others are counted."""
    for number in range(3):
        await stage.judge(f"c{number}", arguments_json=f'{{"path":"/{number}"}}')
    rules = Table((Effect.DENY, "*", "*", "/1"), (Effect.ASK, "*", "*", None))
    preview = await previewing(stage, rules=rules)(0)
    assert (preview.approvals.judged, preview.approvals.total) == (3, 1)
    assert "denied by rules.csv:1" in preview.approvals.listed[0].reason
    stage.clock.forward(301)
    assert (await previewing(stage)(0)).approvals.judged == 0  # they have run out


async def test_recent_calls_are_judged_by_both_policies(stage):
    """Only the policy differs: what became of the call since, and its approval, do not count."""
    await stage.activate(rules=ALLOW_ALL)
    allowed = await stage.judge("c1")
    await stage.activate(rules=ASK_ALL)
    asked = await stage.judge("c2")
    await stage.vote(asked.approval_id)
    assert (await stage.judge("c2")).allowed
    await stage.flow()
    denied = await stage.judge("c3", tool="nothing")
    preview = await previewing(stage, rules=DENY_ALL)(0)
    flips = [(each.trace_number, each.outcome, each.new_outcome) for each in preview.calls.listed]
    assert flips == [(asked.trace_number, ASK, DENY), (allowed.trace_number, ASK, DENY)]
    assert "denied by rules.csv:1" in preview.calls.listed[0].reason
    assert (preview.calls.judged, preview.unknown_calls) == (2, 1)
    assert denied.outcome is DENY
    assert (await previewing(stage, rules=ASK_ALL)(0)).calls.total == 0


async def test_only_as_many_calls_as_asked_for_are_judged(stage):
    """The newest; and never more than the limit."""
    numbers = [(await stage.judge(f"c{n}")).trace_number for n in range(70)]
    preview = await previewing(stage, rules=DENY_ALL)(40)
    assert preview.calls.judged == 40
    assert [each.trace_number for each in preview.calls.listed] == numbers[:29:-1]
    with pytest.raises(AdjudicatorError) as caught:
        await previewing(stage)(2001)
    assert caught.value.fields == {"recent_calls": "is over 2000"}


async def test_lists_are_bounded_and_counts_are_not(stage):
    """How many there are is said in any case."""
    for number in range(5):
        await stage.judge(f"c{number}")
    preview = await previewing(stage, replace(Limits(), preview_listed=2), rules=DENY_ALL)(0)
    for changes in (preview.approvals, preview.calls):
        assert (changes.judged, changes.total, len(changes.listed)) == (5, 5, 2)


async def test_a_preview_that_runs_out_of_time_says_so(stage):
    """What it has found by then is shown, and that it is not all."""
    for number in range(3):
        await stage.judge(f"c{number}")
    preview = await previewing(stage, replace(Limits(), preview_seconds=0.0), rules=DENY_ALL)(0)
    assert not preview.complete


async def test_a_folder_with_problems_lists_them_and_nothing_else(stage):
    """As a reload would."""

    def load(_):
        raise BundleError((Problem("rules.csv", 3, 1, "bad"),))

    policy = ActivePolicy(Path("nowhere"), load, stage.clock)
    preview = await PreviewPolicy(policy, stage.store, stage.clock, Limits())(0)
    assert [(each.file, each.line) for each in preview.problems] == [("rules.csv", 3)]
    assert (preview.version, preview.complete, preview.calls.judged) == ("", False, 0)


async def test_without_a_policy_that_decides_no_outcome_can_change(stage):
    """The approvals are judged all the same."""
    await stage.judge()
    policy = ActivePolicy(
        Path("nowhere"), lambda _: Bundle(a_snapshot(rules=DENY_ALL), (), "x"), stage.clock
    )
    preview = await PreviewPolicy(policy, stage.store, stage.clock, Limits())(0)
    assert (preview.approvals.total, preview.calls.judged, preview.complete) == (1, 0, True)


@pytest.mark.parametrize(
    ("recorded", "contracts", "known"),
    [
        (Recorded.FULL, Schema(), True),
        (Recorded.FULL, Hiding("path"), True),
        (Recorded.REDACTED, Schema(), True),
        (Recorded.REDACTED, Hiding("path"), False),
        (Recorded.DIGEST, Schema(), False),
    ],
)
async def test_only_calls_that_are_on_record_whole_are_judged(tmp_path, recorded, contracts, known):
    """The others are counted; and no secret is in what is said of any."""
    before = {"record_arguments": recorded, "contracts": dict.fromkeys(TOOLS, contracts)}
    stage = await Stage.set_up(tmp_path, a_snapshot(**before))
    assert (await stage.judge(arguments_json='{"path":"/t0p"}')).allowed
    preview = await previewing(stage, rules=DENY_ALL)(0)
    assert (preview.calls.judged, preview.unknown_calls) == (int(known), int(not known))
    if known:
        quoted = isinstance(contracts, Schema) and not isinstance(contracts, Hiding)
        assert ("t0p" in preview.calls.listed[0].reason) == quoted
        assert "rules.csv:1" in preview.calls.listed[0].reason
    await stage.store.close()


@pytest.mark.parametrize("side", ["active", "new"])
async def test_a_secret_to_either_policy_is_repeated_by_none(tmp_path, side):
    """Also one that only the bundle in the folder marks, or only the policy that decides."""
    hiding, open_ = dict.fromkeys(TOOLS, Hiding("path")), dict.fromkeys(TOOLS, Schema())
    stage = await Stage.set_up(tmp_path, a_snapshot(record_arguments=Recorded.FULL))
    await stage.judge(arguments_json='{"path":"/t0p"}')
    await stage.activate(contracts=hiding if side == "active" else open_)
    preview = await previewing(stage, rules=DENY_ALL, contracts=hiding if side == "new" else open_)(0)
    assert preview.calls.total == 1
    assert "t0p" not in preview.calls.listed[0].reason
    await stage.store.close()


async def test_one_preview_runs_at_a_time_and_never_beside_a_reload(stage):
    """Each load has the interpreter for itself, also when whoever asked has gone away."""
    loading, loads = asyncio.Event(), itertools.count()
    loop, running = asyncio.get_running_loop(), []

    def load(_):
        running.append(1)
        assert len(running) == 1
        loop.call_soon_threadsafe(loading.set)
        number = next(loads)
        asyncio.run(asyncio.sleep(0.2))
        running.pop()
        return Bundle(a_snapshot(), (), str(number))

    policy = ActivePolicy(Path("nowhere"), load, stage.clock)
    preview = PreviewPolicy(policy, stage.store, stage.clock, Limits())
    first = asyncio.create_task(preview(0))
    await loading.wait()
    with pytest.raises(AdjudicatorError) as caught:
        await preview(0)
    assert caught.value.reason is ErrorReason.LIMIT_EXCEEDED
    first.cancel()
    await policy.reload()
    async with asyncio.timeout(5):
        while True:
            try:
                assert (await preview(0)).complete
            except AdjudicatorError:
                await asyncio.sleep(0.02)
            else:
                break
