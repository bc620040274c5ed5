"""What stands beside an approval's view: who has it, who is on it, what was before, who could decide."""

import io
from datetime import UTC, datetime, timedelta

import pytest
from adjudicator.api.v1.approval_service_pb2 import (
    ApprovalState,
    Claim,
    Decision,
    GetApprovalResponse,
    ListPendingResponse,
    PendingSnapshot,
    ReceiptCode,
    ResolveResponse,
    Vote,
    WatchPendingResponse,
)
from adjudicator.cli.approval_view import print_approval, print_approvals
from cli.examples import VIEW, approval
from rich.console import Console

APR = approval().id
OTHER = approval(2).id
SOON = datetime.now(UTC) + timedelta(minutes=5)
HANDED = {"delegated_to": "user:bob"}
CLAIMED = {"claim": Claim(actor="user:eve", until=SOON)}
SCREENS = [("pending",), ("approval", APR), ("watch", "--once"), ("approve", APR), ("deny", APR)]
SCREENS += [("delegate", APR, "--to", "user:bob")]


def screen(run, script, words, **fields):
    """What one command prints of an approval."""
    one = approval(**fields)
    script.resolves(one, ResolveResponse(accepted=True, code=ReceiptCode.RECEIPT_CODE_ACCEPTED))
    script.answers["ListPending"] = ListPendingResponse(approvals=[one])
    snapshot = WatchPendingResponse(cursor="1", snapshot=PendingSnapshot(approvals=[one], complete=True))
    script.answers["WatchPending"] = lambda _: iter([snapshot])
    result = run(*words)
    assert result.exit_code == 0
    return result.stdout


@pytest.mark.parametrize("words", SCREENS, ids=lambda words: words[0])
@pytest.mark.parametrize(
    ("fields", "says"),
    [
        (HANDED, "user:bob, who alone approves it"),
        (CLAIMED, "user:eve is on it until"),
        ({"same_as": OTHER, "same_as_state": 3}, f"asked before: {OTHER} (DENIED)"),
        ({"same_as": OTHER, "same_as_state": 1}, f"duplicate of {OTHER} (PENDING)"),
        ({"same_as": OTHER, "same_as_state": 99}, f"asked before: {OTHER} (99)"),
        ({"eligible_approvers": 0}, "nobody with a token can approve it now"),
        ({"eligible_approvers": 1}, "only 1 of 2 could approve it now"),
    ],
)
def test_every_screen_says_what_holds_of_an_approval(run, script, words, fields, says):
    """Whatever is in the message and matters for a decision is on whichever screen one decides from."""
    assert says in screen(run, script, words, **fields)


@pytest.mark.parametrize("words", SCREENS, ids=lambda words: words[0])
def test_what_does_not_hold_is_not_said(run, script, words):
    """A claim that is over, or a quorum that is there, is no line."""
    over = Claim(actor="user:eve", until=datetime.now(UTC) - timedelta(seconds=1))
    output = screen(run, script, words, claim=over)
    for word in ("user:eve", "handed to", "asked before", "duplicate", "could approve", "nobody"):
        assert word not in output


def test_an_approval_without_a_readable_request_has_its_notes_too(run, script):
    """One that is too large to be listed whole as well."""
    for view in (VIEW, ""):
        output = screen(run, script, ("pending",), view_json=view, **HANDED)
        assert "user:bob, who alone approves it" in output


def test_what_is_over_is_with_nobody(run, script):
    """Who it was handed to, and who could have approved it, is of no use any more."""
    script.answers["GetApproval"] = GetApprovalResponse(
        approval=approval(
            state=ApprovalState.APPROVAL_STATE_EXPIRED, eligible_approvers=0, **HANDED, **CLAIMED
        )
    )
    output = run("approval", APR).stdout
    for word in ("handed to", "is on it", "nobody"):
        assert word not in output


@pytest.mark.parametrize(
    ("vote", "says"),
    [
        (
            Vote(actor="user:operator", decision=Decision.DECISION_DELEGATE, delegate_to="user:bob"),
            "DELEGATE by user:operator to user:bob at",
        ),
        (
            Vote(actor="user:ann", decision=Decision.DECISION_APPROVE, selected_option="once\x1b"),
            "APPROVE by user:ann, option once\\x1b at",
        ),
        (
            Vote(actor="user:ann", decision=Decision.DECISION_APPROVE, grant_id="grt-1"),
            "APPROVE by user:ann, by the grant grt-1 at",
        ),
    ],
)
def test_a_vote_has_all_that_went_along(run, script, vote, says):
    """To whom, with which option, by which grant."""
    script.answers["GetApproval"] = GetApprovalResponse(approval=approval(votes=[vote]))
    assert says in run("approval", APR).stdout


