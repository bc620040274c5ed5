"""What watchers are sent is put together from parts, and is what protobuf would have made of the whole."""

from datetime import UTC, datetime

import pytest
from adjudicator.api.v1 import approval_service_pb2 as pb
from adjudicator.service.encoded_approval import ApprovalChange, EncodedApproval
from adjudicator.service.watch import Heartbeat, PendingSnapshot, Resync
from adjudicator.transport.approval_messages import approval_message
from adjudicator.transport.watch_messages import encoding_of, watch_message
from records import an_approval

ENCODING = encoding_of(approval_message)
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
APPROVALS = [an_approval(number, view_json="x" * size) for number, size in enumerate((0, 90, 20_000), 1)]


@pytest.mark.parametrize("approval", APPROVALS, ids=["small", "of two bytes' length", "large"])
def test_a_change_is_the_whole_message(approval):
    """With its cursor."""
    message = ENCODING.change("c.7", ENCODING.approval(approval))
    change = ApprovalChange(7, "c.7", approval, message)
    assert watch_message("c.7", change) == message
    expected = pb.WatchPendingResponse(
        cursor="c.7", change=pb.ApprovalChange(approval=approval_message(approval))
    )
    assert message == expected.SerializeToString()


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("complete", [True, False])
def test_a_snapshot_is_made_of_its_approvals(count, complete):
    """Some or none, complete or not."""
    shown = [EncodedApproval(each, ENCODING.approval(each)) for each in APPROVALS[:count]]
    cursor = "c.7" if complete else ""
    message = watch_message(cursor, PendingSnapshot(shown, complete))
    expected = pb.WatchPendingResponse(
        cursor=cursor,
        snapshot=pb.PendingSnapshot(
            approvals=[approval_message(each) for each in APPROVALS[:count]], complete=complete
        ),
    )
    assert message == expected.SerializeToString()
    assert pb.WatchPendingResponse.FromString(message).WhichOneof("event") == "snapshot"


def test_the_rest_is_serialised_as_it_is():
    """A heartbeat and a resync."""
    beat = pb.WatchPendingResponse.FromString(watch_message("c.7", Heartbeat(NOW)))
    assert (beat.cursor, beat.heartbeat.now.ToDatetime(tzinfo=UTC)) == ("c.7", NOW)
    assert pb.WatchPendingResponse.FromString(watch_message("", Resync("why"))).resync.reason == "why"
