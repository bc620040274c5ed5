"""A watch that begins anew after losses, whenever they were."""

from adjudicator.api.v1.approval_service_pb2 import Heartbeat, PendingSnapshot, WatchPendingResponse
from adjudicator.cli.bridge.outbox import Outbox
from adjudicator.cli.bridge.streams import Link, Restarting

PART = WatchPendingResponse(snapshot=PendingSnapshot())
WHOLE = WatchPendingResponse(cursor="9", snapshot=PendingSnapshot(complete=True))
ALIVE = WatchPendingResponse(cursor="10", heartbeat=Heartbeat())


class Watching:
    """A watch whose streams are these, and an outbox that a test can let lose something."""

    def __init__(self, *streams):
        self.cursors = []
        self.forgotten = 0
        self.outbox = Outbox(lambda _: None, 10_000, 0)
        self.outbox.close(0)
        self._streams = iter(streams)
        link = Link("approvals", self.outbox)
        self.restarting = Restarting(link, self.outbox, self._watch, self._forget)

    def _watch(self, cursor):
        self.cursors.append(cursor)
        yield from next(self._streams)

    def _forget(self):
        self.forgotten += 1


def test_without_losses_it_is_the_stream_itself():
    """Nothing is forgotten, and it continues from the cursor."""
    watching = Watching([WHOLE, ALIVE], [ALIVE])
    assert list(watching.restarting.follow("")) == [WHOLE, ALIVE]
    assert list(watching.restarting.follow("10")) == [ALIVE]
    assert (watching.cursors, watching.forgotten) == (["", "10"], 0)


def test_a_loss_begins_anew_within_the_stream():
    """No break is told of: the stream was there all the time."""
    watching = Watching([WHOLE, ALIVE, ALIVE], [PART, WHOLE, ALIVE])
    events = watching.restarting.follow("5")
    assert next(events) == WHOLE
    watching.outbox.losses += 1
    assert list(events) == [PART, WHOLE, ALIVE]
    assert (watching.cursors, watching.forgotten) == (["5", ""], 1)


def test_a_loss_while_the_stream_was_away_counts():
    """What was dropped then is told anew, although the cursor says that nothing happened."""
    watching = Watching([WHOLE], [WHOLE])
    list(watching.restarting.follow(""))
    watching.outbox.losses += 1
    list(watching.restarting.follow("9"))
    assert (watching.cursors, watching.forgotten) == (["", ""], 1)


def test_a_snapshot_that_is_due_survives_a_break():
    """A stream that breaks before its snapshot is complete is not continued from an old cursor."""
    watching = Watching([ALIVE], [], [PART], [PART, WHOLE], [ALIVE])
    events = watching.restarting.follow("5")
    next(events)
    watching.outbox.losses += 1
    assert list(events) == []
    for _ in range(2):
        list(watching.restarting.follow("10"))
    list(watching.restarting.follow("9"))
    assert watching.cursors == ["5", "", "", "", "9"]
    assert watching.forgotten == 1
