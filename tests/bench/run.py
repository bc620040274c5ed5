"""Every figure that the product promises, measured in one run, beside what it may be.

    make bench

Takes a few minutes and about two gigabytes. The last column says whether the figure is as promised; the
exit code is 1 when one is not.
"""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import decisions
import facets
import loading
import reload_pauses
import serving
import shared
import verifying
import watching


class Report:
    """Prints a row for each figure and remembers whether all are as promised."""

    def __init__(self):
        self.kept = True

    def at_most(self, what, figure, most, unit):
        """One figure, which may be `most` at most."""
        kept = figure <= most
        self.kept &= kept
        self.row(what, figure, f"at most {most:g} {unit}".rstrip(), unit, "yes" if kept else "NO")

    def at_least(self, what, figure, least, unit):
        """One figure, which has to be `least` at least."""
        kept = figure >= least
        self.kept &= kept
        self.row(what, figure, f"at least {least:,} {unit}".rstrip(), unit, "yes" if kept else "NO")

    def note(self, what, figure, unit):
        """One figure without a bound."""
        self.row(what, figure, "", unit, "")

    def skip(self, what, why):
        """Say that something is not measured here."""
        print(f"{what:64}{'skipped':>12} {why}", flush=True)

    def row(self, what, figure, bound, unit, kept):
        """A row of the table."""
        print(f"{what:64}{figure:>12,.2f} {unit:6} {bound:22} {kept}", flush=True)


def report_decisions(report, folder):
    """Decisions by the number of rules, in a crowded bucket, and beside pycasbin."""
    (few_rules, few_chain), (many_rules, many_chain) = decisions.by_size(folder)
    report.note("rules decide at 10 rules", few_rules, "us")
    report.at_most("rules decide at 1,000,000 rules of 10,000 tenants", many_rules, 50, "us")
    report.at_most("  against 10 rules", many_rules / few_rules, 2, "times")
    report.note("all eight steps at 10 rules", few_chain, "us")
    report.note("all eight steps at 1,000,000 rules", many_chain, "us")
    report.at_most("  against 10 rules", many_chain / few_chain, 2, "times")
    few, crowded = decisions.by_crowd(folder)
    report.at_most("10,000 patterns in one bucket against 10", crowded / few, 5, "times")
    ours, theirs = decisions.beside_pycasbin(folder)
    report.note("enforce with a role join at 10,000 rules", ours, "us")
    report.note("  pycasbin", theirs, "us")
    report.at_least("  pycasbin against ours", theirs / ours, 10_000, "times")


def report_loading(report, folder):
    """A million rules from the disk."""
    by_csv, took, each = loading.loading(folder)
    report.note("the csv module reads 1,000,000 rules", by_csv, "s")
    report.note("they load in", took, "s")
    report.at_most("  against the csv module", took / by_csv, 15, "times")
    report.at_most("  memory of one rule", each, 1024, "bytes")


def report_reload(report, folder):
    """Decisions while 100,000 rules are loaded again and again."""
    quiet, busy = reload_pauses.quiet_and_reloading(folder, rules=100_000, rate=200, seconds=10, reloads=3)
    report.note("p99 of decisions", quiet, "ms")
    report.note("p99 while 100,000 rules reload", busy, "ms")
    report.at_most("  against quiet", busy / quiet, 3, "times")


def report_facets(report, _folder):
    """Command lines."""
    for text in facets.TYPICAL:
        first, again = facets.first_and_again(text)
        report.note(f"facets of {text[:44]!r}, never seen", first, "us")
        report.at_most("  seen before", again, 30, "us")
    worst = max(facets.hostile_milliseconds().values())
    report.at_most("facets of the worst hostile line of 64 KiB", worst, 20, "ms")


