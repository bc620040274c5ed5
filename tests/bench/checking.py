"""How long a bundle is looked through for warnings, by how many rules it has and how they lie.

    python tests/bench/checking.py --rules 10000 100000

*Even* has a hundred rules to a tenant, over three roles and ten tools. *Crowded* has all of them for one
role and one tool, each with another path. *Needless* has as many, of which every one is a duplicate.
"""

import argparse
import resource
import tempfile
import time
from pathlib import Path

from adjudicator.authoring.warnings.lints import LINTS, warnings_of
from adjudicator.policy.loader import open_bundle
from bundles import tenant, write_bundle, write_crowded_bundle


def even(folder, rules):
    """Rules over many tenants."""
    write_bundle(folder, max(1, rules // 100), rules)


def crowded(folder, rules):
    """Rules in one bucket of the engine."""
    write_crowded_bundle(folder, rules)


def needless(folder, rules):
    """Rules below one that has all of them."""
    write_crowded_bundle(folder, rules)
    with (folder / "rules.csv").open("a") as file:
        file.write(f"p, role:reader, {tenant(0)}, *, path:/srv/**, , allow, all of it\n")


LAYOUTS = {"even": even, "crowded": crowded, "needless": needless}


def measure(layout, rules):
    """Seconds to read the bundle and to look through it, and how many warnings that gives."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "policies"
        LAYOUTS[layout](folder, rules)
        begun = time.perf_counter()
        bundle = open_bundle(folder)
        read = time.perf_counter()
        found = len(warnings_of(bundle).warnings)
        return read - begun, time.perf_counter() - read, found


def main():
    """Read the command line, measure, and print a line for each layout and size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rules", type=int, nargs="+", default=[10_000, 100_000])
    options = parser.parse_args()
    print(f"{len(LINTS)} lints; seconds")
    print(f"{'':<10}{'rules':>10}{'read':>10}{'look':>10}{'us a rule':>11}{'warnings':>10}")
    for layout in LAYOUTS:
        for rules in options.rules:
            read, look, found = measure(layout, rules)
            print(
                f"{layout:<10}{rules:>10}{read:>10.2f}{look:>10.2f}{look / rules * 1e6:>11.1f}{found:>10}"
            )
    print(f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")


if __name__ == "__main__":
    main()
