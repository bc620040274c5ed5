"""`adjudicator watch`, and how it goes on after a break."""

import importlib
import json
import threading
from collections.abc import Iterator

import grpc
import pytest
from adjudicator.api.v1.approval_service_pb2 import (
    ApprovalChange,
    ApprovalState,
    Heartbeat,
    PendingSnapshot,
    Resync,
    WatchPendingResponse,
)
from adjudicator.cli.following import LONGEST_PAUSE_SECONDS, Following
from adjudicator.client.errors import ClientError
from cli.examples import approval
from scripted import refusal

GONE = ClientError(grpc.StatusCode.UNAVAILABLE, "connection refused", "here")
SNAPSHOT = WatchPendingResponse(
    cursor="1", snapshot=PendingSnapshot(approvals=[approval(1)], complete=True)
)
CHANGE = WatchPendingResponse(
    cursor="2",
    change=ApprovalChange(approval=approval(1, state=ApprovalState.APPROVAL_STATE_EXPIRED)),
)
ALIVE = WatchPendingResponse(cursor="3", heartbeat=Heartbeat())
RESYNC = WatchPendingResponse(cursor="4", resync=Resync(reason="the watcher was too slow"))


class Recorder:
    """A screen that remembers."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def event(self, response: WatchPendingResponse) -> None:
        """Note the cursor."""
        self.seen.append(response.cursor)

    def closed(self, reason: str) -> None:
        """Note the break."""
        self.seen.append(f"closed: {reason}")

    def back(self) -> None:
        """Note its end."""
        self.seen.append("back")


class Stop(Exception):  # noqa: N818 - it ends a test and is no error
    """Ends a watch that would go on for ever."""


def watch(*streams: list) -> tuple[list[str], list[str], list[float]]:
    """What is shown, from which cursors, with which pauses, when the streams come one after the other."""
    screen, cursors, pauses = Recorder(), [], []
    remaining = iter(streams)

    def follow(cursor: str) -> Iterator[WatchPendingResponse]:
        cursors.append(cursor)
        for each in next(remaining, [Stop()]):
            if isinstance(each, Exception):
                raise each
            yield each

    with pytest.raises(Stop):
        Following(follow, screen).run(sleep=pauses.append)
    return screen.seen, cursors, pauses


def test_after_a_break_it_continues_from_its_cursor():
    """Nothing is asked for twice and nothing is left out."""
    seen, cursors, _ = watch([SNAPSHOT, CHANGE, GONE], [ALIVE])
    assert seen == ["1", "2", "closed: no sidecar answers", "back", "3", "closed: the sidecar ended it"]
    assert cursors == ["", "2", "3"]


def test_pauses_grow_to_a_limit_and_start_over():
    """A sidecar that stays away is not hammered; one that comes back is met at once the next time."""
    _, _, pauses = watch([SNAPSHOT], *([[GONE]] * 8), [ALIVE])
    assert pauses[:9] == [0.5, 1, 2, 4, 8, 15, 15, 15, LONGEST_PAUSE_SECONDS]
    assert pauses[9] == 0.5


def test_a_break_is_said_once():
    """Repeated failures to come back do not fill the screen."""
    seen, _, _ = watch([SNAPSHOT, GONE], [GONE], [GONE])
    assert seen.count("closed: no sidecar answers") == 1


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.UNIMPLEMENTED])
def test_what_coming_again_cannot_mend_ends_it(code):
    """A token that is no longer valid is an error, not a pause."""

    def follow(_: str) -> Iterator[WatchPendingResponse]:
        yield SNAPSHOT
        raise ClientError(code, "no", "here")

    with pytest.raises(ClientError):
        Following(follow, Recorder()).run(sleep=pytest.fail)


def test_once_prints_the_snapshot_and_ends(run, script):
    """All parts of the snapshot, and nothing after it."""
    part = WatchPendingResponse(cursor="0", snapshot=PendingSnapshot(approvals=[approval(2)]))
    script.answers["WatchPending"] = lambda _: iter([part, SNAPSHOT, CHANGE])
    result = run("watch", "--once", "--tenant", "acme", "--tool", "bash")
    assert result.exit_code == 0
    assert approval(1).id in result.stdout
    assert approval(2).id in result.stdout
    assert "2 pending" in result.stdout
    assert "EXPIRED" not in result.stdout
    assert (script.requests[0].tenant, script.requests[0].tool) == ("acme", "bash")


def test_lines_for_a_person(run, script):
    """Changes, a resync and a break are each said in words; a person sees that approving is suspended."""
    streams = iter(
        [[SNAPSHOT, CHANGE, ALIVE, RESYNC], [refusal("UNAUTHENTICATED", "UNAUTHENTICATED", "no token")]]
    )
    script.answers["WatchPending"] = lambda _: iter(next(streams))
    result = run("watch")
    assert result.exit_code == 1
    assert "EXPIRED" in result.stdout
    assert "starting over" in result.stdout
    assert "the watcher was too slow" in result.stdout
    assert "stream closed" in result.stdout
    assert "Approving is suspended" in result.stdout
    assert "UNAUTHENTICATED: no token" in result.stderr
    assert [each.cursor for each in script.requests] == ["", "4"]


def test_silence_is_said_and_the_watch_comes_back(run, script, monkeypatch):
    """A sidecar that hangs closes nothing: a person sees all the same that nothing is current."""
    monkeypatch.setattr(importlib.import_module("adjudicator.cli.watch"), "SILENCE_SECONDS", 0.3)
    hanging = threading.Event()

    def answer(request):
        if request.cursor == SNAPSHOT.cursor:
            return [ALIVE, refusal("UNAUTHENTICATED", "UNAUTHENTICATED", "no token")]
        return hang(SNAPSHOT, hanging)

    script.answers["WatchPending"] = answer
    output = run("watch").stdout
    hanging.set()
    assert "silent for 0.3 seconds" in output
    assert "Approving is suspended and nothing on the screen is current" in output
    assert "stream is back" in output
    assert [each.cursor for each in script.requests] == ["", "1"]


def hang(response, until):
    """One answer, and then nothing for as long as a test may take."""
    yield response
    until.wait(30)


def test_json_is_one_event_on_each_line(run, script):
    """Events as they came; a break is a line of its own."""
    streams = iter([[SNAPSHOT, CHANGE], [ALIVE, refusal("UNAUTHENTICATED", "UNAUTHENTICATED", "no token")]])
    script.answers["WatchPending"] = lambda _: iter(next(streams))
    lines = [json.loads(line) for line in run("watch", "--json").stdout.splitlines()]
    assert [sorted(line) for line in lines] == [
        ["cursor", "snapshot"],
        ["change", "cursor"],
        ["closed"],
        ["back"],
        ["cursor", "heartbeat"],
    ]
    assert lines[1]["change"]["approval"]["state"] == "EXPIRED"
