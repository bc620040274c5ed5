"""Several sidecars on one PostgreSQL database: one state, whoever is asked."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import grpc
import psycopg
import pytest
from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from adjudicator.api.v1 import types_pb2 as types_pb
from running import Running, error_of, health, until

ALLOW, DENY, ASK = types_pb.OUTCOME_ALLOW, types_pb.OUTCOME_DENY, types_pb.OUTCOME_ASK
ALLOWED = {"tool": "bash", "arguments": {"command": "git status"}}
ASKED = {"tool": "bash", "arguments": {"command": "make deploy"}}


class Sidecars:
    """Sidecars on one database, each with a data folder of its own; stopped at the end."""

    def __init__(self, folder, url):
        self.folder = folder
        self.url = url
        self.all = []

    def start(self):
        """One more."""
        data = self.folder / f"sidecar-{len(self.all)}"
        sidecar = Running(data, extra=("--database", self.url)).start()
        self.all.append(sidecar)
        return sidecar


@pytest.fixture
def sidecars(tmp_path, postgres_url):
    """Sidecars on a new database of the shared server."""
    group = Sidecars(tmp_path, postgres_url)
    yield group
    for sidecar in group.all:
        sidecar.stop()


@pytest.fixture
def own_server(tmp_path, postgres_server):
    """Sidecars on a server that the test stops."""
    group = Sidecars(tmp_path, postgres_server.new_database())
    yield group, postgres_server
    if not postgres_server.is_running:
        postgres_server.start()
    for sidecar in group.all:
        sidecar.stop()


def test_an_ask_of_one_is_resolved_and_used_through_others(sidecars):
    """One asks, another's approver decides, a third lets it run, once; and nobody else."""
    one, two, three = (sidecars.start() for _ in range(3))
    asked = one.judge(call_id="c1", **ASKED)
    assert asked.outcome == ASK
    assert [each.id for each in two.pending()] == [asked.approval_id]
    assert two.approve(asked.approval_id).accepted
    allowed = three.judge(call_id="c1", **ASKED)
    assert (allowed.outcome, allowed.trace_number) == (ALLOW, asked.trace_number)
    assert one.judge(call_id="c2", **ASKED).outcome == ASK
    kinds = [element.kind for element in one.trace(asked.trace_number).elements]
    assert len(kinds) == 8


def test_a_caller_held_by_one_is_released_by_another(sidecars):
    """The wait ends when the decision is made, not when somebody looks."""
    one, two = sidecars.start(), sidecars.start()
    held = one.judge_later(wait=30, call_id="c1", **ASKED)
    pending = until(two.pending)
    begun = time.monotonic()
    two.approve(pending[0].id)
    assert held.result(timeout=10).verdict.outcome == ALLOW
    assert time.monotonic() - begun < 5


def test_one_call_asked_of_all_at_once_is_one_call(sidecars):
    """Whatever the interleaving, one call_id has one trace and one approval."""
    group = [sidecars.start() for _ in range(3)]
    with ThreadPoolExecutor(24) as pool:
        for round_number in range(5):
            answers = list(
                pool.map(lambda n, r=round_number: group[n % 3].judge(call_id=f"r{r}", **ASKED), range(24))
            )
            assert {each.outcome for each in answers} == {ASK}
            assert len({(each.trace_number, each.approval_id) for each in answers}) == 1
    assert len(group[0].pending()) == 5


def test_of_many_who_decide_and_use_at_once_one_wins(sidecars):
    """Two sidecars count one decision, and release the call once."""
    one, two = sidecars.start(), sidecars.start()
    for number in range(8):
        asked = one.judge(call_id=f"c{number}", **ASKED)
        digest = one.approval(asked.approval_id).view_digest
        with ThreadPoolExecutor(4) as pool:
            votes = [
                pool.submit(side.approve if yes else side.deny, asked.approval_id, digest=digest)
                for side, yes in ((one, True), (two, False), (one, False), (two, True))
            ]
            receipts = [vote.result() for vote in votes]
        assert sum(receipt.accepted for receipt in receipts) == 1
        with ThreadPoolExecutor(6) as pool:
            uses = list(
                pool.map(lambda n, c=f"c{number}": (one, two)[n % 2].judge(call_id=c, **ASKED), range(6))
            )
        state = one.approval(asked.approval_id).state
        first = [each for each in uses if each.outcome == ALLOW and not each.replayed]
        consumed = state == approval_pb.APPROVAL_STATE_CONSUMED
        assert len(first) == int(consumed)
        assert consumed or {each.outcome for each in uses} == {DENY}


def watched(sidecar, seen, cursor=""):
    """Watch in a thread of its own, adding (approval, state) to `seen`; the stream and its thread."""
    stream = sidecar.approvals.WatchPending(
        approval_pb.WatchPendingRequest(cursor=cursor), metadata=sidecar.token()
    )

    def read():
        try:
            for event in stream:
                if event.HasField("change"):
                    seen.append((event.change.approval.id, event.change.approval.state))
                elif event.HasField("snapshot") and event.snapshot.complete:
                    seen.append("snapshot")
        except grpc.RpcError:
            pass

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return stream, thread