def test_a_session_approval_is_an_approving_vote(run, script):
    """It is counted with the others, and each person once."""
    votes = [
        Vote(actor="user:ann", decision=Decision.DECISION_APPROVE_SESSION),
        Vote(actor="user:ann", decision=Decision.DECISION_APPROVE),
        Vote(actor="user:bob", decision=Decision.DECISION_DELEGATE, delegate_to="user:eve"),
    ]
    script.answers["GetApproval"] = GetApprovalResponse(approval=approval(votes=votes))
    assert "1/2" in run("approval", APR).stdout


def test_who_approved_before_it_was_handed_on_still_counts(run, script):
    """So two votes are not said to be out of reach when one of them is there."""
    votes = [Vote(actor="user:ann", decision=Decision.DECISION_APPROVE)]
    assert "only 1 of 2" not in screen(
        run, script, ("pending",), votes=votes, eligible_approvers=1, **HANDED
    )


@pytest.mark.parametrize(
    ("code", "fields", "says"),
    [
        (ReceiptCode.RECEIPT_CODE_NOT_THE_DELEGATE, HANDED, "it was handed to user:bob"),
        (
            ReceiptCode.RECEIPT_CODE_MORE_VOTES_NEEDED,
            {"votes": [Vote(actor="user:ann", decision=Decision.DECISION_APPROVE)]},
            "1 of 2 have approved it",
        ),
        (
            ReceiptCode.RECEIPT_CODE_ALREADY_RESOLVED,
            {
                "state": ApprovalState.APPROVAL_STATE_DENIED,
                "votes": [Vote(actor="user:ann", decision=Decision.DECISION_SKIP, reason="no\nneed")],
            },
            "it is DENIED by user:ann at 1970-01-01",
        ),
        (
            ReceiptCode.RECEIPT_CODE_ALREADY_RESOLVED,
            {
                "state": ApprovalState.APPROVAL_STATE_CANCELLED,
                "votes": [Vote(actor="user:ann", decision=Decision.DECISION_APPROVE)],
            },
            "it is CANCELLED\n",
        ),
        (
            ReceiptCode.RECEIPT_CODE_ALREADY_RESOLVED,
            {
                "state": ApprovalState.APPROVAL_STATE_CONSUMED,
                "votes": [
                    Vote(actor=actor, decision=Decision.DECISION_APPROVE)
                    for actor in ("user:ann", "user:bob")
                ],
            },
            "it is CONSUMED by user:ann, user:bob at",
        ),
        (
            ReceiptCode.RECEIPT_CODE_EXPIRED,
            {"state": ApprovalState.APPROVAL_STATE_EXPIRED},
            "it is EXPIRED\n",
        ),
        (
            ReceiptCode.RECEIPT_CODE_DELEGATED,
            {"eligible_approvers": 0, **HANDED},
            "nobody with a token can approve it now",
        ),
        (
            ReceiptCode.RECEIPT_CODE_DELEGATED,
            {"eligible_approvers": 1, **HANDED},
            "only 1 of 2 could approve it now",
        ),
    ],
)
def test_a_receipt_says_what_its_sentence_leaves_open(run, script, code, fields, says):
    """Who has it, how many are missing, what became of it."""
    after = approval(**fields)
    script.resolves(approval(), ResolveResponse(code=code, message="A sentence.", approval=after))
    receipt = run("deny", APR).stdout.partition("A sentence.")[2]
    assert says in receipt
    assert receipt.count("\n") == 2


def test_a_receipt_without_an_approval_makes_nothing_up(run, script):
    """Who may not see it is told nothing of it."""
    script.resolves(approval(), ResolveResponse(code=ReceiptCode.RECEIPT_CODE_ALREADY_RESOLVED))
    assert run("deny", APR).stdout.endswith("ALREADY_RESOLVED: \n")


def test_notes_fit_a_terminal_of_80_columns():
    """They wrap within their column, and the ids stay whole."""
    console = Console(
        width=80, file=io.StringIO(), force_terminal=True, color_system=None, markup=False, highlight=False
    )
    one = approval(
        same_as=OTHER, same_as_state=3, eligible_approvers=0, delegated_to="role:" + "r" * 20, **CLAIMED
    )
    print_approvals(console, [one], datetime.now(UTC))
    print_approval(console, one, datetime.now(UTC))
    lines = console.file.getvalue().splitlines()
    marked = [
        line for line in lines if any(word in line for word in ("apr-", "is on it", "nobody", "r" * 20))
    ]
    assert len(marked) == 10
    assert max(map(len, marked)) <= 80
