"""Values as they are recorded, for tests of what decides on them and of what keeps them."""

import hashlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from adjudicator.domain.approval import Approval, ApprovalState
from adjudicator.domain.trace import Element, ElementKind
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode, RuleRef, Step, Verdict, Violation
from adjudicator.storage.contract import CallKey, NewTrace

VIEW = '{"tool":"bash"}'
VIEW_DIGEST = hashlib.sha256(VIEW.encode()).hexdigest()
NOW = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
VERDICT = Verdict(
    outcome=Outcome.ASK,
    step=Step.GATE,
    check="rule_chain",
    step_reached=Step.CONTRACT,
    reason_code=ReasonCode.APPROVAL_REQUIRED,
    cause=Cause.RULE_ASK,
    reason="needs a person",
    tool="bash",
    agent="coder",
    policy_version="sha256:00",
    rule=RuleRef("rules.csv", 3, "p, ..."),
    violations=(Violation("/a", "type", "is not a string"),),
    call_id="c1",
)


def an_approval(number: int = 1, **changes) -> Approval:
    """A pending approval of one minute."""
    approval = Approval(
        id=f"apr-{number}",
        state=ApprovalState.PENDING,
        tenant="studio",
        session="s",
        agent="coder",
        on_behalf_of=("designer",),
        principal="user:ann",
        tool="bash",
        call_id=f"c{number}",
        trace_number=0,
        digest=b"d" * 32,
        view_json=VIEW,
        view_digest=VIEW_DIGEST,
        approvable=True,
        ask_reason="needs a person",
        rule=RuleRef("rules.csv", 3, "p, ..."),
        quorum=1,
        four_eyes=True,
        votes=(),
        created_at=NOW,
        expires_at=NOW + timedelta(seconds=60),
        changed_at=NOW,
    )
    return replace(approval, **changes)


def a_trace(number: int = 1, **changes) -> NewTrace:
    """A trace of a call that asks, with its approval."""
    new = NewTrace(
        key=CallKey("studio", "s", f"c{number}"),
        keyed=True,
        agent="coder",
        tool="bash",
        digest=b"d" * 32,
        opened_at=NOW,
        elements=(Element(ElementKind.INPUT_CONTEXT, {"tenant": "studio"}, NOW),),
        verdict=replace(VERDICT, approval_id=f"apr-{number}"),
        closing=(Element(ElementKind.APPROVAL, {"event": "opened"}, NOW),),
        finish=False,
        approval=an_approval(number),
    )
    return replace(new, **changes)
