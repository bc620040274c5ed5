"""Calls of a session to which a person granted something: what passes, what asks, what takes it back."""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta

import pytest
from adjudicator.approvals.grant_schema import Refusal
from adjudicator.domain.approval import ApprovalState, Decision, ReceiptCode, Vote
from adjudicator.domain.call import Mode
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.grant import GrantScope, GrantState, GrantWish
from adjudicator.domain.trace import ElementKind, TraceKind
from adjudicator.domain.verdict import Cause, Outcome, Violation
from adjudicator.policy.registry import SessionGrants
from adjudicator.policy.snapshot import ApprovalTerms, Effect
from adjudicator.service.grants import grant_end
from adjudicator.storage.contract import CallKey, Change, GrantFilter, NewTrace, TraceFilter
from chain.bundle import ALLOW_ALL, Hiding, Schema, Table
from chain.people import Only
from service.granting import grant, granting_snapshot, with_tool
from service.stage import Stage, a_call
from service.test_retry import allows

S = {"session": "s"}
ELSEWHERE = '{"path":"/b"}'
DENY_B = Table((Effect.DENY, "*", "*", "/b"), (Effect.ASK, "*", "*", None))


@pytest.fixture
async def stage(tmp_path):
    """A stage under whose policy something may be granted."""
    made = await Stage.set_up(tmp_path, granting_snapshot())
    yield made
    await made.store.close()


async def granted(stage, wish=GrantWish(), **fields):  # noqa: B008 - a frozen value
    """A grant by ann, given with a call that is then used."""
    asked = await stage.judge("first", **(S | fields))
    given = await grant(stage, asked.approval_id, wish)
    assert (await stage.judge("first", **(S | fields))).allowed
    return given


async def test_a_grant_lets_later_calls_of_its_tool_and_session_pass(stage):
    """Each is allowed by its own verdict, with a use on record; the approved call takes none."""
    given = await granted(stage)
    assert (given.scope, given.used, given.uses) == (GrantScope.TOOL, 0, 100)
    allowed = await stage.judge("c2", arguments_json=ELSEWHERE, **S)
    assert (allowed.outcome, allowed.cause, allowed.grant_id) == (Outcome.ALLOW, Cause.GRANTED, given.id)
    assert not allowed.approval_id
    assert (await stage.store.grant(given.id)).used == 1
    trace = await stage.store.trace(given.trace_number)
    assert trace.elements[-1].kind is ElementKind.TOOL_CALL
    assert trace.elements[-1].body == {"trace": allowed.trace_number, "call_id": "c2"}
    assert trace.elements[0].body["granted_by"] == "user:ann"


@pytest.mark.parametrize(
    "fields",
    [
        {"session": "t"},
        {"session": ""},
        {"agent": "designer"},
        {"on_behalf_of": ("designer",)},
        {"principal": "user:eve"},
        {"tool": "write"},
        {"working_directory": "/root"},
        {"mode": Mode.ASK_ALWAYS},
    ],
)
async def test_a_grant_holds_nowhere_else(stage, fields):
    """Not in another session or folder, for another agent or principal, or in a stricter mode."""
    await granted(stage)
    assert (await stage.judge("c2", **(S | fields))).outcome is Outcome.ASK


async def test_deny_rules_and_the_contract_come_before_a_grant(stage):
    """A grant takes the place of an answer and of nothing else."""
    given = await granted(stage)
    await stage.activate(rules=DENY_B)
    assert (await stage.judge("c2", arguments_json=ELSEWHERE, **S)).cause is Cause.RULE_DENY
    assert (await stage.judge("c3", **S)).cause is Cause.GRANTED
    refusing = {code: Schema(Violation("/path", "type", "no")) for code in stage.snapshot.contracts}
    await stage.activate(contracts=refusing)
    assert (await stage.judge("c4", **S)).cause is Cause.CONTRACT_VIOLATION
    assert (await stage.store.grant(given.id)).used == 1


async def test_an_allow_by_rule_takes_no_use(stage):
    """What needs no answer needs no grant."""
    given = await granted(stage)
    await stage.activate(rules=ALLOW_ALL)
    assert (await stage.judge("c2", **S)).cause is Cause.RULE_ALLOW
    assert (await stage.store.grant(given.id)).used == 0