def report_serving(report, folder):
    """Verdicts over the wire, on record before they are answered."""
    if not serving.is_possible():
        report.skip("verdicts against an empty method", serving.NOT_POSSIBLE)
        return
    found = serving.measure(folder, rounds=7, seconds=2)
    for what, loads in (("verdicts on record", found.sidecar), ("an empty method", found.empty)):
        report.note(what, serving.middle(loads, lambda load: load.rate), "/s")
        report.note("  p50", serving.middle(loads, lambda load: load.wait(0.5)), "ms")
        report.note("  p99", serving.middle(loads, lambda load: load.wait(0.99)), "ms")
        report.note("  processor time of a call", serving.middle(loads, lambda load: load.cpu), "us")
    report.note("on the disk for each verdict", found.bytes_each, "bytes")
    report.note("lowest ratio of the two rates", min(found.ratios), "times")
    report.note("highest", max(found.ratios), "times")
    report.at_least("median", statistics.median(found.ratios), 0.8, "times")


def report_shared(report, _folder):
    """Two sidecars on one PostgreSQL database."""
    if not shared.is_possible():
        report.skip("two sidecars on one PostgreSQL", shared.NOT_POSSIBLE)
        return
    alone, together, ratio = shared.measure()
    report.note("verdicts recorded by one sidecar on PostgreSQL", alone, "/s")
    report.note("by two together", together, "/s")
    report.at_least("  against one", ratio, 1, "times")


def report_verifying(report, folder):
    """Offline verification of a database."""
    records = 50_000
    path = verifying.database(folder, records)
    took, bare = verifying.verified(path), verifying.read_and_hashed(path)
    report.note("records verified, with their tables", records / took, "/s")
    report.at_most("  against reading every row and hashing it", took / bare, 3, "times")
    for what, share in verifying.shares(path).items():
        report.note(f"  share of {what}", 100 * share, "%")


def report_watching(report, folder):
    """Changes on their way to people, with many who watch and many who never read."""
    found = watching.measure(folder)
    report.note("a change reaches one watcher, of 10,000 pending, p99", watching.at(found.one, 0.99), "ms")
    report.note("200 watchers, p50", watching.at(found.many.from_request, 0.5), "ms")
    report.note("  p99 from the request for the change", watching.at(found.many.from_request, 0.99), "ms")
    report.at_most("  p99 from its answer", watching.at(found.many.from_answer, 0.99), 50, "ms")
    report.note("  longest", max(found.many.from_answer), "ms")
    report.note("  bare streams of the same stack, p99", watching.at(found.bare, 0.99), "ms")
    ratio = watching.at(found.many.from_answer, 0.99) / watching.at(found.bare, 0.99)
    report.at_most("  p99 from the answer against theirs", ratio, 2, "times")
    report.note("  processor time for each change and watcher", found.cpu, "us")
    report.at_most("  against theirs", found.cpu / found.bare_cpu, 2.5, "times")
    report.note("memory of each of 1,000 watchers that never read", found.silent.kib_each, "KiB")
    report.at_most("  after 2,000 changes", found.silent.kib_each_later, 128, "KiB")
    alone, beside = found.silent.alone, found.silent.beside
    report.note("calls alone, p99", watching.at(alone, 0.99), "ms")
    report.note("  beside 1,000 watchers that never read", watching.at(beside, 0.99), "ms")
    ratio = watching.at(beside, 0.5) / watching.at(alone, 0.5)
    report.at_most("  p50 against that of calls alone", ratio, 1.5, "times")


PARTS = {
    "facets": report_facets,
    "decisions": report_decisions,
    "loading": report_loading,
    "reload": report_reload,
    "serving": report_serving,
    "shared": report_shared,
    "verifying": report_verifying,
    "watching": report_watching,
}


def main():
    """Measure each part in a process of its own, or the one that is named on the command line."""
    if len(sys.argv) == 1:
        return max(
            subprocess.run([sys.executable, __file__, name], check=False).returncode for name in PARTS
        )
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        PARTS[sys.argv[1]](report, Path(folder))
    return 0 if report.kept else 1


if __name__ == "__main__":
    sys.exit(main())
