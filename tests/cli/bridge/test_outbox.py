"""Lines to an editor that reads, reads slowly, or not at all."""

import json
import threading
import time

import pytest
from adjudicator.api.v1.approval_service_pb2 import ResolveResponse
from adjudicator.cli.bridge import session
from adjudicator.cli.bridge.outbox import Outbox, line_of
from cli.bridge.conftest import pending
from cli.examples import approval
from running import until


class Sink:
    """Where lines go once somebody reads."""

    def __init__(self, *, reads=True):
        self.written = []
        self.reading = threading.Event()
        if reads:
            self.reading.set()

    def write(self, data):
        """Wait for the reader."""
        self.reading.wait(20)
        self.written.append(json.loads(data)["n"])


def outbox(sink, most_bytes=100, patience=0.05):
    """An outbox that is being written to the sink."""
    box = Outbox(sink.write, most_bytes, patience)
    threading.Thread(target=box.run, daemon=True).start()
    return box


def test_lines_go_in_their_order_and_are_said_to_be_sent():
    """Each is noted as sent when its turn comes, and not when it begins to wait."""
    sink, sent = Sink(reads=False), []
    box = outbox(sink)
    for number in range(3):
        assert box.tell({"n": number}, lambda number=number: sent.append(number))
    until(lambda: sent == [0])
    sink.reading.set()
    box.wait_until_read()
    assert (sent, sink.written) == ([0, 1, 2], [0, 1, 2])
    box.close(1)


def test_what_nobody_reads_is_dropped_but_never_a_reply():
    """It is counted, and the bound holds: no more waits than fits."""
    sink = Sink(reads=False)
    box = outbox(sink, most_bytes=4 * len(line_of({"n": 10})))
    box.tell({"n": 10})
    until(lambda: box.tell({"n": 11}))
    box.reply({"n": 12})
    told = [box.tell({"n": number}) for number in range(13, 19)]
    assert told == [True, True, False, True, True, True]
    assert box.losses == 1
    sink.reading.set()
    box.wait_until_read()
    assert sink.written == [10, 12, 16, 17, 18]
    box.close(1)


def test_a_reply_waits_for_room():
    """So a line is read only when the answers to those before it have somewhere to go."""
    sink = Sink(reads=False)
    box = outbox(sink, most_bytes=20)
    box.reply({"n": 1})
    box.reply({"n": 2})
    box.reply({"n": 3})
    waiting = threading.Thread(target=box.reply, args=({"n": 4},), daemon=True)
    waiting.start()
    waiting.join(0.2)
    assert waiting.is_alive()
    sink.reading.set()
    waiting.join(20)
    box.wait_until_read()
    assert sink.written == [1, 2, 3, 4]
    box.close(1)


def test_nothing_waits_for_an_outbox_that_is_closed():
    """Whoever tells or replies goes on; nothing more is taken."""
    box = Outbox(lambda _: None, 20, 0.05)
    box.tell({"n": 1})
    box.tell({"n": 2})
    box.close(0)
    assert not box.tell({"n": 3})
    box.reply({"n": 4})
    box.wait_until_read()
    box.run()


def test_a_line_larger_than_the_bound_goes_alone():
    """Nothing is too large to be told of."""
    sink = Sink()
    box = outbox(sink, most_bytes=5)
    assert box.tell({"n": "x" * 100})
    box.wait_until_read()
    assert sink.written == ["x" * 100]
    box.close(1)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_line_is_json_or_none(bad):
    """Nothing that other readers refuse is written."""
    with pytest.raises(ValueError, match="JSON"):
        line_of({"n": bad})


def test_an_editor_that_reads_again_is_told_everything_anew(script, edit, monkeypatch):
    """Lines were dropped: it has to forget all, and nothing counts as shown until it is sent again."""
    monkeypatch.setattr(session, "BRIDGE_BUFFER_BYTES", 200_000)
    monkeypatch.setattr(session, "BRIDGE_PATIENCE_SECONDS", 0.2)
    script.answers["Resolve"] = ResolveResponse(accepted=True, code=1)
    view = json.dumps({"tool": "write", "arguments": {"content": "x" * 30_000}}, separators=(",", ":"))
    approvals = [approval(number, view_json=view) for number in range(40)]
    over, cursors = threading.Event(), []

    def stream(request):
        cursors.append(request.cursor)
        yield pending(*approvals)
        over.wait(30)

    script.answers["WatchPending"] = stream
    editor = edit(reads=False)
    until(lambda: cursors)
    time.sleep(2)  # many times the patience with an editor that reads nothing
    editor.read()
    editor.wait("resync", stream="approvals")
    editor.wait("approval_request", approval_id=approvals[-1].id)
    at = next(place for place, line in enumerate(editor.lines) if line["type"] == "resync")
    until(lambda: len({line.get("approval_id") for line in editor.lines[at + 1 :]} - {None}) == 40)
    assert cursors == ["", ""]
    assert any(line["type"] == "status" and line["connected"] for line in editor.lines[at:])
    assert len(editor.lines[:at]) < 40
    editor.answer(approvals[0].id, "approve")
    editor.wait("approval_receipt")
    over.set()