async def test_the_last_use_is_had_by_one_of_many_calls_and_the_others_ask(stage):
    """However they race, and a retry of the one that had it takes no second one."""
    given = await granted(stage, GrantWish(uses=1))
    verdicts = await asyncio.gather(*(stage.judge(f"c{n}", **S) for n in range(10)))
    allowed = [each for each in verdicts if each.allowed]
    assert len(allowed) == 1
    assert all(each.outcome is Outcome.ASK for each in verdicts if not each.allowed)
    again = await stage.judge(allowed[0].call_id, **S)
    assert (again.allowed, again.replayed) == (True, True)
    assert (await stage.store.grant(given.id)).state is GrantState.SPENT
    assert await allows(stage, allowed[0].trace_number) == 1


async def test_a_hundred_retries_of_one_granted_call_take_one_use(stage):
    """All are allowed, one is the first."""
    given = await granted(stage, GrantWish(uses=3))
    verdicts = await asyncio.gather(*(stage.judge("c2", **S) for _ in range(100)))
    assert all(each.allowed for each in verdicts)
    assert sum(not each.replayed for each in verdicts) == 1
    assert (await stage.store.grant(given.id)).used == 1


async def test_a_granted_allow_is_repeated_for_a_short_time_only(stage):
    """As an approval's is."""
    await granted(stage)
    assert (await stage.judge("c2", **S)).allowed
    stage.clock.forward(59)
    assert (await stage.judge("c2", **S)).allowed
    stage.clock.forward(1)
    assert (await stage.judge("c2", **S)).cause is Cause.APPROVAL_CONSUMED


async def test_a_grant_ends_with_its_time_and_is_written_down_as_expired(stage):
    """At the very moment, whether or not anybody has written it down."""
    given = await granted(stage, GrantWish(lifetime=timedelta(seconds=10)))
    stage.clock.forward(9)
    assert (await stage.judge("c2", **S)).allowed
    stage.clock.forward(1)
    assert (await stage.judge("c3", **S)).outcome is Outcome.ASK
    assert await stage.expire.sweep() == 1
    assert (await stage.store.grant(given.id)).state is GrantState.EXPIRED
    trace = await stage.store.trace(given.trace_number)
    assert trace.elements[-1].body == {"state": "expired", "text": "grant expired"}
    assert await stage.expire.sweep() == 0


async def test_a_clock_that_was_set_back_ends_grants_too(stage):
    """Nobody knows how long they have lasted."""
    given = await granted(stage)
    await stage.expire.close_all("the clock was set back")
    assert (await stage.store.grant(given.id)).state is GrantState.REVOKED
    assert (await stage.judge("c2", **S)).outcome is Outcome.ASK


async def test_wishes_only_lower_what_the_policy_lets(stage):
    """More uses, or a longer time, are cut to what there is."""
    await stage.activate(approvals=ApprovalTerms(300, grant_uses=5, grant_seconds=60))
    asked = await stage.judge("c1", **S)
    given = await grant(stage, asked.approval_id, GrantWish(uses=1000, lifetime=timedelta(days=365)))
    assert given.uses == 5
    assert given.expires_at - given.granted_at == timedelta(seconds=60)


@pytest.mark.parametrize(
    ("fields", "changes", "actor"),
    [
        ({"session": ""}, {}, "user:ann"),
        ({"mode": Mode.ASK_ALWAYS}, {}, "user:ann"),
        ({}, {"session_grants": SessionGrants.NEVER}, "user:ann"),
        ({}, {"require_approval": True}, "user:ann"),
        ({}, {"quorum": 2}, "user:ann"),
        ({"principal": "user:ann"}, {"four_eyes": True}, "user:ann"),
        ({}, {}, "user:eve"),
        ({}, {}, "user:coder"),
        ({}, {}, "user:CODER"),
    ],
)
async def test_nothing_is_granted_where_people_are_to_see_each_call(stage, fields, changes, actor):
    """The call itself may still be approved alone."""
    stage.snapshot = with_tool(stage.snapshot, "read", **changes)
    stage.snapshot = replace(stage.snapshot, approvers=Only("ann", "coder", "CODER"))
    await stage.policy.reload()
    asked = await stage.judge("c1", **(S | fields))
    refused = await grant(stage, asked.approval_id, actor=actor)
    assert isinstance(refused, Refusal)
    assert refused.code is ReceiptCode.GRANT_FORBIDDEN
    assert (await stage.store.approval(asked.approval_id)).state is ApprovalState.PENDING
    assert not await stage.store.grants(GrantFilter(ended=True), None, 9)


