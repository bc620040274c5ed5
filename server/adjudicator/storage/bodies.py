"""Between elements, verdicts and rules and their bodies, which are JSON. The only place that knows both."""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from adjudicator.domain.micros import from_micros, to_micros
from adjudicator.domain.trace import Element, ElementKind
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
from adjudicator.storage.rows import TraceRow, to_json


def elements_to_body(elements: list[Element], recorded_at: int) -> str:
    """The elements of one record as JSON text: a list of [kind, body], with its moment if that differs."""
    body: list[list[Any]] = []
    for each in elements:
        at = to_micros(each.recorded_at)
        body.append([each.kind.value, each.body] if at == recorded_at else [each.kind.value, each.body, at])
    return to_json(body)


def elements_from_body(body: str, first: int, recorded_at: int, row: TraceRow) -> list[Element]:
    """The elements of `elements_to_body`, numbered from `first` on."""
    found = []
    for offset, (kind, content, *at) in enumerate(json.loads(body)):
        if kind == ElementKind.VERDICT.value:
            content = _with_call(content, row)  # noqa: PLW2901 - the same body, whole again
        moment = from_micros(at[0] if at else recorded_at)
        found.append(Element(ElementKind(kind), content, moment, first + offset))
    return found


def _with_call(verdict: dict[str, Any], row: TraceRow) -> dict[str, Any]:
    call = {"tool": row.tool, "agent": row.agent, "call_id": row.call_id}
    return {name: value for name, value in call.items() if value} | verdict


def verdict_to_body(verdict: Verdict) -> dict[str, Any]:
    """The verdict as an element's body, without what the trace's row says. What is empty is left out."""
    body: dict[str, Any] = {
        "outcome": verdict.outcome.value,
        "step": verdict.step.value,
        "check": verdict.check,
        "step_reached": verdict.step_reached.value,
        "reason_code": verdict.reason_code.value,
        "cause": verdict.cause.value,
        "reason": verdict.reason,
        "policy_version": verdict.policy_version,
    }
    if verdict.tool_status is not None:
        body["tool_status"] = verdict.tool_status.value
    if verdict.disable_reason:
        body["disable_reason"] = verdict.disable_reason
    if verdict.rule is not None:
        body["rule"] = rule_to_body(verdict.rule)
    if verdict.violations:
        body["violations"] = [asdict(each) for each in verdict.violations]
    if verdict.approval_id:
        body["approval_id"] = verdict.approval_id
    if verdict.approval_expires_at is not None:
        body["approval_expires_at"] = verdict.approval_expires_at.isoformat()
    if verdict.selected_option:
        body["selected_option"] = verdict.selected_option
    if verdict.grant_id:
        body["grant_id"] = verdict.grant_id
    if verdict.unattended:
        body["unattended"] = True
    return body


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
        selected_option=body.get("selected_option", ""),
        grant_id=body.get("grant_id", ""),
        unattended=body.get("unattended", False),
    )


def latest_verdict(body: str, row: TraceRow) -> Verdict:
    """The last verdict among the elements of one record."""
    return verdict_from_body(_with_call(_verdicts(body)[-1], row), row.number)


def latest_rule(body: str) -> RuleRef | None:
    """The rule of the last verdict among the elements of one record."""
    verdicts = _verdicts(body)
    return rule_from_body(verdicts[-1].get("rule")) if verdicts else None


def _verdicts(body: str) -> list[dict[str, Any]]:
    return [content for kind, content, *_ in json.loads(body) if kind == ElementKind.VERDICT.value]


def rule_to_body(rule: RuleRef | None) -> dict[str, Any] | None:
    """The rule by the names of its fields."""
    if rule is None:
        return None
    body = {"file": rule.file, "line": rule.line, "text": rule.text, "reason": rule.reason}
    return {name: value for name, value in body.items() if value != ""}


def rule_from_body(body: dict[str, Any] | None) -> RuleRef | None:
    """The rule of `rule_to_body`."""
    return RuleRef(**body) if body else None
