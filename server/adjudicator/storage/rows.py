"""Between domain values and what the tables hold. The only place that knows both."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple, get_args, get_type_hints

from adjudicator.domain.approval import Approval, ApprovalState, Before, Claim, Decision, Vote
from adjudicator.domain.micros import from_micros, to_micros
from adjudicator.domain.request_body import request_from_body, request_to_body
from adjudicator.domain.trace import Element, ElementKind, Trace, TraceKind
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

to_json = json.JSONEncoder(separators=(",", ":")).encode
"""Compact JSON text in ASCII, which no encoding on the way can change."""


class TraceRow(NamedTuple):
    """A row of `traces`, its columns in order.

    `keyed` is 0 for a trace that owns no key; else `KEYED` says what it is of. `verdict_place` is the place
    of the record with the latest verdict, 0 where there is none; `length` is the number of records.
    """

    number: int
    keyed: int
    tenant: str
    session: str
    call_id: str
    agent: str
    tool: str
    flow: int | None
    digest: bytes
    opened_at: int
    outcome: str = ""
    step: int = 0
    reason_code: str = ""
    cause: str = ""
    allowed: int = 0
    verdict_place: int = 0
    length: int = 0
    finished_at: int | None = None


class ApprovalRow(NamedTuple):
    """A row of `approvals`, its columns in order. `terms` and `votes` are JSON text."""

    id: str
    trace: int
    tenant: str
    tool: str
    terms: str
    view: str
    created_at: int
    expires_at: int
    state: str
    votes: str
    changed_at: int


class RecordRow(NamedTuple):
    """A row of `records`, its columns in order. `writer` is the number of the writer's row."""

    writer: int
    sequence: int
    trace: int
    place: int
    recorded_at: int
    body: str
    state: bytes
    hash: bytes


def columns_of(row: type[NamedTuple]) -> tuple[tuple[str, type], ...]:
    """The columns of a row, each with the type of its values when they are not NULL."""
    hints = get_type_hints(row)
    return tuple(
        (name, get_args(hints[name])[0] if get_args(hints[name]) else hints[name]) for name in row._fields
    )


KEYED = {
    TraceKind.CALL: 1,
    TraceKind.FLOW: 2,
    TraceKind.GRANT: 3,
    TraceKind.QUESTION: 4,
    TraceKind.SESSION: 5,
}
"""`keyed` of a trace of each kind that owns its key; only a call's need not."""
FLOW, SESSION = KEYED[TraceKind.FLOW], KEYED[TraceKind.SESSION]
_KINDS = {number: kind for kind, number in KEYED.items()} | {0: TraceKind.CALL}
_DIGEST = TraceRow._fields.index("digest")
TRACE_COLUMNS = ", ".join(TraceRow._fields)
APPROVAL_COLUMNS = ", ".join(ApprovalRow._fields)


def kind_of(row: TraceRow) -> TraceKind:
    """What the trace is of."""
    return _KINDS[row.keyed]


def state_values(trace: Sequence[Any], attached: Sequence[Any] | None) -> list[Any]:
    """What the tables say of a trace, as JSON data: its row, the digest hexadecimal, and what hangs on it.

    On a call hangs its approval if it has one, on a grant's or a question's trace the grant or question.
    """
    values = list(trace)
    values[_DIGEST] = values[_DIGEST].hex()
    return [values, attached]


def state_of(trace: Sequence[Any], attached: Sequence[Any] | None) -> bytes:
    """The SHA-256 of `state_values` as JSON text."""
    return hashlib.sha256(to_json(state_values(trace, attached)).encode("ascii")).digest()


def with_verdict(row: TraceRow, verdict: Verdict, place: int) -> TraceRow:
    """The row after a verdict that is recorded at the place."""
    return row._replace(
        outcome=verdict.outcome.value,
        step=verdict.step.value,
        reason_code=verdict.reason_code.value,
        cause=verdict.cause.value,
        allowed=row.allowed or int(verdict.allowed),
        verdict_place=place,
    )


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


def approval_to_row(approval: Approval, trace: int) -> ApprovalRow:
    """The row of an approval of the trace."""
    terms = {
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
        "likeness": approval.likeness,
        "request": request_to_body(approval.request),
    }
    return ApprovalRow(
        id=approval.id,
        trace=trace,
        tenant=approval.tenant,
        tool=approval.tool,
        terms=to_json(terms),
        view=approval.view_json,
        created_at=to_micros(approval.created_at),
        expires_at=to_micros(approval.expires_at),
        state=approval.state.value,
        votes=to_json([_vote_to_body(vote) for vote in approval.votes]),
        changed_at=to_micros(approval.changed_at),
    )


def with_vote(row: ApprovalRow, vote: Vote) -> ApprovalRow:
    """The row after one more vote."""
    return row._replace(votes=to_json([*json.loads(row.votes), _vote_to_body(vote)]))


def approval_from_row(
    row: ApprovalRow, claim: Claim | None = None, before: Before | None = None
) -> Approval:
    """The approval of a row, with what else is known of it."""
    terms = json.loads(row.terms)
    return Approval(
        id=row.id,
        state=ApprovalState(row.state),
        tenant=row.tenant,
        session=terms["session"],
        agent=terms["agent"],
        on_behalf_of=tuple(terms["on_behalf_of"]),
        principal=terms["principal"],
        tool=row.tool,
        call_id=terms["call_id"],
        trace_number=row.trace,
        digest=bytes.fromhex(terms["digest"]),
        view_json=row.view,
        view_digest=terms["view_digest"],
        approvable=terms["approvable"],
        ask_reason=terms["ask_reason"],
        rule=rule_from_body(terms["rule"]),
        quorum=terms["quorum"],
        four_eyes=terms["four_eyes"],
        votes=tuple(
            Vote(actor, Decision(decision), reason, from_micros(voted_at), **more)
            for actor, decision, reason, voted_at, more in map(_whole_vote, json.loads(row.votes))
        ),
        created_at=from_micros(row.created_at),
        expires_at=from_micros(row.expires_at),
        changed_at=from_micros(row.changed_at),
        likeness=terms.get("likeness", ""),
        claim=claim,
        before=before,
        request=request_from_body(terms.get("request")),
    )


_MORE_OF_VOTE = ("request_id", "fingerprint", "selected_option", "delegate_to", "grant_id")


def _vote_to_body(vote: Vote) -> list[Any]:
    more = {name: value for name in _MORE_OF_VOTE if (value := getattr(vote, name))}
    body: list[Any] = [vote.actor, vote.decision.value, vote.reason, to_micros(vote.voted_at)]
    return [*body, more] if more else body


def _whole_vote(body: list[Any]) -> list[Any]:
    return body if len(body) > 4 else [*body, {}]  # noqa: PLR2004 - the names above come last, if any


def trace_from_row(row: TraceRow, verdict: Verdict | None, elements: tuple[Element, ...] = ()) -> Trace:
    """The trace of a row."""
    return Trace(
        number=row.number,
        opened_at=from_micros(row.opened_at),
        finished_at=from_micros(row.finished_at) if row.finished_at is not None else None,
        tenant=row.tenant,
        session=row.session,
        agent=row.agent,
        tool=row.tool,
        verdict=verdict,
        flow=row.flow,
        kind=kind_of(row),
        own_id="" if row.keyed in (0, KEYED[TraceKind.CALL]) else row.call_id,
        elements=elements,
    )
