"""Between domain values and what the tables hold. The only place that knows both."""

import json
import sqlite3
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from adjudicator.domain.approval import Approval, ApprovalState, Decision, Vote
from adjudicator.domain.trace import Element, ElementKind, Trace
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

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_micros(moment: datetime) -> int:
    """Microseconds since 1970 in UTC."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """The moment of `to_micros`."""
    return _EPOCH + timedelta(microseconds=micros)


def to_json(value: Any) -> str:
    """Compact JSON text in ASCII, which no encoding on the way can change."""
    return json.dumps(value, separators=(",", ":"))


def verdict_to_body(verdict: Verdict) -> dict[str, Any]:
    """The verdict as an element's body. What is empty is left out."""
    body: dict[str, Any] = {
        "outcome": verdict.outcome.value,
        "step": verdict.step.value,
        "check": verdict.check,
        "step_reached": verdict.step_reached.value,
        "reason_code": verdict.reason_code.value,
        "cause": verdict.cause.value,
        "reason": verdict.reason,
        "tool": verdict.tool,
        "agent": verdict.agent,
        "call_id": verdict.call_id,
        "policy_version": verdict.policy_version,
        "tool_status": verdict.tool_status.value if verdict.tool_status else None,
        "disable_reason": verdict.disable_reason,
        "rule": rule_to_body(verdict.rule),
        "violations": [asdict(each) for each in verdict.violations],
        "approval_id": verdict.approval_id,
        "approval_expires_at": (
            verdict.approval_expires_at.isoformat() if verdict.approval_expires_at else None
        ),
    }
    return {name: value for name, value in body.items() if value not in (None, "", [])}


def verdict_from_body(body: dict[str, Any], trace_number: int) -> Verdict:
    """The verdict of an element's body, with the number of its trace."""
    expires = body.get("approval_expires_at")
    status = body.get("tool_status")
    return Verdict(
        outcome=Outcome(body["outcome"]),
        step=Step(body["step"]),
        check=body["check"],
        step_reached=Step(body["step_reached"]),
        reason_code=ReasonCode(body["reason_code"]),
        cause=Cause(body["cause"]),
        reason=body["reason"],
        tool=body.get("tool", ""),
        agent=body.get("agent", ""),
        call_id=body.get("call_id", ""),
        policy_version=body["policy_version"],
        tool_status=ToolStatus(status) if status else None,
        disable_reason=body.get("disable_reason", ""),
        rule=rule_from_body(body.get("rule")),
        violations=tuple(Violation(**each) for each in body.get("violations", [])),
        approval_id=body.get("approval_id", ""),
        approval_expires_at=datetime.fromisoformat(expires) if expires else None,
        trace_number=trace_number,
    )


def rule_to_body(rule: RuleRef | None) -> dict[str, Any] | None:
    """The rule by the names of its fields."""
    if rule is None:
        return None
    return {"file": rule.file, "line": rule.line, "text": rule.text, "reason": rule.reason}


def rule_from_body(body: dict[str, Any] | None) -> RuleRef | None:
    """The rule of `rule_to_body`."""
    return RuleRef(**body) if body else None


def terms_of(approval: Approval) -> str:
    """What an approval was opened with and never changes, apart from its columns."""
    return to_json(
        {
            "session": approval.session,
            "agent": approval.agent,
            "on_behalf_of": list(approval.on_behalf_of),
            "principal": approval.principal,
            "call_id": approval.call_id,
            "digest": approval.digest.hex(),
            "view_digest": approval.view_digest,
            "approvable": approval.approvable,
            "ask_reason": approval.ask_reason,
            "rule": rule_to_body(approval.rule),
            "quorum": approval.quorum,
            "four_eyes": approval.four_eyes,
        }
    )


def approval_from_row(row: sqlite3.Row, votes: list[sqlite3.Row]) -> Approval:
    """The approval of a row of `approvals` with its rows of `votes`, in the order of voting."""
    terms = json.loads(row["terms"])
    return Approval(
        id=row["id"],
        state=ApprovalState(row["state"]),
        tenant=row["tenant"],
        session=terms["session"],
        agent=terms["agent"],
        on_behalf_of=tuple(terms["on_behalf_of"]),
        principal=terms["principal"],
        tool=row["tool"],
        call_id=terms["call_id"],
        trace_number=row["trace"],
        digest=bytes.fromhex(terms["digest"]),
        view_json=row["view"],
        view_digest=terms["view_digest"],
        approvable=terms["approvable"],
        ask_reason=terms["ask_reason"],
        rule=rule_from_body(terms["rule"]),
        quorum=terms["quorum"],
        four_eyes=terms["four_eyes"],
        votes=tuple(
            Vote(vote["actor"], Decision(vote["decision"]), vote["reason"], from_micros(vote["voted_at"]))
            for vote in votes
        ),
        created_at=from_micros(row["created_at"]),
        expires_at=from_micros(row["expires_at"]),
        changed_at=from_micros(row["changed_at"]),
    )


def trace_from_row(row: sqlite3.Row) -> Trace:
    """The trace of a row of `traces` joined with the body of its latest verdict."""
    finished = row["finished_at"]
    return Trace(
        number=row["number"],
        opened_at=from_micros(row["opened_at"]),
        finished_at=from_micros(finished) if finished is not None else None,
        tenant=row["tenant"],
        session=row["session"],
        agent=row["agent"],
        tool=row["tool"],
        verdict=verdict_from_body(json.loads(row["verdict"]), row["number"]),
    )


def with_elements(trace: Trace, rows: list[sqlite3.Row]) -> Trace:
    """The trace with its elements."""
    return replace(
        trace,
        elements=tuple(
            Element(
                kind=ElementKind(row["kind"]),
                body=json.loads(row["body"]),
                recorded_at=from_micros(row["recorded_at"]),
                sequence=row["sequence"],
            )
            for row in rows
        ),
    )
