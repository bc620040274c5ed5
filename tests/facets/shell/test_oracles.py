"""Command lines against two that know shells: shfmt's parser, and bash itself with stubs for programs."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from adjudicator.domain.facet import UNKNOWN, ArgumentKind
from adjudicator.facets.bounds import InvalidArgumentError, TooComplexError
from command_lines import facets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).parents[3]
LINES = Path(
    os.environ.get("ADJUDICATOR_TEST_LINES", ROOT.parent / "shared" / "data" / "shell-commands.txt")
)
# One line to a row; what stands for a newline inside of one is drawn as the key is.
TRICKY = [
    row.replace("\u23ce", "\n")
    for row in Path(__file__).with_name("tricky_lines.txt").read_text(encoding="utf-8").splitlines()
]
BESIDE = Path(sys.executable).parent / "shfmt"
SHFMT = str(BESIDE) if BESIDE.exists() else shutil.which("shfmt")
BASH = shutil.which("bash")
WHOLE_LINE = {"SYNTAX", "CHARACTER"}


def called_by(node):
    """The first word of each command that shfmt sees, where it is a plain text."""
    if isinstance(node, list):
        for each in node:
            yield from called_by(each)
    elif isinstance(node, dict):
        if node.get("Args"):
            parts = node["Args"][0].get("Parts", ())
            if len(parts) == 1 and parts[0]["Type"] == "Lit" and "\\" not in parts[0]["Value"]:
                yield parts[0]["Value"]
        for each in node.values():
            yield from called_by(each)


def shfmt_programs(line):
    """What shfmt takes for the programs of a line; None when it cannot read it."""
    done = subprocess.run([SHFMT, "--to-json"], input=line.encode(), capture_output=True, check=False)
    return None if done.returncode else list(called_by(json.loads(done.stdout)))


def missed(line, counts):
    """The programs of a line that are not among its facets, though the line is not opaque as a whole."""
    try:
        found = facets(line)
    except (TooComplexError, InvalidArgumentError) as error:
        counts[type(error).__name__] += 1
        return []
    blockers = [facet.opaque.code.value for facet in found if facet.opaque and not facet.mention]
    counts[blockers[0] if blockers else "known"] += 1
    seen = {facet.words[0] for facet in found if facet.kind is ArgumentKind.SHELL and facet.words}
    programs = shfmt_programs(line)
    if programs is None:
        counts["not read by shfmt"] += 1
    if programs is None or WHOLE_LINE & set(blockers):
        return []
    return [program for program in programs if program not in seen]


@pytest.mark.skipif(SHFMT is None, reason="shfmt is not installed")
@pytest.mark.skipif(not LINES.exists(), reason=f"the recorded lines are not at {LINES}")
def test_no_program_of_a_real_line_is_missed():
    """What another parser finds in two thousand lines people wrote is seen, or the line is opaque."""
    counts = Counter()
    lines = [line for line in LINES.read_text(encoding="utf-8").split("\n") if line]
    wrong = {line: found for line in lines if (found := missed(line, counts))}
    print(dict(counts))  # noqa: T201 - the rates are the point of the run
    assert not wrong
    assert counts["known"] > len(lines) / 3


@pytest.mark.skipif(SHFMT is None, reason="shfmt is not installed")
@pytest.mark.parametrize("line", TRICKY)
def test_no_program_of_a_tricky_line_is_missed(line):
    """The same for lines made to be hard to read."""
    assert not missed(line, Counter())


@pytest.mark.parametrize("line", [line for line in TRICKY if "rm" in line])
def test_no_tricky_line_passes_without_an_allow_for_rm(line):
    """A line with `rm` in it somewhere is never known and without it at once, unless it is only a text."""
    found = facets(line)
    if any(facet.opaque and not facet.mention for facet in found):
        return
    programs = {facet.words[0] for facet in found if facet.words}
    quoted = "<<'E'" in line or '<<"E"' in line or "<<\\E" in line or line.startswith("alias")
    assert "rm" in programs or "./rm" in programs or quoted


WORD = st.sampled_from(["a", "'b c'", '"d e"', "f\\ g", "-h", "--i=j", '"k"l', "$'m'"])
SIMPLE = st.builds(
    lambda name, words: " ".join([name, *words]),
    st.sampled_from(["p1", "p2", "p3"]),
    st.lists(WORD, max_size=3),
)
JOINER = st.sampled_from([" && ", " || ", "; ", " | ", "\n", " |& "])
AROUND = [
    "( {} )",
    "{{ {}; }}",
    "p4 $( {} )",
    'p4 "$( {} )" x',
    "if {}; then p1; fi",
    "for i in a b; do {}; done",
    "p5 <<'E'\n{}\nE\n",
    "p5 <<E\n$( {} )\nE\n",
    "p5 < <( {} )",
    "! {}",
    "p1 > /dev/null 2>&1; {}",
    "eval 'p1 a; p2' && {}",
    "bash -c 'p2 && p3 b' || {}",
]
SCRIPTS = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.builds("{1}{0}{2}".format, JOINER, inner, inner),
        st.builds(str.format, st.sampled_from(AROUND), inner),
    ),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def stubs(tmp_path_factory):
    """A folder with programs that only write down how they were called."""
    folder = tmp_path_factory.mktemp("stubs")
    for name in ("p1", "p2", "p3", "p4", "p5"):
        stub = folder / name
        # One write for each call: the sides of a pipe write at the same time.
        report = f'row="$(printf "%s\\t" "{name}" "$@")"; echo "$row" >> {folder}/log'
        stub.write_text(f"#!/bin/sh\n{report}\n")
        stub.chmod(0o755)
    (folder / "bash").symlink_to(BASH)
    return folder


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@given(line=SCRIPTS)
@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)
def test_all_that_bash_runs_was_among_the_facets(stubs, line):
    """The line is run for real: each call that a stub wrote down has the words of a facet."""
    found = facets(line)
    log = stubs / "log"
    log.write_text("")
    environment = {"PATH": str(stubs)}
    subprocess.run(
        [BASH, "-c", line], env=environment, cwd=stubs, capture_output=True, check=False, timeout=30
    )
    if any(facet.opaque and facet.opaque.code.value in WHOLE_LINE for facet in found):
        return
    known = [facet.words for facet in found if facet.words]
    for row in log.read_text().splitlines():
        called = tuple(row.split("\t")[:-1])
        assert any(_may_be(words, called) for words in known), called


def _may_be(words, called):
    """Whether these words may come to be that call: what is unknown may be any words, and none."""
    if any(UNKNOWN in word for word in words):
        return words[0] == called[0]
    return words == called
