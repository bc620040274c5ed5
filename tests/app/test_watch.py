"""The approver stream: a snapshot, then changes; resumable without loss or repeat."""

import shutil
import uuid

import grpc
import pytest
from adjudicator.api.v1 import approval_service_pb2 as pb
from adjudicator.api.v1 import policy_service_pb2 as policy_pb
from running import POLICIES, running

WITHOUT_SHARING = (("grpc.use_local_subchannel_pool", 1),)
ASK = {"tool": "bash", "arguments": {"command": "ls"}}


def ask(sidecar, **fields):
    """Open an approval; its id."""
    return sidecar.judge(**(ASK | {"call_id": f"c-{uuid.uuid4().hex}"} | fields)).approval_id


class Watcher:
    """One open stream."""

    def __init__(self, sidecar, name="operator", **fields):
        self.stream = sidecar.approvals.WatchPending(
            pb.WatchPendingRequest(**fields), metadata=sidecar.token(name), timeout=30
        )
        self.cursor = fields.get("cursor", "")

    def next(self):
        """The next event that is not a heartbeat."""
        while True:
            event = next(self.stream)
            self.cursor = event.cursor
            if not event.HasField("heartbeat"):
                return event

    def snapshot(self):
        """The ids of the whole snapshot."""
        ids = []
        while True:
            event = self.next()
            assert event.HasField("snapshot")
            ids += [each.id for each in event.snapshot.approvals]
            if event.snapshot.complete:
                return ids

    def change(self):
        """The next change: id and state."""
        event = self.next()
        assert event.HasField("change")
        return event.change.approval.id, event.change.approval.state


def test_a_watch_begins_with_what_is_pending_and_goes_on_with_changes(sidecar):
    """Opened, decided and used: each change arrives with the whole approval."""
    first = ask(sidecar)
    watcher = Watcher(sidecar)
    assert watcher.snapshot() == [first]
    call_id = "c-watched"
    second = ask(sidecar, call_id=call_id)
    assert watcher.change() == (second, pb.APPROVAL_STATE_PENDING)
    sidecar.approve(second)
    assert watcher.change() == (second, pb.APPROVAL_STATE_APPROVED)
    sidecar.judge(**ASK, call_id=call_id)
    assert watcher.change() == (second, pb.APPROVAL_STATE_CONSUMED)
    sidecar.deny(first)
    assert watcher.change() == (first, pb.APPROVAL_STATE_DENIED)


def test_a_snapshot_of_many_comes_in_parts_and_misses_none(sidecar):
    """More than one part, oldest first."""
    ids = [ask(sidecar) for _ in range(120)]
    assert Watcher(sidecar).snapshot() == ids


def test_a_cursor_continues_without_loss_or_repeat(sidecar):
    """What happened during the break arrives, each approval once; what was seen does not come again."""
    seen = ask(sidecar)
    watcher = Watcher(sidecar)
    watcher.snapshot()
    watcher.stream.cancel()
    during = [ask(sidecar) for _ in range(3)]
    sidecar.deny(during[1])
    sidecar.deny(seen)
    again = Watcher(sidecar, cursor=watcher.cursor)
    pending, denied = pb.APPROVAL_STATE_PENDING, pb.APPROVAL_STATE_DENIED
    assert [again.change() for _ in range(4)] == [
        (during[0], pending),
        (during[2], pending),
        (during[1], denied),
        (seen, denied),
    ]
    last = ask(sidecar)
    assert again.change() == (last, pending)


def test_a_cursor_survives_a_restart(tmp_path):
    """It is a place in the database, not in the process."""
    with running(tmp_path / "data") as sidecar:
        ask(sidecar)
        watcher = Watcher(sidecar)
        watcher.snapshot()
        missed = ask(sidecar)
        sidecar.kill()
        sidecar.start()
        assert Watcher(sidecar, cursor=watcher.cursor).change() == (missed, pb.APPROVAL_STATE_PENDING)


def test_a_cursor_of_another_database_starts_over(sidecar):
    """The watcher is told, and gets a snapshot."""
    pending = ask(sidecar)
    watcher = Watcher(sidecar, cursor="0123456789abcdef.5")
    assert watcher.next().HasField("resync")
    assert watcher.snapshot() == [pending]