@pytest.mark.parametrize(
    "changes",
    [
        {"session_grants": SessionGrants.NEVER},
        {"session_grants": SessionGrants.NARROWED},
        {"require_approval": True},
        {"quorum": 2},
        {"four_eyes": True},
    ],
)
async def test_a_policy_that_allows_no_such_grant_any_more_asks_again(stage, changes):
    """And an ALLOW that it gave is withdrawn from its retry."""
    await granted(stage)
    assert (await stage.judge("c2", **S)).allowed
    stage.snapshot = with_tool(stage.snapshot, "read", **changes)
    await stage.policy.reload()
    assert (await stage.judge("c3", **S)).outcome is not Outcome.ALLOW
    withdrawn = await stage.judge("c2", **S)
    assert withdrawn.outcome is Outcome.DENY
    assert withdrawn.cause in (Cause.POLICY_CHANGED, Cause.PRINCIPAL_MISSING)


async def test_a_giver_who_lost_the_right_has_given_nothing(stage):
    """Whoever may not decide such calls any more releases none."""
    await granted(stage)
    await stage.activate(approvers=Only("bob"))
    assert (await stage.judge("c2", **S)).outcome is Outcome.ASK


async def test_an_approved_command_covers_no_other_command(stage):
    """What was approved narrowly covers exactly the same call, once more and again."""
    given = await granted(stage, tool="bash", arguments_json='{"command":"rm /tmp/x.txt"}')
    assert given.scope is GrantScope.ARGUMENTS
    for number, command in enumerate(("rm -rf /srv", "curl http://x.test", "rm /tmp/x.txt ")):
        asked = await stage.judge(
            f"n{number}", tool="bash", arguments_json=f'{{"command":"{command}"}}', **S
        )
        assert asked.outcome is Outcome.ASK
    same = {"tool": "bash", "arguments_json": '{ "command": "rm /tmp/x.txt" }'}
    assert (await stage.judge("s1", **same, **S)).cause is Cause.GRANTED
    assert (await stage.judge("s2", **same, **S, working_directory="/etc")).outcome is Outcome.ASK


async def test_true_is_not_one(stage):
    """What is the same is the same text, not what a language takes for equal."""
    await granted(stage, tool="write", arguments_json='{"path":"/a","n":1}')
    for number, other in enumerate(("true", "1.0", '"1"')):
        arguments = f'{{"path":"/a","n":{other}}}'
        asked = await stage.judge(f"n{number}", tool="write", arguments_json=arguments, **S)
        assert asked.outcome is Outcome.ASK
    same = '{"n":1,"path":"/a"}'
    assert (await stage.judge("s", tool="write", arguments_json=same, **S)).cause is Cause.GRANTED


async def test_what_cannot_be_known_passes_only_as_exactly_the_same_call(stage):
    """A grant for a whole tool does not reach a command that is only known when it runs."""
    stage.snapshot = with_tool(stage.snapshot, "bash", session_grants=SessionGrants.TOOL)
    await stage.policy.reload()
    here = {"tool": "bash", "working_directory": "/srv"}
    given = await granted(stage, arguments_json='{"command":"echo a"}', **here)
    assert given.scope is GrantScope.TOOL
    for number, command in enumerate(("echo a; $X", "$X", "echo $(cat x)")):
        opaque = here | {"arguments_json": f'{{"command":"{command}"}}'}
        asked = await stage.judge(f"n{number}", **opaque, **S)
        assert asked.outcome is Outcome.ASK
        narrow = await grant(stage, asked.approval_id)
        assert narrow.scope is GrantScope.ARGUMENTS
        assert (await stage.judge(f"again{number}", **opaque, **S)).cause is Cause.GRANTED
    plain = await stage.judge("plain", arguments_json='{"command":"echo b"}', **here, **S)
    assert plain.grant_id == given.id


