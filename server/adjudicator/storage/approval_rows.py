"""Between approvals and their rows. The only place that knows both."""

import json
from typing import Any, NamedTuple

from adjudicator.domain.approval import Approval, ApprovalState, Before, Claim, Decision, Vote
from adjudicator.domain.micros import from_micros, to_micros
from adjudicator.domain.request_body import request_from_body, request_to_body
from adjudicator.storage.bodies import rule_from_body, rule_to_body
from adjudicator.storage.rows import to_json


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


APPROVAL_COLUMNS = ", ".join(ApprovalRow._fields)


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
