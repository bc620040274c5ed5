"""How long decisions wait while thousands of pending approvals are judged again, against a quiet sidecar.

    python tests/bench/judging_again.py --pending 10000

A sidecar in a process of its own, with so many approvals pending. Its policy changes twice: so that all
of them stand, then so that all of them are denied and closed. Decisions are asked for at a fixed pace, and
each is timed from the moment at which it was due.
"""

import argparse
import shutil
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from adjudicator.api.v1 import policy_service_pb2 as policy_pb
from adjudicator.api.v1 import types_pb2 as pb
from running import POLICIES, Running

READ = {"tool": "read", "arguments": {"path": "src/a.py"}, "working_directory": "/srv/app"}
ASK = {"tool": "bash", "arguments": {"command": "make deploy"}}
ROW = "p, role:engineer, studio, bash, *, , ask, a command line can do anything\n"
NO_MAKE = "p, role:engineer, studio, bash, shell:make *, , deny, nothing is made today\n"
JUDGED = "what stands was judged by the policy that is active now"
BOUNDS = (
    "pending_per_session",
    "pending_per_agent",
    "asks_per_minute_per_session",
    "asks_per_minute_per_agent",
)
SESSIONS = 100


def a_bundle(folder):
    """The shipped bundle without its tests, that lets one agent ask as often as it likes."""
    made = shutil.copytree(POLICIES, folder / "policies", ignore=shutil.ignore_patterns("tests"))
    settings = made / "bundle.yaml"
    lines = [each for each in settings.read_text().splitlines() if each.split(":")[0].strip() not in BOUNDS]
    at = lines.index("approvals:") + 1
    lines[at:at] = [f"  {name}: 100000" for name in BOUNDS]
    settings.write_text("\n".join(lines) + "\n")
    return made


def fill(sidecar, count):
    """Make so many approvals pending."""

    def ask(number):
        fields = ASK | {"session": f"s{number % SESSIONS}", "call_id": f"c{number}"}
        assert sidecar.judge(**fields).outcome == pb.OUTCOME_ASK

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(ask, range(count)))


def told(sidecar):
    """What the sidecar has said of its judging again."""
    return [each for each in sidecar.records() if each["event"] == JUDGED]


def paced(sidecar, rate, done):
    """Milliseconds of each decision from its due moment, until done."""
    waits = []
    started = time.perf_counter()
    while not done():
        due = started + len(waits) / rate
        if (early := due - time.perf_counter()) > 0:
            time.sleep(early)
        if sidecar.judge(**READ).outcome != pb.OUTCOME_ALLOW:
            raise SystemExit("a decision was not ALLOW")
        waits.append((time.perf_counter() - due) * 1000)
    return waits


def while_judging(sidecar, rules, text, rate):
    """The waits from a change of the rules until all is judged, and what was told of it."""
    before = len(told(sidecar))
    rules.write_text(text)
    finished = threading.Event()

    def reload():
        sidecar.policy.ReloadPolicy(policy_pb.ReloadPolicyRequest(), metadata=sidecar.token(), timeout=60)
        while len(told(sidecar)) == before:
            time.sleep(0.1)
        finished.set()

    threading.Thread(target=reload).start()
    waits = paced(sidecar, rate, finished.is_set)
    return waits, told(sidecar)[-1]


def at(waits, part):
    """The wait that this part of all waits does not exceed."""
    ordered = sorted(waits)
    return ordered[min(int(len(ordered) * part), len(ordered) - 1)]


def main():
    """Read the command line, measure, and print all side by side."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pending", type=int, default=10_000)
    parser.add_argument("--rate", type=int, default=25, help="decisions a second")
    parser.add_argument("--seconds", type=float, default=10, help="of the quiet measurement")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        policies = a_bundle(Path(folder))
        rules = policies / "rules.csv"
        text = rules.read_text()
        sidecar = Running(Path(folder) / "data", policies, extra=("--no-watch",)).start()
        try:
            fill(sidecar, options.pending)
            end = time.monotonic() + options.seconds
            quiet = paced(sidecar, options.rate, lambda: time.monotonic() >= end)
            standing, first = while_judging(sidecar, rules, f"{text}# a comment\n", options.rate)
            closing, second = while_judging(sidecar, rules, text.replace(ROW, NO_MAKE + ROW), options.rate)
        finally:
            sidecar.stop()
    print(f"{'milliseconds':<14}{'calls':>8}{'p50':>10}{'p99':>10}{'max':>10}")
    for name, waits in (("quiet", quiet), ("all stand", standing), ("all are closed", closing)):
        print(
            f"{name:<14}{len(waits):>8}{at(waits, 0.5):>10.3f}{at(waits, 0.99):>10.3f}{max(waits):>10.3f}"
        )
    for each in (first, second):
        print(f"{each['approvals']} judged, {each['cancelled']} cancelled in {each['seconds']} s")


if __name__ == "__main__":
    main()