async def test_a_dry_run_gives_the_same_verdict_and_takes_no_use(stage):
    """With a grant, without one, and in a session that is closed."""
    given = await granted(stage)
    for _ in range(3):
        seen = await stage.adjudicate.dry_run(a_call("", **S))
        assert (seen.outcome, seen.grant_id, seen.dry_run) == (Outcome.ALLOW, given.id, True)
    assert (await stage.store.grant(given.id)).used == 0
    assert (await stage.adjudicate.dry_run(a_call("", session="t"))).outcome is Outcome.ASK
    waiting = await stage.judge("waits", tool="write", **S)
    await grant(stage, waiting.approval_id, release=False)
    await close_session(stage)
    for call in (a_call("", **S), a_call("first", **S), a_call("waits", tool="write", **S)):
        assert (await stage.adjudicate.dry_run(call)).cause is Cause.SESSION_CLOSED
    assert (await stage.store.approval(waiting.approval_id)).state is ApprovalState.APPROVED


async def close_session(stage, session="s"):
    """The trace by which a session is closed, and nothing of what follows from it."""
    now = stage.clock.now()
    key = CallKey("studio", session, "", TraceKind.SESSION)
    await stage.store.open_trace(
        NewTrace(key, True, "coder", "", b"", now, (), None, (), True, None)  # noqa: FBT003
    )


async def test_a_closed_session_takes_no_call_whatever_was_granted_or_allowed(stage):
    """New calls, retries of what was allowed, and what waits or was approved: all are denied on record."""
    await granted(stage)
    allowed = await stage.judge("c2", **S)
    asked = await stage.judge("asked", tool="write", **S)
    approved = await stage.judge("approved", tool="write", arguments_json=ELSEWHERE, **S)
    await stage.vote(approved.approval_id)
    await close_session(stage)
    calls = {
        "new": {},
        "c2": {},
        "asked": {"tool": "write"},
        "approved": {"tool": "write", "arguments_json": ELSEWHERE},
    }
    for call_id, fields in calls.items():
        for _ in range(2):
            denied = await stage.judge(call_id, **fields, **S)
            assert denied.cause is Cause.SESSION_CLOSED
            trace = await stage.store.trace(denied.trace_number)
            assert trace.verdict.cause is Cause.SESSION_CLOSED
    for each in (asked, approved):
        assert (await stage.store.approval(each.approval_id)).state is ApprovalState.CANCELLED
    assert (await stage.store.trace(allowed.trace_number)).finished_at is None
    await stage.activate(rules=ALLOW_ALL)
    assert (await stage.judge("by-rule", **S)).cause is Cause.SESSION_CLOSED
    assert (await stage.judge("by-rule", session="t")).allowed


async def test_a_flood_of_asks_is_denied_on_record_and_stays_denied(stage):
    """What is too much gets a verdict of its own; other sessions and rules that allow go on."""
    terms = ApprovalTerms(300, pending_per_session=2, asks_per_minute_per_session=4)
    await stage.activate(approvals=terms)
    asked = [await stage.judge(f"c{n}", **S) for n in range(2)]
    denied = await stage.judge("c2", **S)
    assert (denied.outcome, denied.cause) == (Outcome.DENY, Cause.TOO_MANY_PENDING)
    assert (await stage.judge("d", session="t")).outcome is Outcome.ASK
    for each in asked:
        await stage.vote(each.approval_id, Decision.DENY)
    again = await stage.judge("c2", **S)
    assert (again.cause, again.replayed) == (Cause.TOO_MANY_PENDING, True)
    for n in (3, 4):
        each = await stage.judge(f"c{n}", **S)
        await stage.vote(each.approval_id, Decision.DENY)
    assert (await stage.judge("c5", **S)).cause is Cause.ASKED_TOO_OFTEN
    assert (await stage.judge("c0", **S)).cause is Cause.APPROVAL_DENIED
    stage.clock.forward(61)
    assert (await stage.judge("c6", **S)).outcome is Outcome.ASK
    await stage.activate(rules=ALLOW_ALL)
    assert (await stage.judge("c7", **S)).allowed