def test_a_watcher_of_one_sees_every_change_of_all_exactly_once(sidecars):
    """While three sidecars commit out of order, nothing is missed and nothing repeated."""
    group = [sidecars.start() for _ in range(3)]
    seen = []
    stream, thread = watched(group[0], seen)
    until(lambda: "snapshot" in seen)
    with ThreadPoolExecutor(12) as pool:
        asked = list(
            pool.map(lambda n: group[n % 3].judge(call_id=f"c{n}", **ASKED).approval_id, range(90))
        )
    opened = [(each, approval_pb.APPROVAL_STATE_PENDING) for each in asked]
    until(lambda: len(seen) > len(opened))
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda n: group[n % 3].deny(asked[n]), range(90)))
    denied = [(each, approval_pb.APPROVAL_STATE_DENIED) for each in asked]
    until(lambda: len(seen) > 2 * len(opened))
    stream.cancel()
    thread.join(5)
    assert seen[0] == "snapshot"
    assert sorted(seen[1:]) == sorted(opened + denied)


def test_a_sidecar_that_dies_or_stands_still_holds_nothing_up(sidecars):
    """Another goes on at once after a kill, and within the time-outs beside one that is stopped."""
    one, two = sidecars.start(), sidecars.start()
    asked = one.judge(call_id="c1", **ASKED)
    one.kill()
    assert two.judge(**ALLOWED).outcome == ALLOW
    assert two.approve(asked.approval_id).accepted
    assert two.judge(call_id="c1", **ASKED).outcome == ALLOW
    three = sidecars.start()
    three.process.send_signal(19)  # SIGSTOP
    try:
        assert two.judge(**ALLOWED).outcome == ALLOW
    finally:
        three.process.send_signal(18)  # SIGCONT


def test_two_sidecars_never_use_one_data_folder(sidecars):
    """The second is refused by name: two with one key would write one chain."""
    one = sidecars.start()
    with pytest.raises(RuntimeError, match="each has one of its own"):
        Running(one.data, extra=("--database", sidecars.url)).start()


@pytest.mark.parametrize("how", ["stop", "kill", "pause"])
def test_a_database_that_goes_away_is_survived(own_server, how):
    """Meanwhile nothing is allowed and health says so; afterwards all is well again by itself."""
    group, server = own_server
    one, two = group.start(), group.start()
    asked = one.judge(call_id="c1", **ASKED)
    getattr(server, how)()
    for sidecar in (one, two):
        with pytest.raises(grpc.RpcError) as caught:
            sidecar.judge(**ALLOWED, timeout=20)
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        assert error_of(caught)[0] == "STORE_UNAVAILABLE"
        until(lambda side=sidecar: health(side.agent_channel) == "NOT_SERVING")
    server.resume() if how == "pause" else server.start()
    for sidecar in (one, two):
        until(lambda side=sidecar: health(side.agent_channel) == "SERVING", seconds=40)
        assert sidecar.judge(**ALLOWED).outcome == ALLOW
    assert two.approve(asked.approval_id).accepted
    assert one.judge(call_id="c1", **ASKED).outcome == ALLOW


def test_a_database_that_takes_no_writes_is_survived(sidecars):
    """A standby that was not promoted yet, for example: reads work and nothing is decided."""
    one = sidecars.start()
    assert one.judge(**ALLOWED).outcome == ALLOW
    name = sidecars.url.rpartition("/")[2]
    for switch in ("on", "off"):
        with psycopg.connect(sidecars.url, autocommit=True) as db:
            db.execute("SET default_transaction_read_only = off")
            db.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {switch}")
            db.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            )
        if switch == "on":
            until(lambda: health(one.agent_channel) == "NOT_SERVING")
            with pytest.raises(grpc.RpcError) as caught:
                one.judge(**ALLOWED)
            assert error_of(caught)[0] == "STORE_UNAVAILABLE"
    until(lambda: health(one.agent_channel) == "SERVING", seconds=40)
    assert one.judge(**ALLOWED).outcome == ALLOW


def test_every_answered_verdict_is_on_record_while_the_database_is_stopped_and_started(own_server):
    """Under load from two sidecars, through stops and kills, nothing that was answered is lost."""
    group, server = own_server
    side = [group.start(), group.start()]
    answered, refused, ended = [], set(), threading.Event()

    def load(number):
        count = 0
        while not ended.is_set():
            count += 1
            call_id = f"w{number}-{count}"
            try:
                answered.append((call_id, side[number % 2].judge(call_id=call_id, **ALLOWED).trace_number))
            except grpc.RpcError as error:
                refused.add(error.code())
                time.sleep(0.05)

    with ThreadPoolExecutor(6) as pool:
        loads = [pool.submit(load, number) for number in range(6)]
        for how in ("stop", "kill", "stop"):
            time.sleep(0.7)
            getattr(server, how)()
            time.sleep(0.3)
            server.start()
            until(lambda: all(health(each.agent_channel) == "SERVING" for each in side), seconds=40)
        time.sleep(0.5)
        ended.set()
        for each in loads:
            each.result()
    with psycopg.connect(group.url) as db:
        recorded = dict(db.execute("SELECT call_id, number FROM traces").fetchall())
    assert len(answered) > 50
    assert refused <= {grpc.StatusCode.UNAVAILABLE}
    assert all(recorded.get(call_id) == number for call_id, number in answered)
