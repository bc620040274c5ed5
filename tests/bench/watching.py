"""How soon watchers hear of a change, and what watchers cost that never read.

    python tests/bench/run.py watching

A sidecar on the shipped policies has many pending approvals. Watchers live in processes of their own, each
on a connection of its own, and note when what arrives; another process changes approvals at a steady rate.
A change is timed from the moment at which it was asked for, so that the time includes its commit, and again
from its answer. All processes of one machine share the monotonic clock. The times mean something only while
nothing else is busy: beside them stands what bare streams of the same stack take (`bare_streams.py`).
"""

import asyncio
import itertools
import json
import multiprocessing
import re
import sys
import time
from dataclasses import dataclass

import bare_streams
import grpc
import psutil
import serving
import streams
from adjudicator.api.v1 import adjudication_service_pb2 as adjudication_pb
from adjudicator.api.v1 import adjudication_service_pb2_grpc as adjudication_grpc
from adjudicator.api.v1 import approval_service_pb2 as pb
from adjudicator.api.v1 import approval_service_pb2_grpc as pb_grpc
from adjudicator.api.v1 import types_pb2
from grpc import aio

PENDING = 10_000
RATE = 8
CHANGES = 240
VIEW_CHARS = 700
_AT_ONCE = 64
_ID = re.compile(rb"apr-[0-9a-f]{32}|\d{20}x")
"""An approval, or the moment at which a bare message was due."""
_WATCH = "/adjudicator.api.v1.ApprovalService/WatchPending"
_settle = itertools.count(10**6)


@dataclass(frozen=True)
class Waits:
    """Milliseconds for each pair of a change and a watcher: from its request, and from its answer."""

    from_request: list[float]
    from_answer: list[float]


@dataclass(frozen=True)
class Silent:
    """What watchers that never read cost: kilobytes each at once and later, and calls beside them."""

    kib_each: float
    kib_each_later: float
    alone: list[float]
    beside: list[float]


@dataclass(frozen=True)
class Found:
    """All that is measured. `cpu` is microseconds of the sidecar for each change and watcher."""

    one: list[float]
    many: Waits
    cpu: float
    bare: list[float]
    bare_cpu: float
    silent: Silent


def measure(folder, *, watchers=200, silent=1_000):
    """Fill a sidecar, and let one, many, and many watch that never read."""
    crowd = Crowd(folder)
    try:
        one, _ = crowd.waits(1)
        many, cpu = crowd.waits(watchers)
        bare, bare_cpu = bare_waits(folder, watchers)
        return Found(one.from_request, many, cpu, bare, bare_cpu, crowd.silent(silent))
    finally:
        crowd.stop()


def at(waits, part):
    """The wait that this part of all waits does not exceed."""
    ordered = sorted(waits)
    return ordered[int((len(ordered) - 1) * part)]