async def test_a_grant_takes_from_a_session_that_asks_too_often_what_it_covers(stage):
    """What is not asked is not counted."""
    await stage.activate(approvals=ApprovalTerms(300, asks_per_minute_per_session=1))
    await granted(stage)
    assert all([(await stage.judge(f"c{n}", **S)).allowed for n in range(5)])


async def test_a_new_grant_releases_what_waits_and_each_runs_once(stage):
    """Of the same agent and tool in the same session; a held caller hears of it at once."""
    asked = [await stage.judge(f"c{n}", **S) for n in range(3)]
    other = await stage.judge("other", tool="write", **S)
    elsewhere = await stage.judge("c9", session="t")
    held = asyncio.create_task(stage.judge("held", wait=timedelta(seconds=20), **S))
    with stage.waits.any_approval() as bell:
        await bell.wait(5)
    waiting = await stage.store.call(CallKey("studio", "s", "held"))
    given = await grant(stage, asked[0].approval_id)
    assert given.used == 3
    verdict = await held
    assert (verdict.cause, verdict.grant_id, verdict.approval_id) == (
        Cause.GRANTED,
        given.id,
        waiting.approval.id,
    )
    for n in (1, 2):
        approval = await stage.store.approval(asked[n].approval_id)
        assert approval.state is ApprovalState.APPROVED
        assert (approval.votes[0].actor, approval.votes[0].grant_id) == ("user:ann", given.id)
        verdicts = await asyncio.gather(*(stage.judge(f"c{n}", **S) for _ in range(10)))
        assert all(each.allowed for each in verdicts)
        assert await allows(stage, asked[n].trace_number) == 1
    for each in (other, elsewhere):
        assert (await stage.store.approval(each.approval_id)).state is ApprovalState.PENDING
    assert (await stage.store.grant(given.id)).used == 3


async def test_no_more_waits_are_released_than_a_grant_has_uses(stage):
    """The others go on waiting for people."""
    asked = [await stage.judge(f"c{n}", **S) for n in range(5)]
    await grant(stage, asked[0].approval_id, GrantWish(uses=2))
    states = [(await stage.store.approval(each.approval_id)).state for each in asked[1:]]
    assert states.count(ApprovalState.APPROVED) == 2
    assert states.count(ApprovalState.PENDING) == 2
    assert (await stage.judge("c4", **S)).outcome is Outcome.ASK


async def test_a_call_that_still_waits_is_released_when_it_comes_again(stage):
    """Approved by the grant, used and allowed in one record."""
    asked, waits = await stage.judge("c1", **S), await stage.judge("c2", **S)
    given = await grant(stage, asked.approval_id, release=False)
    assert (await stage.adjudicate.dry_run(a_call("c2", **S))).allowed
    assert (await stage.store.approval(waits.approval_id)).state is ApprovalState.PENDING
    verdicts = await asyncio.gather(*(stage.judge("c2", **S) for _ in range(20)))
    assert all(each.allowed for each in verdicts)
    assert sum(not each.replayed for each in verdicts) == 1
    final = await stage.judge("c2", **S)
    assert (final.cause, final.grant_id, final.approval_id) == (Cause.GRANTED, given.id, waits.approval_id)
    assert (await stage.store.approval(waits.approval_id)).state is ApprovalState.CONSUMED
    assert (await stage.store.grant(given.id)).used == 1
    assert await allows(stage, waits.trace_number) == 1


async def test_a_revoked_grant_takes_back_what_nobody_has_used(stage):
    """And the ALLOW that it gave from its retry; to end it twice changes nothing."""
    asked = [await stage.judge(f"c{n}", **S) for n in range(3)]
    given = await grant(stage, asked[0].approval_id)
    assert (await stage.judge("c1", **S)).allowed
    direct = await stage.judge("d", **S)
    assert direct.allowed
    revoked = await stage.revoke_grant("user:bob", given.id, "enough")
    assert (revoked.grant.state, revoked.cancelled) == (GrantState.REVOKED, 1)
    assert (await stage.store.approval(asked[2].approval_id)).state is ApprovalState.CANCELLED
    assert "enough" in (await stage.judge("c2", **S)).reason
    for call_id in ("c1", "d"):
        assert (await stage.judge(call_id, **S)).cause is Cause.POLICY_CHANGED
    assert (await stage.judge("new", **S)).outcome is Outcome.ASK
    again = await stage.revoke_grant("user:ann", given.id, "again")
    assert (again.grant, again.cancelled) == (revoked.grant, 0)
    end = (await stage.store.trace(given.trace_number)).elements[-1].body
    assert end == {"state": "revoked", "text": "enough", "actor": "user:bob"}


