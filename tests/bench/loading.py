"""How long a million rules take to load beside the csv module, and the memory they take."""

import csv
import gc
import time

import psutil
from adjudicator.policy.loader import load_bundle
from bundles import write_bundle

TENANTS, RULES = 10_000, 1_000_000


def loading(folder):
    """Seconds of csv, seconds of the load, and bytes of memory a rule."""
    target = folder / "large"
    write_bundle(target, TENANTS, RULES)
    with (target / "rules.csv").open(newline="") as file:
        started = time.perf_counter()
        rows = sum(1 for _ in csv.reader(file))
        by_csv = time.perf_counter() - started
    gc.collect()
    before = psutil.Process().memory_info().rss
    started = time.perf_counter()
    snapshot = load_bundle(target)
    took = time.perf_counter() - started
    gc.collect()
    taken = psutil.Process().memory_info().rss - before
    if snapshot.rule_count != RULES or rows < RULES:
        raise SystemExit(f"{snapshot.rule_count} rules were loaded of {RULES}")
    return by_csv, took, taken / RULES
