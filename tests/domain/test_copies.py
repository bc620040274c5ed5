"""Copies that are written out by hand change what they say and lose nothing."""

import dataclasses
from datetime import UTC, datetime

from adjudicator.domain.call import Mode, ToolCall
from adjudicator.domain.trace_context import TraceContext
from adjudicator.domain.verdict import (
    Cause,
    Outcome,
    ReasonCode,
    RuleRef,
    Step,
    ToolStatus,
    Verdict,
    Violation,
)


def differing(one, other):
    """The names of the fields in which two values of one class differ."""
    return [
        each.name
        for each in dataclasses.fields(one)
        if getattr(one, each.name) != getattr(other, each.name)
    ]


def no_defaults(value):
    """The value, none of whose fields is what it is by default: a lost field would show."""
    for each in dataclasses.fields(value):
        assert getattr(value, each.name) != each.default, each.name
    return value


def test_a_call_under_another_call_id_is_otherwise_the_same():
    """Each field is judged, so none may be lost."""
    call = ToolCall(
        "t",
        "a",
        "x",
        "{}",
        ("b",),
        "user:p",
        "s",
        "c1",
        "/srv",
        (("/path", "/srv/p"),),
        Mode.READ_ONLY,
        TraceContext("1" * 32, "2" * 16),
        7,
    )
    named = no_defaults(call).named("c2")
    assert differing(call, named) == ["call_id"]
    assert named.call_id == "c2"


def test_a_recorded_verdict_is_otherwise_the_same():
    """Each field explains the verdict, so none may be lost."""
    verdict = Verdict(
        Outcome.DENY,
        Step.GATE,
        "check",
        Step.CONTRACT,
        ReasonCode.FORBIDDEN,
        Cause.DEFAULT,
        "reason",
        "tool",
        "agent",
        "version",
        ToolStatus.DISABLED,
        "disabled",
        RuleRef("rules.csv", 1),
        (Violation("/a", "type", "m"),),
        "apr-1",
        datetime(2026, 1, 1, tzinfo=UTC),
        "c1",
        7,
        replayed=True,
        dry_run=True,
        selected_option="left",
        grant_id="gra-1",
        unattended=True,
    )
    recorded = no_defaults(verdict).recorded(8)
    assert differing(verdict, recorded) == ["trace_number"]
    assert recorded.trace_number == 8