class Crowd:
    """A sidecar with many pending approvals, and who changes them."""

    def __init__(self, folder, pending=PENDING):
        self.sidecar = serving.Sidecar(folder)
        token = (self.sidecar.data / "approvers" / "operator.token").read_text().strip()
        self.token = (("authorization", f"Bearer {token}"),)
        self.ids = iter(asyncio.run(self._ask(pending)))

    async def _ask(self, count):
        """Open so many approvals, many at a time."""
        free = asyncio.Semaphore(_AT_ONCE)
        async with aio.insecure_channel(self.sidecar.address) as channel:
            stub = adjudication_grpc.AdjudicationServiceStub(channel)

            async def one(number):
                async with free:
                    return await ask(stub, number)

            return await asyncio.gather(*map(one, range(count)))

    def cursor(self):
        """Where a watch stands that has seen all that is pending."""
        with grpc.insecure_channel(self.sidecar.approvers) as channel:
            stream = pb_grpc.ApprovalServiceStub(channel).WatchPending(
                pb.WatchPendingRequest(), metadata=self.token
            )
            return next(event.cursor for event in stream if event.snapshot.complete)

    def waits(self, watchers, changes=CHANGES):
        """Change approvals at a steady rate while so many watch; and what each change and watcher cost."""
        with self._watchers(watchers, reads=True) as crowd:
            used = self.sidecar.cpu_seconds()
            moments = asyncio.run(self._change(changes, RATE))
            time.sleep(1)
            used = self.sidecar.cpu_seconds() - used
            arrivals = crowd.arrivals()
        pairs = [
            (arrived, *moments[each]) for seen in arrivals for each, arrived in seen if each in moments
        ]
        if len(pairs) != watchers * changes:
            raise SystemExit(f"{watchers * changes} events were due, and {len(pairs)} came")
        waits = Waits(
            [(arrived - asked) / 1e6 for arrived, asked, _ in pairs],
            [(arrived - answered) / 1e6 for arrived, _, answered in pairs],
        )
        return waits, used / len(pairs) * 1e6

    def _watchers(self, count, *, reads):
        """So many who watch from now on, or who begin with a snapshot that they never read."""
        request = pb.WatchPendingRequest(cursor=self.cursor() if reads else "")
        message, token = request.SerializeToString(), self.token[0][1]
        return Watchers(self.sidecar.approvers, _WATCH, token, message, count, reads=reads)

    async def _change(self, changes, rate):
        """Deny one, open one, and so on; when each was asked for and answered, by its id."""
        moments = {}
        async with (
            aio.insecure_channel(self.sidecar.address) as agents,
            aio.insecure_channel(self.sidecar.approvers) as approvers,
        ):
            asks, votes = (
                adjudication_grpc.AdjudicationServiceStub(agents),
                pb_grpc.ApprovalServiceStub(approvers),
            )
            begun = time.monotonic()
            for number in range(changes):
                await asyncio.sleep(begun + number / rate - time.monotonic())
                started = time.monotonic_ns()
                if number % 2:
                    changed = await ask(asks, next(_settle))
                else:
                    changed = await self._deny(votes)
                moments[changed.encode()] = (started, time.monotonic_ns())
        return moments

    async def _deny(self, stub):
        denied = next(self.ids)
        request = pb.ResolveRequest(approval_id=denied, decision=pb.DECISION_DENY)
        receipt = await stub.Resolve(request, metadata=self.token)
        if not receipt.accepted:
            raise SystemExit(f"a decision did not count: {receipt}")
        return denied

    def rss(self):
        """Memory of the sidecar in KiB."""
        return psutil.Process(self.sidecar.process.pid).memory_info().rss / 1024

    def silent(self, watchers, changes=2_000):
        """Let so many watch that never read, then change much."""
        alone = asyncio.run(self._time_calls())
        before = self.rss()
        with self._watchers(watchers, reads=False):
            time.sleep(2)
            held = self.rss()
            asyncio.run(self._change(changes, 200))
            time.sleep(1)
            later = self.rss()
            beside = asyncio.run(self._time_calls())
        return Silent((held - before) / watchers, (later - before) / watchers, alone, beside)

    async def _time_calls(self, calls=2_000):
        """Milliseconds of so many calls, one after the other."""
        waits = []
        async with aio.insecure_channel(self.sidecar.address) as channel:
            stub = adjudication_grpc.AdjudicationServiceStub(channel)
            for _ in range(calls):
                started = time.perf_counter()
                await stub.Adjudicate(adjudication_pb.AdjudicateRequest(call=serving.CALL))
                waits.append((time.perf_counter() - started) * 1000)
        return waits

    def stop(self):
        """Let the sidecar end."""
        self.sidecar.stop()


async def ask(stub, number):
    """Open an approval; its id."""
    command = f"make release-{number} # " + "x" * VIEW_CHARS
    call = types_pb2.ToolCall(
        tenant="studio",
        agent="coder",
        tool="bash",
        session=f"s-{number % 200}",
        arguments_json=json.dumps({"command": command}),
    )
    verdict = (await stub.Adjudicate(adjudication_pb.AdjudicateRequest(call=call))).verdict
    if not verdict.approval_id:
        raise SystemExit(f"the call does not ask: {verdict}")
    return verdict.approval_id


def bare_waits(folder, watchers):
    """The same of streams that do nothing but send: what the stack and the machine take."""
    command = [sys.executable, str(serving.HERE / "bare_streams.py"), str(RATE)]
    server = serving.Server(folder, "bare", command)
    try:
        with Watchers(server.address, bare_streams.METHOD, "none", b"", watchers, reads=True) as crowd:
            used = server.cpu_seconds()
            time.sleep(CHANGES / RATE)
            used = server.cpu_seconds() - used
            arrivals = crowd.arrivals()
    finally:
        server.stop()
    waits = [(arrived - int(due[:-1])) / 1e6 for seen in arrivals for due, arrived in seen]
    return waits, used / len(waits) * 1e6


class Watchers:
    """A process with so many streams, which it reads, or opens and never reads."""

    def __init__(self, address, method, token, request, count, *, reads):
        context = multiprocessing.get_context("spawn")
        self._stop, self._results = context.Event(), context.Queue()
        ready = context.Barrier(2)
        args = ((address, method, token, request), count, reads)
        self._process = context.Process(target=_watch, args=(*args, ready, self._stop, self._results))
        self._process.start()
        ready.wait(120)

    def __enter__(self):
        return self

    def arrivals(self):
        """Of every stream: what its pattern found, and when it arrived."""
        self._stop.set()
        return self._results.get(timeout=60)

    def __exit__(self, *_):
        self._stop.set()
        self._process.join()


def _watch(stream, count, reads, ready, stop, results):
    opened = [streams.Stream(*stream, reads=reads) for _ in range(count)]
    if not reads:
        ready.wait()
        stop.wait()
        return
    streams.read(opened, lambda: all(each.answered for each in opened))
    ready.wait()
    seen = streams.read(opened, stop.is_set)
    results.put([[(found, at) for at, got in each for found in _ID.findall(got)] for each in seen])
