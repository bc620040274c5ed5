"""Command lines that are empty, not of the declared form, or too much to look at."""

import time
from contextlib import suppress

import pytest
from adjudicator.config.limits import FACETS, SHELL_COMMANDS, SHELL_DEPTH, SHELL_PIECES, SHELL_WORDS
from adjudicator.domain.facet import Opacity
from adjudicator.facets.bounds import InvalidArgumentError, TooComplexError
from adjudicator.facets.derive import derive
from command_lines import ROOT, SPEC, codes, commands, facets, full, verdict


@pytest.mark.parametrize("line", ["", " ", "\n", "\t \n", "# nothing", " # a\n# b\n", []])
def test_a_line_without_a_command_is_invalid(line):
    """An empty set of checks is never a pass."""
    with pytest.raises(InvalidArgumentError, match="/command has no command in it"):
        facets(line)


@pytest.mark.parametrize(
    "line", [";", "&&", "()", "{ }", "|", "''", "<", "$(", "`", '"', "[[", "if", "\\", "!", "[''"]
)
def test_a_broken_line_is_opaque_or_invalid(line):
    """Whatever it is, no Allow matches it."""
    try:
        assert full(line)
    except InvalidArgumentError:
        return
    assert verdict(line, ["path:/**"]) == "default"
    assert codes(line)


@pytest.mark.parametrize("value", [1, None, {}, {"a": "ls"}, ["ls", 1], [["ls"]], True])
def test_what_is_no_command_is_a_misfit(value):
    """A value that is neither a text nor a list of texts is not of the declared form."""
    (facet,) = derive({"command": value}, (SPEC,), ROOT, {})
    assert facet.misfit
    assert facet.opaque.code is Opacity.FORM


def test_words_that_are_run_without_a_shell_are_no_shell_text():
    """What would be an operator or an expansion in a line is a plain character in a list."""
    assert commands(["echo", "a && rm x", "$(rm y)", "*", "it's"]) == [
        ("echo", "a && rm x", "$(rm y)", "*", "it's")
    ]
    assert codes(["echo", "a && rm x", "$(rm y)", "*", "it's"]) == set()
    assert codes(["A=1", "ls"]) == {"ENVIRONMENT"}
    assert codes(["a b", "ls"]) == {"PROGRAM_NAME"}
    assert codes(["ls", "\0"]) == {"CHARACTER"}
    assert codes(["if", "x"]) == {"SYNTAX"}
    assert codes([""]) == {"PROGRAM_NAME"}
    assert verdict(["#", "x"], ["path:/**"]) == "default"


def test_many_commands_are_too_complex():
    """One more than the limit is refused, with the limit in the sentence."""
    line = "".join(f"a{number};" for number in range(SHELL_COMMANDS))
    assert len(commands(line)) == SHELL_COMMANDS
    with pytest.raises(TooComplexError, match=f"more than {SHELL_COMMANDS} commands"):
        facets("a;" * (SHELL_COMMANDS + 1))


def test_many_words_and_quotes_are_too_complex():
    """Words, quotes and things that are touched have limits of their own."""
    with pytest.raises(TooComplexError, match="words"):
        facets("a " * (SHELL_WORDS + 1))
    with pytest.raises(TooComplexError, match="quotes"):
        facets("a " + "''" * (SHELL_PIECES + 1))
    with pytest.raises(TooComplexError, match=f"more than {FACETS:,} things"):
        facets("a " + "b " * (FACETS + 1))


def test_deep_nesting_is_too_complex():
    """Substitutions, subshells, wrappers, and shells in shells."""
    deep = SHELL_DEPTH + 1
    for line in ("a $(" * deep + ")" * deep, "( " * deep + "a" + " )" * deep, "a <(" * deep + ")" * deep):
        with pytest.raises(TooComplexError, match="nested deeper"):
            facets(line)
    with pytest.raises(TooComplexError, match="nested deeper"):
        facets("nice " * (SHELL_DEPTH + 2) + "ls")
    line = "ls"
    for _ in range(SHELL_DEPTH + 1):
        line = f"eval {line}"
    with pytest.raises(TooComplexError, match="nested deeper"):
        facets(line)


HOSTILE = {
    "substitutions": "echo " + "$(" * 20_000 + "x" + ")" * 20_000,
    "parentheses": "(" * 30_000 + "x" + ")" * 30_000,
    "parted parentheses": "( " * 30_000,
    "braces": "{ " * 30_000,
    "expansions": "echo " + "${x:-" * 10_000,
    "sums": "echo " + "$((" * 20_000,
    "empty commands": ";a" * 30_000,
    "commands": "a;" * 30_000,
    "pipes": "a|" * 30_000,
    "quotes": "'" * 60_001,
    "pairs of quotes": "a " + "''" * 30_000,
    "double quotes": '"' * 60_001,
    "brackets": "a[[[((" * 10_000,
    "heredocs": "<<E " * 15_000,
    "heredocs and lines": "cat <<E\n" * 7_000,
    "a long word": "a" * 64_000,
    "backticks": "`" * 60_001,
    "nested openers": 'a`b$(c"d' * 8_000,
    "words": "a " * 32_000,
    "assignments": "a=b " * 16_000,
    "redirections": ">a " * 20_000,
    "dollars": "$" * 60_000,
    "backslashes": "\\" * 60_000,
    "ifs": "if " * 20_000,
    "cases": "case x in " * 6_000,
    "functions": "f(){ " * 12_000,
    "newlines": "\n" * 60_000,
    "hashes": "#\n" * 30_000,
    "controls": "\r" * 60_000,
    "find -exec": "find " + "-exec a " * 8_000,
    "options": "git " + "-c a " * 12_000,
    "evals": "eval " * 12_000,
    "long flags": "tar " + "--" + "c" * 60_000,
    "clusters": "tar -" + "z" * 60_000,
    "stars": "ls " + "*" * 60_000,
    "open braces": "ls " + "{a," * 20_000,
    "open brackets": "ls " + "[" * 60_000,
    "sed script": "sed '" + "s/a/b/;" * 8_000 + "'",
    "sed slashes": "sed 's/" + "\\/" * 20_000 + "'",
    "equals": "a " + "=" * 60_000,
    "colons": "a " + ":" * 60_000,
    "continuations": "a " + "\\\n" * 30_000,
    "blanks and continuations": "a " + " \\\n" * 20_000,
}


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_line_takes_little_time(line):
    """64 KiB of anything take a few milliseconds; the bound here is for a busy machine."""
    best = 9.0
    for _ in range(3):
        started = time.perf_counter()
        with suppress(TooComplexError, InvalidArgumentError):
            facets(line)
        best = min(best, time.perf_counter() - started)
    assert best < 0.25


def test_a_big_heredoc_is_an_everyday_thing():
    """A file of 30 KiB that is written with `cat` is two things: the command and the file."""
    body = "x = foo('a', \"b\") + `c` $d $(e) \\\n" * 1_000
    found = full(f"cat > src/a.py <<'EOF'\n{body}EOF\n")
    assert [facet.text for facet in found] == ["cat", "/srv/app/src/a.py"]
    assert not any(facet.opaque for facet in found)


@pytest.mark.parametrize("address", ["", "1", "1,$", "!"])
def test_a_script_of_blanks_takes_no_time(address):
    """Blanks in a script for `sed` are passed once, however many there are."""
    line = f"sed -n '{address}{' ' * 20_000}w x'"
    start = time.perf_counter()
    assert codes(line) == {"PROGRAM_RUN"}
    assert time.perf_counter() - start < 1
