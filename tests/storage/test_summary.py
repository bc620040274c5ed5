"""Counts over traces: what is in them, and what is not."""

from dataclasses import replace
from datetime import timedelta

import pytest
from adjudicator.domain.approval import ApprovalState, Decision, Vote
from adjudicator.domain.trace import TraceKind
from adjudicator.domain.verdict import Cause, Outcome, RuleRef, Step
from adjudicator.storage import summary
from adjudicator.storage.contract import CallKey, Change, TraceFilter
from records import NOW, VERDICT, a_trace, an_approval

ALLOWED = replace(VERDICT, outcome=Outcome.ALLOW, cause=Cause.RULE_ALLOW)
DENIED = replace(VERDICT, outcome=Outcome.DENY, cause=Cause.RULE_DENY, rule=RuleRef("rules.csv", 9))
SCOPED = replace(DENIED, step=Step.SCOPE, cause=Cause.OUT_OF_SCOPE, rule=None)
HOUR = timedelta(hours=1)


def by_the_hour(_first, _last):
    """Buckets of an hour."""
    return HOUR


async def fill(store):
    """Five calls over three hours, and a flow."""
    calls = [
        (ALLOWED, "ls", 0),
        (DENIED, "bash", 0),
        (DENIED, "bash", 2),
        (SCOPED, "write", 2),
        (VERDICT, "ls", 2),
    ]
    for number, (verdict, tool, hours) in enumerate(calls, start=1):
        at = NOW + hours * HOUR
        agent = "critic" if verdict is SCOPED else "coder"
        new = a_trace(number, verdict=verdict, tool=tool, opened_at=at, agent=agent, approval=None)
        await store.open_trace(new)
    key = CallKey("studio", "s", "f", kind=TraceKind.FLOW)
    await store.open_trace(a_trace(6, key=key, approval=None, verdict=None, tool=""))


async def test_calls_are_counted_by_everything_that_a_verdict_says(store):
    """Flows are counted apart; names come with the most first."""
    await fill(store)
    found = await store.summarize(TraceFilter(), by_the_hour)
    assert (found.calls, found.flows) == (5, 1)
    assert found.outcomes == {Outcome.DENY: 3, Outcome.ALLOW: 1, Outcome.ASK: 1}
    assert found.steps == {Step.GATE: 4, Step.SCOPE: 1}
    assert found.causes[Cause.RULE_DENY] == 2
    assert found.denied_tools == [("bash", 2), ("write", 1)]
    assert found.denied_agents == [("coder", 2), ("critic", 1)]
    assert (found.denying_rules, found.denials_read) == ([("rules.csv:9", 2)], 3)


async def test_buckets_begin_at_round_moments_and_leave_out_what_is_empty(store):
    """Two of three hours had calls."""
    await fill(store)
    found = await store.summarize(TraceFilter(), by_the_hour)
    start = NOW.replace(minute=0, second=0, microsecond=0)
    assert [(each.starts_at, each.outcomes) for each in found.buckets] == [
        (start, {Outcome.ALLOW: 1, Outcome.DENY: 1}),
        (start + 2 * HOUR, {Outcome.DENY: 2, Outcome.ASK: 1}),
    ]


async def test_a_filter_selects_what_is_counted(store):
    """Also which denials, and their rules; who asks for what was allowed is told of none."""
    await fill(store)
    critic = await store.summarize(TraceFilter(agent="critic"), by_the_hour)
    assert (critic.calls, critic.flows, critic.denied_tools) == (1, 0, [("write", 1)])
    allowed = await store.summarize(TraceFilter(outcome=Outcome.ALLOW), by_the_hour)
    assert (allowed.calls, allowed.denied_tools, allowed.denying_rules) == (1, [], [])
    assert allowed.denials_read == 0


async def test_nothing_is_a_summary_too(store):
    """No width is asked for, since there is no time to divide."""
    found = await store.summarize(TraceFilter(), pytest.fail)
    assert (found.calls, found.outcomes, found.buckets, found.approvals) == (0, {}, [], [])


async def test_a_later_verdict_is_the_one_that_counts(store):
    """With its rule, once."""
    await store.open_trace(a_trace(1, verdict=ALLOWED, approval=None))
    await store.change_call(1, lambda _: (Change(NOW, verdict=DENIED), None))
    found = await store.summarize(TraceFilter(), by_the_hour)
    assert found.outcomes == {Outcome.DENY: 1}
    assert found.denying_rules == [("rules.csv:9", 1)]


async def test_approvals_are_counted_by_state_with_the_time_that_people_took(store):
    """Until the last vote, not until the use; what ran out counts until then."""
    for number in range(1, 16):
        tenant = "archive" if number == 15 else "studio"
        approval = an_approval(number, tenant=tenant)
        await store.open_trace(a_trace(number, key=CallKey(tenant, "s", f"c{number}"), approval=approval))

    async def change(number, state, vote, seconds):
        at = NOW + timedelta(seconds=seconds)
        ballot = Vote("user:ann", vote, "", at) if vote else None
        await store.change_call(number, lambda _: (Change(at, state, ballot), None))

    for number in range(1, 11):
        await change(number, ApprovalState.APPROVED, Decision.APPROVE, number)
        await change(number, ApprovalState.CONSUMED, None, 500)
    await change(11, ApprovalState.DENIED, Decision.DENY, 7)
    await change(12, ApprovalState.EXPIRED, None, 60)
    await change(13, ApprovalState.APPROVED, Decision.APPROVE, 3)
    await change(13, ApprovalState.EXPIRED, None, 60)
    await change(15, ApprovalState.DENIED, Decision.DENY, 99)
    found = await store.summarize(TraceFilter(tenant="studio"), by_the_hour)
    assert {each.state.value: (each.count, each.median, each.ninetieth) for each in found.approvals} == {
        "pending": (1, None, None),
        "denied": (1, timedelta(seconds=7), timedelta(seconds=7)),
        "expired": (2, timedelta(seconds=60), timedelta(seconds=60)),
        "consumed": (10, timedelta(seconds=5), timedelta(seconds=9)),
    }


async def test_what_is_read_record_by_record_is_bounded(store, monkeypatch):
    """The newest come first, and how many were read is said."""
    monkeypatch.setattr(summary, "READ", 2)
    await fill(store)
    found = await store.summarize(TraceFilter(), by_the_hour)
    assert (found.denials_read, found.denying_rules) == (2, [("rules.csv:9", 1)])
    assert found.outcomes[Outcome.DENY] == 3


async def test_large_records_are_read_up_to_a_bound(store, monkeypatch):
    """Few denials with megabytes of arguments are as much to read as many without."""
    monkeypatch.setattr(summary, "BODIES", 1)
    monkeypatch.setattr(summary, "READ_CHARS", 1)
    await fill(store)
    found = await store.summarize(TraceFilter(), by_the_hour)
    assert (found.denials_read, found.denying_rules) == (1, [])
    assert found.outcomes[Outcome.DENY] == 3
