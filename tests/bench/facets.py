"""How long it takes to derive the facets of command lines: everyday ones, and hostile ones.

    python tests/bench/facets.py

Prints the shortest of many rounds, since other work on the machine only adds to it. `first` is a line
that was not seen before, `again` one whose facets are remembered.
"""

import time

from adjudicator.domain.facet import Access
from adjudicator.facets.bounds import InvalidArgumentError, TooComplexError
from adjudicator.facets.paths import WorkingDirectory
from adjudicator.facets.shell.catalogue import shipped_catalogue
from adjudicator.facets.shell.grammar import Grammar
from adjudicator.facets.shell.line import CommandLines

EVERYDAY = [
    "git status",
    "cd src && git status --short | head -20",
    'grep -rn "TODO" src/ --include=*.py',
    "python -m pytest -q tests/unit/test_a.py 2>&1 | tail -5",
    "cat > src/a.py <<'EOF'\n" + "x = foo('a', \"b\")\n" * 1_500 + "EOF\n",
]
HOSTILE = {
    "nested $(": "echo " + "$(" * 20_000 + ")" * 20_000,
    "nested (": "(" * 30_000 + ")" * 30_000,
    "nested {": "{ " * 30_000,
    "60k ;a": ";a" * 30_000,
    "60k quotes": "a " + "''" * 30_000,
    "unbalanced [(": "a[[[((" * 10_000,
    "<<E": "<<E " * 15_000,
    "<<E and lines": "cat <<E\n" * 7_000,
    "long word": "a" * 64_000,
    "backticks": "`" * 60_001,
    "alternating": 'a`b$(c"d' * 8_000,
    "words": "a " * 32_000,
    "newlines": "\n" * 60_000,
}
TYPICAL = EVERYDAY[1:3]
DIRECTORY = WorkingDirectory.parse("/srv/app")


def shortest(run, rounds):
    """The shortest time of the rounds, in seconds."""
    best = float("inf")
    for _ in range(rounds):
        started = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - started)
    return best


def derive(lines, text):
    """The number of facets, or why there are none."""
    try:
        return str(len(lines.facets(text, "/command", Access.WRITE, DIRECTORY)))
    except (TooComplexError, InvalidArgumentError) as error:
        return type(error).__name__


def first_and_again(text):
    """The time for a line that is new, and for one that is not, in microseconds."""
    lines = CommandLines(Grammar(), shipped_catalogue())
    derive(lines, "ls")

    def new():
        lines.forget()
        derive(lines, text)

    return shortest(new, 2_000) * 1e6, shortest(lambda: derive(lines, text), 2_000) * 1e6


def hostile_milliseconds():
    """The time for each hostile line, in milliseconds."""
    lines = CommandLines(Grammar(), shipped_catalogue())
    return {
        name: shortest(lambda text=text: derive(lines, text), 5) * 1e3 for name, text in HOSTILE.items()
    }


def main():
    """Print a row for each line."""
    for text in EVERYDAY:
        first, again = first_and_again(text)
        print(f"{text[:56]!r:60} first {first:7.1f} us   again {again:6.1f} us")
    lines = CommandLines(Grammar(), shipped_catalogue())
    for name, text in HOSTILE.items():
        took = shortest(lambda text=text: derive(lines, text), 5) * 1e3
        print(f"{name:16} {len(text):6} characters {took:7.2f} ms   {derive(lines, text)}")


if __name__ == "__main__":
    main()