async def test_a_revocation_and_a_held_caller_end_in_one_of_two_ways(stage):
    """Either the call was used before, or it is denied; never is it allowed after."""
    for number in range(10):
        session = {"session": f"s{number}"}
        asked = await stage.judge("a", **session)
        waiting = await stage.judge("b", **session)
        held = asyncio.create_task(stage.judge("b", wait=timedelta(seconds=20), **session))
        await asyncio.sleep(0.005)
        given = await grant(stage, asked.approval_id, release=False)
        releasing = asyncio.create_task(stage.release_siblings(given.id))
        await asyncio.sleep(0.001 * number)
        revoked = await stage.revoke_grant("user:ann", given.id, "")
        await releasing
        state = (await stage.store.approval(waiting.approval_id)).state
        assert revoked.grant.state is GrantState.REVOKED
        if state is ApprovalState.PENDING:
            await stage.vote(waiting.approval_id, Decision.DENY)
        verdict = await held
        used = state is ApprovalState.CONSUMED
        assert verdict.allowed is used or (verdict.allowed and await allows(stage, verdict.trace_number))
        final = await stage.judge("b", **session)
        assert not final.allowed


async def test_people_see_and_end_only_grants_on_which_they_may_decide(stage):
    """To all others a grant is not there, in the words for one that does not exist."""
    given = [await granted(stage, session=f"s{n}") for n in range(5)]
    found, token = await stage.list_grants("user:ann", GrantFilter(), 2, "")
    assert [each.id for each in found] == [given[4].id, given[3].id]
    rest, last = await stage.list_grants("user:ann", GrantFilter(), 9, token)
    assert ([each.id for each in rest], last) == ([given[n].id for n in (2, 1, 0)], "")
    for stranger in ("user:eve", "user:coder", ""):
        assert await stage.list_grants(stranger, GrantFilter(), 9, "") == ([], "")
        words = set()
        for grant_id in (given[0].id, "grt-none"):
            with pytest.raises(AdjudicatorError) as caught:
                await stage.revoke_grant(stranger, grant_id, "")
            assert caught.value.reason is ErrorReason.NOT_FOUND
            words.add(str(caught.value).replace(grant_id, "X"))
        assert len(words) == 1


async def test_what_runs_out_in_a_closed_session_is_closed_as_expired(stage):
    """Its call hears of the end that came first, and nothing stays open."""
    asked = await stage.judge("c1", limit=timedelta(seconds=5), **S)
    await close_session(stage)
    stage.clock.forward(5)
    assert (await stage.judge("c1", **S)).cause is Cause.APPROVAL_EXPIRED
    assert (await stage.store.approval(asked.approval_id)).state is ApprovalState.EXPIRED
    assert not await stage.store.due(stage.clock.now(), 9)


async def test_a_policy_ends_a_grant_as_a_person_does_and_a_session_clears_it(stage):
    """With its reason in the trace, and what it released and nobody used cancelled."""
    asked = [await stage.judge(f"c{n}", **S) for n in range(2)]
    given = await grant(stage, asked[0].approval_id)
    ended = await stage.revoke_grant.end(given, "the policy forbids it now")
    assert (ended.grant.state, ended.cancelled) == (GrantState.REVOKED, 1)
    end = (await stage.store.trace(given.trace_number)).elements[-1].body
    assert end == {"state": "revoked", "text": "the policy forbids it now"}
    cleared = await granted(stage, session="t")

    def clear(record):
        return grant_end(record, stage.clock.now(), "closed", state=GrantState.CLEARED), None

    for _ in range(2):
        await stage.store.change_call(cleared.trace_number, clear)
        assert (await stage.store.grant(cleared.id)).state is GrantState.CLEARED


