"""How long decisions wait while a large bundle is reloaded, against how long they take when all is quiet.

    python tests/bench/reload_pauses.py --rules 100000

Decisions are made at a fixed pace, and each is timed from the moment at which it was due: one that had to
wait for the loader counts with all of its wait, and so do those that queued up behind it.
"""

import argparse
import asyncio
import shutil
import tempfile
import threading
import time
from functools import partial
from pathlib import Path

from adjudicator.app.quiet_load import quiet_load
from adjudicator.chain.case import Case
from adjudicator.chain.judge import judge
from adjudicator.config.limits import Limits
from adjudicator.domain.arguments import read_arguments
from adjudicator.domain.call import ToolCall
from adjudicator.domain.clock import SystemClock
from adjudicator.domain.verdict import Outcome
from adjudicator.service.activation import admit
from adjudicator.service.active_policy import ActivePolicy, Reload
from adjudicator.service.retired_snapshots import RetiredSnapshots

SHIPPED = Path(__file__).parents[2] / "policies"
ROW = "p, role:engineer, archive, {tool}, path:./d{number}/**, , deny, generated row {number}\n"
CALL = ToolCall("studio", "coder", "read", '{"path": "src/a.py"}', working_directory="/srv/app")


class Policy:
    """A generated bundle, and the snapshot of it that decides."""

    def __init__(self, folder, rules, versions, *, loud):
        self.folder = shutil.copytree(SHIPPED, folder / "policies")
        text = (self.folder / "rules.csv").read_text() + "".join(
            ROW.format(number=number, tool=("read", "ls")[number % 2]) for number in range(rules)
        )
        # Written before anything is measured: whoever edits a policy is another process.
        self.versions = [folder / f"{number}.csv" for number in range(versions)]
        for number, version in enumerate(self.versions):
            version.write_text(f"{text}# change {number}\n")
        self.retired = RetiredSnapshots()
        load = partial(admit, limits=Limits())
        self.active = ActivePolicy(
            self.folder, load if loud else quiet_load(load), SystemClock(), self.retired.add
        )

    async def reload(self, number):
        """Change a comment, read it all again, and take the old snapshot apart; the seconds it took."""
        self.versions[number].replace(self.folder / "rules.csv")
        started = time.monotonic()
        if await self.active.reload() is not Reload.ACTIVATED:
            raise SystemExit("\n".join(map(str, self.active.status.problems[:5])))
        while await self.retired.drop_unused():  # noqa: ASYNC110 - nobody tells when a call is done
            await asyncio.sleep(0.01)
        return time.monotonic() - started

    def decide(self):
        """One decision by the snapshot of now."""
        arguments = read_arguments(
            CALL.arguments_json, max_bytes=1000, max_depth=9, max_values=9, max_digits=99
        )
        verdict = judge(Case(CALL, arguments, self.active.current()), lambda _check, _error: None)
        return verdict.outcome is Outcome.ALLOW


def paced(decide, rate, done):
    """Milliseconds of each decision from its due moment, until done; and how many were not ALLOW."""
    waits, wrong = [], 0
    started = time.perf_counter()
    while not done():
        due = started + len(waits) / rate
        if (early := due - time.perf_counter()) > 0:
            time.sleep(early)
        wrong += not decide()
        waits.append((time.perf_counter() - due) * 1000)
    return waits, wrong


def at(waits, part):
    """The wait that this part of all waits does not exceed."""
    ordered = sorted(waits)
    return ordered[min(int(len(ordered) * part), len(ordered) - 1)]


def both(policy, rate, seconds, reloads):
    """The waits while all is quiet, those while the bundle is reloaded, and how many were not ALLOW."""
    asyncio.run(policy.reload(0))
    end = time.monotonic() + seconds
    quiet, wrong = paced(policy.decide, rate, lambda: time.monotonic() >= end)

    async def reload_all():
        for number in range(1, reloads + 1):
            await policy.reload(number)

    loader = threading.Thread(target=lambda: asyncio.run(reload_all()))
    loader.start()
    busy, more = paced(policy.decide, rate, lambda: not loader.is_alive())
    return quiet, busy, wrong + more


def quiet_and_reloading(folder, *, rules, rate, seconds, reloads):
    """The p99 of both, in milliseconds; no decision may come out otherwise than it should."""
    quiet, busy, wrong = both(Policy(folder, rules, reloads + 1, loud=False), rate, seconds, reloads)
    if wrong:
        raise SystemExit(f"{wrong} decisions were not ALLOW")
    return at(quiet, 0.99), at(busy, 0.99)


def main():
    """Read the command line, measure, and print both side by side."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rules", type=int, default=100_000)
    parser.add_argument("--rate", type=int, default=200, help="decisions a second")
    parser.add_argument("--seconds", type=float, default=10, help="of the quiet measurement")
    parser.add_argument("--reloads", type=int, default=5)
    parser.add_argument("--loud", action="store_true", help="load without giving way, to compare")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        policy = Policy(Path(folder), options.rules, options.reloads + 1, loud=options.loud)
        quiet, busy, wrong = both(policy, options.rate, options.seconds, options.reloads)
    print(f"{'milliseconds':<14}{'calls':>8}{'p50':>10}{'p99':>10}{'max':>10}")
    for name, waits in (("quiet", quiet), ("reloading", busy)):
        print(
            f"{name:<14}{len(waits):>8}{at(waits, 0.5):>10.3f}{at(waits, 0.99):>10.3f}{max(waits):>10.3f}"
        )
    times = at(busy, 0.99) / at(quiet, 0.99)
    print(f"p99 while reloading is {times:.1f} times the quiet p99; not ALLOW: {wrong}")


if __name__ == "__main__":
    main()