@pytest.mark.parametrize("cursor", ["x", "a.b", "a.-1", "a.1e3", "a.9999999999999999999999", "."])
def test_a_cursor_that_nobody_gave_is_refused(sidecar, cursor):
    """A malformed cursor is an error that names the field."""
    with pytest.raises(grpc.RpcError) as caught:
        Watcher(sidecar, cursor=cursor).next()
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "cursor" in caught.value.details()


def test_a_watcher_sees_only_what_it_asked_for(sidecar):
    """By tenant and by tool, in the snapshot and in the changes."""
    ask(sidecar)
    fetched = ask(sidecar, tool="fetch", arguments={"url": "https://example.test/"})
    watcher = Watcher(sidecar, tool="fetch", tenant="studio")
    assert watcher.snapshot() == [fetched]
    ask(sidecar)
    second = ask(sidecar, tool="fetch", arguments={"url": "https://example.test/2"})
    assert watcher.change()[0] == second
    assert Watcher(sidecar, tenant="archive").snapshot() == []


def test_a_quiet_watch_gets_heartbeats_with_the_time(sidecar):
    """A client can tell a quiet stream from a dead one."""
    stream = sidecar.approvals.WatchPending(pb.WatchPendingRequest(), metadata=sidecar.token(), timeout=20)
    assert next(stream).HasField("snapshot")
    event = next(stream)
    assert event.HasField("heartbeat")
    assert event.heartbeat.now.seconds > 0
    assert event.cursor


def test_a_list_of_pending_pages_without_loss(sidecar):
    """Pages follow each other by a token; the last has none."""
    ids = [ask(sidecar) for _ in range(7)]
    found, token = [], ""
    while True:
        page = sidecar.approvals.ListPending(
            pb.ListPendingRequest(page_size=3, page_token=token), metadata=sidecar.token()
        )
        found += [each.id for each in page.approvals]
        token = page.next_page_token
        if not token:
            break
        sidecar.deny(found[0]) if len(found) == 3 else None
    assert found == ids
    for bad in ({"page_size": 501}, {"page_token": "x"}):
        with pytest.raises(grpc.RpcError) as caught:
            sidecar.approvals.ListPending(pb.ListPendingRequest(**bad), metadata=sidecar.token())
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def raise_priority(sidecar):
    """From now on only leads decide on what the tool `bash` asks."""
    registry = sidecar.policies / "registry" / "tools.yaml"
    text = registry.read_text()
    title = "title: Run a shell command\n"
    head, _, tail = text.partition(title)
    registry.write_text(head + title + tail.replace("priority: medium", "priority: critical", 1))
    request = policy_pb.ReloadPolicyRequest()
    assert sidecar.policy.ReloadPolicy(request, metadata=sidecar.token()).activated


def test_a_tool_that_becomes_more_urgent_starts_the_watches_over(tmp_path):
    """Who decides on it no more is told to forget it, also when they come back with a cursor of before."""
    policies = shutil.copytree(POLICIES, tmp_path / "policies", ignore=shutil.ignore_patterns("tests"))
    with running(tmp_path / "data", policies, extra=("--no-watch",)) as sidecar:
        pending = ask(sidecar)
        watcher = Watcher(sidecar, name="eve")
        assert watcher.snapshot() == [pending]
        cursor = watcher.cursor
        raise_priority(sidecar)
        for each in (watcher, Watcher(sidecar, name="eve", cursor=cursor)):
            assert each.next().HasField("resync")
            assert each.snapshot() == []


def test_who_is_no_approver_any_more_sees_nothing_more(sidecar):
    """The open stream of a removed person ends with the next event."""
    stream = sidecar.approvals.WatchPending(
        pb.WatchPendingRequest(), metadata=sidecar.token("leaver"), timeout=20
    )
    assert next(stream).HasField("snapshot")
    (sidecar.data / "approvers" / "leaver.token").unlink()
    ask(sidecar)
    with pytest.raises(grpc.RpcError) as caught:
        next(stream)
    assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
