"""What people are sent of approvals says all that is known of them."""

from types import SimpleNamespace

import pytest
from adjudicator.api.v1 import approval_service_pb2 as pb
from adjudicator.domain.approval import ApprovalState, Before
from adjudicator.domain.request import Context, Request
from adjudicator.service.attendance import Attendance
from adjudicator.transport.approval_messages import ApprovalMessages, approval_message
from chain.bundle import a_snapshot
from records import an_approval


def messages(snapshot, people):
    """Of approvals under that policy, when these people have a token."""
    policy = SimpleNamespace(status=SimpleNamespace(snapshot=snapshot))
    return ApprovalMessages(policy, Attendance(lambda: people))


@pytest.mark.parametrize(
    ("people", "eligible"),
    [
        ({"user:ann", "user:bob", "user:eve", "user:zoe"}, 2),  # it is for ann, and zoe is not entitled
        ({"user:ann"}, 0),
        (set(), 0),
        (None, 2),  # nobody knows who has a token; coder and designer are named like agents
    ],
)
def test_those_who_are_there_and_could_approve_are_counted(people, eligible):
    """With four eyes nobody counts for whom the call is made."""
    assert messages(a_snapshot(), people)(an_approval(tool="write")).eligible_approvers == eligible


def test_nobody_is_eligible_for_what_is_over_or_without_a_policy():
    """A number is never left over from before."""
    over = an_approval(state=ApprovalState.APPROVED)
    assert messages(a_snapshot(), None)(over).eligible_approvers == 0
    assert messages(None, None)(an_approval()).eligible_approvers == 0


def test_the_same_call_before_is_named_with_what_became_of_it():
    """Or neither, when there was none."""
    again = approval_message(an_approval(before=Before("apr-0", ApprovalState.DENIED)))
    assert (again.same_as, again.same_as_state) == ("apr-0", pb.APPROVAL_STATE_DENIED)
    first = approval_message(an_approval())
    assert (first.same_as, first.same_as_state) == ("", pb.APPROVAL_STATE_UNSPECIFIED)


def test_each_kind_of_context_comes_in_its_own_list():
    """What is written is not told as read."""
    context = Context(commands=("c",), writes=("w",), reads=("r",), urls=("u",))
    sent = approval_message(an_approval(request=Request(context=context))).request.context
    assert (sent.commands, sent.writes, sent.reads, sent.urls) == (["c"], ["w"], ["r"], ["u"])