async def test_what_was_handed_to_somebody_or_cannot_be_shown_is_not_released(stage):
    """One person alone is to decide the one, and nobody can approve the other."""
    handed = await stage.judge("handed", **S)
    vote = Vote("user:ann", Decision.DELEGATE, "", stage.clock.now(), delegate_to="user:bob")
    change = Change(stage.clock.now(), vote=vote)
    await stage.store.change_approval(handed.approval_id, lambda _: (change, None))
    large = await stage.judge("large", arguments_json=f'{{"path":"/{"a" * 40_000}"}}', **S)
    asked = await stage.judge("c1", **S)
    await grant(stage, asked.approval_id)
    for each in (large, handed):
        assert (await stage.store.approval(each.approval_id)).state is ApprovalState.PENDING
    assert (await stage.judge("handed", **S)).outcome is Outcome.ASK


def schema_of(properties):
    """The text of a schema that requires these properties."""
    return json.dumps({"type": "object", "properties": properties, "required": sorted(properties)})


async def test_what_a_view_hides_is_only_covered_when_the_call_comes_in_full(stage):
    """A waiting call stays where the schema speaks of something hidden, and passes when it is the same."""
    await stage.activate(contracts={code: Hiding("content") for code in stage.snapshot.contracts})
    secret = {"tool": "write", "arguments_json": '{"path":"/a","content":"t0p"}'}
    asked, waits = await stage.judge("c1", **secret, **S), await stage.judge("c2", **secret, **S)
    schema = {"path": {"const": "/a"}, "content": {"const": "t0p"}}
    refused = await grant(stage, asked.approval_id, GrantWish(schema_json=schema_of(schema)))
    assert refused.code is ReceiptCode.GRANT_EXCLUDES_CALL
    given = await grant(stage, asked.approval_id)
    assert given.scope is GrantScope.ARGUMENTS
    assert (await stage.store.approval(waits.approval_id)).state is ApprovalState.APPROVED
    assert (await stage.judge("c2", **secret, **S)).cause is Cause.GRANTED
    other = {"tool": "write", "arguments_json": '{"path":"/a","content":"0ther"}'}
    assert (await stage.judge("c3", **other, **S)).outcome is Outcome.ASK


async def test_everything_that_was_released_is_on_record(stage):
    """The uses of a grant are as many as the calls that it released."""
    asked = [await stage.judge(f"c{n}", **S) for n in range(3)]
    given = await grant(stage, asked[0].approval_id)
    await stage.judge("d", **S)
    trace = await stage.store.trace(given.trace_number)
    uses = {each.body["trace"] for each in trace.elements if each.kind is ElementKind.TOOL_CALL}
    assert len(uses) == (await stage.store.grant(given.id)).used == 3
    assert len(await stage.store.traces(TraceFilter(session="s"), None, 99)) == 5


async def test_a_schema_lets_pass_what_it_describes_and_leaves_the_rest_asking(stage):
    """It is echoed as it is stored; a path that only begins right, or leads elsewhere, still asks."""
    files = schema_of({"path": {"type": "string", "pattern": "^/srv/app/.*$"}})
    here = {"tool": "write", "working_directory": "/srv"}
    given = await granted(
        stage, GrantWish(schema_json=files), arguments_json='{"path":"/srv/app/a"}', **here
    )
    assert (given.scope, json.loads(given.schema_json)) == (GrantScope.SCHEMA, json.loads(files))
    passing = {"arguments_json": '{"path":"/srv/app/b","content":"x"}'} | here
    assert (await stage.judge("ok", **passing, **S)).grant_id == given.id
    linked = {"resolved_paths": (("/path", "/srv/app/b"),)}
    assert (await stage.judge("straight", **passing, **linked, **S)).grant_id == given.id
    for number, fields in enumerate(
        (
            {"arguments_json": '{"path":"/srv/app/../../etc/shadow"}'},
            {"arguments_json": '{"path":"/srv/app//b"}'},
            {"arguments_json": '{"path":"/etc/shadow"}'},
            {"arguments_json": '{"paths":["/srv/app/b"]}'},
            {"arguments_json": '{"path":["/srv/app/b"]}'},
            {"resolved_paths": (("/path", "/etc/shadow"),)},
            {"working_directory": "/"},
        )
    ):
        assert (await stage.judge(f"n{number}", **(passing | fields), **S)).outcome is Outcome.ASK
